"""Every type of letter, valid, nearly valid and absurd: nothing passes the door as an exception.

The letters are made along the types of `net.messages` (`tests/toys/strange.py`), so a field that
is added there is fuzzed from then on. A contained mishap fails too: nobody foresaw it.
`python -m tests.fuzz` does the same without end, and is guided by coverage.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec import structs
from nacl.bindings import sodium_pad
from nacl.public import Box, PublicKey
from rogue import MOST_SEALED, Rogue
from strange import Strange

import net.host
import net.outgoing
from core.low_on_gas.actions import GasAction
from core.low_on_gas.events import GasEvent
from core.low_on_gas.view import GasView
from core.prrrt.actions import PrrrtAction
from core.prrrt.events import PrrrtEvent
from core.prrrt.view import PrrrtView
from core.registry import GAMES
from net import messages as m
from net.client import SeatClient
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.orders import AnyOrder, Start
from net.room import Room
from net.seal import PAD_TO, SIGNED_CONTEXT, Counters, HostSeal
from net.table import Patience, Table
from net.table_file import record
from net.table_record import TableRecord
from net.topics import down_topic, public_topic, table_topic, up_topic
from net.updates import Answered, Ended, Seen, Update
from net.views import Shown, compose
from tui.words import notice, refusal

Eventually = Callable[..., Awaitable[None]]

ACTIONS = {"prrrt": PrrrtAction, "low-on-gas": GasAction}

SEEDS = st.lists(st.integers(0, 2**48), min_size=30, max_size=60)
"""One letter each."""

BOUNDED = settings(
    max_examples=3,
    deadline=None,
    phases=(Phase.reuse, Phase.generate),  # shrinking plays hundreds of tables
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

STAYING = [kind for kind in get_args(m.Up) if kind is not m.Leave]


async def says_strange_things(rogue: Rogue, game: str, seeds: Iterable[int]) -> None:
    """Say a letter for each seed: of every type, more or less as it should be."""
    for seed in seeds:
        rng = Random(seed)
        envelope = {name: text.encode() for name, text in rogue.envelope().items()}
        newest = rogue.views[-1:]
        told = {
            "nonce": [json.dumps(rogue.nonce)],
            "protocol": ["1"],
            "game": [str(view.game_no) for view in newest] or ["-1"],
            "question": [str(view.question) for view in newest] or ["-1"],
        }
        strange = Strange(rng.randrange, told)
        match rng.choice(("letter", "letter", "action", "order", "body", "body", "body", "bytes")):
            case "letter":
                await rogue.plain(strange.of(m.UpLetter))
            case "bytes":
                await rogue.raw(rng.choice((b"", rogue.keys.public)) + rng.randbytes(seed % 900))
            case "action":
                body = strange.struct(m.Act, action=strange.of(ACTIONS[game]))
                await rogue.plain(strange.struct(m.UpLetter, body=body, **envelope))
            case "order":
                body = strange.struct(m.OrderMsg, order=strange.of(AnyOrder))
                await rogue.plain(strange.struct(m.UpLetter, body=body, **envelope))
            case _:
                body = strange.of(rng.choice(STAYING) if seed % 30 else m.Leave)
                await rogue.plain(strange.struct(m.UpLetter, body=body, **envelope))


ROLES = ["a stranger", "a seat", "a spectator", "the owner"]


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("role", ROLES)
@BOUNDED
@given(seeds=SEEDS)
async def test_no_letter_of_anybody_is_more_than_a_table_can_take(
    role: str, game: str, seeds: list[int], party: Any, eventually: Eventually
) -> None:
    """Strange letters raise nothing in the host, and who is honest is answered after them."""
    pin = "123456" if role == "a stranger" else None
    table = party(GAMES[game], players=3, bots=1, think=0, pin=pin)
    rogue = Rogue(table)
    if role == "the owner":
        await rogue.sit("Mallory", eventually)
    ada = await table.seat("Ada", pin=pin)
    if role == "a seat":
        await rogue.sit("Mallory", eventually)
    elif role == "a stranger":
        await table.seat("Bob", pin=pin)
    elif role == "a spectator":
        await table.seat("Bob")
        await rogue.sit(None, eventually)
    if role == "the owner":
        await rogue.say({"type": "ordermsg", "aid": "start", "order": {"order": "start"}})
    else:
        assert await ada.answered(ada.client.order(Start())) is None
    await ada.until(lambda: ada.seen.game is not None)

    await says_strange_things(rogue, game, seeds)

    aid = ada.client.say("still here")
    await ada.until(lambda: ada.answer(aid) is not None or ada.ended is not None)
    assert ada.ended is None or (role == "the owner" and ada.ended.code in ("removed", "closed"))
    assert table.host.mishaps.count == 0
    assert table.table.phase == "closed" or not table.running.done()
    kept = record(table.host)
    assert msgspec.json.decode(msgspec.json.encode(kept), type=TableRecord) == kept
    await rogue.close()
    await table.close()


# What a hostile host says to its guests

VIEWS = {"prrrt": (PrrrtView, PrrrtEvent), "low-on-gas": (GasView, GasEvent)}

NEVER_ENDING = [kind for kind in get_args(m.Down) if kind not in (m.Bye, m.Refusal)]


class FalseHost:
    """Somebody's host: it holds a table's keys and lets guests in, and says whatever it likes."""

    def __init__(self, game: str, broker: Any) -> None:
        self.keys = HostKeys.new()
        self.game = game
        self.heard: list[m.Up] = []
        self.strange = 0
        """Letters of the guest's that aren't any: what it was told made it say them."""
        self.session = ""
        self.epoch = secrets.token_hex(16)
        self.line = broker.connect()
        self._said = 0
        self._seal: HostSeal | None = None
        self._peer = ""
        self._key = b""
        self._listening = asyncio.create_task(self._listen())

    def envelope(self, way: str) -> dict[str, bytes]:
        """Return the JSON of an envelope that would be taken."""
        self._said += 1
        private = way == "down"
        words = {
            "table": self.keys.table_id,
            "peer": self._peer if private else "",
            "epoch": self.epoch,
            "session": self.session if private else "",
            "counter": self._said,
        }
        return {name: json.dumps(value).encode() for name, value in words.items()}

    async def says(self, plain: bytes) -> None:
        """Seal bytes for the guest."""
        box = Box(self.keys.sealing, PublicKey(self._key))
        payload = box.encrypt(sodium_pad(plain[:MOST_SEALED], PAD_TO))
        await self.line.publish(down_topic(self.keys.table_id, self._peer), payload)

    async def signs(self, plain: bytes, topic: str) -> None:
        """Sign bytes for everybody."""
        plain = plain[:MOST_SEALED]
        signature = self.keys.signing.sign(SIGNED_CONTEXT + plain).signature
        await self.line.publish(topic, signature + plain, retain=True)

    async def says_truly(self, body: m.Down) -> None:
        told = {name: json.loads(text) for name, text in self.envelope("down").items()}
        await self.says(msgspec.json.encode(m.DownLetter(**told, body=body)))

    async def advertises(self) -> None:
        told = {name: json.loads(text) for name, text in self.envelope("public").items()}
        letter = m.PublicLetter(**told, body=self.ad())
        await self.signs(msgspec.json.encode(letter), table_topic(self.keys.table_id))

    async def _listen(self) -> None:
        await self.line.subscribe(up_topic(self.keys.table_id, "+"))
        while True:
            _, payload = await self.line.receive()
            self._key = payload[:32]
            seal = HostSeal(self.keys, self._key, Counters())
            letter = seal.open(payload)
            if letter is None:
                self.strange += 1
                continue
            self._peer, self.session = letter.peer, letter.session
            self.heard.append(letter.body)

    async def close(self) -> None:
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        await self.line.close()

    async def strange_things(self, seeds: Iterable[int], true: list[bytes]) -> None:
        """Say a letter for each seed, sealed, signed, or as the table's own word."""
        here = self.keys.table_id
        ad = msgspec.json.encode(self.ad())
        for seed in seeds:
            rng = Random(seed)
            strange = Strange(rng.randrange, {"game": [f'"{self.game}"'], "protocol": ["1"]})
            view, events = VIEWS[self.game]
            public = rng.random() < 0.3
            match rng.choice(("letter", "bytes", "body", "bent", "bent", "bent", "game", "ad")):
                case "letter":
                    plain = strange.of(m.PublicLetter if public else m.DownLetter)
                case "bytes":
                    plain = rng.randbytes(seed % 900)
                case "ad":
                    body = strange.bent(ad)
                    plain = strange.struct(m.PublicLetter, body=body, **self.envelope("public"))
                    await self.signs(plain, table_topic(here))
                    continue
                case way:
                    if way == "body":
                        ends = seed % 30 == 0
                        body = strange.of(m.Down if ends else rng.choice(NEVER_ENDING))
                    elif way == "bent":
                        body = strange.bent(rng.choice(true))
                    else:
                        room = strange.struct(Room, events=strange.of(tuple[events, ...]))
                        body = strange.struct(m.ViewMsg, room=room, game=strange.of(view))
                    kind = m.PublicLetter if public else m.DownLetter
                    envelope = self.envelope("public" if public else "down")
                    plain = strange.struct(kind, body=body, **envelope)
            if public:
                await self.signs(plain, public_topic(here))
            else:
                await self.says(plain)

    def ad(self) -> m.TableAd:
        return m.TableAd(
            "Cellar",
            self.game,
            1,
            1,
            "0",
            self.keys.public,
            "lobby",
            players=3,
            taken=1,
            options={},
        )


