"""What a table knows of its disk: nothing goes on that can't be written down."""

from __future__ import annotations

from dataclasses import dataclass

LOOK_EVERY = 1.0
"""Seconds between two attempts to write to a disk that failed."""


@dataclass
class Disk:
    """Whether a table's disk works."""

    failed: bool = False
    """It failed, everybody was told, and it hasn't worked since."""
    table_kept: bool = True
    """Whether `table.json` says what the table is."""
    game_waits: bool = False
    """Whether the game stands still for this reason, and goes on by itself."""
    _next_look: float = 0.0

    def due(self, now: float) -> bool:
        """Say whether it's time to see if a disk that failed works again."""
        if not self.failed or now < self._next_look:
            return False
        self._next_look = now + LOOK_EVERY
        return True


def why_not(error: OSError) -> str:
    """Return what the system says, without our paths: people at the table read it."""
    return error.strerror or type(error).__name__
