"""So many a second, and some more at once: what bounds how fast somebody may go."""

from __future__ import annotations


class Allowance:
    """So many a second on the average, two seconds' worth at once (a token bucket).

    `take` is for those who wait until they may, `spend` and `left` for those who go without.
    """

    def __init__(self, per_second: float, at_once: float | None = None) -> None:
        self._per_second = per_second
        self._most = 2 * per_second if at_once is None else at_once
        self._left = self._most
        self._last: float | None = None

    def take(self, amount: float, now: float) -> float:
        """Use some of it up and return how many seconds that is ahead of what is allowed."""
        if self._per_second == float("inf"):
            return 0.0
        self._left = self.left(now) - amount
        return max(0.0, -self._left / self._per_second)

    def spend(self, amount: float, now: float) -> bool:
        """Use some of it up if that much is there; say whether it was."""
        if self.left(now) < amount:
            return False
        self._left -= amount
        return True

    def left(self, now: float) -> float:
        """Return how much may be used up now, for those who don't use up what isn't there."""
        if self._last is not None:
            self._left = min(self._most, self._left + (now - self._last) * self._per_second)
        self._last = now
        return self._left
