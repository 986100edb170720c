"""Where the order of cards comes from: every random choice has a label.

Each label is a stream of its own, so that a change to one shuffle never moves
another. There is no global random state anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

C = TypeVar("C")


class Chance(Protocol):
    """Answers a label with an order of the items it is given."""

    def order(self, label: str, canonical: Sequence[C]) -> tuple[C, ...]:
        """Return all of `canonical`, reordered; index 0 is the top.

        Raises `BadChance` when a script names items that aren't there.
        """
        ...
