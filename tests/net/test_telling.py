"""Whoever hears what happens at a table can't hold it up: nobody who is slow, none who left."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RUN = "import sys; from tui.cli import main; sys.argv[0] = 'prrrt'; main()"
TABLE = (
    *(sys.executable, "-c", RUN, "host", "--headless", "--once", "--start-when-full"),
    *("--players", "3", "--bots", "3", "--think", "0", "--no-discovery", "--bind", "127.0.0.1"),
)
FORMS = pytest.mark.parametrize("form", [(), ("--json",)], ids=["words", "json"])


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))


@pytest.fixture
def full_pipe() -> Iterator[int]:
    """The writing end of a pipe that nobody reads and that takes nothing more."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b"\n")
    os.set_blocking(writing, True)
    yield writing
    os.close(reading)
    os.close(writing)


def _finished(home: Path) -> bool:
    (journal,) = home.glob("tables/*/game-1.jsonl")
    return b'{"end":' in journal.read_bytes()


@FORMS
def test_a_game_is_played_to_the_end_whoever_reads(tmp_path: Path, form: tuple[str, ...]) -> None:
    done = subprocess.run([*TABLE, *form], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert _finished(tmp_path)
    assert len(done.stdout.splitlines()) >= 4


@FORMS
def test_a_reader_who_does_not_read_holds_nothing_up(
    tmp_path: Path, form: tuple[str, ...], full_pipe: int
) -> None:
    table = subprocess.Popen([*TABLE, *form], stdout=full_pipe, stderr=subprocess.PIPE)
    try:
        _, said = table.communicate(timeout=60)
    finally:
        table.kill()
        table.wait()
    assert (table.returncode, said) == (0, b"")
    assert _finished(tmp_path)


@FORMS
@pytest.mark.parametrize("lines", [0, 1])
def test_a_reader_who_left_ends_nothing(tmp_path: Path, form: tuple[str, ...], lines: int) -> None:
    table = subprocess.Popen(
        [*TABLE, *form], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    try:
        assert table.stdout is not None
        for _ in range(lines):
            table.stdout.readline()
        table.stdout.close()
        table.stdout = None
        _, said = table.communicate(timeout=60)
    finally:
        table.kill()
        table.wait()
    assert (table.returncode, said) == (0, b"")
    assert _finished(tmp_path)
