"""What can be done at every table. A game puts its own commands between these.

KEYS = (Command("mygame.play", ...), *TALK_AND_LOOK, Command("mygame.verdict", ...), *TOOLS)
"""

from __future__ import annotations

from collections.abc import Callable

from tui.commands import Command, typed

PLAY_KEYS = "space,enter"
"""Whatever a game calls it, this does what waits to be done."""

TALK_AND_LOOK = (
    Command("table.chat", "c,t", footer=True, key="c"),
    typed("table.said"),
    Command("table.log", "l", when=lambda s: s.sight is not None),
    Command("table.hand", "h", when=lambda s: s.sight is not None and s.sight.me is not None),
    Command("table.back", "escape", when=lambda s: not (s.at_hand or s.talks)),
    Command("table.hush", "escape", footer=True, key="Esc", when=lambda s: s.talks),
)


def tools(spelt: Callable[[str], str] = str.lower) -> tuple[Command, ...]:
    """Return what its owner and its players can do to a table.

    `spelt` is how their letters are written: a game whose cards have these letters leaves the
    small ones to its hand, and so a colour said twice pauses nothing.
    """
    return (
        Command("table.owner", "o", footer=True, when=lambda s: s.is_owner),
        Command("table.pause", spelt("p"), when=lambda s: s.is_owner),
        Command("table.bot", spelt("b"), when=lambda s: s.plays),
        Command("table.bell", spelt("m"), when=lambda s: s.plays),
        Command("table.leave", "q", "app.leave", footer=True),
    )


TOOLS = tools()
