"""What every card of the house is: a block of paper of one of three sizes. Pure, no Textual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import set_cell_size


@dataclass(frozen=True)
class Size:
    """A card's columns and lines."""

    width: int
    height: int


SMALL = Size(3, 1)
MEDIUM = Size(5, 4)
LARGE = Size(9, 7)


def back(size: Size) -> tuple[str, ...]:
    """Return a face-down card's lines.

    >>> back(SMALL), back(MEDIUM)[0]
    (('▏░▕',), '▏░░░░')
    """
    if size == SMALL:
        return ("▏░▕",)
    return ("▏" + "░" * (size.width - 1),) * size.height


def block(lines: Sequence[str], size: Size) -> tuple[str, ...]:
    """Return lines cut and filled up to a card's width.

    >>> block(["▏7"], MEDIUM)
    ('▏7   ',)
    """
    return tuple(set_cell_size(line, size.width) for line in lines)
