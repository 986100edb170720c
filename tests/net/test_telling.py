"""The log of a table: whatever strangers make it say, it is short lines that draw nothing."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator

import pytest

from net.telling import LINES_AT_ONCE, LONGEST_LINE, Telling, TellingHandler


class Told(Telling):
    """Keeps what would be written."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def say(self, text: str, stream: object) -> None:  # noqa: ARG002 - nothing is written
        self.texts.append(text)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def log(told: Told) -> Iterator[logging.Logger]:
    logger = logging.Logger("somebody")
    handler = TellingHandler(told, io.StringIO(), "%(name)s %(message)s")
    logger.addHandler(handler)
    yield logger
    logger.removeHandler(handler)


def test_a_line_of_the_log_stays_a_line(log: logging.Logger, told: Told) -> None:
    log.warning("cut off %s", "\x1b]0;x\x07\x9b2J\nsomebody all is well\u2028\u202e" + "x" * 10**6)
    (line,) = told.texts
    assert line.startswith("somebody cut off ]0;x2J somebody all is well x")
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert len(line) <= LONGEST_LINE + 2


def test_a_traceback_keeps_its_lines_and_shows_no_more(log: logging.Logger, told: Told) -> None:
    try:
        raise ValueError("\x1b[2J" + "y" * 10**5)
    except ValueError:
        log.exception("went wrong")
    (text,) = told.texts
    assert "\x1b" not in text
    assert "Traceback" in text
    assert text.count("\n") >= 4
    assert all(len(line) <= LONGEST_LINE + 1 for line in text.split("\n"))


def test_a_flood_of_lines_fills_no_disk(
    log: logging.Logger, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    for number in range(10_000):
        log.warning("cut off %d", number)
    assert len(told.texts) == LINES_AT_ONCE
    now = 60.0
    log.warning("an hour later")
    assert told.texts[-2:] == [
        f"{10_000 - LINES_AT_ONCE} lines were left out here\n",
        "somebody an hour later\n",
    ]
