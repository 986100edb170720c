"""Mallory, who knows no PIN, between a newcomer and a host: she neither comes in nor relays.

She may be a broker, a false host with keys of her own and the same title, a peer with as
many keys as she likes, or all of these at once.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
from spake2 import SPAKE2_B

from core.kernel.illegal import Refused
from net import messages as m
from net.door import STRANGERS, Door
from net.host import Host
from net.keys import HostKeys, HostPublic, SeatKeys
from net.lobby import Lobby
from net.memory import MemoryBroker
from net.pin import GUESSES, SHUT_FOR, HostPin, NewcomerPin, _proof
from net.seal import Counters, PeerSeal, sign
from net.table import Patience, Table
from net.topics import PROTOCOL, down_topic, table_topic, up_topic
from net.version import APP, RULES

PIN, GUESS = "042042", "123456"

Eventually = Callable[..., Awaitable[None]]
Says = Callable[["FalseHost", m.Up], AsyncIterator[m.Down]]


def nowhere() -> Any:
    """A line to a broker of its own: nobody hears what a host says there."""
    return MemoryBroker().connect()


class FalseHost:
    """Mallory's table with the same title: it hears what newcomers say, and answers as it likes.

    Without `keys` it has its own, and so another table id.
    """

    def __init__(self, broker: Any, says: Says, keys: HostKeys | None = None) -> None:
        self.keys = keys or HostKeys.new()
        self.heard: list[m.Up] = []
        self.newcomer = b""
        self.guess: HostPin | None = None
        self._door = Door(self.keys, time.monotonic, lambda _: False)
        self.broker = broker
        self._says = says
        self.running = asyncio.create_task(self._run())

    def of(self, kind: type[Any]) -> list[Any]:
        return [body for body in self.heard if isinstance(body, kind)]

    def guesses(self, half: bytes) -> m.PinReply:
        """Answer a newcomer's half as a host whose PIN is the guess."""
        if self.guess is None:
            signing = self.keys.public.signing
            self.guess = HostPin(GUESS, self.newcomer, signing, half)
        return m.PinReply(self.guess.reply)

    async def _run(self) -> None:
        line = self.broker.connect()
        try:
            await line.subscribe(up_topic(self.keys.table_id, "+"))
            ad = advertisement(self.keys, self.keys.public, self.keys.table_id)
            await line.publish(table_topic(self.keys.table_id), ad, retain=True)
            while True:
                topic, payload = await line.receive()
                delivered = self._door.open(topic, payload)
                if delivered is None:
                    continue
                self.heard.append(delivered.body)
                self.newcomer = delivered.peer.seal.peer_key
                async for body in self._says(self, delivered.body):
                    letter = self._door.letter(delivered.peer, delivered.session, body)
                    await line.publish(down_topic(self.keys.table_id, delivered.peer.id), letter)
        finally:
            await line.close()


def advertisement(keys: HostKeys, shown: HostPublic, table: str) -> bytes:
    """Return what a table says about itself, signed with `keys`, with the keys that it shows."""
    body = m.TableAd(
        title="Cellar",
        game="achoo",
        protocol=PROTOCOL,
        rules=RULES,
        app=APP,
        host=shown,
        phase="lobby",
        players=4,
        taken=1,
        options={},
        pin=True,
    )
    return sign(
        keys,
        m.PublicLetter(table=table, peer="", epoch="1", session="", counter=1, body=body),
    )


class Stranger:
    """A peer with fresh keys that says to a true host whatever Mallory wants said."""

    def __init__(self, line: Any, host: Host, keys: SeatKeys | None = None) -> None:
        self.keys = keys or SeatKeys.new()
        self.heard: list[m.Down] = []
        self._host = host
        self._table = host.keys.table_id
        self._seal = PeerSeal(self.keys, host.keys.public, Counters())
        self._session = secrets.token_hex(16)
        self._said = 0
        self._listens = asyncio.Event()
        if line is not None:
            self._line = line
            self.running = asyncio.create_task(self._listen())

    async def say(self, body: m.Up) -> None:
        await self._listens.wait()
        await self._line.publish(up_topic(self._table, self.keys.peer_id), self.sealed(body))

    def sealed(self, body: m.Up) -> bytes:
        self._said += 1
        return self._seal.seal(
            m.UpLetter(
                table=self._table,
                peer=self.keys.peer_id,
                epoch=self._host.door.epoch,
                session=self._session,
                counter=self._said,
                body=body,
            )
        )

    async def next(self, kind: type[Any]) -> Any:
        async with asyncio.timeout(10):
            while not (found := [body for body in self.heard if isinstance(body, kind)]):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        return found[-1]

    async def _listen(self) -> None:
        try:
            await self._line.subscribe(down_topic(self._table, self.keys.peer_id))
            self._listens.set()
            while True:
                letter = self._seal.open((await self._line.receive())[1])
                if letter is not None:
                    self.heard.append(letter.body)
        finally:
            await self._line.close()


