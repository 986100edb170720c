"""The answer to one's face: their words, one's own hand, what is at stake; deny or own up."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from core.prrrt.actions import Deny, OwnUp
from tui.commands import Command
from tui.prrrt.dialogs.dialog import PrrrtDialog
from tui.prrrt.hand import Hand, own
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.stakes import stakes
from tui.table.dialog import CHAT, LOOK, button
from tui.words import plain, say


class AnswerDialog(PrrrtDialog):
    """Returns `Deny` or `OwnUp`. Enter does nothing before one of them is chosen: no slips."""

    DO = "deny"
    KEYS = (
        Command("prrrt.deny", "d", footer=True),
        Command("prrrt.own_up", "o", footer=True),
        CHAT,
        LOOK,
    )

    def __init__(self, sight: PrrrtSight, words: str | None) -> None:
        super().__init__(sight)
        self.words = plain(words or "").strip()

    def heading(self) -> str:
        """Who asks, in their words."""
        who = self.sight.subject(self.sight.table.asker or 0)
        if self.words:
            return say("prrrt.answer.title", who=who, words=self.words)
        return say("prrrt.answer.title.silent", who=who)

    def body(self) -> ComposeResult:
        """Yield the hand, the stakes and the two answers."""
        with Horizontal(id="cards", classes="row"):
            yield Hand(own(self.sight.hand), empty=say("prrrt.hand.none"))
            with Vertical(id="stakes"):
                for line in stakes(self.sight):
                    yield Static(Content(line), markup=False)
        with Horizontal(classes="row"):
            yield button("prrrt.button.deny")
            yield button("prrrt.button.own_up")

    def on_mount(self) -> None:
        """Look at the cards first."""
        self.query_one(Hand).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(Deny() if event.button.id == "deny" else OwnUp())

    def action_deny(self) -> None:
        """It wasn't me."""
        self.dismiss(Deny())

    def action_own_up(self) -> None:
        """It was me."""
        self.dismiss(OwnUp())
