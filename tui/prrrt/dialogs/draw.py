"""A blind draw: backs to pick from by arrow keys, by number or with the mouse."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from core.prrrt.actions import Draw
from tui.prrrt.dialogs.pick import PickDialog
from tui.prrrt.hand import Hand, backs
from tui.prrrt.status import drawn_from
from tui.words import say


class DrawDialog(PickDialog):
    """Returns a `Draw`."""

    DO = "draw"

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

    def body(self) -> ComposeResult:
        """Yield the backs."""
        offer = self.offer
        with VerticalScroll(can_focus=False):
            yield Hand(backs(offer.slots), pick=offer.take)
        yield from self.confirmation()

    def no_choice(self) -> tuple[int, ...]:
        """Where all cards are taken, they are all picked already."""
        offer = self.offer
        return tuple(range(offer.slots)) if offer.take == offer.slots else ()

    def picked(self, hand: Hand) -> Draw:
        """Return the draw of the slots picked."""
        return Draw(hand.picked)
