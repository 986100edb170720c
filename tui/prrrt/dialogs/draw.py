"""A blind draw: backs to pick from by arrow keys, by number or with the mouse."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button

from core.prrrt.actions import Draw
from tui.commands import Command
from tui.prrrt.dialogs.dialog import LOOK, TableDialog, button
from tui.prrrt.hand import Hand, backs
from tui.prrrt.status import drawn_from
from tui.words import say


class DrawDialog(TableDialog):
    """Returns a `Draw`: a single card at once, several after a word of confirmation."""

    DO = "draw"
    KEYS = (
        Command(
            "prrrt.send",
            "s",
            footer=True,
            when=lambda dialog: dialog.complete,
        ),
        LOOK,
    )

    def heading(self) -> str:
        """Say whose cards these are and why they are drawn."""
        effect = self.sight.table.effect
        whose = self.sight.who(drawn_from(self.sight))
        if effect is None:
            return say("prrrt.draw.title", whose=whose)
        return say(f"prrrt.draw.title.{effect.card}", whose=whose, n=self.offer.take)

    def hint(self) -> str:
        """Tell the keys."""
        return say("prrrt.draw.hint", n=self.offer.take)

    @property
    def complete(self) -> bool:
        """Whether as many cards are picked as are drawn."""
        return len(self.query_one(Hand).picked) == self.offer.take

    def body(self) -> ComposeResult:
        """Yield the backs."""
        offer = self.offer
        with VerticalScroll(can_focus=False):
            yield Hand(backs(offer.slots), pick=offer.take)
        if offer.take > 1:
            with Horizontal(classes="row"):
                yield button("draw", n=offer.take)

    def on_mount(self) -> None:
        """Have the cards in hand; where all are taken, they are all picked already."""
        hand = self.query_one(Hand)
        hand.focus()
        if self.offer.take > 1:
            self.query_one(Button).disabled = True
            if self.offer.take == self.offer.slots:
                hand.picked = tuple(range(self.offer.slots))
                self._ready()

    def on_hand_picked(self, event: Hand.Picked) -> None:
        """Draw the one card, or wait for the word."""
        if self.offer.take == 1:
            self.dismiss(Draw(event.slots))
        else:
            self._ready()

    def _ready(self) -> None:
        send = self.query_one(Button)
        send.disabled = False
        send.focus()
        self.refresh_bindings()

    def on_button_pressed(self) -> None:
        """Draw them."""
        self.action_send()

    def action_send(self) -> None:
        """Draw what is picked."""
        if self.complete:
            self.dismiss(Draw(self.query_one(Hand).picked))
