"""What PRRRT's dialogs share: its help for the moment, and a table whose seats can be clicked."""

from __future__ import annotations

from textual import events

from tui.prrrt.moment import moment
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.styles import STYLES
from tui.prrrt.table import Table
from tui.table.dialog import TableDialog
from tui.table.help import MomentHelp


class PrrrtDialog(TableDialog[PrrrtSight]):
    """Asks for one action of a PRRRT game."""

    CSS_PATH = STYLES

    def help_screen(self) -> MomentHelp:
        """Return the help for this question."""
        return MomentHelp(moment(self.sight), self)

    def on_click(self, event: events.Click) -> None:
        """Pass a click on somebody's place at the table on."""
        box = self.query_one("#box")
        if box.region.contains(event.screen_x, event.screen_y):
            return
        for screen in self.app.screen_stack:
            for table in screen.query(Table):
                corner = table.region.offset
                seat = table.seat_at(event.screen_x - corner.x, event.screen_y - corner.y)
                if seat is not None:
                    self.seat_clicked(seat)
                    return

    def seat_clicked(self, seat: int) -> None:
        """Take a click on a seat's place as an answer, where players are picked."""
