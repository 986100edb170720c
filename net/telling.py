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
from collections import deque
from typing import TextIO

LAST_WORDS = 2.0
"""Seconds that a reader has for what is still unread when a table closes."""

ROOM = 4 * 1024 * 1024
"""Bytes that wait for a slow reader; whatever comes when there is no room is not said."""


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


class TellingHandler(logging.Handler):
    """Lets the log go the same way: it must not hold a table up either."""

    def __init__(self, telling: Telling, stream: TextIO | None) -> None:
        super().__init__()
        self._telling = telling
        self._stream = stream

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line of the log."""
        self._telling.say(f"{self.format(record)}\n", self._stream)


def _write(descriptor: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        try:
            written += os.write(descriptor, data[written:])
        except BlockingIOError:  # whoever started us made it non-blocking
            with contextlib.suppress(ValueError):
                select.select([], [descriptor], [])
