"""Saying in the log, now and then, what a host dropped: never a line a message."""

from __future__ import annotations

import logging
from collections.abc import Mapping

LOOK_EVERY = 60.0
"""Seconds between two such lines at the least."""

SUSPICIOUS = 1000
"""So many are no accident of a bad line any more."""

log = logging.getLogger(__name__)


class DropLog:
    """Writes a line whenever twice as much was dropped as the last line said."""

    def __init__(self) -> None:
        self._told = 0
        self._due = float("-inf")

    def look(self, dropped: Mapping[str, int], now: float) -> None:
        """See whether there is something to say."""
        total = sum(dropped.values())
        if now < self._due or total < max(1, 2 * self._told):
            return
        self._told, self._due = total, now + LOOK_EVERY
        level = logging.INFO if total < SUSPICIOUS else logging.WARNING
        log.log(level, "%d messages dropped so far: %s", total, in_order(dropped))


def in_order(dropped: Mapping[str, int]) -> str:
    """Return the reasons and how often each, the most frequent first.

    >>> in_order({"stale": 2, "unreadable": 30})
    'unreadable 30, stale 2'
    """
    most_first = sorted(dropped.items(), key=lambda each: -each[1])
    return ", ".join(f"{reason} {number}" for reason, number in most_first)
