"""What a status line says whatever the game: that it stands still, is over, or a bot plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tui.table.sight import Sight
from tui.words import say


@dataclass(frozen=True)
class Status:
    """What the line says. `mine` is whether something can be done now."""

    text: str
    mine: bool = False


def in_any_game(sight: Sight[Any, Any], *, waiting: bool) -> Status | None:
    """Return what comes before anything of the game's own; None where there is nothing such.

    `waiting` while our own action is on its way.
    """
    if sight.room.paused:
        own = sight.me is not None and sight.me == sight.room.owner
        return Status(say("table.status.paused.own" if own else "table.status.paused"))
    if sight.view.over:
        return Status(say("table.status.over"), mine=True)
    if sight.bot_plays:
        return Status(say("table.status.own_bot"), mine=True)
    return Status(say("table.status.sent")) if waiting else None


def theirs(sight: Sight[Any, Any], line: str) -> Status:
    """Return a line about what others do, as those who sit here and those who watch read it."""
    return Status(line if sight.me is not None else say("table.status.watching", text=line))


def with_presence(sight: Sight[Any, Any], seat: int, line: str) -> str:
    """Return a line about somebody who is waited for, and what they are waited for with."""
    if sight.seat(seat).bot_plays:
        return line + " " + say("table.status.bot_plays")
    if not sight.seat(seat).here:
        return line + " " + say("table.status.away")
    return line