def true_views(game: str, dealer: Any) -> list[bytes]:
    """Return views of a table as they should be, from the lobby into the game."""
    rules = GAMES[game]
    table = Table(
        Lobby(rules, 3, {}),
        dealer,
        table_id="t",
        title="Cellar",
        level="easy",
        patience=Patience(think=0),
        now=lambda: 0.0,
    )
    shown = [compose(table, None, Shown(), (), 0)]
    for _ in range(3):
        table.add_bot("easy")
    table.start()
    for _ in range(12):
        assert table.game is not None
        shown += [compose(table, viewer, Shown(), (), 1) for viewer in (0, None)]
        seat = table.may_act[0]
        view = rules.decode_view(table.game.view(seat))
        table.bot_acts(seat, next(rules.actions(view.offers[0])), table.game.asked)
    return [msgspec.json.encode(view) for view in shown]


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("name", ["Ada", None], ids=["a seat", "a spectator"])
@BOUNDED
@given(seeds=SEEDS)
async def test_no_letter_of_a_host_is_more_than_a_guest_can_take(
    name: str | None, game: str, seeds: list[int], broker: Any, dealer: Any, eventually: Eventually
) -> None:
    """Strange letters raise nothing in a client: it goes on, or ends with a reason in words."""
    host = FalseHost(game, broker)
    true = true_views(game, dealer)
    await asyncio.sleep(0)
    client = SeatClient(broker.connect(), host.keys.table_id, keys=SeatKeys.new(), name=name)
    running, updates = asyncio.create_task(client.run()), list[Update]()
    listening = asyncio.create_task(_listen(client, updates))
    first, rest = seeds[:5], seeds[5:]
    await host.advertises()
    await eventually(lambda: bool(host.heard))
    await host.strange_things(first, true)
    await host.says_truly(m.Welcome("nonce", 1, "0"))
    client.say("hello")
    await host.strange_things(rest, true)
    waiting = client._transport._line._messages
    await eventually(lambda: not waiting or running.done())
    await asyncio.sleep(0)
    if not running.done():
        client.leave()
        for _ in range(3):
            await host.strange_things(first, true)
            await asyncio.sleep(0)
        running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert running.cancelled() or running.exception() is None
    assert not host.strange
    await asyncio.wait_for(listening, 5)
    for update in updates:
        if isinstance(update, Ended | Answered) and update.code is not None:
            assert refusal(update.code, update.facts)
        if isinstance(update, Seen):
            for note in update.room.notices:
                notice(note.code, note.facts)
    await host.close()


