"""The app in a real terminal: it starts, it is left in every way, and leaves the terminal clean."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator

import pytest
from open_sockets import connections

RUN = "import sys; from tui.cli import main; sys.argv[0] = 'prrrt'; main()"
ALTERNATE = (b"\x1b[?1049h", b"\x1b[?1049l")
MOUSE = (b"\x1b[?1000h", b"\x1b[?1000l")
CURSOR = (b"\x1b[?25l", b"\x1b[?25h")
TITLE = (b"\x1b[22;2t", b"\x1b[23;2t")


class Terminal:
    """A program behind a pseudo terminal, and everything it wrote."""

    def __init__(self, *args: str, width: int = 80, height: int = 24) -> None:
        self.wrote = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # Only what Python knows of: readline may have put COLUMNS and LINES behind its back,
            # and they would win over the terminal's own size.
            known = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
            env = {**known, "TERM": "xterm-256color"}
            os.execve(sys.executable, [sys.executable, "-c", RUN, *args], env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.before = termios.tcgetattr(self.fd)
        self.status: int | None = None

    def read_until(self, text: str, seconds: float = 20) -> None:
        """Read until the text (spaces may be moves of the cursor) was written."""
        end = time.monotonic() + seconds
        while text not in self.text:
            assert time.monotonic() < end, f"no {text!r} in {self.text[-2000:]!r}"
            self._read()

    def read_until_quiet(self, quiet: float = 0.7, seconds: float = 20) -> None:
        """Read until nothing more is drawn for a while."""
        end = time.monotonic() + seconds
        while select.select([self.fd], [], [], quiet)[0]:
            assert time.monotonic() < end, "it never stops drawing"
            self._read()

    @property
    def text(self) -> str:
        """What was written, without colours and moves."""
        return re.sub(r"\x1b\[[0-9;?<>=]*[a-zA-Z]", "", self.wrote.decode(errors="replace"))

    def _read(self, seconds: float = 0.1) -> bool:
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux: the other side is closed
            return False
        self.wrote += data
        return bool(data)

    def press(self, keys: str) -> None:
        os.write(self.fd, keys.encode())

    def wait(self, seconds: float = 15) -> int:
        """Wait for the end; return the exit status."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self._read(0.05) and select.select([self.fd], [], [], 0)[0]:
                    pass
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
        raise AssertionError(f"still running: {self.text[-500:]!r}")

    def wait_stopped(self, seconds: float = 15) -> None:
        """Wait until it stands still in the background."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read(0.05)
            if os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)[0]:
                return
        raise AssertionError(f"still running: {self.text[-500:]!r}")

    def hang_up(self) -> None:
        """Cut the line, as a laptop does whose lid is closed."""
        os.close(self.fd)
        self.fd = os.open(os.devnull, os.O_RDONLY)

    def close(self) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def assert_clean(self) -> None:
        """What was switched on was switched off again, and the line is as it was."""
        self.assert_given_back()
        on, off = TITLE
        assert self.wrote.rfind(off) > self.wrote.rfind(on)

    def assert_given_back(self) -> None:
        """The shell can use the terminal now."""
        for on, off in (ALTERNATE, MOUSE, CURSOR):
            assert self.wrote.rfind(off) > self.wrote.rfind(on), (on, off)
        after = termios.tcgetattr(self.fd)
        assert after[3] & termios.ECHO == self.before[3] & termios.ECHO
        assert after[3] & termios.ICANON == self.before[3] & termios.ICANON


@pytest.fixture
def terminal(home) -> Iterator[object]:
    opened: list[Terminal] = []

    def start(*args: str, **size: int) -> Terminal:
        opened.append(Terminal(*args, **size))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.mark.parametrize(("keys", "status"), [("q", 0), ("\x11", 0), ("\x03", 130)])
def test_it_opens_at_home_and_is_left(terminal, keys, status) -> None:
    app = terminal()
    app.read_until("Play with bots")
    app.press(keys)
    assert app.wait() == status
    app.assert_clean()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_the_terminal_clean(terminal, number) -> None:
    app = terminal()
    app.read_until("Play with bots")
    os.kill(app.pid, number)
    assert app.wait() == 128 + number
    app.assert_clean()


def test_it_goes_to_the_background_and_comes_back_whole(terminal) -> None:
    app = terminal()
    app.read_until("Play with bots")
    app.press("\x1a")
    app.wait_stopped()
    app.assert_given_back()
    app.wrote = b""
    os.kill(app.pid, signal.SIGCONT)
    app.read_until("Play with bots")
    app.read_until("Somebody did it")
    app.press("q")
    assert app.wait() == 0
    app.assert_clean()


@pytest.mark.parametrize("args", [(), ("solo", "--players", "3", "--think", "0")])
def test_a_terminal_that_goes_away_leaves_no_process_behind(terminal, args) -> None:
    app = terminal(*args)
    app.read_until("to marker" if args else "Play with bots")
    app.hang_up()
    assert app.wait() != 0


def test_solo_deals_and_is_left_with_a_question(terminal) -> None:
    app = terminal("solo", "--players", "3", "--think", "0")
    app.read_until("to marker")
    app.read_until_quiet()  # the bots have come to a question of ours
    assert b"\x1b]2;Your turn \xc2\xb7 prrrt\x07" in app.wrote
    assert connections(app.pid) == 0
    app.press("\x11")
    app.read_until("Leave the game")
    app.press("l")
    assert app.wait() == 0
    app.assert_clean()


def test_a_small_terminal_says_so(terminal) -> None:
    app = terminal(width=60, height=20)
    app.read_until("It needs 80x24 and has 60x20.")
    app.press("\x11")
    assert app.wait() == 0
    app.assert_clean()
