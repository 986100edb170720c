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
"""Seconds that a table waits for somebody who is away before a bot plays for them."""

DEFAULT_IDLE = 600.0
"""Seconds without people after which a table closes."""


class AwakeClock:
    """Tells the time, without that in which the table stood still for everybody.

    The process did (Ctrl-Z, a stalled disk), or its line was down (`line_up`, which may be set
    later). Nobody could play then, so nobody's patience or time for a decision runs out. It is
    for whatever asks several times a second.
    """

    def __init__(
        self, now: Clock = time.monotonic, line_up: Callable[[], bool] = lambda: True
    ) -> None:
        self.line_up = line_up
        self._now = now
        self._last = now()
        self._lost = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        now = self._now()
        if now - self._last > STOOD_STILL or not self.line_up():
            self._lost += now - self._last
        self._last = now
        return now - self._lost


@dataclass
class DecisionClock:
    """The time for the decision under way; stands still while paused, or while nobody thinks.

    `total` None is a table without a clock.
    """

    total: float | None
    _question: tuple[int, int] | None = None
    _seats: tuple[int, ...] = ()
    _acted: tuple[int, ...] = ()
    _left: float = 0.0
    """What was left at `_since`."""
    _unseen: float = 0.0
    """For how long it has stood still because of those who have acted."""
    _since: float = 0.0
    _paused: bool = False
    _second_chance: tuple[int, int] | None = None

    def watch(
        self,
        question: tuple[int, int],
        seats: tuple[int, ...],
        now: float,
        acted: tuple[int, ...] = (),
    ) -> None:
        """See who is thinking about which question (game number, question); a new one starts over.

        `seats` are those whose own people the game waits for; without any nothing runs.
        `acted` are those whose answer waits, which nobody else is to know.
        """
        self._settle(now)
        if self.total is not None and question != self._question:
            self._question, self._left = question, self.total
        self._seats, self._acted = seats, acted
        if not acted:
            self._unseen = 0.0

    def second_chance(self) -> None:
        """Somebody is back at a question: it has its whole time once more, but only once."""
        if self._question is not None and self._second_chance != self._question:
            self._second_chance, self._question = self._question, None

    def stop(self) -> None:
        """Forget the decision: the game is over, or hasn't begun."""
        self._question, self._seats, self._acted, self._paused = None, (), (), False

    def pause(self, now: float) -> None:
        """Stand still."""
        self._settle(now)
        self._paused = True

    def go_on(self, now: float) -> None:
        """Run again with what was left."""
        self._settle(now)
        self._paused = False

    def running(self, now: float) -> tuple[tuple[int, ...], float, float] | None:
        """Return (seats, seconds left, seconds in all), or None when nobody is under a clock."""
        if self.total is None or self._question is None or not self._seats:
            return None
        self._settle(now)
        return self._seats, self._left, self.total

    def told(self, viewer: int | None, now: float) -> tuple[tuple[int, ...], float, float] | None:
        """Return `running` as a viewer sees it: those who have acted still seem to think."""
        if viewer in self._acted or not self._acted or self.total is None or not self._question:
            return self.running(now)
        self._settle(now)
        seats = tuple(sorted((*self._seats, *self._acted)))
        return seats, max(0.0, self._left - self._unseen), self.total

    def out_of_time(self, now: float) -> tuple[int, ...]:
        """Return the seats whose time has run out."""
        running = self.running(now)
        return running[0] if running and running[1] <= 0 and not self._paused else ()

    def is_spent(self, now: float) -> bool:
        """Say whether the time has run out, and the second chance was had."""
        self._settle(now)
        asked = self.total is not None and self._question is not None
        return asked and self._left <= 0 and self._second_chance == self._question

    def _settle(self, now: float) -> None:
        """Take what has passed since the last look off what is left, if somebody was thinking."""
        if self._seats and not self._paused:
            self._left = max(0.0, self._left - (now - self._since))
        elif self._acted and not self._paused:
            self._unseen += now - self._since
        self._since = now
