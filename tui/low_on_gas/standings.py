"""Between two games of a match: who won, how the match stands, and who deals."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Center, Horizontal
from textual.content import Content
from textual.widgets import Button, Static

from core.low_on_gas.actions import Deal
from tui.cells import cut
from tui.commands import Command
from tui.low_on_gas.sight import GasSight
from tui.table.dialog import CHAT, TableDialog, button
from tui.table.sight import Sight
from tui.table.status import with_presence
from tui.words import say

NAME_ROOM = 24
"""Cells for a name."""


class StandingsScreen(TableDialog[GasSight]):
    """How the match stands. Whoever is to deal may deal here.

    It returns a `Deal`, or None. Whoever doesn't deal reads on when somebody has: a bot is quick.
    """

    DO = "deal"
    ASIDE = "gas.standings.aside"
    KEYS = (
        Command("gas.deal", "space,enter,d", footer=True, key="Space", when=lambda s: s.may_deal),
        Command("gas.go_on", "space,enter", footer=True, key="Space", when=lambda s: s.dealt),
        CHAT,
        Command("table.look", "escape,t,tilde", footer=True, key="Esc"),
    )
    CSS = """
    StandingsScreen { align: center middle; background: $background 70%; }
    StandingsScreen > Vertical { width: 78; max-width: 100%; max-height: 100%; margin: 0; }
    StandingsScreen .middle { width: 100%; text-align: center; height: auto; }
    StandingsScreen #winner { text-style: bold; color: $warning; }
    StandingsScreen #standings { height: auto; margin: 1 0; }
    StandingsScreen Center { height: 1; }
    StandingsScreen .row { height: 1; width: auto; }
    StandingsScreen Button { margin: 0 1; }
    """

    def __init__(self, sight: GasSight) -> None:
        super().__init__(sight)
        self.stands = sight
        """The table as the game left it."""

    @property
    def dealt(self) -> bool:
        """Whether the next game has begun meanwhile."""
        return self.sight.view.phase != "deal"

    @property
    def may_deal(self) -> bool:
        """Whether the next deal is the viewer's."""
        return self.sight.offer("deal") is not None and not self.sight.room.paused

    def heading(self) -> str:
        """Say which game is over."""
        return say("gas.standings.title", n=self.stands.table.game_no)

    def body(self) -> ComposeResult:
        """Yield the winner, everybody's wins, and what comes next."""
        yield Static(Content(won_line(self.stands)), id="winner", classes="middle", markup=False)
        yield Static(rows(self.stands), id="standings", markup=False)
        yield Static(Content(self.next_line()), id="next", classes="middle", markup=False)
        with Center(), Horizontal(classes="row"):
            if self.may_deal:
                yield button("gas.button.deal")
            yield button("table.button.look")

    def next_line(self) -> str:
        """Say what the match is played to, and who deals."""
        if self.dealt:
            mine = self.sight.awaits_us
            return say("gas.standings.dealt.yours" if mine else "gas.standings.dealt")
        dealer = self.sight.table.dealer
        if self.may_deal:
            deals = say("gas.standings.yours")
        else:
            deals = say("gas.status.wait.deal", who=self.sight.subject(dealer))
            deals = with_presence(self.sight, dealer, deals)
        return say("gas.standings.next", n=self.sight.table.to_win, deals=deals)

    def still_open(self, sight: Sight[Any, Any]) -> bool:
        """Say whether the next game is still to be dealt, or there is something to read on."""
        return sight.view.phase == "deal" or not (self.asks or sight.view.over)

    def taken_in(self) -> None:
        """Follow who is here, who deals, and whether somebody has."""
        self.query_one("#next", Static).update(Content(self.next_line()))
        self.refresh_bindings()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Deal, or look at the table."""
        if event.button.id == "deal":
            self.action_deal()
        else:
            self.action_look()

    def action_go_on(self) -> None:
        """On to the next game."""
        self.dismiss(None)

    def action_deal(self) -> None:
        """Deal the next game."""
        self.dismiss(Deal())


def won_line(sight: GasSight) -> str:
    """Say who won the game that lies on the table."""
    winner = sight.table.winner
    if winner is None:
        return ""
    return say(
        "gas.standings.won",
        who=sight.subject(winner),
        me=winner == sight.me,
        n=sight.table.game_no,
    )


def rows(sight: GasSight) -> Text:
    """Return a line for each seat: the games it won, and the cards that it was left with."""
    most = max(sight.table.to_win, 1)
    shown = []
    for seat in range(sight.players):
        won, left = sight.won(seat), sight.held(seat)
        line = Text("★ " if seat == sight.table.winner else "  ", no_wrap=True)
        line.append(cut(sight.name(seat), NAME_ROOM), "bold")
        line.pad_right(max(1, NAME_ROOM + 4 - line.cell_len))
        if most > 1:
            line.append("●" * won + "○" * (most - won))
            line.append(" " + say("gas.standings.wins", n=won))
        line.pad_right(max(2, NAME_ROOM + 26 - line.cell_len))
        line.append(say("gas.standings.left", n=left) if left else say("gas.standings.empty"))
        shown.append(line)
    return Text("\n", no_wrap=True, overflow="ellipsis").join(shown)
