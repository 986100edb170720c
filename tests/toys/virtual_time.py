"""An event loop in which no time is lost: when nobody has anything to do, it is later at once.

What happens in it happens at the same instants every time, to the last digit, so two
runs can be compared by the clock. Only for programs without a network and without threads
(`without_threads`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from net import host, thinking

T = TypeVar("T")

MICROSECOND = 1e-6
"""What this clock tells: of numbers that are added in another order the last digits differ."""


class VirtualTime(asyncio.SelectorEventLoop):
    """`loop.time()` is virtual, and begins at 1000."""

    def __init__(self) -> None:
        super().__init__()
        self._virtual = 1000.0
        self._clock_resolution = MICROSECOND
        self._look = self._selector.select  # type: ignore[attr-defined]
        self._selector.select = self._select  # type: ignore[attr-defined]

    def time(self) -> float:
        return self._virtual

    def _select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "everybody waits for somebody else"
        self._virtual = round(self._virtual + max(timeout, 0.0), 6)
        return self._look(0)


def run(what: Coroutine[Any, Any, T]) -> T:
    """Run something to its end, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        return runner.run(what)


def without_threads(monkeypatch: pytest.MonkeyPatch, takes: Callable[[], float]) -> None:
    """Let hosts go by the loop's clock, and bots think in it: `takes()` is for how many seconds."""

    def monotonic() -> float:
        return asyncio.get_running_loop().time()

    def beside(think: Callable[[], Any]) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        chosen = think()
        loop.call_later(takes(), lambda: future.cancelled() or future.set_result(chosen))
        return future

    monkeypatch.setattr(host, "time", SimpleNamespace(monotonic=monotonic))
    monkeypatch.setattr(thinking, "_beside", beside)
