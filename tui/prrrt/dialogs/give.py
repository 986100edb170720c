"""Giving back for a 4 or a 6: any card of the hand, those just drawn among them and marked."""

from __future__ import annotations

from textual.app import ComposeResult

from core.prrrt.actions import Give
from tui.prrrt.dialogs.pick import PickDialog
from tui.prrrt.hand import Hand, own
from tui.words import say


class GiveDialog(PickDialog):
    """Returns a `Give`."""

    DO = "give"

    def heading(self) -> str:
        """Say to whom."""
        effect = self.sight.table.effect
        whom = self.sight.who(effect.player if effect is not None else None)
        return say("prrrt.give.title", whom=whom, n=self.offer.take)

    def hint(self) -> str:
        """Tell the keys."""
        return say("prrrt.give.hint", n=self.offer.take)

    def body(self) -> ComposeResult:
        """Yield the hand; what was drawn lies at its end."""
        offer = self.offer
        values = tuple(int(card) for card in offer.cards)
        yield Hand(own(values, new=offer.take), pick=offer.take)
        yield from self.confirmation()

    def picked(self, hand: Hand) -> Give:
        """Return the gift of the cards picked."""
        values = (hand.held[slot].value for slot in hand.picked)
        return Give(tuple(value for value in values if value is not None))
