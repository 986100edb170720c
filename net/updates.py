"""What a seat's client tells the program around it: a screen, a bot, a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from core.kernel.event import Event
from core.kernel.view import View
from net.room import Room

Facts = Mapping[str, Any]


class Update(msgspec.Struct, frozen=True):
    """Something the client learned."""


class Seen(Update, frozen=True):
    """A newer view arrived. `game` is None in the lobby; `events` are new since the last one.

    `catching_up` is true for the first view of a connection: its events are
    history and not news (no animation, no bell).
    """

    rev: int
    question: int
    game: View[Any, Any] | None
    room: Room
    events: tuple[Event, ...]
    catching_up: bool = False


class Answered(Update, frozen=True):
    """The host answered an action, order or chat line of ours. `code` is None when it was done."""

    aid: str
    code: str | None = None
    facts: Facts = {}


class Line(Update, frozen=True):
    """The line to the table went up or down (no heartbeat from the host for some seconds)."""

    up: bool


class Words(Update, frozen=True):
    """The five words of the host's key, to compare by eye, known once welcomed."""

    words: tuple[str, ...]


class Ended(Update, frozen=True):
    """The client is done; no update follows.

    Codes: refused at the door (`full`, `playing`, `wrong_pin`, `locked`, `version`, `name_taken`,
    `no_answer`, `bad_name`, `unproved`), `removed`, `taken_over` (a newer terminal has the
    seat), `closed` (the table closed), `left` (we did); of what the host shows
    `foreign_game` (one that we don't have) and `nonsense`.
    """

    code: str
    facts: Facts = {}
