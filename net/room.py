"""The `room` part of a view: everything about the table that is not the game.

Names, who is away, bots, options, clocks, chat, and what happened since the
last view. It is the same for everybody but for `you`, `owner`'s tools and the
events, which are what this seat may see of them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

OptionValue = bool | int | str


class SeatInfo(msgspec.Struct, frozen=True):
    """One seat as everybody sees it.

    `kind` is what holds the seat: a person, a bot of the table (`level` says
    which), or a bot that joined over the network. `here` is false while a
    person is away; `bot_plays` is true while a labelled bot plays their cards.
    """

    name: str
    kind: Literal["person", "bot", "guest_bot"] = "person"
    level: str | None = None
    here: bool = True
    bot_plays: bool = False


class Clock(msgspec.Struct, frozen=True):
    """Time for the decision under way, in seconds left when this was sent."""

    seats: tuple[int, ...]
    left: float
    total: float


class ChatLine(msgspec.Struct, frozen=True):
    """Something said. `seat` is None for a spectator; `number` grows by one a line."""

    number: int
    name: str
    seat: int | None
    text: str


class Notice(msgspec.Struct, frozen=True):
    """What happened at the table beside the game, as a code for `tui.words` and its facts.

    Codes: joined, left, away, back, bot_takes_over, bot_added, removed, option,
    started, paused, resumed, owner, rematch, closing, disk, stepped_in.
    """

    number: int
    code: str
    facts: dict[str, str | int | bool | None]


class Room(msgspec.Struct, frozen=True):
    """The table around the game.

    `phase` is `lobby` (people sit down, options are set), `playing`, `over`
    (the result is shown; a rematch may follow) or `closed`. `players` is how
    many seats the table is meant to have. `you` is the receiver's seat, None
    for a spectator. `events` are those of the actions since the last view of
    this connection, as JSON that `Rules.decode_events` reads; `chat` and
    `notices` hold the newest lines and are merged by their number.
    `attempts` stays empty until deals are committed to (`fair-1`).
    """

    table: str
    title: str
    game: str
    phase: Literal["lobby", "playing", "over", "closed"]
    players: int
    options: dict[str, OptionValue]
    seats: tuple[SeatInfo, ...]
    you: int | None
    owner: int | None
    paused: bool = False
    clock: Clock | None = None
    chat: tuple[ChatLine, ...] = ()
    notices: tuple[Notice, ...] = ()
    events: msgspec.Raw = msgspec.Raw(b"[]")
    games_played: int = 0
    spectators: int = 0
