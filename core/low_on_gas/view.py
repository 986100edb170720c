"""The table of Low on Gas as JSON: the types behind `journal.md`, "`table`, Low on Gas".

One type serves the true state and everybody's view of it: what a viewer may
not see stands there as its number of cards.
"""

from __future__ import annotations

import msgspec

from core.kernel.view import Offer, View

Cards = tuple[str, ...] | int
"""Codes first to last, or, where they may not be seen, how many there are."""


class GasTable(msgspec.Struct):
    """Everything on the table; fields in the words of `journal.md`, lists by seat.

    What goes beyond `journal.md`: `sum` are the pick-ups that make up `owed`, oldest first
    (1, 1, 5); `windows` says who may still say "low on gas" (F28); `winner` is who won the
    game that lies on the table, from its win until the next deal; `to_win` is how many games
    win the match.
    """

    game_no: int
    turn: int | None
    owed: int
    colour: str | None
    top: str
    hands: tuple[Cards, ...]
    draw_pile: Cards
    discard_pile: Cards
    called: tuple[bool, ...]
    dealer: int
    wins: tuple[int, ...]
    sum: tuple[int, ...] = ()
    windows: tuple[bool, ...] = ()
    winner: int | None = None
    to_win: int = 1


class GasOffer(Offer, frozen=True, gc=False, omit_defaults=True):
    """What one may do; of a `play` (one of `cards`, as often as they are held) also how.

    `ask_colour` are those of the cards for which a colour has to be said. `call` is whether
    "low on gas" may be said with it, since one card is left then. `costs` are the cards that
    it will cost, being a last card that was not called (F-R22); the card then comes back,
    unless the option `discard_stands` is on.
    """

    ask_colour: tuple[str, ...] = ()
    call: bool = False
    costs: int = 0


class GasResult(msgspec.Struct, frozen=True):
    """Who won the match (F-R38), and the games that each seat won."""

    winner: int
    wins: tuple[int, ...]


class GasView(View[GasTable, GasResult]):
    """The whole view, with offers of this game."""

    offers: tuple[GasOffer, ...] = ()
