"""What a seat does, said by value and never by index into a menu."""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, tag_field="do"):
    """The `do` of a journal line and its further keys; the seat is told beside it."""
