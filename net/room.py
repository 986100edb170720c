"""The `room` part of a view: everything about the table that is not the game.

Names, who is away, bots, options, clocks, chat, and what happened since the
last view. It is the same for everybody but for `you`, `owner`'s tools and the
events, which are what this seat may see of them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

OptionValue = bool | int | str

# What a host may tell its guests: somebody else's host, too, which says whatever it likes.
Text = Annotated[str, Meta(max_length=1000)]
Number = Annotated[int, Meta(ge=-1, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, lt=64)]
Seconds = Annotated[float, Meta(ge=-1e6, le=1e6)]
MOST_LINES = 1000
"""Lines of chat, and notices, of a host in one view."""

OptionTold = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Text | bool
OptionsTold = Annotated[dict[Text, OptionTold], Meta(max_length=64)]
Told = OptionTold | None
"""A fact of a notice."""


class SeatInfo(msgspec.Struct, frozen=True):
    """One seat as everybody sees it.

    `kind` is what holds the seat: a person, a bot of the table (`level` says
    which), or a bot that joined over the network. `here` is false while a
    person is away; `bot_plays` is true while a labelled bot plays their cards.
    """

    name: Text
    kind: Literal["person", "bot", "guest_bot"] = "person"
    level: Text | None = None
    here: bool = True
    bot_plays: bool = False


class Clock(msgspec.Struct, frozen=True):
    """Time for the decision under way, in seconds left when this was sent."""

    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=64)]
    left: Seconds
    total: Seconds


class ChatLine(msgspec.Struct, frozen=True):
    """Something said. `seat` is None for a spectator; `number` grows by one a line."""

    number: Number
    name: Text
    seat: Number | None
    text: Text


class Notice(msgspec.Struct, frozen=True):
    """What happened at the table beside the game, as a code for `tui.words` and its facts.

    Codes: joined, left, away, back, bot_takes_over, bot_added, removed, option,
    started, paused, resumed, owner, rematch, closing, disk, stepped_in, door.
    """

    number: Number
    code: Text
    facts: Annotated[dict[Text, Told], Meta(max_length=32)]


class Room(msgspec.Struct, frozen=True):
    """The table around the game.

    `phase` is `lobby` (people sit down, options are set), `playing`, `over`
    (the result is shown; a rematch may follow) or `closed`. `players` is how
    many seats the table is meant to have. `you` is the receiver's seat, None
    for a spectator. `events` are those of the actions since the last view of
    this connection, as JSON that `Rules.decode_events` reads; `chat` and
    `notices` hold the newest lines and are merged by their number.
    `waits_for` are the seats for whom the game stands still: others that may act may as
    well not. `held` says that an action of the receiver's waits at the host until others
    have had their moment to speak up (F44). `pin` is told to the owner alone.
    """

    table: Text
    title: Text
    game: Text
    phase: Literal["lobby", "playing", "over", "closed"]
    players: SeatNumber
    options: OptionsTold
    seats: Annotated[tuple[SeatInfo, ...], Meta(max_length=64)]
    you: SeatNumber | None
    owner: SeatNumber | None
    paused: bool = False
    clock: Clock | None = None
    chat: Annotated[tuple[ChatLine, ...], Meta(max_length=MOST_LINES)] = ()
    notices: Annotated[tuple[Notice, ...], Meta(max_length=MOST_LINES)] = ()
    events: msgspec.Raw = msgspec.Raw(b"[]")
    games_played: Number = 0
    spectators: Number = 0
    waits_for: Annotated[tuple[SeatNumber, ...], Meta(max_length=64)] = ()
    held: bool = False
    pin: Text | None = None

    def sound(self) -> bool:
        """Say whether everybody who is spoken of sits here."""
        clock = self.clock.seats if self.clock else ()
        spoken_of = (self.you, self.owner, *clock, *self.waits_for)
        return all(seat is None or seat < len(self.seats) for seat in spoken_of)
