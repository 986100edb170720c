"""The colours of cards and felt: 256-colour-exact, and never the only sign of anything."""

from __future__ import annotations

from rich.style import Style

_INK = "#000000"

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

BACK = Style(color="#5f5f87", bgcolor="#afafd7")
"""The back of a Smell card."""

LABEL = Style(color="#000000", bold=True)
"""What stands on a back."""

SHAME_BACK = Style(color="#875f5f", bgcolor="#d7afaf")
"""The back of a Shame card."""

FELT = Style(color="#ffffff", bgcolor="#005f5f")
FELT_QUIET = Style(color="#afd7d7")
FELT_LOUD = Style(color="#ffffaf", bold=True)

CURSOR = Style(bold=True, reverse=True)


def smell_paint(value: int) -> Style:
    """Return the paper and ink of a Smell card."""
    return Style(color=_INK, bgcolor=_SMELL[min(value, 8)], bold=True)


def shame_paint(value: int) -> Style:
    """Return the paper and ink of a Shame card."""
    return Style(color=_INK, bgcolor=_SHAME[min(value, 10)], bold=True)
