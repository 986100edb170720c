"""Where the seats lie around the felt, and what lies on it, in cells: pure geometry, no Textual."""

from __future__ import annotations

from dataclasses import dataclass

from tui.table.cards import LARGE, MEDIUM, SMALL, Size
from tui.table.layout import Places, Rect, around, as_large_as_fits, spread

SEAT = {SMALL: (23, 3), MEDIUM: (30, 6), LARGE: (46, 9)}
"""Columns and lines of one place, by the size of its backs: name, backs, and a line of facts."""

OWN = 2
"""Lines of one's own place: name and facts."""

FELT_LEAST = {SMALL: (32, 6), MEDIUM: (36, 8), LARGE: (56, 9)}
"""What the felt needs beside backs of that size."""

FELT_MOST = (72, 16)
"""More would be bare felt."""

LEAST = (80, 11)
"""The smallest table that is laid out whole: of a smaller one there is the upper left part."""


def places(players: int, width: int, height: int) -> Places:
    """Lay `players` out around a felt in `width` x `height` cells, as large as fits.

    >>> places(7, 80, 13).size.width, places(7, 120, 26).size.width
    (3, 5)
    """
    return as_large_as_fits(_laid, players, width, height, LEAST)


def _laid(size: Size, players: int, width: int, height: int) -> Places | None:
    """Lay the table out with backs of one size, or return None where it doesn't fit."""
    wide, high = SEAT[size]
    left, top, right = around(players - 1)
    head = high if top else 0
    middle = width - (wide if left else 0) - (wide if right else 0) - 2
    between = height - head - OWN
    felt_wide, felt_high = FELT_LEAST[size]
    side, sides_top = max(left, right), head + 1 if top else 0
    if (
        middle < felt_wide
        or between < felt_high
        or top * wide > width
        or height - sides_top < side * high + (side - 1)
    ):
        return None
    felt_width, felt_height = min(middle, FELT_MOST[0]), min(between, FELT_MOST[1])
    felt = Rect(
        (width - felt_width) // 2, head + (between - felt_height) // 2, felt_width, felt_height
    )
    own = min(felt_width, wide * 2)
    seats = [Rect((width - own) // 2, height - OWN, own, OWN)]
    seats += [Rect(0, y, wide, high) for y in reversed(spread(left, high, sides_top, height))]
    seats += [Rect(x, 0, wide, high) for x in spread(top, wide, 0, width)]
    seats += [Rect(width - wide, y, wide, high) for y in spread(right, high, sides_top, height)]
    return Places(size, tuple(seats), felt)


@dataclass(frozen=True)
class Felt:
    """What lies on the felt: the draw pile, the discard pile's top card, and words beside them."""

    pile: Rect
    pile_size: Size
    top: Rect
    top_size: Size
    panel: Rect


PANEL_LEAST = 13
"""Columns that the words beside the cards need: a colour with its signs, and `+33` in figures."""

PANEL_MOST = 26

_PAIRS = ((LARGE, LARGE), (MEDIUM, LARGE), (MEDIUM, MEDIUM), (SMALL, SMALL))
"""Sizes of the draw pile and the top card, the best ones first."""


def on_felt(felt: Rect) -> Felt:
    """Lay cards and words on a felt, in the middle below its first line, as large as fits.

    >>> on_felt(Rect(0, 0, 32, 8)).top_size.width, on_felt(Rect(0, 0, 32, 6)).top_size.width
    (9, 5)
    """
    inside = Rect(felt.x + 1, felt.y + 1, felt.width - 2, felt.height - 1)
    for pile, top in _PAIRS:
        room = inside.width - pile.width - top.width
        gap = 2 if room >= PANEL_LEAST + 4 else 1
        room -= 2 * gap
        if (top.height <= inside.height and room >= PANEL_LEAST) or top == SMALL:
            return _put_down(inside, pile, top, gap, max(0, min(room, PANEL_MOST)))
    raise AssertionError("the last pair is always laid")


def _put_down(inside: Rect, pile: Size, top: Size, gap: int, panel: int) -> Felt:
    whole = pile.width + top.width + 2 * gap + panel
    x = inside.x + max(0, inside.width - whole) // 2
    y = inside.y + max(0, inside.height - top.height) // 2
    words = min(inside.height, max(top.height, 9))
    return Felt(
        Rect(x, y + top.height - pile.height, pile.width, pile.height),
        pile,
        Rect(x + pile.width + gap, y, top.width, top.height),
        top,
        Rect(
            x + pile.width + top.width + 2 * gap,
            inside.y + (inside.height - words) // 2,
            panel,
            words,
        ),
    )
