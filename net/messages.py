"""Every message between a host and its peers, as types: what isn't one of these is no message.

The envelope says which table, which peer, which way, which start of the host
(epoch), which connect of the peer (session), and a counter that only grows;
`net.seal` sees to all of these. JSON, because the game's view is JSON anyway
(`journal.md`) and travels inside as it is.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from net.keys import HostPublic
from net.orders import AnyOrder
from net.room import OptionsTold, Room, SeatNumber, Text

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(max_length=200)]
Chat = Annotated[str, Meta(max_length=2000)]
Number = Annotated[int, Meta(ge=-1, le=2**53)]
Token = Annotated[str, Meta(max_length=64)]
"""One of an envelope's words: all of them come back in the answer, so none may be long."""

Code = Annotated[str, Meta(max_length=64)]
"""A code for `tui.words`, of somebody else's host perhaps."""

SEEN_AT_ONCE = 100
"""Answers that one beat may say were seen."""

Fact = int | str | bool | None | tuple[int | str | None, ...]
Facts = dict[str, Fact]


class Message(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """Something said between a host and a peer."""


# From a peer to its host


class Hello(Message, frozen=True):
    """A peer is here: a newcomer, a returning seat, or one that lost the line.

    Its envelope opens a new session. `name` is None for somebody who only
    watches. `take_over` says that a live terminal of this seat shall give way;
    `previous` is the session this very client held before, which needs no leave.
    `proof` asks the host to prove that it knows the PIN, whoever we are to it.
    """

    protocol: Number
    app: Annotated[str, Meta(max_length=40)]
    name: Name | None
    kind: Literal["person", "guest_bot"] = "person"
    take_over: bool = False
    previous: Id | None = None
    proof: bool = False


class PinStart(Message, frozen=True):
    """The newcomer's half of the PIN's key exchange (spake2)."""

    half: Annotated[bytes, Meta(max_length=100)]


class PinProof(Message, frozen=True):
    """The newcomer's proof that it came to the same key. The newcomer goes first."""

    proof: Annotated[bytes, Meta(max_length=64)]


class Ready(Message, frozen=True):
    """The welcome arrived: echoes its nonce. Only now does the new session count."""

    nonce: Id


class Act(Message, frozen=True):
    """An action of the game, as a journal line says it, for the question it answers.

    Questions are numbered anew in each game, so the game's number at this table belongs to it.
    `after` is an action of the same peer that was still under way: whatever overtakes
    what on the line, this one is heard after that one.
    """

    aid: Id
    game: Number
    question: Number
    action: msgspec.Raw
    after: Id | None = None


class OrderMsg(Message, frozen=True):
    """An order of the table's owner (`net.orders`).

    `whose` is who sat at the seat that it names, as its owner saw it: seats close up
    in the lobby, and nobody else shall be meant. None for an order without a seat.
    """

    aid: Id
    order: AnyOrder
    whose: Name | None = None


class Say(Message, frozen=True):
    """A line of chat."""

    aid: Id
    text: Chat


class Sync(Message, frozen=True):
    """Asks for the whole view again; of game `game` the events of `have` actions are known."""

    game: Number = -1
    have: Number = -1


class Beat(Message, frozen=True):
    """Still here. Up: the newest view received and answers seen; down: the newest view sent.

    Whoever may act confirms at once: from then on they know that they may (`net.fair_moment`).
    """

    rev: Number
    seen: Annotated[tuple[Id, ...], Meta(max_length=SEEN_AT_ONCE)] = ()


class Leave(Message, frozen=True):
    """The peer goes, and gives its seat up if the game hasn't begun."""


Up = Hello | PinStart | PinProof | Ready | Act | OrderMsg | Say | Sync | Beat | Leave


# From the host to a peer


class PinWanted(Message, frozen=True):
    """A newcomer must know the table's PIN."""


class PinReply(Message, frozen=True):
    """The host's half of the PIN's key exchange."""

    half: Annotated[bytes, Meta(max_length=100)]


class Welcome(Message, frozen=True):
    """Come in. The envelope echoes the peer's session and tells the host's epoch.

    `proof` shows a newcomer who used a PIN that the host knows it too.
    """

    nonce: Id
    protocol: Number
    app: Text
    proof: Annotated[bytes, Meta(max_length=64)] | None = None


class Refusal(Message, frozen=True):
    """Not let in, and why. Nothing changed at the table."""

    code: Code
    facts: Facts = {}


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of an action, order or chat line: done when `code` is None.

    The peer says the `aid` again to confirm it, so a host can't make it long either.
    """

    aid: Id
    code: Code | None = None
    facts: Facts = {}


class ViewMsg(Message, frozen=True, omit_defaults=True):
    """Everything a peer may see, whole.

    `game` is what `prrrt replay --seat` prints (absent in the first lobby);
    `rev` grows with each view of a peer, `n` is the number of actions applied,
    `question` the number of the open question. `room.events` are the events of
    the actions after the first `since` (-1: from the set-up on), `counts` says
    how many of them belong to each step; when they don't reach `n`, the rest
    fits no message and is asked for with `Sync`. `fill` is nothing but length.
    """

    rev: Number
    n: Number
    question: Number
    room: Room
    game: msgspec.Raw | UnsetType = UNSET
    game_no: Number = 0
    since: Number = -1
    counts: tuple[Number, ...] = ()
    answers: tuple[Answer, ...] = ()
    fill: str = ""


class Bye(Message, frozen=True):
    """The session is over, and why: `removed`, `taken_over`, `closed`, `left`."""

    code: Code
    facts: Facts = {}


Down = PinWanted | PinReply | Welcome | Refusal | ViewMsg | Beat | Bye


# From the host to everybody, signed


class TableAd(Message, frozen=True):
    """What a table says about itself to whoever looks: retained under its `table` topic."""

    title: Text
    game: Text
    protocol: Number
    rules: Number
    app: Text
    host: HostPublic
    phase: Literal["lobby", "playing", "over", "closed"]
    players: SeatNumber
    taken: SeatNumber
    options: OptionsTold
    pin: bool = False
    starts: Number = 0
    """How often the table was started: what an earlier start said is out of date."""


class Envelope(msgspec.Struct, frozen=True):
    """What every message is wrapped in, inside the seal."""

    table: Token
    peer: Token
    epoch: Token
    session: Token
    counter: Annotated[int, Meta(ge=1, le=2**53)]


class UpLetter(Envelope, frozen=True, kw_only=True, tag_field="way", tag="up"):
    """A message on its way from a peer to its host."""

    body: Up


class DownLetter(Envelope, frozen=True, kw_only=True, tag_field="way", tag="down"):
    """A message on its way from a host to a peer."""

    body: Down


class PublicLetter(Envelope, frozen=True, kw_only=True, tag_field="way", tag="public"):
    """A signed message to everybody; `peer` and `session` are empty."""

    body: TableAd | ViewMsg
