"""How long a seat's letters are made, so that their length tells nobody at the broker of a hand.

Everybody knows the public view and the public events, and from these how many cards a seat
sees more of: where they have a number, the seat has as many faces. So a letter to a seat is
made as long as the public part and the longest faces and offers there could be.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import msgspec

FACE = 8
"""Bytes that one value may take which only a seat sees, a card say, with what parts it from others.

A game with longer ones is filled up to whole steps of `OFFERS`: that hides most, not all.
"""

OFFERS = 256
"""Bytes that what a seat may do can take, beside the cards to choose from."""

_decode = msgspec.json.Decoder().decode


def view_size(public: bytes, own: bytes) -> int:
    """Return the bytes that a seat's view is made to take; it takes no more by itself.

    They depend on nothing but what the public one says, and on whose view it is.
    """
    everybodys, seats = _decoded(public), _decode(own)
    room, cards = _room(everybodys["table"], seats["table"])
    if seats["offers"]:  # to a seat of `awaiting`, which is public
        room += OFFERS + cards * FACE
    return _holding(len(public) + room, own)


def step_size(public: Sequence[bytes], own: Sequence[bytes]) -> int:
    """Return the same for what one action showed: its events, for everybody and for a seat."""
    room = 0
    for everybodys, seats in zip_longest(public, own, fillvalue=b"null"):
        if everybodys != seats:
            room += _room(_decode(everybodys), _decode(seats))[0]
    return _holding(sum(map(len, public)) + room, *own)


def whole_steps(size: int, step: int) -> int:
    """Return a number of bytes made up to whole steps, at least one."""
    return max(1, -(-size // step)) * step


@lru_cache(maxsize=4)
def _decoded(public: bytes) -> Any:
    """Decode what is compared with every seat's."""
    return _decode(public)


def _holding(size: int, *parts: bytes) -> int:
    took = sum(map(len, parts))
    return size if took <= size else size + whole_steps(took - size, OFFERS)


def _room(public: Any, own: Any) -> tuple[int, int]:
    """Return the bytes for what `own` has beyond `public`, and how many values that may be."""
    if public == own:
        return 0, 0
    room = values = 0
    if isinstance(public, dict) and isinstance(own, dict):
        for key, value in own.items():
            known = key in public
            more = _room(public[key], value) if known else (len(key) + 4 + _most(value), 1)
            room, values = room + more[0], values + more[1]
    elif isinstance(public, list) and isinstance(own, list) and len(public) == len(own):
        for one, other in zip(public, own, strict=True):
            more = _room(one, other)
            room, values = room + more[0], values + more[1]
    else:
        room, values = _most(own), len(own) if isinstance(own, list) else 1
    return room, values


def _most(own: Any) -> int:
    """Return the bytes that something of this shape may take, whatever it says."""
    if isinstance(own, dict):
        return 2 + sum(len(key) + 4 + _most(value) for key, value in own.items())
    if isinstance(own, list):
        return 2 + sum(map(_most, own))
    return FACE
