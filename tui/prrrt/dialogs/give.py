"""Giving back for a 4 or a 6: any card of the hand, those just drawn among them and marked."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button

from core.prrrt.actions import Give
from tui.commands import Command
from tui.prrrt.dialogs.dialog import LOOK, TableDialog, button
from tui.prrrt.hand import Hand, own
from tui.words import say


class GiveDialog(TableDialog):
    """Returns a `Give`: a single card at once, several after a word of confirmation."""

    DO = "give"
    KEYS = (
        Command("prrrt.send", "s", footer=True, when=lambda dialog: dialog.complete),
        LOOK,
    )

    def heading(self) -> str:
        """Say to whom."""
        effect = self.sight.table.effect
        whom = self.sight.who(effect.player if effect is not None else None)
        return say("prrrt.give.title", whom=whom, n=self.offer.take)

    def hint(self) -> str:
        """Tell the keys."""
        return say("prrrt.give.hint", n=self.offer.take)

    @property
    def complete(self) -> bool:
        """Whether as many cards are picked as are given."""
        return len(self.query_one(Hand).picked) == self.offer.take

    def body(self) -> ComposeResult:
        """Yield the hand; what was drawn lies at its end."""
        offer = self.offer
        values = tuple(int(card) for card in offer.cards)
        yield Hand(own(values, new=offer.take), pick=offer.take)
        if offer.take > 1:
            with Horizontal(classes="row"):
                yield button("give", n=offer.take)

    def on_mount(self) -> None:
        """Have the cards in hand."""
        self.query_one(Hand).focus()
        if self.offer.take > 1:
            self.query_one(Button).disabled = True

    def on_hand_picked(self) -> None:
        """Give the one card, or wait for the word."""
        if self.offer.take == 1:
            self.action_send()
            return
        send = self.query_one(Button)
        send.disabled = False
        send.focus()
        self.refresh_bindings()

    def on_button_pressed(self) -> None:
        """Give them."""
        self.action_send()

    def action_send(self) -> None:
        """Give what is picked."""
        hand = self.query_one(Hand)
        if self.complete:
            picked = (hand.held[slot].value for slot in hand.picked)
            self.dismiss(Give(tuple(value for value in picked if value is not None)))
