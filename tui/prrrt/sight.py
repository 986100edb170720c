"""One view of a PRRRT table as its screen reads it: the game, the room, and short ways to ask.

Nothing here knows a rule: what can be done is what `view.offers` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from msgspec import UNSET

from core.kernel.view import Offer
from core.prrrt.events import count
from core.prrrt.view import Cards, PrrrtTable, PrrrtView
from net.room import Room, SeatInfo
from net.updates import Seen
from tui.words import plain, say

MARKER_DEPTH = 12
"""How many Shame cards lie under the sideways one (P-R9)."""


@dataclass(frozen=True)
class Sight:
    """What is on the table now, and who is around it."""

    view: PrrrtView
    room: Room
    question: int
    rev: int = 0

    @classmethod
    def of(cls, seen: Seen) -> Sight | None:
        """Return the sight of an update, or None while there is no game (in the lobby)."""
        if seen.game is None or seen.game.game != "prrrt":
            return None
        return cls(cast("PrrrtView", seen.game), seen.room, seen.question, seen.rev)

    @property
    def table(self) -> PrrrtTable:
        """The table."""
        return self.view.table

    @property
    def me(self) -> int | None:
        """The viewer's seat; None for a spectator."""
        return self.room.you

    @property
    def awaits_us(self) -> bool:
        """Whether the table waits for the viewer, and not for a bot that plays for them."""
        if self.me is None or self.room.paused or self.seat(self.me).bot_plays:
            return False
        return any(offer.do != "own_up" for offer in self.view.offers)

    @property
    def has_company(self) -> bool:
        """Whether another person sits here, who would have to wait."""
        others = (seat for number, seat in enumerate(self.room.seats) if number != self.me)
        return any(seat.kind == "person" for seat in others)

    @property
    def players(self) -> int:
        """How many seats play."""
        return len(self.room.seats)

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
        return () if self.me is None else faces(self.cards_of(self.table.hands, self.me))

    @property
    def pile(self) -> tuple[int, ...]:
        """The viewer's own Shame cards."""
        return () if self.me is None else faces(self.cards_of(self.table.piles, self.me))

    def seat(self, seat: int) -> SeatInfo:
        """Return who sits there."""
        return self.room.seats[seat]

    def name(self, seat: int) -> str:
        """Return the name of a seat as plain text."""
        return plain(self.seat(seat).name)

    def who(self, seat: int | None) -> str:
        """Return a name for the middle of a sentence, `you` for the viewer."""
        if seat is None:
            return say("prrrt.nobody")
        return say("prrrt.you") if seat == self.me else self.name(seat)

    def subject(self, seat: int) -> str:
        """Return a name for the beginning of a sentence, `You` for the viewer."""
        return say("prrrt.you.first") if seat == self.me else self.name(seat)

    def cards_of(self, by_seat: tuple[Cards, ...], seat: int) -> Cards:
        """Return a seat's entry of a list that is empty before the first round."""
        return by_seat[seat] if seat < len(by_seat) else 0

    def row(self, seat: int) -> tuple[int, ...]:
        """Return the Smell cards that lie open before a seat."""
        return self.table.rows[seat] if seat < len(self.table.rows) else ()

    def in_hand(self, seat: int) -> int:
        """Return how many Smell cards a seat holds."""
        return count(self.cards_of(self.table.hands, seat))

    def in_pile(self, seat: int) -> int:
        """Return how many Shame cards a seat has."""
        return count(self.cards_of(self.table.piles, seat))

    def score(self, seat: int) -> int | None:
        """Return a seat's Shame points where they are public, or one's own."""
        if self.view.result is not None:
            return self.view.result.points[seat]
        if self.table.scores is not UNSET:
            return self.table.scores[seat]
        return sum(self.pile) if seat == self.me else None

    def offer(self, do: str) -> Offer | None:
        """Return what the viewer may do of that kind, or None."""
        return next((offer for offer in self.view.offers if offer.do == do), None)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that everybody waits for."""
        return tuple(each.seat for each in self.view.awaiting)

    def has_pointed(self, seat: int) -> bool:
        """Say whether a seat's finger is fixed in the vote under way."""
        return (
            self.view.phase == "point"
            and seat < len(self.table.pointed)
            and (self.table.pointed[seat])
        )

    @property
    def others_clockwise(self) -> tuple[int, ...]:
        """All seats clockwise from the viewer's own (from the first for a spectator)."""
        start = self.me or 0
        return tuple((start + step) % self.players for step in range(self.players))


def faces(cards: Cards) -> tuple[int, ...]:
    """Return the values where they can be seen, else nothing."""
    return () if isinstance(cards, int) else cards


def key_of(seat: int) -> str:
    """Return the number that a seat goes by on screen and keyboard.

    >>> key_of(0)
    '1'
    """
    return str(seat + 1)


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
