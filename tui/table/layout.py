"""Where things lie, in cells: pure geometry, no Textual."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tui.table.cards import LARGE, MEDIUM, SMALL, Size


@dataclass(frozen=True)
class Rect:
    """A block of cells: left edge, top edge, width, height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column past it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first line past it."""
        return self.y + self.height

    def holds(self, x: int, y: int) -> bool:
        """Say whether a cell is inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def meets(self, other: Rect) -> bool:
        """Say whether the two share a cell."""
        return (
            self.x < other.right
            and other.x < self.right
            and self.y < other.bottom
            and other.y < self.bottom
        )


LEAST = 2
"""An overlapped card shows at least its two leftmost columns: there stands its value."""


def fan(count: int, card: int, space: int, gap: int = 1) -> tuple[int, ...]:
    """Return the left edges of `count` cards, `card` wide, in `space` columns.

    They lie side by side with a `gap` while there is room, then closer, then
    overlapped, the later one on top; never closer than `LEAST`, even where that
    means more than `space`.

    >>> fan(3, 5, 20), fan(5, 5, 20), fan(9, 5, 12)
    ((0, 6, 12), (0, 3, 6, 9, 12), (0, 2, 4, 6, 8, 10, 12, 14, 16))
    """
    if count < 2:
        return (0,) * count
    step = min(card + gap, (space - card) // (count - 1))
    return tuple(i * max(step, LEAST) for i in range(count))


def fan_width(edges: tuple[int, ...], card: int) -> int:
    """Return how many columns a fan takes."""
    return edges[-1] + card if edges else 0


def card_at(edges: tuple[int, ...], card: int, x: int) -> int | None:
    """Return which card of a fan lies on top at column `x`.

    >>> card_at((0, 3, 6), 5, 3), card_at((0, 3, 6), 5, 2), card_at((0, 6), 5, 5)
    (1, 0, None)
    """
    for number in reversed(range(len(edges))):
        if edges[number] <= x < edges[number] + card:
            return number
    return None


def around(others: int) -> tuple[int, int, int]:
    """Return how many of the others sit on the left, at the top and on the right.

    Seats lie around the table clockwise, as everybody would sit: the viewer at the bottom, the
    left neighbour (who is next) at the bottom left, and on over the top to the right.
    """
    return {
        0: (0, 0, 0),
        1: (0, 1, 0),
        2: (1, 0, 1),
        3: (1, 1, 1),
        4: (1, 2, 1),
        5: (2, 1, 2),
        6: (2, 2, 2),
    }[others]


def spread(count: int, length: int, start: int, end: int) -> list[int]:
    """Return where `count` blocks of `length` begin so that they lie evenly from start to end."""
    free = end - start - count * length
    return [start + length * i + free * (i + 1) // (count + 1) for i in range(count)]


@dataclass(frozen=True)
class Places:
    """A table laid out: everybody's place, the felt in the middle, and how large cards are drawn.

    `seats` are clockwise, as everybody sits, the viewer's own place first.
    """

    size: Size
    seats: tuple[Rect, ...]
    felt: Rect


LayTable = Callable[[Size, int, int, int], Places | None]
"""Lays a table out with cards of one size: for so many players, in width x height cells."""


def as_large_as_fits(
    lay: LayTable, players: int, width: int, height: int, least: tuple[int, int]
) -> Places:
    """Lay a table out with the largest cards that fit; small ones fit into `least` at the latest.

    Of a table that has less room than that there is the upper left part.
    """
    for size in (LARGE, MEDIUM):
        laid = lay(size, players, width, height)
        if laid is not None:
            return laid
    laid = lay(SMALL, players, max(width, least[0]), max(height, least[1]))
    assert laid is not None, "the smallest table fits what was just made room for"
    return laid
