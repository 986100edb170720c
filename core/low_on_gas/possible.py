"""Whether a view could be one of a table of Low on Gas: the host that sends it may be anybody's.

Types say what is a number and what is a list (`view.py`, `events.py`); this says which
numbers there can be, field by field, so that nothing above needs to ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from core.kernel.event import Event
from core.kernel.possible import Check, anything, by_seat, each, one_of, possible, seat, up_to
from core.kernel.view import View
from core.low_on_gas.actions import READERS
from core.low_on_gas.cards import CARDS, COLOURS, DECK, PICK_UPS
from core.low_on_gas.view import GasResult, GasTable

RESTING = frozenset(("deal", "over"))
PHASES = frozenset(("owe", "play", "must_play", *RESTING))
REASONS = frozenset(("owed", "unable", "penalty"))
MOST = len(DECK)
WINS, GAMES, TOTAL, SUMMANDS = 9, 100, 10_000, 2_000
"""There is no limit to a total (F-R30), but a game that reached this one was never played."""


def _cards(value: Sequence[Any] | int, _: int) -> bool:
    if isinstance(value, int):
        return 0 <= value <= MOST
    return len(value) <= MOST and all(card in CARDS for card in value)


_card, _number, _total = one_of(CARDS), up_to(MOST), up_to(TOTAL)
_pick_ups = frozenset(PICK_UPS.values())

FIELDS: Final[dict[str, Check]] = {
    **dict.fromkeys(("seat", "dealer", "turn", "winner"), seat),
    **dict.fromkeys(("card", "top"), _card),
    **dict.fromkeys(("cards", "draw_pile", "discard_pile", "buried", "ask_colour"), _cards),
    "hands": by_seat(_cards),
    "colour": one_of(COLOURS.values()),
    "Played.called": anything,
    **dict.fromkeys(("called", "windows"), by_seat(anything)),
    "wins": by_seat(up_to(WINS)),
    "to_win": up_to(WINS),
    "game_no": up_to(GAMES),
    **dict.fromkeys(("owed", "total", "count", "costs"), _total),
    "sum": each(lambda value, _: value in _pick_ups, SUMMANDS),
    **dict.fromkeys(("slots", "take"), _number),
    **dict.fromkeys(("players", "pairs"), lambda value, _: not value),
    "phase": one_of(PHASES),
    "do": one_of(READERS),
    "why": one_of(REASONS),
}
"""What a field may be, by its name, where it matters by that of its struct."""


def could_be(view: View[GasTable, GasResult], events: Sequence[Event], seats: int) -> bool:
    """Say whether a view and the events before it are possible at a table of so many seats."""
    fields = possible(view, seats, FIELDS) and possible(tuple(events), seats, FIELDS)
    return fields and _fits_together(view)


def _fits_together(view: View[GasTable, GasResult]) -> bool:
    table = view.table
    return (
        sum(table.sum) == table.owed
        and (table.turn is None) == (view.phase in RESTING)
        and view.over == (view.phase == "over") == (view.result is not None)
    )
