"""The Accusation: a finger at somebody or in the air, all at once."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.prrrt.actions import Point
from tui.commands import Command
from tui.prrrt.dialogs.dialog import PrrrtDialog
from tui.prrrt.dialogs.people import person
from tui.prrrt.sight import PrrrtSight
from tui.table.dialog import CHAT, LOOK
from tui.table.sight import key_of
from tui.words import say

IN_THE_AIR = "0"


class PointDialog(PrrrtDialog):
    """Returns a `Point`. The first choice only aims; the same again sends, and that is final."""

    DO = "point"
    KEYS = (
        Command("prrrt.aim", "space", footer=True, key="Enter"),
        Command("prrrt.send", "s", footer=True, when=lambda dialog: dialog.aimed is not None),
        CHAT,
        LOOK,
    )

    def __init__(self, sight: PrrrtSight) -> None:
        super().__init__(sight)
        self._choices = self.offer.players
        self.aimed: int | None = None  # an index into the choices

    def heading(self) -> str:
        """Say what is asked."""
        return say("prrrt.point.title")

    def hint(self) -> str:
        """Tell the keys, and who has pointed already."""
        pointed = sum(self.sight.table.pointed)
        return say("prrrt.point.hint", n=pointed, of=self.sight.players)

    def body(self) -> ComposeResult:
        """Yield everybody else, and the air."""
        yield OptionList(*(Option(self._line(i)) for i in range(len(self._choices))))

    def _line(self, index: int) -> Text:
        mark = "☞" if index == self.aimed else " "
        player = self._choices[index]
        if player is None:
            line = Text(f"{mark}{IN_THE_AIR} {say('prrrt.point.air')}")
        else:
            line = person(self.sight, player, mark)
        return line.append(f"  ☞ {say('prrrt.point.aimed')}") if index == self.aimed else line

    def taken_in(self) -> None:
        """Show who has pointed meanwhile."""
        box = self.query_one(OptionList).parent
        if box is not None:
            box.border_subtitle = Content(self.hint())  # type: ignore[attr-defined]

    def on_key(self, event: events.Key) -> None:
        """Aim at a player by number, 0 for the air; the same again sends."""
        for index, player in enumerate(self._choices):
            if event.character == (IN_THE_AIR if player is None else key_of(player)):
                event.stop()
                self.aim(index)

    def seat_clicked(self, seat: int) -> None:
        """Aim at a seat whose place on the table was clicked."""
        if seat in self._choices:
            self.aim(self._choices.index(seat))

    def aim(self, index: int) -> None:
        """Aim, or send when aimed there already."""
        if index == self.aimed:
            self.action_send()
            return
        self.aimed = index
        people = self.query_one(OptionList)
        for each in range(len(self._choices)):
            people.replace_option_prompt_at_index(each, self._line(each))
        people.highlighted = index
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Aim, or send."""
        self.aim(event.option_index)

    def action_aim(self) -> None:
        """Aim at what is under the cursor, or send."""
        self.query_one(OptionList).action_select()

    def action_send(self) -> None:
        """Point."""
        if self.aimed is not None:
            self.dismiss(Point(self._choices[self.aimed]))
