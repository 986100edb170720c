"""How a story is told: events become lines, each by its own teller. Pure.

What a seat may not see is not in its events, so no teller can give it away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.kernel.event import Event
from tui.words import plain, say

Kind = Literal["game", "noise", "round", "talk", "room", "verdict"]


@dataclass(frozen=True)
class Told:
    """One line of the log. `kind` says how it is shown, never what it means."""

    text: str
    kind: Kind = "game"


@dataclass(frozen=True)
class Names:
    """Whose names stand in the story, and which of them is the reader."""

    names: tuple[str, ...]
    me: int | None

    def subject(self, seat: int) -> str:
        """Return the name that begins a sentence."""
        return say("table.you.first") if seat == self.me else self._name(seat)

    def object(self, seat: int) -> str:
        """Return the name that somebody does something to."""
        return say("table.you") if seat == self.me else self._name(seat)

    def whose(self, seat: int) -> str:
        """Return the name that something belongs to."""
        return say("table.your") if seat == self.me else say("table.whose", name=self._name(seat))

    def _name(self, seat: int) -> str:
        return plain(self.names[seat]) if seat < len(self.names) else str(seat + 1)


Tellers = Mapping[type[Event], Callable[[Any, Names], list[Told]]]
"""Who tells what. An event without a teller needs no line."""


def tell_by(tellers: Tellers, happened: Sequence[Event], names: Names) -> tuple[Told, ...]:
    """Return the lines for some events, in order."""
    lines: list[Told] = []
    for event in happened:
        teller = tellers.get(type(event))
        if teller is not None:
            lines += teller(event, names)
    return tuple(lines)
