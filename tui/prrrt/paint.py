"""The colours of cards: 256-colour-exact, and never the only sign of anything."""

from __future__ import annotations

from rich.style import Style

from tui.table.paint import INK

_SMELL = (
    "#d7ffff",
    "#d7ffd7",
    "#d7ffaf",
    "#d7ff87",
    "#d7ff5f",
    "#d7d75f",
    "#d7af5f",
    "#d7875f",
    "#ff875f",
)
"""From fresh to foul, by value."""

_SHAME = (
    "#ffffff",
    "#ffffd7",
    "#ffffd7",
    "#ffd7d7",
    "#ffd7d7",
    "#ffd7af",
    "#ffafaf",
    "#ffafaf",
    "#ff87af",
    "#ff8787",
    "#ff5f87",
)
"""A blush that deepens, by value."""

SHAME_BACK = Style(color="#875f5f", bgcolor="#d7afaf")
"""The back of a Shame card."""


def smell_paint(value: int) -> Style:
    """Return the paper and ink of a Smell card."""
    return Style(color=INK, bgcolor=_SMELL[min(value, 8)], bold=True)


def shame_paint(value: int) -> Style:
    """Return the paper and ink of a Shame card."""
    return Style(color=INK, bgcolor=_SHAME[min(value, 10)], bold=True)
