"""What a seat does, said by value and never by index into a menu."""

from __future__ import annotations

import re

import msgspec


def snake_case(name: str) -> str:
    """Return a class name as a `do`.

    >>> snake_case("TurnLocation")
    'turn_location'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Action(msgspec.Struct, frozen=True, tag_field="do", tag=snake_case, omit_defaults=True):
    """The `do` of a journal line and its further keys; the seat is told beside it."""
