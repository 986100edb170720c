"""How the match stands, whenever somebody wants to know."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from net.updates import Ended, Seen
from tui.commands import Command, Commanded
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.standings import rows
from tui.session import TableUpdate
from tui.widgets.footer import Keys
from tui.words import say


class MatchSoFar(Commanded, ModalScreen[None]):
    """Everybody's wins and what they hold, kept up while the game goes on."""

    KEYS = (Command("gas.back", "escape,v,space,enter,q,tilde", footer=True, key="Esc"),)
    CSS = """
    MatchSoFar { align: center middle; background: $background 70%; }
    MatchSoFar > Vertical { width: 78; max-width: 100%; height: auto; max-height: 100%;
        margin: 0 0 1 0; padding: 1 1; background: $surface;
        border: round $accent; border-title-color: $text; border-title-style: bold; }
    MatchSoFar Static { width: 100%; height: auto; }
    MatchSoFar #next { text-align: center; margin: 1 0 0 0; }
    """

    def __init__(self, sight: GasSight) -> None:
        super().__init__()
        self._sight = sight

    def compose(self) -> ComposeResult:
        """Lay everybody's wins out."""
        with Vertical() as box:
            box.border_title = Content(say("gas.so_far.title", n=self._sight.table.game_no))
            yield Static(rows(self._sight), id="standings", markup=False)
            wins = say("gas.so_far.to_win", n=self._sight.table.to_win)
            yield Static(Content(wins), id="next", markup=False)
        yield Keys()

    def on_table_update(self, message: TableUpdate) -> None:
        """Show newer numbers; go when the match is over."""
        if isinstance(message.update, Ended):
            self.dismiss(None)
        elif isinstance(message.update, Seen):
            sight = GasSight.of(message.update)
            if sight is None or sight.view.over:
                self.dismiss(None)
            elif sight.rev >= self._sight.rev:
                self._sight = sight
                self.query_one("#standings", Static).update(rows(sight))

    def action_back(self) -> None:
        """Back to the table."""
        self.dismiss(None)
