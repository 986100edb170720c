"""The sign over a table whose host doesn't answer: the game waits, and so can the player."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from tui.words import say


class LineLost(Widget, can_focus=False):
    """Lies over the top of the screen until the line is back; the rest can still be read."""

    def render(self) -> Content:
        """Say what happened, and that nothing needs to be done."""
        return Content.assemble((say("line.lost"), "bold"), " ", say("line.rejoining"))


def show_line(screen: Screen[Any], *, up: bool) -> None:
    """Put the sign up, or take it away."""
    signs = screen.query(LineLost)
    if up:
        signs.remove()
    elif not signs:
        screen.mount(LineLost())
