"""Why something was refused: a code and its facts, never prose.

The words that a person reads are made in one place (`tui.words`), so that a
second language is a file and not a rewrite.
"""

from __future__ import annotations

Fact = int | str | bool | None | tuple[int, ...] | tuple[str, ...]


class Refused(Exception):  # noqa: N818 - named after what happened, like its children
    """Something was turned down at the door; nothing has changed.

    >>> Refused("not_your_turn", seat=2).code
    'not_your_turn'
    """

    def __init__(self, code: str, /, **facts: Fact) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: dict[str, Fact] = facts


class Illegal(Refused):
    """An action that the rules don't allow now. It leaves no trace."""


class BadOption(Refused):
    """A table set up in a way that the game doesn't have."""


class BadChance(Refused):
    """Scripted chance that the cards can't follow (`journal.md`, "Chance")."""
