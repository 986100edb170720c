"""Whether what stands under a table's own topic is still what its host said there.

On a broker that lets anybody publish anywhere, somebody can overwrite or clear
the retained advertisement, and newcomers don't find the table any more. Nor do
they if it never got there: so the host waits for its own word to come back.
"""

from __future__ import annotations

from collections import deque

REPAIR_EVERY = 1.0
"""Seconds between two repairs: whoever overwrites without end doesn't make the host do so."""

UNHEARD, LONGEST_UNHEARD = 2.0, 8.0
"""Seconds after which a word of ours that didn't come back is said again; each time twice as many,
since a line may be that slow, or its broker may not let us hear ourselves."""

ON_THEIR_WAY = 16
"""How many of our own advertisements may be on their way back to us."""


class AdWatch:
    """Hears what is published under the table's topic, one's own words included."""

    def __init__(self) -> None:
        self._ours = b""
        self._coming: deque[bytes] = deque(maxlen=ON_THEIR_WAY)
        self._overwritten = False
        self._repaired = float("-inf")
        self._unheard = False
        """Whether our newest word hasn't come back yet."""
        self._waits_since: float | None = None
        self._waits_for = UNHEARD

    def said(self, payload: bytes) -> None:
        """Note what we publish there."""
        self._ours = payload
        self._coming.append(payload)
        self._overwritten = False
        self._unheard, self._waits_since = True, None

    def heard(self, payload: bytes) -> bool:
        """Note what is published there; say whether it is ours: an older word may be a replay."""
        if payload == self._ours:
            self._unheard, self._waits_since, self._waits_for = False, None, UNHEARD
        if payload in self._coming:
            self._coming.remove(payload)
            return True
        if payload != self._ours:
            self._overwritten = True
        return payload == self._ours

    def must_repair(self, now: float) -> bool:
        """Say whether to publish ours again, now; at most once every `REPAIR_EVERY`."""
        lost = self._is_lost(now)
        if not (self._overwritten or lost) or now - self._repaired < REPAIR_EVERY:
            return False
        if lost:
            self._waits_for = min(2 * self._waits_for, LONGEST_UNHEARD)
        self._repaired = now
        return True

    def _is_lost(self, now: float) -> bool:
        if self._unheard and self._waits_since is None:
            self._waits_since = now
        return self._waits_since is not None and now - self._waits_since >= self._waits_for
