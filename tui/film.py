"""A saved game as a film: the table after each action, as anybody's eyes saw it."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from core.journal import JournalError
from core.replay import replay
from net.room import Room, SeatInfo
from net.updates import Seen

ROUND_BEGINS = ("turn_location", "deal")
"""What opens a round of PRRRT, and a game of a match of Low on Gas."""


class Film:
    """A journal that was played through once, and can be stopped anywhere.

    Raises `JournalError` for what isn't a journal, for a seat that it doesn't
    have, and for an unfinished game unless `reveal`.
    """

    def __init__(self, path: Path, viewer: int | None, *, reveal: bool = False) -> None:
        try:
            self._data = path.read_bytes()
        except OSError as error:
            why = error.strerror or str(error)
            raise JournalError("unreadable", {"why": why}, line=None) from None
        whole = replay(self._data)
        if not whole.game.over and not reveal and whole.header.chance.get("scheme") == "fair-1":
            raise JournalError("in_progress", line=None)
        self.seats = whole.header.seats
        if viewer is not None and viewer >= len(self.seats):
            facts = {"seat": viewer, "seats": len(self.seats)}
            raise JournalError("no_such_seat", facts, line=None)
        self.title = path.name
        self.length = len(whole.lines)
        self.rounds = tuple(
            n for n, line in enumerate(whole.lines) if line.body.get("do") in ROUND_BEGINS
        )

    def at(self, actions: int, viewer: int | None) -> Seen:
        """Return what `viewer` saw after so many actions; nothing is offered in a film."""
        still = replay(self._data, upto=actions)
        seen = replace(still.game.view(viewer), offers=())
        room = Room(
            table="",
            title=self.title,
            game=still.rules.name,
            phase="over" if still.game.over else "playing",
            players=len(self.seats),
            options=still.options,
            seats=tuple(SeatInfo(name) for name in self.seats),
            you=viewer,
            owner=None,
            waits_for=still.game.waited_for(),
        )
        events = tuple(still.game.shown(viewer, -1))
        return Seen(actions, actions, seen, room, events, catching_up=True)

    def next_round(self, here: int, by: int) -> int:
        """Return where the next round begins, or the one before; the ends are rounds too."""
        marks = (0, *self.rounds, self.length)
        if by > 0:
            return min((n for n in marks if n > here), default=self.length)
        return max((n for n in marks if n < here), default=0)
