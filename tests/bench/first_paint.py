"""How soon `prrrt` paints: `python tests/bench/first_paint.py [N]`. No part of the tests.

The time from starting the process to the home screen's first picture, through a
pseudo terminal of 80x24, beside that of an app which is Textual and one word.
The two take turns in one run, so that the ratio of their medians says something
about the code and not about the machine. The goal is at most 1.5.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = 15
GIVE_UP = 30.0
"""Seconds after which a program that hasn't painted is broken."""

BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("painted")

Bare().run()
"""
OURS = "import sys; sys.argv = ['prrrt']; from tui.cli import main; main()"

PROGRAMS = {"a bare Textual app": (BARE, b"painted"), "prrrt": (OURS, b"Play with bots")}
"""What is run, and what is on the screen once it is painted."""


def first_paint(code: str, painted: bytes) -> float:
    """Return the seconds from starting a program to its first picture. Raises `RuntimeError`."""
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", code])
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        return _until(terminal, painted, began)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def _until(terminal: int, painted: bytes, began: float) -> float:
    wrote = b""
    while painted not in wrote:
        left = began + GIVE_UP - time.perf_counter()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            raise RuntimeError(f"nothing painted in {GIVE_UP:g} seconds: {wrote[-500:]!r}")
        try:
            wrote += os.read(terminal, 65536)
        except OSError:  # Linux: the other side is closed
            raise RuntimeError(f"it ended: {wrote[-500:]!r}") from None
    return time.perf_counter() - began


def main() -> None:
    """Print the medians and their ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(
            PRRRT_HOME=home, PYTHONPATH=str(ROOT), TERM="xterm-256color", COLORTERM="truecolor"
        )
        for size in ("COLUMNS", "LINES"):  # they would win over the terminal's own
            os.environ.pop(size, None)
        for number in range(runs + 1):
            for name, (code, painted) in PROGRAMS.items():
                seconds = first_paint(code, painted)
                if number:  # the first time may compile
                    times[name].append(seconds)
    for name, all_of_it in times.items():
        least, most = min(all_of_it), max(all_of_it)
        median = statistics.median(all_of_it)
        print(f"{name:20}{median * 1000:6.0f} ms  ({least * 1000:.0f} to {most * 1000:.0f})")
    bare, ours = (statistics.median(all_of_it) for all_of_it in times.values())
    print(f"{'ratio':20}{ours / bare:6.2f}     (median of {runs}, goal: at most 1.5)")


if __name__ == "__main__":
    main()