# Memory stays level


def kept(root: object) -> int:
    """Return how many values, letters and bytes are reachable from something of `net`."""
    total, known, waiting = 0, {id(root)}, [root]
    for thing in waiting:
        inside: Iterable[Any] = ()
        if isinstance(thing, str | bytes):
            total += len(thing)
        elif isinstance(thing, Mapping):
            inside = [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset | deque):
            inside = thing
        elif isinstance(thing, asyncio.Queue):
            inside = thing._queue
        elif type(thing).__module__.startswith("net."):
            names = getattr(thing, "__struct_fields__", None) or vars(thing)
            inside = [getattr(thing, name) for name in names]
        for each in inside:
            total += 1
            if id(each) not in known:
                known.add(id(each))
                waiting.append(each)
    return total


ROUNDS, GROWN = 400, 30
"""Of each round's words, 64 letters each, none may stay: so much a round is chance."""


@pytest.mark.parametrize("role", ["strangers", "a seat", "a spectator"])
async def test_what_a_host_keeps_of_letters_doesnt_grow_with_them(
    role: str, party: Any, eventually: Eventually, monkeypatch: Any
) -> None:
    """Twice as many letters leave no more behind, whoever says them."""
    monkeypatch.setattr(net.host, "STRANGERS_LETTERS", (1e9, 1e9))  # all are opened
    monkeypatch.setattr(net.outgoing, "AT_THE_DOOR", 16)  # full both times
    table = party(GAMES["prrrt"], players=3)
    await table.seat("Ada")
    line = table.broker.connect()
    rogues = [Rogue(table, line)]
    if role != "strangers":
        rogues = [await Rogue(table).sit("Mallory" if role == "a seat" else None, eventually)]
    arrived, after = table.host._transport._line._messages, list[int]()
    for _ in range(2):
        for n in range(ROUNDS):
            if role == "strangers":
                rogues = [Rogue(table, line)]
            rogue, one = rogues[0], secrets.token_hex(32)
            hello = {"type": "hello", "protocol": 1, "app": one[:40], "name": one, "previous": one}
            await rogue.say(hello, session=one)
            await rogue.say({"type": "act", "aid": one, "game": n, "question": n, "action": one})
            await rogue.say({"type": "say", "aid": one[1:], "text": "x"})
            await rogue.say({"type": "beat", "rev": n, "seen": [one[2:]] * 9})
            await rogue.say({"type": "sync", "game": n, "have": n})
            await asyncio.sleep(0)
        await eventually(lambda: not len(table.host._intake) + len(arrived))
        after.append(kept(table.host))
    assert after[1] < after[0] + ROUNDS * GROWN, after
    assert table.host.mishaps.count == 0
    await rogues[0].close()


