"""What one pair of eyes sees of a game: the `game` part of a view on the wire.

It is exactly the object that `prrrt replay --seat` prints (`journal.md`,
"Reading it back"), with `offers` added: what the viewer may do, spelled out.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

TableT = TypeVar("TableT")
ResultT = TypeVar("ResultT")


class Awaiting(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A seat that has at least one legal action. `may` is there for one's own seat only."""

    seat: int
    may: tuple[str, ...] | UnsetType = UNSET


class Offer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One kind of legal action with every value it can take, so that screens and bots run no rules.

    `do` names the action. An action takes one of `players` (None among them is
    a finger in the air); or one of `pairs`, a player and a card of theirs
    together; or `take` different slots out of `slots` face-down ones (numbered
    from 0); or `take` cards out of `cards` (a hand: equal cards are listed as
    often as they are held). Fields an action has no use for stay empty.
    """

    do: str
    players: tuple[int | None, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    cards: tuple[int | str, ...] = ()
    slots: int = 0
    take: int = 0


class View(msgspec.Struct, Generic[TableT, ResultT]):
    """A game as one viewer sees it. `actions` is how many were applied so far."""

    game: str
    over: bool
    actions: int
    phase: str
    awaiting: tuple[Awaiting, ...]
    table: TableT
    result: ResultT | None
    offers: tuple[Offer, ...] = ()
