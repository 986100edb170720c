"""What a table process says about itself: one JSON object a line, nothing secret.

The lines of `architecture.md`, "The command line". Fields may be added, never
renamed: programs read these.
"""

from __future__ import annotations

import msgspec


class Happening(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower, omit_defaults=True):
    """Something worth a line."""


class Ready(Happening, frozen=True):
    """The table stands; `addresses` are `host:port`, one for each interface."""

    table: str
    title: str
    addresses: tuple[str, ...]
    port: int
    words: tuple[str, ...] = ()
    game: str = ""
    broker: str | None = None


class Joined(Happening, frozen=True):
    """Somebody sat down."""

    seat: int
    name: str
    kind: str


class Left(Happening, frozen=True):
    """Somebody went, or was not heard of for some seconds (`away`)."""

    seat: int
    name: str
    away: bool = False


class Back(Happening, frozen=True):
    """Somebody who was away is back."""

    seat: int
    name: str


class Started(Happening, frozen=True):
    """A game began, or goes on (`actions` says how far it was)."""

    game: str
    journal: str | None
    seats: tuple[str, ...]
    actions: int = 0


class Acted(Happening, frozen=True, tag="action"):
    """A seat did something."""

    seat: int
    do: str


class Over(Happening, frozen=True):
    """A game is over."""

    result: msgspec.Raw


class Stopped(Happening, frozen=True):
    """The table process ends, and why: `once`, `idle`, `ended`, `signal`, `broker`, `elsewhere`.

    `elsewhere`: a process with a copy of its keys holds the table now. `dropped` says how many
    messages were not true, not new or not for this table, by reason (`seal.Counters`).
    """

    why: str
    dropped: dict[str, int] = {}


class Failed(Happening, frozen=True):
    """The table process could not begin: a code and its facts, as in `Refused`."""

    code: str
    facts: dict[str, int | str | bool | tuple[int | str | None, ...] | None]


AnyHappening = Ready | Joined | Left | Back | Started | Acted | Over | Stopped | Failed
