"""Leaving with the terminal: a window that is closed, or an SSH line that drops."""

from __future__ import annotations

import os
import queue
import signal
import threading

from textual.drivers._writer_thread import WriterThread


def leave_with_the_terminal() -> None:
    """Let the app end when what it draws on is gone; to be called before it runs.

    Textual 8.2's writer dies of the first write that fails, and the app would wait for
    ever for room in the queue that nobody empties: a process without a terminal, which
    no SIGTERM reaches. Here the dying thread says hang-up and goes on emptying it.
    """
    before = threading.excepthook

    def died(args: threading.ExceptHookArgs) -> None:
        if isinstance(args.thread, WriterThread) and isinstance(args.exc_value, OSError):
            os.kill(os.getpid(), signal.SIGHUP)
            _empty(args.thread._queue)
        else:
            before(args)

    threading.excepthook = died


def _empty(waiting: queue.Queue[str | None]) -> None:
    """Throw away what nobody can see any more, until the app closes its output."""
    while waiting.get() is not None:
        pass
