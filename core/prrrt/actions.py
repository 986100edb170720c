"""What a seat can do in PRRRT, as in `journal.md`, "Actions"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from core.kernel import read
from core.kernel.action import Action
from core.kernel.illegal import Illegal

WORDS_LIMIT = 120
"""Unicode code points that a question may have; their wording is free (P-R18, P22)."""


class TurnLocation(Action, frozen=True):
    """The first player opens the round: Location, Shame cards, deal (P-R49)."""


class Ask(Action, frozen=True):
    """The asker puts the question, in words of their own if they like (P-R18)."""

    words: str | None = None


class Deny(Action, frozen=True):
    """The one asked says it wasn't them (P-R19)."""


class OwnUp(Action, frozen=True):
    """The one asked says it was them (P-R19)."""


class Draw(Action, frozen=True):
    """Somebody draws blind: one slot or, for a 6, as many as are taken."""

    slots: tuple[int, ...]


class Choose(Action, frozen=True):
    """The denier picks an opponent and, for a 5, the visible card wanted."""

    player: int
    card: int | None = None


class Give(Action, frozen=True):
    """The denier gives Smell cards back, for a 4 or a 6."""

    cards: tuple[int, ...]


class Point(Action, frozen=True):
    """A finger at somebody, or, with None, in the air (P-R34, P-R35)."""

    player: int | None


PrrrtAction: TypeAlias = TurnLocation | Ask | Deny | OwnUp | Draw | Choose | Give | Point


def _ask(line: Mapping[str, object]) -> Ask:
    words = read.text(line, "words") if "words" in line else None
    if words is not None and len(words) > WORDS_LIMIT:
        raise Illegal("too_long", key="words", length=len(words), limit=WORDS_LIMIT)
    return Ask(words)


def _choose(line: Mapping[str, object]) -> Choose:
    # Only a 5 has a use for `card`, and which effect is open isn't known here:
    # a `card` that is no number is as good as none.
    card = line.get("card")
    return Choose(read.integer(line, "player"), card if read.is_integer(card) else None)


def _point(line: Mapping[str, object]) -> Point:
    return Point(read.integer_or_null(line, "player"))


READERS: dict[str, Callable[[Mapping[str, object]], PrrrtAction]] = {
    "turn_location": lambda _: TurnLocation(),
    "ask": _ask,
    "deny": lambda _: Deny(),
    "own_up": lambda _: OwnUp(),
    "draw": lambda line: Draw(read.integers(line, "slots")),
    "choose": _choose,
    "give": lambda line: Give(read.integers(line, "cards")),
    "point": _point,
}
"""How each `do` is read from a decoded line, in the order of `journal.md`."""


def read_action(line: Mapping[str, object]) -> PrrrtAction:
    """Read an action from a decoded line. Raises `Illegal`; unknown keys are ignored."""
    return read.action(line, READERS)
