"""Where the seats lie around the felt, in cells: pure geometry, no Textual."""

from __future__ import annotations

from tui.table.cards import LARGE, MEDIUM, SMALL, Size
from tui.table.layout import Places, Rect, around, as_large_as_fits, spread

SEAT = {SMALL: (26, 3), MEDIUM: (36, 6), LARGE: (54, 9)}
"""Columns and lines of one place, by the size of its cards: name, cards, and a line of facts."""

FELT_LEAST = {SMALL: (26, 6), MEDIUM: (34, 8), LARGE: (50, 11)}
"""The felt holds five Shame cards, a line of words and its two edges."""


def places(players: int, width: int, height: int) -> Places:
    """Lay `players` out around a felt in `width` x `height` cells, as large as fits.

    >>> places(7, 80, 13).size.width, places(7, 120, 26).size.width
    (3, 5)
    """
    return as_large_as_fits(_laid, players, width, height, (80, 13))


def _laid(size: Size, players: int, width: int, height: int) -> Places | None:
    """Lay the table out with cards of one size, or return None where it doesn't fit."""
    wide, high = SEAT[size]
    left, top, right = around(players - 1)
    middle = width - (wide if left else 0) - (wide if right else 0) - 2
    head = high if top else 0
    felt_wide, felt_high = FELT_LEAST[size]
    side = max(left, right)
    between = height - head - high
    felt_width, felt_height = min(middle, felt_wide * 2), min(between, felt_high * 2)
    felt = Rect(
        (width - felt_width) // 2, head + (between - felt_height) // 2, felt_width, felt_height
    )
    sides_top = head + 1 if top else 0
    sides_high = height - sides_top
    if (
        middle < max(felt_wide, wide)
        or felt.height < felt_high
        or sides_high < side * high + (side - 1)
    ):
        return None
    mine = Rect((width - wide) // 2, height - high, wide, high)
    seats = [mine]
    seats += [Rect(0, y, wide, high) for y in reversed(spread(left, high, sides_top, height))]
    seats += [Rect(x, 0, wide, high) for x in spread(top, wide, 0, width)]
    seats += [Rect(width - wide, y, wide, high) for y in spread(right, high, sides_top, height)]
    return Places(size, tuple(seats), felt)
