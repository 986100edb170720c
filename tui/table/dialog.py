"""What all questions share: a dialog answers one open question and never an older one."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button

from core.kernel.action import Action
from core.kernel.view import Offer
from net.updates import Ended, Seen
from tui.commands import Command, Commanded
from tui.session import TableUpdate
from tui.table.sight import Sight
from tui.table.styles import STYLES
from tui.widgets.footer import Keys
from tui.words import say

SightT = TypeVar("SightT", bound=Sight[Any, Any])

LOOK = Command("table.look", "escape,tilde", footer=True, key="Esc")
"""Put a question aside and look at the table; `play` there brings it back."""

CHAT = Command("table.chat", "c", footer=True)
"""Say something first; then the question comes back by itself."""


class TableDialog(Commanded, ModalScreen[Action | None], Generic[SightT]):
    """Asks for one action of the open question and returns it, or None.

    It lies over the lower part of the screen, so that the table stays in sight.
    A newer view is taken in; when its question is another one the dialog closes
    by itself and returns None.
    """

    DO = ""
    """The `do` of the offer that it answers."""

    ASIDE = "table.put_aside"
    """What is said when it was put aside."""

    CSS_PATH = STYLES

    def __init__(self, sight: SightT) -> None:
        super().__init__()
        self.sight = sight
        self.question = sight.question
        self.asks = sight.offer(self.DO) is not None
        """Whether it asks us; where others are asked it is only to be seen."""
        self.to_chat = False
        """Whether it was put aside only to say something."""

    @property
    def offer(self) -> Offer:
        """What may be answered."""
        offer = self.sight.offer(self.DO)
        return offer if offer is not None else Offer(self.DO)

    def compose(self) -> ComposeResult:
        """Lay out the box; a dialog fills it in `body`."""
        with Vertical(id="box") as box:
            yield from self.body()
        box.border_title = Content(self.heading())
        hint = self.hint()
        if hint:
            box.border_subtitle = Content(hint)
        yield Keys()

    def body(self) -> ComposeResult:
        """Yield what is in the box."""
        yield from ()

    def heading(self) -> str:
        """Return the line on the upper edge: the question."""
        return ""

    def hint(self) -> str:
        """Return the line on the lower edge: how to answer."""
        return ""

    def on_table_update(self, message: TableUpdate) -> None:
        """Take a newer view in, or close when the question is gone."""
        if isinstance(message.update, Ended):
            self.dismiss(None)
        elif isinstance(message.update, Seen):
            sight = self.sight.of(message.update)
            if sight is None or not self.still_open(sight):
                self.dismiss(None)
            elif sight.rev >= self.sight.rev:
                self.sight = sight
                self.taken_in()

    def still_open(self, sight: SightT) -> bool:
        """Say whether the question is still the one that was asked."""
        return sight.question == self.question and sight.offer(self.DO) is not None

    def taken_in(self) -> None:
        """Show what a newer view of the same question changes."""

    def action_chat(self) -> None:
        """Put the question aside to say something."""
        self.to_chat = True
        self.dismiss(None)

    def action_look(self) -> None:
        """Put the question aside."""
        self.dismiss(None)


def button(key: str, **facts: object) -> Button:
    """Return a button one line high whose label comes from the words; its id is the key's end."""
    return Button(Content(say(key, **facts)), id=key.rpartition(".")[2], compact=True)
