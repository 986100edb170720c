"""The name of the game, drawn."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.widget import Widget

from tui.words import say

_ROWS: Final = (
    "█▀▀▄ █▀▀▄ █▀▀▄ █▀▀▄ ▀▀█▀▀        ",
    "█▄▄▀ █▄▄▀ █▄▄▀ █▄▄▀   █          ",
    "█    █ ▀▄ █ ▀▄ █ ▀▄   █   ▄  ▄  ▄",
)
_BREATH: Final = ("#5f8700", "#87af00", "#87af5f", "#afd75f", "#d7d787", "#878787")
"""One colour for each letter, and one for the three dots: it fades as it spreads."""


class Logo(Widget, can_focus=False):
    """Three rows of block letters and the line under them."""

    DEFAULT_CSS = "Logo { width: auto; height: 4; }"

    def render(self) -> Content:
        """Draw each letter in its own shade."""
        lines = []
        for row in _ROWS:
            letters = [row[i : i + 5] for i in range(0, 25, 5)] + [row[25:]]
            lines.append(
                Content.assemble(*zip(letters, (f"{c} bold" for c in _BREATH), strict=True))
            )
        lines.append(Content.assemble((say("app.tagline"), "$text-muted italic")))
        return Content("\n").join(lines)
