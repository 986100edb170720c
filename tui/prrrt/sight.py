"""One view of a PRRRT table as its screen reads it."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import UNSET

from core.prrrt.events import count
from core.prrrt.view import PrrrtResult, PrrrtTable
from tui.table.sight import Sight, cards_of, faces
from tui.words import plain, say

MARKER_DEPTH = 12
"""How many Shame cards lie under the sideways one (P-R9)."""


@dataclass(frozen=True)
class PrrrtSight(Sight[PrrrtTable, PrrrtResult]):
    """What is on the table now, and who is around it."""

    GAME = "prrrt"

    @property
    def centre_total(self) -> int:
        """How many Shame cards lie in the centre."""
        return len(self.table.centre.up) + count(self.table.centre.down)

    @property
    def before_marker(self) -> int:
        """How many Shame cards lie on top of the sideways one."""
        return max(0, self.table.shame_left - MARKER_DEPTH - 1)

    @property
    def hand(self) -> tuple[int, ...]:
        """The viewer's own cards; none for a spectator and before the first deal."""
        return () if self.me is None else faces(cards_of(self.table.hands, self.me))

    @property
    def pile(self) -> tuple[int, ...]:
        """The viewer's own Shame cards."""
        return () if self.me is None else faces(cards_of(self.table.piles, self.me))

    def row(self, seat: int) -> tuple[int, ...]:
        """Return the Smell cards that lie open before a seat."""
        return self.table.rows[seat] if seat < len(self.table.rows) else ()

    def in_hand(self, seat: int) -> int:
        """Return how many Smell cards a seat holds."""
        return count(cards_of(self.table.hands, seat))

    def in_pile(self, seat: int) -> int:
        """Return how many Shame cards a seat has."""
        return count(cards_of(self.table.piles, seat))

    def score(self, seat: int) -> int | None:
        """Return a seat's Shame points where they are public, or one's own."""
        if self.view.result is not None:
            return self.view.result.points[seat]
        if self.table.scores is not UNSET:
            return self.table.scores[seat]
        return sum(self.pile) if seat == self.me else None

    def has_pointed(self, seat: int) -> bool:
        """Say whether a seat's finger is fixed in the vote under way."""
        return (
            self.view.phase == "point"
            and seat < len(self.table.pointed)
            and (self.table.pointed[seat])
        )


def place_of(location: str) -> str:
    """Return a Location's place in words; one that is unknown here stands for itself."""
    try:
        return say(f"prrrt.place.{location}")
    except KeyError:
        return plain(location.rpartition("/")[2])


def context_of(location: str) -> str:
    """Return a Location's context in words."""
    context = location.partition("/")[0]
    try:
        return say(f"prrrt.context.{context}")
    except KeyError:
        return plain(context)
