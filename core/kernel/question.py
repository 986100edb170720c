"""Open questions: small frozen frames of data on a stack that lies on the table.

The one on top is open. A card effect that asks something puts another on top;
when it is answered, the one below is open again. Events put them there and
take them away, so a seat that folds what it was shown has the same stack.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeVar

from core.kernel.action import Action
from core.kernel.view import Offer

TableT_contra = TypeVar("TableT_contra", contravariant=True)
GameT_contra = TypeVar("GameT_contra", contravariant=True)


class Question(Protocol[TableT_contra, GameT_contra]):
    """One thing the game waits for: who may speak, what they may say, what an answer does.

    `seats`, `offers` and `check` are given a table and must come to the same
    result with the true one and with the fold of the seat in question: what is
    legal never depends on what that seat cannot see.
    """

    phase: ClassVar[str]
    """What this is called in `phase` of a view."""

    def seats(self, table: TableT_contra) -> tuple[int, ...]:
        """Return who may speak, ascending; never empty while the question is open."""
        ...

    def waits_for(self, table: TableT_contra) -> tuple[int, ...]:
        """Return those of `seats` for whom the game stands still, ascending; never empty.

        The others may speak, but nobody waits until they do.
        """
        ...

    def offers(self, table: TableT_contra, seat: int) -> tuple[Offer, ...]:
        """Return everything `seat`, one of `seats`, may do, in the order of `journal.md`."""
        ...

    def check(self, table: TableT_contra, seat: int, action: Action) -> None:
        """Raise `Illegal` unless `seat`, one of `seats`, may do this now."""
        ...

    def answer(self, game: GameT_contra, seat: int, action: Action) -> None:
        """Do what a checked action does: ask chance first, then emit."""
        ...
