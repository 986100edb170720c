"""The part of a table that every game has: the open questions."""

from __future__ import annotations

from typing import Any, Self

import msgspec

from core.kernel.question import Question


class Table(msgspec.Struct):
    """Everything that lies on the table, as the truth or as one pair of eyes sees it.

    Only folds of events change it. All fields hold immutable values, so a
    shallow copy is a copy.
    """

    questions: tuple[Question[Any, Any], ...] = ()
    """What is being waited for; the last one is open."""

    question: int = 0
    """The number of the open question: it grows whenever another one opens."""

    over: bool = False

    def copy(self) -> Self:
        """Return a table that changes by itself from now on."""
        return self.__copy__()  # type: ignore[attr-defined, no-any-return]

    def open(self, question: Question[Any, Any]) -> None:
        """Put a question on top of those that are open."""
        self.questions += (question,)
        self.question += 1

    def close(self) -> None:
        """Take the open question away; the one below, if any, is open again."""
        self.questions = self.questions[:-1]
        self.question += 1
