"""A seat's client: the far end of the protocol, used alike by screens, bots and tests.

    client = SeatClient(transport, table_id, keys=SeatKeys, name="Ada", kind="person", pin=None)
    client = SeatClient(transport, table_id, keys=..., name=None)        # a spectator
    task = create_task(client.run())          # until Ended; cancel to drop the line
    async for update in client.updates(): ... # Seen, Answered, Line, Words, Ended (last)
    aid = client.act(action)                  # core Action; answers the latest view's question
    aid = client.order(order)                 # net.orders
    aid = client.say("text")                  # chat
    client.leave()                            # gives the seat up; Ended("left") follows
    client.refresh()                          # ask for the whole view again

act/order/say never block and never raise: they return the aid at once, and an
`Answered` with that aid follows, however often the line drops in between. It
comes after the view (`Seen`) that shows the outcome.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Literal

import msgspec

from core.kernel.action import Action
from core.kernel.illegal import Refused
from core.kernel.rules import Rules
from core.registry import GAMES
from net import messages as m
from net.asking import AGAIN, ASK_AGAIN, AskFor, Asking
from net.clocks import AWAY_AFTER, BEAT_EVERY
from net.connection import Connection, PeerSession
from net.following import Following, Nonsense
from net.keys import SeatKeys
from net.orders import AnyOrder, SeatOrder
from net.pin import NewcomerPin
from net.seal import Counters, Fresh, verify_public
from net.topics import PROTOCOL, down_topic, public_topic, table_topic, up_topic
from net.transport import Transport, TransportClosed
from net.updates import Answered, Ended, Line, Seen, Update, Words
from net.version import APP

TICK = 0.1
"""Seconds between two looks at the clock."""

AD_AGAIN = 1.5
"""Seconds after which the table's retained advertisement is asked for again."""

NO_ANSWER = 10.0
"""Seconds after which a first hello gives up."""

KNOCK_ANEW = 20.0
"""Seconds after which a hello without welcome begins a new session."""

UNREAD = 64
"""Updates that may wait for the program around: whatever comes then is asked for again."""

LEAVE_WITHIN = 3.0
"""Seconds that leaving may take when nobody answers."""


