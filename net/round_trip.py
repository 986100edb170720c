"""How long a peer's line takes there and back: heartbeats with a number that come back at once."""

from __future__ import annotations

from collections import OrderedDict, deque

USUAL = 2.0
"""Seconds that are taken for the round trip of a line that wasn't measured yet."""

REMEMBERED = 5
"""Round trips that count: the longest of them is the line's, so that one with jitter has time."""


class RoundTrip:
    """Measures one session's line. A peer can pretend a long one: whoever asks has a bound."""

    def __init__(self) -> None:
        self._number = 0
        self._asked: OrderedDict[int, float] = OrderedDict()
        self._took: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def seconds(self) -> float:
        """The longest of the newest round trips, in seconds."""
        return max(self._took, default=USUAL)

    def ask(self, now: float) -> int:
        """Return the number that goes with the next heartbeat."""
        self._number += 1
        self._asked[self._number] = now
        if len(self._asked) > REMEMBERED:
            self._asked.popitem(last=False)
        return self._number

    def came_back(self, number: int, now: float) -> None:
        """Note that the peer sent this number back."""
        asked = self._asked.pop(number, None)
        if asked is not None:
            self._took.append(now - asked)
