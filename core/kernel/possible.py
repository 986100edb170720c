"""Whether values that somebody else's host sent could be: the pieces that games build it from.

Types say what is a number and what is a list; a game's table of fields says
which numbers there can be, so that nothing above needs to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

Check = Callable[[Any, int], bool]
"""Says of a field's value whether it is possible at a table of so many seats."""

MOST_ITEMS = 1000
"""Longer lists are in no game."""


def anything(value: Any, seats: int) -> bool:  # noqa: ARG001
    """Say yes: the type alone says what it can be."""
    return True


def up_to(most: int) -> Check:
    """Return a check for numbers from 0."""
    return lambda value, _: value is None or value is UNSET or 0 <= value <= most


def one_of(known: Collection[object]) -> Check:
    """Return a check for texts, or numbers, that a game knows."""
    return lambda value, _: value is None or value in known


def seat(value: Any, seats: int) -> bool:
    """Say whether a seat is there; nobody always is."""
    return value is None or value is UNSET or 0 <= value < seats


def each(check: Check, most: int = MOST_ITEMS) -> Check:
    """Return a check for lists of any length up to `most`."""
    return lambda value, seats: len(value) <= most and all(check(item, seats) for item in value)


def by_seat(check: Check) -> Check:
    """Return a check for lists with one item a seat."""
    return lambda value, seats: (
        value is UNSET or (len(value) == seats and all(check(item, seats) for item in value))
    )


def once_dealt(check: Check) -> Check:
    """Return a check for lists that are empty before there is anything, and then by seat."""
    return lambda value, seats: not value or by_seat(check)(value, seats)


def possible(value: object, seats: int, fields: Mapping[str, Check]) -> bool:
    """Say whether a struct, with all in it, is possible at a table of so many seats.

    `fields` has the check of a field under `Struct.field`, or under its name alone.
    """
    if isinstance(value, tuple):
        return all(possible(item, seats, fields) for item in value)
    if not isinstance(value, msgspec.Struct):
        return True
    kind = type(value).__name__
    for name in value.__struct_fields__:
        field = getattr(value, name)
        check = fields.get(f"{kind}.{name}") or fields.get(name)
        if check is not None:
            if not check(field, seats):
                return False
        elif not possible(field, seats, fields):
            return False
    return True