class SeatClient:
    """One seat (or, without a name, one spectator) at one table. It owns its transport.

    `take_over` lets it take the seat from a live terminal that has the same
    keys; without, such a hello ends with `name_taken`. It waits for a table that falls silent
    until somebody has enough of that, or, where nobody is there to, for `give_up` seconds.

    Whoever has a `pin` comes in only where it is known: a table that doesn't prove that is
    another one (`unproved`), however it is called. `proved` says that this table has
    proved it before (its id is its key); `on_proof` is called when it does.
    """

    def __init__(
        self,
        transport: Transport,
        table_id: str,
        *,
        keys: SeatKeys,
        name: str | None,
        kind: Literal["person", "guest_bot"] = "person",
        pin: str | None = None,
        proved: bool = False,
        on_proof: Callable[[], None] = lambda: None,
        take_over: bool = False,
        give_up: float | None = None,
        games: Mapping[str, Rules] = GAMES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table_id = table_id
        self.dropped = Counters()
        """Messages that were not for us, by reason."""
        self._transport = transport
        self._keys = keys
        self._name = name
        self._kind = kind
        self._pin = pin
        self._proved = proved or pin is None
        """Whether a welcome needs no proof (any more)."""
        self._on_proof = on_proof
        self._take_over = take_over
        self._give_up = give_up
        self._now = now
        self._connection: Connection | None = None
        self._following = Following(games)
        self._public_fresh = Fresh()
        self._public_epoch = ""
        self._newest_start = (-1, "")
        """The latest start of the host that we know of: what an earlier one said is a replay."""
        self._exchange: NewcomerPin | None = None
        self._pin_step: m.PinStart | m.PinProof | None = None
        self._game = self._question = -1
        self._names: tuple[str, ...] = ()
        self._held = False
        self.asking = Asking()
        """What was asked for and has no answer yet."""
        self._updates: asyncio.Queue[Update] = asyncio.Queue()
        self._ended = False
        self._heard = now()
        self._started = self._heard
        """Since when we wait for anything to be shown: at the door, without hearing anything."""
        self._nonsense: float | None = None
        """Since when nothing was shown to us that could be true."""
        self._shown = False
        self._line_up: bool | None = None
        self._leaving_since: float | None = None
        self._goodbye: PeerSession | None = None
        self._due: dict[str, float] = {}
        self._wake = asyncio.Event()

    @property
    def shown(self) -> bool:
        """Whether it has ever seen the table."""
        return self._shown

    # For the program around it

    async def run(self) -> None:
        """Be at the table until `Ended`. Cancelling it drops the line without a goodbye."""
        loops: list[asyncio.Task[None]] = []
        try:
            await self._transport.subscribe(down_topic(self.table_id, self._keys.peer_id))
            if self._name is None:
                await self._transport.subscribe(public_topic(self.table_id))
            work = (self._receive(), self._send_what_is_due(), self._watch_line())
            loops = [asyncio.create_task(loop) for loop in work]
            done, _ = await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
            for loop in done:
                loop.result()
        except Refused as refusal:
            self._end(refusal.code, dict(refusal.facts))
        except TransportClosed:
            self._end("no_answer")
        finally:
            self._end("dropped")
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            await self._transport.close()

    async def updates(self) -> AsyncIterator[Update]:
        """Yield what is learned, `Ended` last."""
        while True:
            update = await self._updates.get()
            yield update
            if isinstance(update, Ended):
                return

    def act(self, action: Action) -> str:
        """Answer the question of the latest view."""
        raw = msgspec.Raw(msgspec.json.encode(action))
        after = self.asking.last_action
        return self._ask_for(lambda aid: m.Act(aid, self._game, self._question, raw, after))

    def order(self, order: AnyOrder) -> str:
        """Order something as the table's owner."""
        whose = None
        if isinstance(order, SeatOrder) and 0 <= order.seat < len(self._names):
            whose = self._names[order.seat]
        return self._ask_for(lambda aid: m.OrderMsg(aid, order, whose))

    def say(self, text: str) -> str:
        """Say something in the chat."""
        return self._ask_for(lambda aid: m.Say(aid, text[:2000]))

    def leave(self) -> None:
        """Go for good; `Ended("left")` follows within seconds."""
        if self._leaving_since is None:
            self._leaving_since = self._now()
            self._wake.set()

    def refresh(self) -> None:
        """Ask for the whole view again."""
        self._following.behind = True
        self._soon("sync")

    # What comes in

    async def _receive(self) -> None:
        ours = down_topic(self.table_id, self._keys.peer_id)
        while not self._ended:
            topic, payload = await self._transport.receive()
            if topic == ours:
                self._take_sealed(payload)
                await self._answer_goodbye()
            elif topic == table_topic(self.table_id) and payload:
                self._take_ad(payload)
            elif topic == public_topic(self.table_id):
                self._take_public(payload)

    def _take_ad(self, payload: bytes) -> None:
        letter = verify_public(payload, self.table_id, self.dropped)
        if letter is None:
            return
        if not isinstance(letter.body, m.TableAd):
            self.dropped["misdirected"] += 1
            return
        if self._connection is None:
            if letter.body.protocol != PROTOCOL:
                self._end("version", {"ours": PROTOCOL, "theirs": letter.body.protocol})
                return
            self._connection = Connection(self._keys, letter.body.host, self.dropped)
            self._soon("hello")
        live = self._connection.live
        start = letter.body.starts, letter.epoch
        if start <= self._newest_start:
            if start < self._newest_start:
                self.dropped["stale"] += 1
            return
        self._newest_start = start
        if live is not None and live.epoch != letter.epoch:
            self._connection.knocking = self._connection.knocking or self._knock()

    def _take_public(self, payload: bytes) -> None:
        if self._connection is None or self._connection.live is None:
            return
        live, host = self._connection.live, self._connection.host
        letter = verify_public(payload, self.table_id, self.dropped, host)
        if letter is None:
            return
        if not isinstance(letter.body, m.ViewMsg):
            self.dropped["misdirected"] += 1
            return
        # Ours are numbered alike: what we have is old, and before our own first view all may be.
        newer = 0 <= self._following.rev < letter.body.rev and letter.epoch == live.epoch
        if not newer or not self._public_fresh.take(letter.counter):
            self.dropped["stale"] += 1
            return
        # Said to everybody: no sign that the host still knows us, and hears what we say.
        self._take_view(letter.body)

    def _take_sealed(self, payload: bytes) -> None:
        opened = None if self._connection is None else self._connection.open(payload)
        if opened is None:
            return
        session, body = opened
        if isinstance(body, m.Welcome):
            self._welcomed(session, body)
        elif self._connection is not None and session is self._connection.live:
            self._take_live(session, body)
        else:
            self._started = self._now()
            self._take_at_the_door(body)

    def _take_at_the_door(self, body: m.Down) -> None:
        match body:
            case m.Refusal(code, facts):
                self._end(code, facts)
            case m.PinWanted() if self._pin is None:
                self._end("pin_needed")
            case m.PinWanted() if self._exchange is None and self._connection is not None:
                host = self._connection.host.signing
                self._exchange = NewcomerPin(self._pin or "", self._keys.public, host)
                self._pin_step = m.PinStart(self._exchange.half)
                self._soon("hello")
            case m.PinReply(half) if self._exchange is not None:
                proof = self._exchange.prove(half)
                if proof is not None:
                    self._pin_step = m.PinProof(proof)
                    self._soon("hello")

    def _welcomed(self, session: PeerSession, message: m.Welcome) -> None:
        connection = self._connection
        if connection is None or session is not connection.knocking:
            return
        if self._exchange is not None and self._exchange.trusts(message.proof):
            self._proved = True
            self._on_proof()
        elif self._exchange is not None or not self._proved:
            self._end("unproved")
            return
        if connection.welcome(session, message):
            self._exchange = self._pin_step = None
            self._following.restart()
            self._started = self._now()
            self._follow_public(session.epoch)
            self._hear()
            self._put(Words(connection.host.words()))
            self.asking.say_all_again()
            self._soon("ready")

    def _follow_public(self, epoch: str) -> None:
        """Take public views of this host's from now on, none older than those of it so far."""
        if epoch != self._public_epoch:
            self._public_epoch, self._public_fresh = epoch, Fresh()

    def _take_live(self, session: PeerSession, body: m.Down) -> None:
        self._hear()
        match body:
            case m.ViewMsg():
                session.confirmed = True
                self._take_view(body)
            case m.Beat(rev):
                if rev > self._following.rev:
                    self._following.behind = True
                    self._wake.set()
            case m.Bye(code, facts):
                self._goodbye = session
                self._end(code, facts)
            case m.Refusal(code, facts):
                self._end(code, facts)

    def _pass_answers_on(self) -> None:
        for answer in self.asking.settled():
            self._put(Answered(answer.aid, answer.code, answer.facts))
        if self.asking.confirms_soon:
            self._soon("beat")

    def _take_view(self, view: m.ViewMsg) -> None:
        if self._updates.qsize() > UNREAD:
            self._following.behind = True
            return
        have = self._following.have
        try:
            seen = self._following.take(view)
        except Nonsense as why:
            self.dropped["invalid"] += 1
            if why.game is not None:
                self._end("foreign_game", {"game": why.game})
            self._nonsense = self._now() if self._nonsense is None else self._nonsense
            return
        self.asking.take(view.answers)
        if seen is not None:
            self._shown, self._nonsense = True, None
            self._game, self._question = self._following.game_no, seen.question
            self._names = tuple(seat.name for seat in seen.room.seats)
            self._held = seen.room.held
            self._put(seen)
            if _is_awaited(seen):
                self._soon("beat")  # the host learns since when we know that we may act
        if not self._following.behind:
            self._pass_answers_on()
        elif self._following.have > have:
            self._soon("sync")  # a page came: ask for the next at once
        self._wake.set()

    def _hear(self) -> None:
        self._heard = self._now()
        if self._connection is not None and self._connection.live is not None:
            self._set_line(True)

    # What goes out

    async def _send_what_is_due(self) -> None:
        while not self._ended:
            if self._connection is None and self._is_due("ad", self._now(), AD_AGAIN):
                await self._transport.subscribe(table_topic(self.table_id))
            for session, body in self._bodies_due():
                assert self._connection is not None
                payload = self._connection.seal(session, body)
                await self._transport.publish(up_topic(self.table_id, self._keys.peer_id), payload)
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._wake.wait()

    def _bodies_due(self) -> Iterator[tuple[PeerSession, m.Up]]:
        """Yield everything that has to be said now, and in which session."""
        now = self._now()
        if self._leaving_since is not None and now - self._leaving_since > LEAVE_WITHIN:
            self._end("left")
        connection = self._connection
        live = None if connection is None else connection.live
        waits = live is None or not self._shown
        since = self._started if waits else self._nonsense
        if since is not None and now - since > NO_ANSWER:
            self._end("no_answer" if self._nonsense is None else "nonsense")
        if connection is None or self._ended:
            return
        if self._give_up is not None and now - self._heard > self._give_up:
            self._end("no_answer")
        if now - self._heard > AWAY_AFTER:
            self._set_line(False)
        if (live is None or not self._line_up) and connection.knocking is None:
            connection.knocking = self._knock()
        if connection.knocking is not None and self._is_due("hello", now, AGAIN):
            yield self._hello(connection, now)
        if live is not None:
            yield from ((live, body) for body in self._said_live(live, now))

    def _hello(self, connection: Connection, now: float) -> tuple[PeerSession, m.Up]:
        session = connection.knocking
        if session is None or now - session.begun > KNOCK_ANEW:
            if self._exchange is not None and not self._proved:
                self._end("no_answer")  # each exchange is a guess for whoever plays the host
            session = connection.knocking = self._knock()
        if self._pin_step is not None:
            return session, self._pin_step
        live = connection.live
        hello = m.Hello(
            protocol=PROTOCOL,
            app=APP[:40],
            name=self._name,
            kind=self._kind,
            take_over=self._take_over and live is None,
            previous=None if live is None else live.name,
            proof=not self._proved,
        )
        return session, hello

    def _said_live(self, live: PeerSession, now: float) -> Iterator[m.Up]:
        following = self._following
        if not live.confirmed and self._is_due("ready", now, ASK_AGAIN):
            yield m.Ready(live.nonce or "")
        if live.confirmed and following.behind and self._is_due("sync", now, ASK_AGAIN):
            yield m.Sync(following.game_no, following.have)
        if self._leaving_since is not None:
            if self._is_due("leave", now, AGAIN):
                yield m.Leave()
            return
        yield from self.asking.due(now, held=self._held)
        if self._is_due("beat", now, BEAT_EVERY):
            yield m.Beat(following.rev, self.asking.confirmations())

    async def _answer_goodbye(self) -> None:
        """Let the host know that we have heard its goodbye: it waits for that before it closes.

        At once, since whoever hears `Ended` may cut us off.
        """
        if self._goodbye is not None and self._connection is not None:
            payload = self._connection.seal(self._goodbye, m.Leave())
            await self._transport.publish(up_topic(self.table_id, self._keys.peer_id), payload)

    async def _watch_line(self) -> None:
        up = self._transport.up
        while not self._ended:
            await self._transport.wait_change(up)
            up = self._transport.up
            if up:
                self.asking.say_all_again()
                for what in ("hello", "beat", "sync"):
                    self._soon(what)
                self._following.behind = True
            else:
                self._set_line(False)

    # Inside

    def _knock(self) -> PeerSession:
        assert self._connection is not None
        self._exchange = self._pin_step = None
        self._soon("hello")
        return self._connection.knock(self._now())

    def _ask_for(self, make: Callable[[str], AskFor]) -> str:
        aid = self.asking.ask(make)
        self._wake.set()
        return aid

    def _is_due(self, what: str, now: float, every: float) -> bool:
        if now < self._due.get(what, 0.0):
            return False
        self._due[what] = now + every
        return True

    def _soon(self, what: str) -> None:
        self._due[what] = 0.0
        self._wake.set()

    def _set_line(self, up: bool) -> None:
        if up and self._connection is not None:
            self._connection.knocking = None
        if up != self._line_up:
            first = self._line_up is None and not up
            self._line_up = up
            if not first:
                self._put(Line(up))

    def _put(self, update: Update) -> None:
        if not self._ended:
            self._updates.put_nowait(update)

    def _end(self, code: str, facts: m.Facts | None = None) -> None:
        if not self._ended:
            self._updates.put_nowait(Ended(code, facts or {}))
            self._ended = True
            self._wake.set()


def _is_awaited(seen: Seen) -> bool:
    """Say whether we may act; everybody sees that, so that saying so tells nothing of a hand."""
    awaiting = () if seen.game is None else seen.game.awaiting
    return any(awaited.seat == seen.room.you for awaited in awaiting)


__all__ = ["SeatClient", "Seen"]
