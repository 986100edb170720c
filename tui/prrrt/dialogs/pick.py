"""Picking cards: a single one is sent at once, several after a word of confirmation."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button

from core.kernel.action import Action
from tui.commands import Command
from tui.prrrt.dialogs.dialog import LOOK, TableDialog, button
from tui.prrrt.hand import Hand


class PickDialog(TableDialog):
    """A dialog around a `Hand` from which as many cards are picked as the offer takes."""

    KEYS = (
        Command("prrrt.send", "s", footer=True, when=lambda dialog: dialog.complete),
        LOOK,
    )

    def picked(self, hand: Hand) -> Action:
        """Return what is sent for the cards picked in a hand."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """Whether as many cards are picked as the offer takes."""
        return len(self.query_one(Hand).picked) == self.offer.take

    def confirmation(self) -> ComposeResult:
        """Yield the button that sends several cards; one needs none."""
        if self.offer.take > 1:
            with Horizontal(classes="row"):
                yield button(self.DO, n=self.offer.take)

    def no_choice(self) -> tuple[int, ...]:
        """Return the slots that are picked from the start, where there is nothing to choose."""
        return ()

    def on_mount(self) -> None:
        """Have the cards in hand."""
        hand = self.query_one(Hand)
        hand.focus()
        if self.offer.take > 1:
            self.query_one(Button).disabled = True
            hand.picked = self.no_choice()
            if self.complete:
                self._ready()

    def on_hand_picked(self) -> None:
        """Send the one card, or wait for the word."""
        if self.offer.take == 1:
            self.action_send()
        else:
            self._ready()

    def _ready(self) -> None:
        """Let the cards picked be sent."""
        send = self.query_one(Button)
        send.disabled = False
        send.focus()
        self.refresh_bindings()

    def on_button_pressed(self) -> None:
        """Send them."""
        self.action_send()

    def action_send(self) -> None:
        """Send what is picked."""
        if self.complete:
            self.dismiss(self.picked(self.query_one(Hand)))
