"""Signals that stop a program in good order: the first one begins it, no later one hurries it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator


class Signals:
    """The signals that came, and what the first one does: later ones find that under way."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self.came: list[signal.Signals] = []
        self.stop = stop

    def take(self, number: signal.Signals) -> None:
        """Stop, unless that was begun."""
        self.came.append(number)
        if len(self.came) == 1:
            self.stop()


@contextlib.contextmanager
def caught(stop: Callable[[], object]) -> Iterator[Signals]:
    """Let SIGTERM, SIGINT and SIGHUP stop a table in good order until all of it is closed."""
    signals = Signals(stop)
    loop = asyncio.get_running_loop()
    wanted = [signal.SIGTERM, signal.SIGINT]
    if hasattr(signal, "SIGHUP"):
        wanted.append(signal.SIGHUP)
    with contextlib.suppress(NotImplementedError):  # not on Windows
        for one in wanted:
            loop.add_signal_handler(one, signals.take, one)
    try:
        yield signals
    finally:
        with contextlib.suppress(NotImplementedError):
            for one in wanted:
                loop.remove_signal_handler(one)
