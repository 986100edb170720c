"""What a terminal shows that is too small for the game: which size is needed."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.words import say

WIDTH, HEIGHT = 80, 24
"""Enough for seven players."""


def fits(size: Size) -> bool:
    """Whether a terminal of this size can show every screen."""
    return size.width >= WIDTH and size.height >= HEIGHT


class TooSmall(Widget, can_focus=False):
    """Covers a screen while the terminal is too small for it, and goes by itself."""

    def render(self) -> Content:
        """Say what is needed and what there is."""
        size = self.app.size
        return Content(
            say(
                "small.size",
                width=WIDTH,
                height=HEIGHT,
                your_width=size.width,
                your_height=size.height,
            )
        )
