"""Whether a view could be one of a table of PRRRT: the host that sends it may be anybody's.

Types say what is a number and what is a list (`view.py`, `events.py`); this says which
numbers there can be, field by field, so that nothing above needs to ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from core.kernel.event import Event
from core.kernel.possible import (
    Check,
    anything,
    by_seat,
    each,
    once_dealt,
    one_of,
    possible,
    seat,
    up_to,
)
from core.prrrt.actions import READERS
from core.prrrt.cards import LAPS, LOCATIONS, SHAME_DECK, STEP
from core.prrrt.view import PrrrtView

PHASES = frozenset(
    ("turn_location", "ask", "answer", "draw", "choose", "give", "point", "over"),
)
REASONS = frozenset(("total", "smelliest_card", "asked_earlier", "five_zeros"))
MOST = len(SHAME_DECK)
"""There is no more of anything than there are Shame cards."""

CHOOSES: Final = (3, 4, 5, 6)
"""The cards whose effect begins with somebody being picked."""

EFFECTS: Final[dict[str, tuple[int | None, ...]]] = {
    "draw": (None, 3, 4, 6),
    "choose": CHOOSES,
    "give": (4, 6),
}
"""The cards whose effect asks for that; None where it belongs to no effect."""

WORDS, ROUNDS, POINTS = 1000, 100, 10 * MOST


def _cards(value: Sequence[Any] | int, seats: int) -> bool:
    if isinstance(value, int):
        return 0 <= value <= MOST
    return len(value) <= MOST and all(isinstance(c, int) and _card(c, seats) for c in value)


def _places(value: Sequence[str] | int, _: int) -> bool:
    return isinstance(value, int) or (len(value) <= MOST and all(p in LOCATIONS for p in value))


def _pairs(value: Sequence[tuple[int, int]], seats: int) -> bool:
    return all(seat(who, seats) and _card(card, seats) for who, card in value)


def _words(value: str | None, _: int) -> bool:
    return value is None or len(value) <= WORDS


_card, _number, _points = up_to(10), up_to(MOST), up_to(POINTS)

FIELDS: Final[dict[str, Check]] = {
    **dict.fromkeys(
        ("seat", "asker", "asked", "drawer", "player", "to", "from_", "culprit", "first", "by"),
        seat,
    ),
    "my_point": seat,
    **dict.fromkeys(("card", "value", "shame"), _card),
    **dict.fromkeys(("Effect.card", "EffectBegan.card", "EffectVoid.card"), one_of(range(3, 8))),
    "card_effect": one_of(CHOOSES),
    **dict.fromkeys(("cards", "up", "down"), _cards),
    "DecksShuffled.shame": _cards,
    "DecksShuffled.locations": _places,
    **dict.fromkeys(("count", "shame_left", "position", "slots", "take"), _number),
    "round": up_to(ROUNDS),
    "lap": up_to(LAPS),
    **dict.fromkeys(("hands", "rows", "piles", "discards"), once_dealt(_cards)),
    **dict.fromkeys(("totals", "charged", "points", "scores"), by_seat(_points)),
    **dict.fromkeys(("Reveal.points", "HandsShown.points"), by_seat(seat)),
    "pointed": once_dealt(anything),
    **dict.fromkeys(("masters", "players"), each(seat)),
    "positions": each(_number),
    "pairs": _pairs,
    "location": one_of(LOCATIONS),
    "played": _places,
    "direction": one_of(STEP),
    "phase": one_of(PHASES),
    "do": one_of(READERS),
    "because": one_of(REASONS),
    "words": _words,
}
"""What a field may be, by its name, where it matters by that of its struct."""


def could_be(view: PrrrtView, events: Sequence[Event], seats: int) -> bool:
    """Say whether a view and the events before it are possible at a table of so many seats."""
    fields = possible(view, seats, FIELDS) and possible(tuple(events), seats, FIELDS)
    return fields and _fits_together(view)


def _fits_together(view: PrrrtView) -> bool:
    table = view.table
    card = None if table.effect is None else table.effect.card
    return (
        (table.location is None) == (table.direction is None)
        and view.over == (view.phase == "over") == (view.result is not None)
        and all(card in EFFECTS.get(offer.do, (card,)) for offer in view.offers)
    )
