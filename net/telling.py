"""Saying what happens at a table, beside the table: no reader can hold it up or end it.

A program that reads a table's lines may read slowly, not at all, or be gone
(`prrrt host --headless --json | head -1`). The game goes on all the same.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
import time
from collections import deque
from typing import Any, TextIO

from net.allowance import Allowance
from net.visible import visible

LAST_WORDS = 2.0
"""Seconds that a reader has for what is still unread when a table closes."""

ROOM = 4 * 1024 * 1024
"""Bytes that wait for a slow reader; whatever comes when there is no room is not said."""

LONGEST_LINE = 500
"""Characters of a line in the log."""

LINES_PER_SECOND, LINES_AT_ONCE = 1.0, 300
"""How many lines go into the log: what strangers do is noted there, and they may do much."""


class Telling:
    """Writes text to standard streams from a thread of its own. Use it in a `with`.

    It writes to the descriptor and holds no lock of Python's, so that a write
    which never ends doesn't keep the program from ending.
    """

    def __init__(self) -> None:
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._gone: set[int] = set()
        self._writing = False
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write_on, name="telling", daemon=True)

    def __enter__(self) -> Telling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def say(self, text: str, stream: TextIO | None) -> None:
        """Write a text to a stream, soon; None is a stream that was closed from the start."""
        if stream is None:
            return
        data = text.encode(errors="replace")
        with self._changed:
            if self._bytes + len(data) <= ROOM:
                self._waiting.append((stream.fileno(), data))
                self._bytes += len(data)
                self._changed.notify_all()

    def flush(self, within: float = LAST_WORDS) -> None:
        """Wait until everything is written, or for some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._writing, within)

    def _write_on(self) -> None:
        while True:
            with self._changed:
                self._writing = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                descriptor, data = self._waiting.popleft()
                self._bytes -= len(data)
                self._writing = True
            if descriptor not in self._gone:
                try:
                    _write(descriptor, data)
                except OSError:
                    self._gone.add(descriptor)


class PlainLines(logging.Formatter):
    """Lines of the log of which none is long, none is two, and none draws on a terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the message as one line: strangers' words may be in it."""
        return _one_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Return a traceback, each of its lines as one."""
        return "\n".join(map(_one_line, super().formatException(ei).split("\n")))


class TellingHandler(logging.Handler):
    """Lets the log go the same way: it must not hold a table up either, nor fill a disk."""

    def __init__(self, telling: Telling, stream: TextIO | None, line: str) -> None:
        """`line` is how a line of the log looks, as `logging.Formatter` has it."""
        super().__init__()
        self.setFormatter(PlainLines(line))
        self._telling = telling
        self._stream = stream
        self._allowed = Allowance(LINES_PER_SECOND, LINES_AT_ONCE)
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line of the log, or leave it out when there were very many."""
        if not self._allowed.spend(1, time.monotonic()):
            self._left_out += 1
            return
        if self._left_out:
            self._telling.say(f"{self._left_out} lines were left out here\n", self._stream)
            self._left_out = 0
        self._telling.say(f"{self.format(record)}\n", self._stream)


def _one_line(text: str) -> str:
    return visible(text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…")


def _write(descriptor: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        try:
            written += os.write(descriptor, data[written:])
        except BlockingIOError:  # whoever started us made it non-blocking
            with contextlib.suppress(ValueError):
                select.select([], [descriptor], [])
