"""The end: who let it all go, and how many games of the match everybody won."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.standings import rows
from tui.table.result import TableResult
from tui.words import say

GAUGE = (
    "  .-----------.  ",
    " / E  '  |  F  \\ ",
    "|   \\.          |",
    "|     ()        |",
    " '-------------' ",
)
"""A gauge, as low as can be."""


class MatchResult(TableResult[GasSight]):
    """The winner, and what the others are left with: all of them lost alike (F-R39)."""

    CSS = """
    MatchResult #winner { text-style: bold; color: $warning; }
    MatchResult #standings { height: auto; margin: 1 0; }
    """

    def heading(self) -> str:
        """Say that it is over."""
        return say("gas.result.title")

    def body(self) -> ComposeResult:
        """Yield the winner, what became of the viewer, and everybody."""
        if self.app.size.height >= 20 + self.sight.players:
            yield Static(Content("\n".join(GAUGE)), classes="middle", markup=False)
        yield Static(Content(self.winner_line()), id="winner", classes="middle", markup=False)
        yield Static(Content(self.you_line()), classes="middle", markup=False)
        yield Static(rows(self.sight), id="standings", markup=False)

    def winner_line(self) -> str:
        """Name the winner."""
        result = self.sight.view.result
        if result is None:
            return ""
        key = "gas.result.match" if self.sight.table.to_win > 1 else "gas.result.game"
        winner = result.winner
        return say(key, who=self.sight.subject(winner), me=winner == self.sight.me)

    def you_line(self) -> str:
        """Tell the viewer how it went for them."""
        result, me = self.sight.view.result, self.sight.me
        if result is None or me is None:
            return say("gas.result.alike")
        if me == result.winner:
            return say("gas.result.you.won")
        return say("gas.result.you.lost", n=self.sight.held(me))
