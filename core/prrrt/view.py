"""The table of PRRRT as JSON: the types behind `journal.md`, "`table`, PRRRT".

One type serves the true state and everybody's view of it: what a viewer may
not see stands there as its number of cards.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from core.kernel.view import View

Cards = tuple[int, ...] | int
"""Values first to last, or, where they may not be seen, how many there are."""


class Centre(msgspec.Struct, frozen=True, gc=False):
    """The Shame cards on the table for this round: values face up, and the face-down ones."""

    up: tuple[int, ...] = ()
    down: Cards = 0


class Effect(msgspec.Struct, frozen=True):
    """The effect under way: the revealed `card`, the denier, whom they picked, how many cards."""

    card: int
    by: int
    player: int | None = None
    count: int | None = None


class Moved(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """What the last 3 of the round moved from one pile to another (public, P42)."""

    from_: int
    to: int
    value: int
    count: int


class Reveal(msgspec.Struct, frozen=True):
    """The last Revelation. Lists are by seat; `because` says which rule named the culprit."""

    totals: tuple[int, ...]
    points: tuple[int | None, ...]
    culprit: int
    because: str  # total | smelliest_card | asked_earlier | five_zeros
    charged: tuple[int, ...]


class PrrrtTable(msgspec.Struct):
    """Everything on the table; fields in the words of `journal.md`, lists by seat.

    `pointed` and `my_point` go beyond `journal.md`: whose finger is fixed in
    the vote under way, and the viewer's own target (None is a finger in the
    air, absent when they have not pointed or the viewer owns no seat).
    """

    round: int
    lap: int
    location: str | None
    direction: str | None  # left | right
    first: int | None
    asker: int | None
    asked: int | None
    hands: tuple[Cards, ...]
    rows: tuple[tuple[int, ...], ...]
    piles: tuple[Cards, ...]
    discards: tuple[Cards, ...]
    centre: Centre
    shame_left: int
    last_round: bool
    played: tuple[str, ...]
    effect: Effect | None = None
    moved: Moved | None = None
    reveal: Reveal | None = None
    scores: tuple[int, ...] | UnsetType = UNSET  # with the option open_scores only
    pointed: tuple[bool, ...] = ()
    my_point: int | UnsetType | None = UNSET


class PrrrtResult(msgspec.Struct, frozen=True):
    """Who is Master of the Fart (several when tied, P74), and everybody's Shame points by seat."""

    masters: tuple[int, ...]
    points: tuple[int, ...]


PrrrtView = View[PrrrtTable, PrrrtResult]
