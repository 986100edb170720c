"""The opponent for an effect: for 3, 4 and 6 a player, for a 5 one of somebody's open cards."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.prrrt.actions import Choose
from tui.commands import Command
from tui.prrrt.dialogs.dialog import PrrrtDialog
from tui.prrrt.dialogs.people import person
from tui.table.dialog import CHAT, LOOK
from tui.table.sight import key_of
from tui.words import say


class ChooseDialog(PrrrtDialog):
    """Returns a `Choose`."""

    DO = "choose"
    KEYS = (Command("prrrt.pick", "space", footer=True, key="Enter"), CHAT, LOOK)

    def heading(self) -> str:
        """Say what the effect does."""
        effect = self.sight.table.effect
        return say(f"prrrt.choose.title.{effect.card if effect else 4}")

    def hint(self) -> str:
        """Tell the keys."""
        return say("prrrt.choose.hint")

    def body(self) -> ComposeResult:
        """Yield everybody who may be picked."""
        offer = self.offer
        self._choices = [Choose(player, card) for player, card in offer.pairs] or [
            Choose(player) for player in offer.players if player is not None
        ]
        lines = [person(self.sight, each.player, taking=each.card) for each in self._choices]
        yield OptionList(*(Option(line) for line in lines))

    def on_key(self, event: events.Key) -> None:
        """Go to a player by their number; with one choice there, pick it at once."""
        for player in {each.player for each in self._choices}:
            if key_of(player) == event.character:
                event.stop()
                self._go_to(player)

    def _go_to(self, player: int) -> None:
        at = [i for i, each in enumerate(self._choices) if each.player == player]
        if not at:
            return
        people = self.query_one(OptionList)
        if len(at) == 1:
            self.dismiss(self._choices[at[0]])
        else:  # the same number again goes to that player's next card
            here = people.highlighted
            people.highlighted = at[(at.index(here) + 1) % len(at)] if here in at else at[0]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Pick."""
        self.dismiss(self._choices[event.option_index])

    def seat_clicked(self, seat: int) -> None:
        """Go to the player whose place was clicked, or pick them."""
        self._go_to(seat)

    def action_pick(self) -> None:
        """Pick what is under the cursor."""
        self.query_one(OptionList).action_select()
