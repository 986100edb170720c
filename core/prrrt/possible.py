"""Whether a view could be one of a table of PRRRT: the host that sends it may be anybody's.

Types say what is a number and what is a list (`view.py`, `events.py`); this says which
numbers there can be, field by field, so that nothing above needs to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from core.kernel.event import Event
from core.prrrt.actions import READERS
from core.prrrt.cards import LOCATIONS, SHAME_DECK, STEP
from core.prrrt.view import PrrrtView

PHASES = frozenset(
    ("turn_location", "ask", "answer", "draw", "choose", "give", "point", "over"),
)
REASONS = frozenset(("total", "smelliest_card", "asked_earlier", "five_zeros"))
MOST = len(SHAME_DECK)
"""There is no more of anything than there are Shame cards."""

EFFECTS: Final[dict[str, tuple[int | None, ...]]] = {
    "draw": (None, 3, 4, 6),
    "choose": (3, 4, 5, 6),
    "give": (4, 6),
}
"""The cards whose effect asks for that; None where it belongs to no effect."""

WORDS, ROUNDS, POINTS = 1000, 100, 10 * MOST

Check = Callable[[Any, int], bool]
"""Says of a field's value whether it is possible at a table of so many seats."""


def _up_to(most: int) -> Check:
    return lambda value, _: value is None or value is UNSET or 0 <= value <= most


def _one_of(known: frozenset[str] | Mapping[str, object]) -> Check:
    return lambda value, _: value is None or value in known


def _seat(value: Any, seats: int) -> bool:
    return value is None or value is UNSET or 0 <= value < seats


def _cards(value: Sequence[Any] | int, seats: int) -> bool:
    if isinstance(value, int):
        return 0 <= value <= MOST
    return len(value) <= MOST and all(isinstance(c, int) and _card(c, seats) for c in value)


def _places(value: Sequence[str] | int, _: int) -> bool:
    return isinstance(value, int) or (len(value) <= MOST and all(p in LOCATIONS for p in value))


def _each(check: Check) -> Check:
    return lambda value, seats: len(value) <= MOST and all(check(item, seats) for item in value)


def _by_seat(check: Check) -> Check:
    return lambda value, seats: (
        value is UNSET or (len(value) == seats and all(check(item, seats) for item in value))
    )


def _once_dealt(check: Check) -> Check:
    return lambda value, seats: not value or _by_seat(check)(value, seats)


def _pairs(value: Sequence[tuple[int, int]], seats: int) -> bool:
    return all(_seat(seat, seats) and _card(card, seats) for seat, card in value)


def _words(value: str | None, _: int) -> bool:
    return value is None or len(value) <= WORDS


_card, _number, _points = _up_to(10), _up_to(MOST), _up_to(POINTS)

FIELDS: Final[dict[str, Check]] = {
    **dict.fromkeys(
        ("seat", "asker", "asked", "drawer", "player", "to", "from_", "culprit", "first", "by"),
        _seat,
    ),
    "my_point": _seat,
    **dict.fromkeys(("card", "value", "card_effect", "shame"), _card),
    **dict.fromkeys(("cards", "up", "down"), _cards),
    "DecksShuffled.shame": _cards,
    "DecksShuffled.locations": _places,
    **dict.fromkeys(("count", "shame_left", "position", "slots", "take"), _number),
    **dict.fromkeys(("round", "lap"), _up_to(ROUNDS)),
    **dict.fromkeys(("hands", "rows", "piles", "discards"), _once_dealt(_cards)),
    **dict.fromkeys(("totals", "charged", "points", "scores"), _by_seat(_points)),
    **dict.fromkeys(("Reveal.points", "HandsShown.points"), _by_seat(_seat)),
    "pointed": _once_dealt(lambda *_: True),
    **dict.fromkeys(("masters", "players"), _each(_seat)),
    "positions": _each(_number),
    "pairs": _pairs,
    "location": _one_of(LOCATIONS),
    "played": _places,
    "direction": _one_of(STEP),
    "phase": _one_of(PHASES),
    "do": _one_of(READERS),
    "because": _one_of(REASONS),
    "words": _words,
}
"""What a field may be, by its name, where it matters by that of its struct."""


def could_be(view: PrrrtView, events: Sequence[Event], seats: int) -> bool:
    """Say whether a view and the events before it are possible at a table of so many seats."""
    fields = _possible(view, seats) and all(_possible(event, seats) for event in events)
    return fields and _fits_together(view)


def _fits_together(view: PrrrtView) -> bool:
    table = view.table
    card = None if table.effect is None else table.effect.card
    return (table.location is None) == (table.direction is None) and all(
        card in EFFECTS.get(offer.do, (card,)) for offer in view.offers
    )


def _possible(value: object, seats: int) -> bool:
    if isinstance(value, tuple):
        return all(_possible(item, seats) for item in value)
    if not isinstance(value, msgspec.Struct):
        return True
    kind = type(value).__name__
    for name in value.__struct_fields__:
        field = getattr(value, name)
        check = FIELDS.get(f"{kind}.{name}") or FIELDS.get(name)
        if check is not None:
            if not check(field, seats):
                return False
        elif not _possible(field, seats):
            return False
    return True