async def test_what_a_guest_keeps_of_letters_doesnt_grow_with_them(
    broker: Any, dealer: Any, eventually: Eventually
) -> None:
    """Twice as many letters of a host leave no more behind, though nobody takes the updates."""
    host = FalseHost("prrrt", broker)
    await asyncio.sleep(0)
    client = SeatClient(broker.connect(), host.keys.table_id, keys=SeatKeys.new(), name="Ada")
    running = asyncio.create_task(client.run())
    await host.advertises()
    await eventually(lambda: bool(host.heard))
    await host.says_truly(m.Welcome("nonce", 1, "0"))
    view = msgspec.json.decode(true_views("prrrt", dealer)[5], type=m.ViewMsg)
    after = list[int]()
    for rev in range(1, 2 * ROUNDS + 1):
        one = secrets.token_hex(32)
        answers = tuple(m.Answer(f"{n}{one[1:]}", one, {one: one}) for n in range(4))
        await host.says_truly(structs.replace(view, rev=rev, answers=answers))
        await host.says_truly(m.Beat(rev + 1, (one,)))
        await host.says_truly(m.PinReply(one.encode()))
        host.epoch, epoch = one, host.epoch
        await host.advertises()
        host.epoch = epoch
        await asyncio.sleep(0)
        if rev % ROUNDS == 0:
            await eventually(lambda: not client._transport._line._messages)
            after.append(kept(client))
    assert not running.done()
    assert not host.strange
    assert after[1] < after[0] + ROUNDS * GROWN, after
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await host.close()


async def _listen(client: SeatClient, updates: list[Update]) -> None:
    updates.extend([update async for update in client.updates()])
