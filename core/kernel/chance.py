"""Where the order of cards comes from: every random choice has a label.

Each label is a stream of its own, so that a change to one shuffle never moves
another. There is no global random state anywhere, and answering a label
changes nothing: asked twice it answers the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.kernel.fair1 import Fair1 as Fair1
from core.kernel.fair1 import new_fair1 as new_fair1
from core.kernel.illegal import BadChance

C = TypeVar("C")

SCHEMES = ("fair-1", "scripted")
"""How labels can be answered: `journal.md`, "Chance"."""


class Chance(Protocol):
    """Answers a label with an order of the items it is given."""

    def order(self, label: str, canonical: Sequence[C]) -> tuple[C, ...]:
        """Return all of `canonical`, reordered; index 0 is the top.

        Raises `BadChance` when a script names items that aren't there.
        """
        ...


@dataclass(frozen=True)
class Label:
    """A row of the table of labels in `journal.md`.

    `pattern` has capital letters where numbers from 1 stand (`smell/R`).
    `canonical` is what it orders, None where that is known only when asked.
    """

    pattern: str
    canonical: tuple[object, ...] | None = None

    def matches(self, label: str) -> bool:
        """Return whether a label is one of these.

        >>> Label("smell/R").matches("smell/12"), Label("smell/R").matches("smell/01")
        (True, False)
        """
        return re.fullmatch(re.sub("[A-Z]", "[1-9][0-9]*", self.pattern), label) is not None


class Scripted:
    """Orders that are written down, for rule cases and tutorials: never for a table of people.

    A list that is shorter than the whole is the beginning, what is left follows
    in canonical order; a label without a list has its canonical order.
    """

    def __init__(self, orders: Mapping[str, object], labels: Sequence[Label]) -> None:
        """Check every order whose cards are known already. Raises `BadChance`."""
        self._orders: dict[str, Sequence[object]] = {}
        for label, order in orders.items():
            kind = next((kind for kind in labels if kind.matches(label)), None)
            if kind is None:
                known = tuple(kind.pattern for kind in labels)
                raise BadChance("unknown_label", label=label, known=known)
            if not isinstance(order, list | tuple):
                raise BadChance("bad_order", label=label, item=None)
            if kind.canonical is not None:
                _completed(label, order, kind.canonical)
            self._orders[label] = order

    def order(self, label: str, canonical: Sequence[C]) -> tuple[C, ...]:
        """Return the order written down for this label, completed."""
        given = self._orders.get(label)
        return tuple(canonical) if given is None else _completed(label, given, canonical)


def _completed(label: str, given: Sequence[object], canonical: Sequence[C]) -> tuple[C, ...]:
    # Type and value: `true` and `1.0` are no cards, though Python finds them equal to 1.
    left = Counter((type(item), item) for item in canonical)
    order: list[C] = []
    for item in given:
        key = (type(item), item)
        if isinstance(item, list | dict) or not left[key]:  # type: ignore[index]
            shown = item if isinstance(item, int | str) else None
            raise BadChance("bad_order", label=label, item=shown)
        left[key] -= 1  # type: ignore[index]
        order.append(item)  # type: ignore[arg-type]
    for item in canonical:
        key = (type(item), item)
        if left[key]:
            left[key] -= 1
            order.append(item)
    return tuple(order)


def read_chance(
    chance: object,
    *,
    game: str,
    options: Mapping[str, object],
    names: Sequence[str],
    labels: Sequence[Label],
) -> Chance:
    """Return what answers labels, from the `chance` of a journal's header.

    `options` are all of the game, with their defaults. Raises `BadChance` for
    anything that isn't whole and right.
    """
    if not isinstance(chance, Mapping):
        raise BadChance("bad_chance", wants=SCHEMES)
    match chance.get("scheme"):
        case "scripted":
            orders = chance.get("orders", {})
            if not isinstance(orders, Mapping):
                raise BadChance("bad_orders")
            return Scripted(orders, labels)
        case "fair-1":
            return Fair1.from_header(chance, game=game, options=options, names=names)
        case _:
            raise BadChance("bad_chance", wants=SCHEMES)
