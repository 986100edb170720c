"""What Achoo waits for: whose turn it is plays a card; whoever sneezed may say sorry beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from achoo.events import Apologised, Played
from core.kernel.action import Action
from core.kernel.hidden import faces
from core.kernel.illegal import Illegal
from core.kernel.view import Offer

if TYPE_CHECKING:
    from achoo.game import AchooGame
    from achoo.table import AchooTable


class Play(Action, frozen=True):
    """Play one card of one's hand."""

    cards: tuple[int, ...]


class Sorry(Action, frozen=True):
    """Say sorry for a sneeze, whoever's turn it is."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A seat is to play a card; see `core.kernel.question`."""

    seat: int
    phase: ClassVar[str] = "play"

    def seats(self, table: AchooTable) -> tuple[int, ...]:
        """Return whose turn it is, and who has sneezed."""
        return tuple(sorted({self.seat, table.sneezer} - {None}))

    def waits_for(self, table: AchooTable) -> tuple[int, ...]:
        """Return whose turn it is: nobody waits for an apology."""
        return (self.seat,)

    def offers(self, table: AchooTable, seat: int) -> tuple[Offer, ...]:
        """Return what a seat may do."""
        play = Offer("play", cards=faces(table.hands[seat]), take=1)
        return (play,) * (seat == self.seat) + (Offer("sorry"),) * (seat == table.sneezer)

    def check(self, table: AchooTable, seat: int, action: Action) -> None:
        """Raise `Illegal` unless a seat may do this."""
        match action:
            case Sorry() if seat != table.sneezer:
                raise Illegal("not_sneezed")
            case Play() if seat != self.seat:
                raise Illegal("not_your_turn", seat=seat)
            case Play(cards) if len(cards) != 1 or cards[0] not in faces(table.hands[seat]):
                raise Illegal("not_in_hand", cards=cards)

    def answer(self, game: AchooGame, seat: int, action: Action) -> None:
        """Let it happen."""
        if isinstance(action, Play):
            card = action.cards[0]
            game.emit(Played(seat, card, game.sneezes(card)))
        else:
            game.emit(Apologised(seat))
