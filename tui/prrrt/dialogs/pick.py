"""Picking cards: a single one is sent at once, several after a word of confirmation."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button

from core.kernel.action import Action
from tui.commands import Command
from tui.prrrt.dialogs.dialog import PrrrtDialog
from tui.prrrt.hand import Hand
from tui.table.dialog import CHAT, LOOK, button
from tui.words import say


class PickDialog(PrrrtDialog):
    """A dialog around a `Hand` from which as many cards are picked as the offer takes."""

    KEYS = (
        Command("prrrt.send", "s", footer=True, when=lambda dialog: dialog.complete),
        CHAT,
        LOOK,
    )

    def picked(self, hand: Hand) -> Action:
        """Return what is sent for the cards picked in a hand."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """Whether as many cards are picked as the offer takes."""
        return self.query_one(Hand).full

    def confirmation(self) -> ComposeResult:
        """Yield the button that sends several cards; one needs none."""
        if self.offer.take > 1:
            with Horizontal(classes="row"):
                yield button(f"prrrt.button.{self.DO}", n=self.offer.take)

    def no_choice(self) -> tuple[int, ...]:
        """Return the slots that are picked from the start, where there is nothing to choose."""
        return ()

    def on_mount(self) -> None:
        """Have the cards in hand; the focus stays there, so that a pick can be put back."""
        hand = self.query_one(Hand)
        hand.focus()
        if self.offer.take > 1:
            hand.picked = self.no_choice()
            self._offer_to_send()

    def on_hand_picked(self) -> None:
        """Send the one card, or wait for the word."""
        if self.offer.take == 1:
            self.action_send()
        else:
            self._offer_to_send()

    def _offer_to_send(self) -> None:
        """Let the cards picked be sent, if they are as many as it takes."""
        send = self.query_one(Button)
        send.disabled = not self.complete
        send.variant = "primary" if self.complete else "default"
        hint = say("prrrt.pick.ready") if self.complete else self.hint()
        self.query_one("#box").border_subtitle = Content(hint)
        self.refresh_bindings()

    def on_hand_confirmed(self) -> None:
        """Send them."""
        self.action_send()

    def on_button_pressed(self) -> None:
        """Send them."""
        self.action_send()

    def action_send(self) -> None:
        """Send what is picked."""
        if self.complete:
            self.dismiss(self.picked(self.query_one(Hand)))
