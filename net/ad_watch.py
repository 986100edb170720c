"""Whether what stands under a table's own topic is still what its host said there.

On a broker that lets anybody publish anywhere, somebody can overwrite or clear
the retained advertisement, and newcomers don't find the table any more.
"""

from __future__ import annotations

from collections import deque

REPAIR_EVERY = 1.0
"""Seconds between two repairs: whoever overwrites without end doesn't make the host do so."""

ON_THEIR_WAY = 16
"""How many of our own advertisements may be on their way back to us."""


class AdWatch:
    """Hears what is published under the table's topic, one's own words included."""

    def __init__(self) -> None:
        self._ours = b""
        self._coming: deque[bytes] = deque(maxlen=ON_THEIR_WAY)
        self._overwritten = False
        self._repaired = float("-inf")

    def said(self, payload: bytes) -> None:
        """Note what we publish there."""
        self._ours = payload
        self._coming.append(payload)
        self._overwritten = False

    def heard(self, payload: bytes) -> None:
        """Note what is published there, by whomever; an older word of ours may be a replay."""
        if payload in self._coming:
            self._coming.remove(payload)
        elif payload != self._ours:
            self._overwritten = True

    def must_repair(self, now: float) -> bool:
        """Say whether to publish ours again, now; at most once every `REPAIR_EVERY`."""
        if not self._overwritten or now - self._repaired < REPAIR_EVERY:
            return False
        self._repaired = now
        return True
