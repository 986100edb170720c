"""Time at the table, in seconds of a monotonic clock that is handed in.

How long a seat may think, how long the table waits for somebody who is away,
and how long it stays open without people.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Tells the time in seconds, monotonic."""

AWAY_AFTER = 5.0
"""Seconds without a sign of life after which a peer is away."""

BEAT_EVERY = 1.5
"""Seconds between heartbeats, either way."""

STOOD_STILL = 2.0
"""Seconds in which nothing at all was done: the table itself stood still."""

DEFAULT_PATIENCE = 30.0
DEFAULT_IDLE = 600.0


class AwakeClock:
    """Tells the time, without that in which the process stood still (Ctrl-Z, a stalled disk).

    Nobody could play then, so nobody's patience or time for a decision runs
    out. It is for whatever asks several times a second.
    """

    def __init__(self, now: Clock = time.monotonic) -> None:
        self._now = now
        self._last = now()
        self._lost = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        now = self._now()
        if now - self._last > STOOD_STILL:
            self._lost += now - self._last
        self._last = now
        return now - self._lost


@dataclass
class DecisionClock:
    """The time for the decision under way; stands still while the table is paused.

    `total` None is a table without a clock.
    """

    total: float | None
    _question: tuple[int, int] | None = None
    _seats: tuple[int, ...] = ()
    _ends: float = 0.0
    _left_at_pause: float | None = None
    _second_chance: tuple[int, int] | None = None

    def watch(self, question: tuple[int, int], seats: tuple[int, ...], now: float) -> None:
        """See who is thinking about which question (game number, question); a new one starts over.

        `seats` are those whose own people think; without any nothing runs.
        """
        if self.total is not None and question != self._question:
            self._question, self._ends = question, now + self.total
            if self._left_at_pause is not None:
                self._left_at_pause = self.total
        self._seats = seats

    def second_chance(self) -> None:
        """Somebody is back at a question: it has its whole time once more, but only once."""
        if self._question is not None and self._second_chance != self._question:
            self._second_chance, self._question = self._question, None

    def stop(self) -> None:
        """Forget the decision: the game is over, or hasn't begun."""
        self._question, self._seats, self._left_at_pause = None, (), None

    def pause(self, now: float) -> None:
        """Stand still."""
        if self._left_at_pause is None:
            self._left_at_pause = max(0.0, self._ends - now)

    def go_on(self, now: float) -> None:
        """Run again with what was left."""
        if self._left_at_pause is not None:
            self._ends = now + self._left_at_pause
            self._left_at_pause = None

    def running(self, now: float) -> tuple[tuple[int, ...], float, float] | None:
        """Return (seats, seconds left, seconds in all), or None when nobody is under a clock."""
        if self.total is None or self._question is None or not self._seats:
            return None
        left = self._left_at_pause if self._left_at_pause is not None else self._ends - now
        return self._seats, max(0.0, left), self.total

    def out_of_time(self, now: float) -> tuple[int, ...]:
        """Return the seats whose time has run out."""
        running = self.running(now)
        return running[0] if running and running[1] <= 0 and self._left_at_pause is None else ()
