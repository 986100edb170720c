"""The end of a game: what it came to, and what now."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Center, Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from net.updates import Ended, Seen
from tui.commands import Command, Commanded
from tui.session import TableUpdate
from tui.table.dialog import button
from tui.table.sight import Sight
from tui.table.styles import STYLES
from tui.widgets.footer import Keys
from tui.words import say

SightT = TypeVar("SightT", bound=Sight[Any, Any])


class TableResult(Commanded, ModalScreen[str | None], Generic[SightT]):
    """Returns `again`, `home`, or None to look at the table. A game fills it in `body`."""

    KEYS = (
        Command("table.again", "a", footer=True, when=lambda screen: screen.is_owner),
        Command("table.home", "q", "go_home", footer=True, when=lambda screen: not screen.saved),
        Command("table.look", "escape,t", footer=True, key="Esc"),
    )

    CSS_PATH = STYLES

    def __init__(self, sight: SightT, *, saved: bool = False) -> None:
        """`saved` for a game that nobody sits at any more: it can only be looked at."""
        super().__init__()
        self.sight = sight
        self.saved = saved

    def body(self) -> ComposeResult:
        """Yield who won, and how everybody did."""
        yield from ()

    def heading(self) -> str:
        """Return the line on the upper edge."""
        return ""

    @property
    def is_owner(self) -> bool:
        """Whether the viewer may start another game."""
        return self.sight.me is not None and self.sight.room.owner == self.sight.me

    def compose(self) -> ComposeResult:
        """Lay out the outcome and what now."""
        with Vertical() as box:
            yield from self.body()
            with Center(), Horizontal(classes="row"):
                if self.is_owner:
                    yield button("table.button.again")
                if not self.saved:
                    yield button("table.button.home")
                yield button("table.button.look")
            yield Static(Content(self.wait_line()), id="wait", classes="middle", markup=False)
        box.border_title = Content(self.heading())
        yield Keys()

    def wait_line(self) -> str:
        """Say what the others wait for."""
        owner = self.sight.room.owner
        if self.saved:
            return ""
        if self.is_owner:
            return say("table.result.owner")
        if owner is None:
            return say("table.result.nobody")
        watching = ".watching" if self.sight.me is None else ""
        return say(f"table.result.wait{watching}", name=self.sight.name(owner))

    def on_table_update(self, message: TableUpdate) -> None:
        """Close when the table goes on; follow the owner's right."""
        if isinstance(message.update, Ended):
            self.dismiss(None)
        elif isinstance(message.update, Seen):
            sight = self.sight.of(message.update)
            if sight is None or not sight.view.over:
                self.dismiss(None)
            elif sight.room.owner != self.sight.room.owner:
                self.sight = sight
                self.refresh(recompose=True)
                self.refresh_bindings()
            else:
                self.sight = sight

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(None if event.button.id == "look" else event.button.id)

    def action_again(self) -> None:
        """Play again with the same table."""
        self.dismiss("again")

    def action_go_home(self) -> None:
        """Leave the table."""
        self.dismiss("home")

    def action_look(self) -> None:
        """Look at the table."""
        self.dismiss(None)
