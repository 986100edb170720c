"""The end: the Master of the Fart, everybody's points."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from tui.cells import cut
from tui.prrrt import cards, paint
from tui.prrrt.shame_pile import counted
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.styles import STYLES
from tui.table.cards import SMALL
from tui.table.result import TableResult
from tui.table.sight import cards_of, faces
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


class ResultScreen(TableResult[PrrrtSight]):
    """The Master of the Fart, and everybody's points."""

    CSS_PATH = STYLES

    def heading(self) -> str:
        """Say that it is over."""
        return say("prrrt.result.title")

    def body(self) -> ComposeResult:
        """Yield title and ranking."""
        if self.app.size.height >= 20 + self.sight.players:
            yield Static(Content("\n".join(CLOUD)), classes="middle", markup=False)
        yield Static(Content(self.title_line()), id="master", classes="middle", markup=False)
        yield Static(Content(self.winner_line()), classes="middle", markup=False)
        yield Static(Content(self.you_line()), classes="middle", markup=False)
        yield Static(
            Text("\n", no_wrap=True, overflow="ellipsis").join(self.lines()),
            id="ranking",
            markup=False,
        )

    def title_line(self) -> str:
        """Name the Master of the Fart."""
        result = self.sight.view.result
        if result is None:
            return ""
        names = say("table.and").join(self.sight.name(seat) for seat in result.masters)
        return say("prrrt.result.master", names=names, n=len(result.masters))

    def winner_line(self) -> str:
        """Name whoever has the least Shame."""
        result = self.sight.view.result
        if result is None:
            return ""
        first = [seat for place, seat in ranking(result.points) if place == 1]
        if first == [self.sight.me]:
            return say("prrrt.result.winner", names=say("table.you.first"), n=2)
        names = say("table.and").join(self.sight.name(seat) for seat in first)
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
            for value, times in counted(faces(cards_of(self.sight.table.piles, seat))):
                if line.cell_len > 66:
                    line.append("…")
                    break
                line.append(cards.shame(value, SMALL)[0][:2], paint.shame_paint(value))
                line.append(f"×{times} " if times > 1 else " ")
            lines.append(line)
        return lines
