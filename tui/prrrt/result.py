"""The end: the Master of the Fart, everybody's points, and what now."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Center, Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Static

from net.updates import Ended, Seen
from tui.cells import cut
from tui.commands import Command, Commanded
from tui.prrrt import cards, paint
from tui.prrrt.cards import SMALL
from tui.prrrt.dialogs.dialog import button
from tui.prrrt.shame_pile import counted
from tui.prrrt.sight import Sight, faces
from tui.prrrt.styles import STYLES
from tui.session import TableUpdate
from tui.words import say

CLOUD = (
    "   .-~~~-.   ",
    " .-(     )-. ",
    "(  P R R T  )",
    " `-._____.-' ",
)


def ranking(points: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return (place, seat) from the fewest points up; equal points share a place (P75).

    >>> ranking((9, 3, 9, 5))
    ((1, 1), (2, 3), (3, 0), (3, 2))
    """
    by_points = sorted(range(len(points)), key=lambda seat: (points[seat], seat))
    return tuple((1 + sum(p < points[seat] for p in points), seat) for seat in by_points)


class ResultScreen(Commanded, ModalScreen[str | None]):
    """Returns `again`, `home`, or None to look at the table."""

    KEYS = (
        Command("prrrt.again", "a", footer=True, when=lambda screen: screen.is_owner),
        Command("prrrt.home", "q", "go_home", footer=True, when=lambda screen: not screen.saved),
        Command("prrrt.look", "escape,t", footer=True, key="Esc"),
    )

    CSS_PATH = STYLES

    def __init__(self, sight: Sight, *, saved: bool = False) -> None:
        """`saved` for a game that nobody sits at any more: it can only be looked at."""
        super().__init__()
        self.sight = sight
        self.saved = saved

    @property
    def is_owner(self) -> bool:
        """Whether the viewer may start another game."""
        return self.sight.me is not None and self.sight.room.owner == self.sight.me

    def compose(self) -> ComposeResult:
        """Lay out title, ranking and what now."""
        tall = self.app.size.height >= 20 + self.sight.players
        with Vertical() as box:
            if tall:
                yield Static(Content("\n".join(CLOUD)), classes="middle", markup=False)
            yield Static(Content(self.title_line()), id="master", classes="middle", markup=False)
            yield Static(Content(self.winner_line()), classes="middle", markup=False)
            yield Static(Content(self.you_line()), classes="middle", markup=False)
            yield Static(
                Text("\n", no_wrap=True, overflow="ellipsis").join(self.lines()),
                id="ranking",
                markup=False,
            )
            with Center(), Horizontal(classes="row"):
                if self.is_owner:
                    yield button("again")
                if not self.saved:
                    yield button("home")
                yield button("look")
            yield Static(Content(self.wait_line()), id="wait", classes="middle", markup=False)
        box.border_title = Content(say("prrrt.result.title"))
        yield Footer(show_command_palette=False)

    def title_line(self) -> str:
        """Name the Master of the Fart."""
        result = self.sight.view.result
        if result is None:
            return ""
        names = say("prrrt.and").join(self.sight.name(seat) for seat in result.masters)
        return say("prrrt.result.master", names=names, n=len(result.masters))

    def winner_line(self) -> str:
        """Name whoever has the least Shame."""
        result = self.sight.view.result
        if result is None:
            return ""
        first = [seat for place, seat in ranking(result.points) if place == 1]
        if first == [self.sight.me]:
            return say("prrrt.result.winner", names=say("prrrt.you.first"), n=2)
        names = say("prrrt.and").join(self.sight.name(seat) for seat in first)
        return say("prrrt.result.winner", names=names, n=len(first))

    def you_line(self) -> str:
        """Tell the viewer how they did."""
        result, me = self.sight.view.result, self.sight.me
        if result is None or me is None:
            return ""
        if me in result.masters:
            return say("prrrt.result.you.master")
        place = next(place for place, seat in ranking(result.points) if seat == me)
        return (
            say("prrrt.result.you.first")
            if place == 1
            else say("prrrt.result.you", n=place, of=len(result.points))
        )

    def lines(self) -> list[Text]:
        """Return the ranking, a line for each player: place, name, points, cards."""
        result = self.sight.view.result
        if result is None:
            return []
        lines = []
        for place, seat in ranking(result.points):
            line = Text(f"{place}. ", no_wrap=True, overflow="ellipsis")
            line.append(cut(self.sight.name(seat), 16), "bold")
            line.pad_right(max(1, 20 - line.cell_len))
            line.append(f"{say('prrrt.result.points', n=result.points[seat]):>10}  ")
            for value, times in counted(faces(self.sight.cards_of(self.sight.table.piles, seat))):
                if line.cell_len > 66:
                    line.append("…")
                    break
                line.append(cards.shame(value, SMALL)[0][:2], paint.shame_paint(value))
                line.append(f"×{times} " if times > 1 else " ")
            lines.append(line)
        return lines

    def wait_line(self) -> str:
        """Say what the others wait for."""
        owner = self.sight.room.owner
        if self.saved:
            return ""
        if self.is_owner:
            return say("prrrt.result.owner")
        if owner is None:
            return say("prrrt.result.nobody")
        return say("prrrt.result.wait", name=self.sight.name(owner))

    def on_table_update(self, message: TableUpdate) -> None:
        """Close when the table goes on; follow the owner's right."""
        if isinstance(message.update, Ended):
            self.dismiss(None)
        elif isinstance(message.update, Seen):
            sight = Sight.of(message.update)
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
