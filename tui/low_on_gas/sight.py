"""One view of a Low on Gas table as its screen reads it.

Nothing here knows a rule: what can be done is what `view.offers` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

from core.kernel.hidden import count
from core.low_on_gas.view import GasOffer, GasResult, GasTable
from tui.table.sight import Sight, faces


@dataclass(frozen=True)
class GasSight(Sight[GasTable, GasResult]):
    """What is on the table now, and who is around it."""

    GAME: ClassVar[str] = "low-on-gas"
    BESIDE: ClassVar[frozenset[str]] = frozenset({"low_on_gas"})

    # What lies there

    @property
    def hand(self) -> tuple[str, ...]:
        """The viewer's own cards as they came; none for a spectator."""
        return () if self.me is None else faces(self.table.hands[self.me])

    def held(self, seat: int) -> int:
        """Return how many cards a seat holds."""
        return count(self.table.hands[seat])

    @property
    def in_draw_pile(self) -> int:
        """How many cards can be drawn before the discard pile has to be shuffled."""
        return count(self.table.draw_pile)

    # Whose move

    @property
    def next(self) -> int | None:
        """Who plays after the one whose turn it is: their left neighbour (F-R6)."""
        return None if self.table.turn is None else (self.table.turn + 1) % self.players

    @property
    def owing(self) -> int:
        """How many cards whoever's turn it is has still to draw; 0 once they are drawn."""
        return self.table.owed if self.view.phase == "owe" else 0

    @property
    def playable(self) -> tuple[str, ...] | None:
        """The viewer's cards that can be played now; None where it isn't their turn."""
        if not self.is_asked:
            return None
        offer = self.play_offer
        return () if offer is None else tuple(str(card) for card in offer.cards)

    @property
    def play_offer(self) -> GasOffer | None:
        """What a card can be played with, if any can."""
        return cast("GasOffer | None", self.offer("play"))

    @property
    def drawn(self) -> str | None:
        """The card that the viewer has just drawn and must play: the last of the hand (F-R17)."""
        mine = self.view.phase == "must_play" and self.me == self.table.turn
        return self.hand[-1] if mine and self.hand else None

    # Low on gas

    def called(self, seat: int) -> bool:
        """Say whether a seat holds one card and has called it."""
        return self.table.called[seat]

    def may_call(self, seat: int) -> bool:
        """Say whether a seat's window is open: one card, not called yet (F28)."""
        return self.table.windows[seat]

    def forgot(self, seat: int) -> bool:
        """Say whether a seat holds one card that was not called, and now can't be."""
        return self.held(seat) == 1 and not (self.called(seat) or self.may_call(seat))

    def won(self, seat: int) -> int:
        """Return how many games of the match a seat has won."""
        return self.table.wins[seat]
