"""Where the cards of a hand lie, from 1 to all 54, in cells: pure geometry, no Textual."""

from __future__ import annotations

from dataclasses import dataclass

from tui.low_on_gas.cards import CORNER
from tui.table.cards import LARGE, MEDIUM, SMALL, Size
from tui.table.layout import fan

LIFT = 1
"""The line that a card has free, above it or, when it is lifted, below: its mark stands there."""

APART = 2
"""Columns between a card that was just drawn and the others."""

CELL = SMALL.width + 1
"""Columns of a small card with its mark, which stands on its left."""


@dataclass(frozen=True)
class Laid:
    """A hand laid out: how large its cards are, and the top left cell of each card's place.

    A place has a line more than the card (`LIFT`), except that of a small one, whose mark
    stands in the column before it. Small ones may be more lines than there are: then they scroll.
    """

    size: Size
    at: tuple[tuple[int, int], ...]

    @property
    def lines(self) -> int:
        """How many lines all places take."""
        return max((y for _, y in self.at), default=0) + self.line_height

    @property
    def line_height(self) -> int:
        """How many lines a row of places takes."""
        return self.size.height + (0 if self.size == SMALL else LIFT)

    def slot_at(self, x: int, y: int) -> int | None:
        """Return which card is meant by a cell: of those that lie over one another the last."""
        for slot in reversed(range(len(self.at))):
            left, top = self.at[slot]
            mark = 1 if self.size == SMALL else 0
            if left - mark <= x < left + self.size.width and 0 <= y - top < self.line_height:
                return slot
        return None

    def beside(self, slot: int, step: int) -> int:
        """Return the card that lies nearest in the row above (-1) or below (1); itself if none."""
        x, y = self.at[slot]
        there = y + step * self.line_height
        row = [each for each in range(len(self.at)) if self.at[each][1] == there]
        return min(row, key=lambda each: (abs(self.at[each][0] - x), each), default=slot)


def lay(count: int, width: int, height: int, *, apart: bool = False) -> Laid:
    """Lay `count` cards out as large as their corners can all be read; `apart`: the first alone.

    Side by side, then fanned, then in two rows, then as small ones.

    >>> lay(7, 80, 8).size.width, lay(7, 80, 5).size.width, lay(40, 80, 5).size.width
    (9, 5, 3)
    """
    for size in (LARGE, MEDIUM):
        for rows in (1, 2):
            laid = _fanned(size, rows, count, width, height, apart=apart)
            if laid is not None:
                return laid
    per_line = max(1, (width - 1) // CELL)
    cells = (place + (1 if apart and place else 0) for place in range(count))
    return Laid(SMALL, tuple((cell % per_line * CELL + 1, cell // per_line) for cell in cells))


def _fanned(
    size: Size, rows: int, count: int, width: int, height: int, *, apart: bool
) -> Laid | None:
    """Lay cards of one size in so many rows, or return None where they don't fit."""
    if rows * (size.height + LIFT) > height:
        return None
    per_row = -(-count // rows)
    at: list[tuple[int, int]] = []
    for row in range(rows):
        y = row * (size.height + LIFT)
        here, left = min(per_row, count - len(at)), 0
        if apart and row == 0 and here > 1:
            at.append((0, y))
            here, left = here - 1, size.width + APART
        if left + size.width + CORNER * (here - 1) > width:
            return None
        at += [(left + x, y) for x in fan(here, size.width, width - left)]
    return Laid(size, tuple(at))
