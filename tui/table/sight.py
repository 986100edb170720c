"""One view of a table as its screen reads it: the game, the room, and short ways to ask.

Nothing here knows a rule: what can be done is what `view.offers` says. A game adds
what lies on its own table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, Self, TypeVar, cast

from core.kernel.view import Offer, View
from net.room import Room, SeatInfo
from net.updates import Seen
from tui.words import plain, say

TableT = TypeVar("TableT")
ResultT = TypeVar("ResultT")
CardT = TypeVar("CardT")


@dataclass(frozen=True)
class Sight(Generic[TableT, ResultT]):
    """What is on the table now, and who is around it."""

    GAME: ClassVar[str]
    """The game's name in the registry."""

    BESIDE: ClassVar[frozenset[str]] = frozenset()
    """What may be done beside the open question: nobody waits for it."""

    view: View[TableT, ResultT]
    room: Room
    question: int
    rev: int = 0

    @classmethod
    def of(cls, seen: Seen) -> Self | None:
        """Return the sight of an update, or None while there is no game (in the lobby)."""
        if seen.game is None or seen.game.game != cls.GAME:
            return None
        return cls(cast("View[TableT, ResultT]", seen.game), seen.room, seen.question, seen.rev)

    @property
    def table(self) -> TableT:
        """The table."""
        return self.view.table

    # Who

    @property
    def me(self) -> int | None:
        """The viewer's seat; None for a spectator."""
        return self.room.you

    @property
    def players(self) -> int:
        """How many seats play."""
        return len(self.room.seats)

    @property
    def has_company(self) -> bool:
        """Whether another person sits here, who would have to wait."""
        others = (seat for number, seat in enumerate(self.room.seats) if number != self.me)
        return any(seat.kind == "person" for seat in others)

    @property
    def bot_plays(self) -> bool:
        """Whether a bot plays the viewer's cards."""
        return self.me is not None and self.seat(self.me).bot_plays

    @property
    def others_clockwise(self) -> tuple[int, ...]:
        """All seats clockwise from the viewer's own (from the first for a spectator)."""
        start = self.me or 0
        return tuple((start + step) % self.players for step in range(self.players))

    def seat(self, seat: int) -> SeatInfo:
        """Return who sits there."""
        return self.room.seats[seat]

    def name(self, seat: int) -> str:
        """Return the name of a seat as plain text."""
        return plain(self.seat(seat).name)

    def who(self, seat: int | None) -> str:
        """Return a name for the middle of a sentence, `you` for the viewer."""
        if seat is None:
            return say("table.nobody")
        return say("table.you") if seat == self.me else self.name(seat)

    def subject(self, seat: int) -> str:
        """Return a name for the beginning of a sentence, `You` for the viewer."""
        return say("table.you.first") if seat == self.me else self.name(seat)

    def presence(self, seat: int) -> str:
        """Say in a word who really plays a seat; nothing where that is a person who is here."""
        info = self.seat(seat)
        if seat == self.me:
            return say("table.seat.you")
        if info.bot_plays:
            return say("table.seat.bot_plays")
        if info.kind != "person":
            return say("table.seat.bot")
        return "" if info.here else say("table.seat.away")

    # What is waited for

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats for whom the game stands still; others that may speak up aren't waited for."""
        return self.room.waits_for

    @property
    def is_asked(self) -> bool:
        """Whether the open question is the viewer's to answer."""
        return any(offer.do not in self.BESIDE for offer in self.view.offers)

    @property
    def awaits_us(self) -> bool:
        """Whether the table waits for the viewer, and not for a bot that plays for them."""
        return self.is_asked and not (self.me is None or self.room.paused or self.bot_plays)

    def offer(self, do: str) -> Offer | None:
        """Return what the viewer may do of that kind, or None."""
        return next((offer for offer in self.view.offers if offer.do == do), None)


def cards_of(by_seat: tuple[tuple[CardT, ...] | int, ...], seat: int) -> tuple[CardT, ...] | int:
    """Return a seat's entry of a list that is empty before anything is dealt."""
    return by_seat[seat] if seat < len(by_seat) else 0


def faces(cards: tuple[CardT, ...] | int) -> tuple[CardT, ...]:
    """Return the cards where they can be seen, else nothing."""
    return () if isinstance(cards, int) else cards


def key_of(seat: int) -> str:
    """Return the number that a seat goes by on screen and keyboard.

    >>> key_of(0)
    '1'
    """
    return str(seat + 1)