def hello(name: str | None = "Mallory") -> m.Hello:
    return m.Hello(protocol=PROTOCOL, app=APP, name=name)


@pytest.fixture
async def mallory() -> Any:
    """`mallory(FalseHost, ...)` or `mallory(Stranger, ...)`: one of her parts, ended afterwards."""
    parts: list[Any] = []

    def plays(part: Callable[..., Any], *args: Any, **more: Any) -> Any:
        parts.append(part(*args, **more))
        return parts[-1]

    yield plays
    for part in parts:
        part.running.cancel()
    await asyncio.gather(*(part.running for part in parts), return_exceptions=True)


# A false host


async def welcomes_at_once(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
    if isinstance(body, m.Hello):
        yield m.Welcome("nonce", PROTOCOL, APP)


async def welcomes_with_any_proof(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
    if isinstance(body, m.Hello):
        yield m.Welcome("nonce", PROTOCOL, APP, bytes(32))


async def takes_any_pin(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
    match body:
        case m.Hello():
            yield m.PinWanted()
        case m.PinStart(half):
            yield host.guesses(half)
        case m.PinProof():
            yield m.Welcome("nonce", PROTOCOL, APP)


async def says_back_the_proof(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
    if isinstance(body, m.PinProof):
        yield m.Welcome("nonce", PROTOCOL, APP, body.proof)
    else:
        async for answer in takes_any_pin(host, body):
            yield answer


async def proves_its_guess(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
    if isinstance(body, m.PinProof):
        guess = host.guess
        assert guess is not None
        assert guess.check(body.proof) is None
        forged = _proof(guess._key, b"host", *guess._ids, guess._halves)
        yield m.Welcome("nonce", PROTOCOL, APP, forged)
    else:
        async for answer in takes_any_pin(host, body):
            yield answer


async def welcomes_after_the_first_half(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
    if isinstance(body, m.PinStart):
        yield m.Welcome("nonce", PROTOCOL, APP, body.half)
    else:
        async for answer in takes_any_pin(host, body):
            yield answer


@pytest.mark.parametrize(
    "says",
    [
        welcomes_at_once,
        welcomes_with_any_proof,
        takes_any_pin,
        says_back_the_proof,
        proves_its_guess,
        welcomes_after_the_first_half,
    ],
)
async def test_a_false_host_that_lets_anybody_in_is_noticed(
    party: Any, mallory: Any, says: Says
) -> None:
    """Whoever has a PIN sits down only where it is known, and is told so."""
    broker = MemoryBroker()
    false = mallory(FalseHost, broker, says)
    newcomer = party(broker=broker, keys=false.keys, host_line=nowhere()).guest("Ada", pin=PIN)
    assert await newcomer.end() == "unproved"
    assert not newcomer.views
    assert not false.of(m.Ready)


async def test_a_newcomer_gives_a_false_host_one_guess_however_it_stalls(
    party: Any, mallory: Any
) -> None:
    """One exchange an attempt: whoever wants another guess has to be given the PIN again."""

    async def stalls(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
        yield m.PinWanted()
        if isinstance(body, m.PinStart):
            yield host.guesses(body.half)
            yield m.PinReply(secrets.token_bytes(33))

    broker = MemoryBroker()
    false = mallory(FalseHost, broker, stalls)
    table = party(broker=broker, keys=false.keys, host_line=nowhere(), speed=15)
    newcomer = table.guest("Ada", pin=PIN)
    assert await newcomer.end() == "no_answer"
    assert len({start.half for start in false.of(m.PinStart)}) == 1
    assert len({proof.proof for proof in false.of(m.PinProof)}) == 1


def test_an_exchange_tells_about_one_guess_and_nothing_can_be_tried_afterwards() -> None:
    """Whoever answered with a guess can't tell the right PIN later, not even when it is shown."""
    newcomer, host = b"newcomer's key", b"host's key"
    honest = NewcomerPin(PIN, newcomer, host)
    guess = SPAKE2_B(GUESS.encode(), idA=newcomer, idB=host)
    reply = guess.start()
    proof = honest.prove(reply)
    assert proof is not None
    for tried in (PIN, GUESS, "000000"):
        again = SPAKE2_B(tried.encode(), idA=newcomer, idB=host)
        again._started, again.xy_scalar = True, guess.xy_scalar
        again.outbound_message = guess.outbound_message
        key = again.finish(honest.half)
        assert _proof(key, b"newcomer", newcomer, host, honest.half + reply) != proof


async def test_what_is_relayed_between_two_exchanges_opens_no_door(
    party: Any, mallory: Any, real_broker: Any
) -> None:
    """Halves and proofs are bound to the keys of both ends: Mallory's fit neither exchange."""
    table = party(broker=real_broker, host_line=real_broker.host_line, players=3, pin=PIN)
    hers = mallory(Stranger, await real_broker.line(), table.host)

    async def relays(host: FalseHost, body: m.Up) -> AsyncIterator[m.Down]:
        await hers.say(hello() if isinstance(body, m.Hello) else body)
        yield await hers.next(ANSWERED_BY[type(body)])

    false = mallory(FalseHost, MemoryBroker(), relays)
    newcomer = party(broker=false.broker, keys=false.keys, host_line=nowhere()).guest(
        "Ada", pin=PIN
    )
    assert await newcomer.end() == "wrong_pin"
    assert [type(body) for body in hers.heard] == [m.PinWanted, m.PinReply, m.Refusal]
    assert not newcomer.views
    assert not table.table.lobby.seats
    assert len(table.host.pin._guesses) == 1


ANSWERED_BY = {m.Hello: m.PinWanted, m.PinStart: m.PinReply, m.PinProof: m.Refusal}


async def test_the_true_tables_id_is_no_use_with_other_keys(party: Any, mallory: Any) -> None:
    """Whoever shows other keys under a table's id is not heard: the id is the key."""
    true = HostKeys.new()
    own = HostKeys.new()
    mixed = HostPublic(true.public.signing, own.public.sealing, own.public.signature)
    for keys in (true.public, own.public, mixed):
        broker = MemoryBroker()
        ad = advertisement(own, keys, true.table_id)
        await broker.connect().publish(table_topic(true.table_id), ad, retain=True)
        table = party(broker=broker, keys=true, host_line=nowhere(), speed=15)
        newcomer = table.guest("Ada", pin=PIN)
        assert await newcomer.end() == "no_answer"
        assert newcomer.client.dropped["signature"]
        assert not newcomer.views


class Wire:
    """Mallory's broker: passes everything on, both ways, and keeps it."""

    def __init__(self, near: Any, far: Any, table: str) -> None:
        self.kept: list[tuple[str, bytes]] = []
        self._table = table
        self._near, self._far = near.connect(), far.connect()
        self.running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        up, down = up_topic(self._table, "+"), down_topic(self._table, "+")
        await self._near.subscribe(up)
        for topic in (down, table_topic(self._table)):
            await self._far.subscribe(topic)
        await asyncio.gather(
            self._pass_on(self._near, self._far), self._pass_on(self._far, self._near)
        )

    async def _pass_on(self, source: Any, to: Any) -> None:
        while True:
            topic, payload = await source.receive()
            self.kept.append((topic, payload))
            await to.publish(topic, payload, retain=topic.endswith("/table"))


async def test_what_was_said_yesterday_lets_nobody_in_today(
    party: Any, mallory: Any, real_broker: Any, eventually: Eventually
) -> None:
    """A broker that keeps a whole exchange can say it again as often as it likes.

    To the same host, to the same host started anew, and to the newcomer.
    """
    keys, hers = HostKeys.new(), MemoryBroker()
    table = party(
        broker=real_broker, host_line=real_broker.host_line, players=3, pin=PIN, keys=keys
    )
    wire = mallory(Wire, hers, real_broker, keys.table_id)
    ada = await party(broker=hers, keys=keys, host_line=nowhere()).seat("Ada", pin=PIN)
    kept = list(wire.kept)
    assert not any(PIN.encode() in payload for _, payload in kept)
    views = len(ada.views)
    ada.client.leave()
    await ada.end()
    assert not table.table.lobby.seats
    line = await real_broker.line()

    async def says_it_again_to(host: Host) -> None:
        for topic, payload in kept * 2:
            await line.publish(topic, payload)
        await eventually(lambda: host.door.dropped["stale"] >= len(kept) // 4)
        assert not host.door.live()

    await says_it_again_to(table.host)
    table.running.cancel()  # or it would notice the later one, and close
    later = party(
        broker=real_broker, host_line=await real_broker.line(), players=3, pin=PIN, keys=keys
    )
    await eventually(later.host.out.open.is_set)
    await says_it_again_to(later.host)
    assert not table.table.lobby.seats
    assert not later.table.lobby.seats
    assert len(table.host.pin._guesses) <= 1  # begun again, which is as good as any guess
    assert not later.host.pin._guesses
    assert len(ada.views) == views


# How often she may guess


class Knocking:
    """A host on a clock that is set by hand, and strangers who knock at it without a line."""

    def __init__(self, table: Any) -> None:
        self.host = table
        self.now = 0.0

    def hears(self, stranger: Stranger, body: m.Up) -> m.Down | str | None:
        """Return what a stranger is answered; the code of a refusal."""
        topic = up_topic(self.host.keys.table_id, stranger.keys.peer_id)
        delivered = self.host.door.open(topic, stranger.sealed(body))
        if delivered is None:
            return None
        try:
            return self.host._come_in(delivered.peer, delivered.session, delivered.body)
        except Refused as refused:
            return refused.code


class Friend:
    """Somebody who knows the PIN, and has begun to prove it."""

    def __init__(self, knocking: Knocking) -> None:
        self._knocking = knocking
        self._stranger = Stranger(None, knocking.host)
        knocking.hears(self._stranger, hello("Ada"))
        host = knocking.host.keys.public.signing
        self._exchange = NewcomerPin(PIN, self._stranger.keys.public, host)
        reply = knocking.hears(self._stranger, m.PinStart(self._exchange.half))
        assert isinstance(reply, m.PinReply)
        self._proof = self._exchange.prove(reply.half)

    def proves(self) -> m.Down | str | None:
        """End the exchange; return what the host says, which has to prove it, too."""
        assert self._proof is not None
        said = self._knocking.hears(self._stranger, m.PinProof(self._proof))
        assert not isinstance(said, m.Welcome) or self._exchange.trusts(said.proof)
        return said


@pytest.fixture
def knocking(toy: Any, dealer: Any) -> Knocking:
    keys = HostKeys.new()
    table = Table(
        Lobby(toy, 3),
        dealer,
        table_id=keys.table_id,
        title="Cellar",
        level="easy",
        patience=Patience(),
        now=time.monotonic,
    )
    line = MemoryBroker().connect()
    knocking = Knocking(Host(table, keys, line, pin=PIN, now=lambda: knocking.now))
    return knocking


HALF = NewcomerPin(GUESS, b"whoever", b"the host").half


def with_fresh_keys(knocking: Knocking) -> Iterator[m.Down | str | None]:
    """A stranger a guess; the last message is never said."""
    for _ in range(8):
        stranger = Stranger(None, knocking.host)
        knocking.hears(stranger, hello())
        yield knocking.hears(stranger, m.PinStart(HALF))


def with_wrong_proofs(knocking: Knocking) -> Iterator[m.Down | str | None]:
    """The same, with a proof at once, and again."""
    for _ in range(8):
        stranger = Stranger(None, knocking.host)
        knocking.hears(stranger, hello())
        yield knocking.hears(stranger, m.PinStart(HALF))
        for _ in range(3):
            knocking.hears(stranger, m.PinProof(secrets.token_bytes(32)))


def with_many_sessions(knocking: Knocking) -> Iterator[m.Down | str | None]:
    """One key in many sessions at once, with several halves in each."""
    keys = SeatKeys.new()
    for _ in range(8):
        stranger = Stranger(None, knocking.host, keys)
        knocking.hears(stranger, hello())
        for half in (HALF, HALF[::-1], HALF):
            yield knocking.hears(stranger, m.PinStart(half))


def with_nonsense(knocking: Knocking) -> Iterator[m.Down | str | None]:
    """What is no half counts, too: to find that out is work."""
    for _ in range(8):
        stranger = Stranger(None, knocking.host)
        knocking.hears(stranger, hello())
        yield knocking.hears(stranger, m.PinStart(secrets.token_bytes(33)))


@pytest.mark.parametrize(
    "tries", [with_fresh_keys, with_wrong_proofs, with_many_sessions, with_nonsense]
)
async def test_nobody_has_more_than_five_guesses_in_a_minute_whatever_they_do(
    knocking: Knocking, tries: Callable[[Knocking], Iterator[m.Down | str | None]]
) -> None:
    """Counted over all keys and sessions, and shut for no longer than a minute after them."""
    guesses: list[float] = []
    while knocking.now < 90:
        answers = list(tries(knocking))
        replies = {one.half for one in answers if isinstance(one, m.PinReply)}
        guesses += [knocking.now] * (len(replies) + answers.count("wrong_pin"))
        knocking.now += 5
    assert len(guesses) == 2 * GUESSES
    for first in guesses:
        assert sum(first <= guess < first + SHUT_FOR for guess in guesses) <= GUESSES
    knocking.now = guesses[-1] + SHUT_FOR
    friend = Friend(knocking)
    assert isinstance(friend.proves(), m.Welcome)


async def test_no_crowd_at_the_door_ends_an_exchange_that_is_under_way(knocking: Knocking) -> None:
    """Hellos cost nothing: however many come meanwhile, whoever knows the PIN comes in."""
    friend = Friend(knocking)
    for _ in range(STRANGERS + 10):
        knocking.hears(Stranger(None, knocking.host), hello())
    assert isinstance(friend.proves(), m.Welcome)
    assert len(knocking.host.door.peers) <= STRANGERS
