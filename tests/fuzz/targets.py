"""What is fuzzed: every place where bytes of somebody else become values of ours.

A target takes bytes and raises nothing but what its door says it raises; whatever else comes
out is a finding. Where two things must agree (what passes a check can be read, what is kept can
be read again), the target asserts that.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import ipaddress
import logging
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from played import moments, new_table, true_views
from zeroconf.asyncio import AsyncServiceInfo

from core.journal import JournalError
from core.kernel.illegal import Illegal, Refused
from core.low_on_gas.actions import GasAction
from core.low_on_gas.events import GasEvent
from core.low_on_gas.view import GasView
from core.prrrt.actions import PrrrtAction
from core.prrrt.events import PrrrtEvent
from core.prrrt.view import PrrrtView
from core.registry import GAMES
from core.replay import answer, replay
from net import messages as m
from net import orders
from net.address import looks_like_address, parse_address, parse_broker
from net.announcement import SERVICE, found_in
from net.connect import _Found
from net.facts import facts_of
from net.following import Following, Nonsense
from net.guarded_connection import Crowd, GuardedConnection, Limits
from net.host import Host
from net.keys import HostKeys, SeatKeys
from net.memory import MemoryBroker
from net.names import clean_name, clean_text, clean_title
from net.ordering import carry_out
from net.packet_check import Malformed, check_packet
from net.pin import HostPin, NewcomerPin
from net.seal import Counters, _addressed, _down, _public, _up, sign
from net.table_file import record, restore
from net.table_record import TableRecord, read_record
from net.topics import down_topic, table_topic
from net.visible import visible
from tui.words import known, notice, refusal, say

logging.disable()  # a line for each input would be all that there is to see

ROOT = Path(__file__).parents[2]
KEYS = HostKeys.new()
HERE, PEER = KEYS.table_id, SeatKeys.new().peer_id
ENVELOPE = {"table": HERE, "peer": PEER, "epoch": "e", "session": "s", "counter": 1}
VIEWS: dict[str, tuple[type, Any]] = {
    "prrrt": (PrrrtView, PrrrtEvent),
    "low-on-gas": (GasView, GasEvent),
}
ACTIONS: dict[str, Any] = {"prrrt": PrrrtAction, "low-on-gas": GasAction}
APART = b"\n"
"""What stands between two inputs of one target; JSON that is sent has none."""


@dataclass(frozen=True)
class Target:
    """One door. `kinds` are the types along which JSON for it is made up."""

    take: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    kinds: Sequence[Any] = field(default=())


def letter(way: str, body: object) -> bytes:
    """Return the JSON of a letter."""
    peer = {"peer": "", "session": ""} if way == "public" else {}
    return msgspec.json.encode({"way": way, **ENVELOPE, **peer, "body": body})


def _check_words(refused: Refused) -> None:
    """See that a refusal can be said, in words that this version has."""
    assert known(f"refused.{refused.code}"), f"no words for {refused.code}"
    say(f"refused.{refused.code}", **refused.facts)


# Letters


def up(data: bytes) -> None:
    """A letter to the host that could be opened, and the action or order in it."""
    opened = _addressed(_up, data, HERE, PEER, Counters())
    if opened is None:
        return
    assert _addressed(_up, msgspec.json.encode(opened), HERE, PEER, Counters()) == opened
    if isinstance(opened.body, m.Act):
        action(bytes(opened.body.action))
    elif isinstance(opened.body, m.OrderMsg):
        order(msgspec.json.encode(opened.body.order))


def action(data: bytes) -> None:
    """A game's action, read and tried at a few moments of both games."""
    try:
        line = msgspec.json.decode(data, type=dict[str, object])
    except (msgspec.MsgspecError, RecursionError):
        return
    for game, rules in GAMES.items():
        for table in _TABLES[game]:
            try:
                done = rules.action(line)
                assert table.game is not None
                after = table.game._game.clone()
                after.act(table.may_act[0], done)
            except Illegal as refused:
                _check_words(refused)
                msgspec.json.encode(facts_of(refused))


def order(data: bytes) -> None:
    """An owner's order, in the lobby and in a game; what it makes of a table can be kept."""
    try:
        read = msgspec.json.decode(data, type=orders.AnyOrder)
    except (msgspec.MsgspecError, RecursionError):
        return
    for start in (False, True):
        table = new_table("prrrt")
        owner = table.sit("Ada", "person", PEER, b"k" * 32)
        if start:
            table.start()
        host = Host(table, KEYS, MemoryBroker().connect(), pin="123456")
        try:
            carry_out(read, None, owner, table, host.pin)
        except Refused as refused:
            _check_words(refused)
        kept = record(host)
        assert msgspec.json.decode(msgspec.json.encode(kept), type=TableRecord) == kept


def down(data: bytes) -> None:
    """A letter of a host's to a seat, and the view in it."""
    opened = _addressed(_down, data, HERE, PEER, Counters())
    if opened is None:
        return
    if isinstance(opened.body, m.ViewMsg):
        _follow(opened.body)
    elif isinstance(opened.body, m.Refusal | m.Bye):
        assert refusal(opened.body.code, opened.body.facts)


def _follow(view: m.ViewMsg) -> None:
    following = Following(GAMES)
    for _ in range(2):
        try:
            seen = following.take(view)
        except Nonsense:
            return
    confirmed = tuple(each.aid for each in view.answers[: m.SEEN_AT_ONCE])
    for said in (m.Beat(following.rev, confirmed), m.Sync(following.game_no, following.have)):
        plain = letter("up", said)
        assert _addressed(_up, plain, HERE, PEER, Counters()) is not None, "a guest says it again"
    for each in view.answers:
        if each.code is not None:
            assert refusal(each.code, each.facts)
    if seen is not None:
        for note in seen.room.notices:
            notice(note.code, note.facts)


def game_view(data: bytes) -> None:
    """A view and the events before it, of either game."""
    shown, _, events = data.partition(APART)
    for rules in GAMES.values():
        try:
            view = rules.decode_view(shown)
            told = rules.decode_events(events or b"[]")
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            continue
        for seats in rules.seats:
            rules.could_be(view, told, seats)


def public(data: bytes) -> None:
    """What a host says to everybody, as a guest and as somebody who looks for tables reads it."""
    opened = _addressed(_public, data, HERE, "", Counters())
    if opened is not None and isinstance(opened.body, m.TableAd):
        opened.body.host.vouched()
        opened.body.host.words()
    elif opened is not None:
        _follow(opened.body)
    found = _Found()
    head, _, rest = data.partition(APART)
    for topic in (table_topic(HERE), "prrrt/2/x/table", head.decode(errors="replace")):
        found.take(topic, data)
        found.take(topic, rest)
        found.take(topic, KEYS.signing.sign(data).signature + data)


def pin(data: bytes) -> None:
    """Both halves of a PIN's exchange."""
    with contextlib.suppress(ValueError):
        HostPin("123456", b"n" * 32, b"h" * 32, data).check(data)
    newcomer = NewcomerPin("123456", b"n" * 32, b"h" * 32)
    newcomer.prove(data)
    newcomer.trusts(data)


# Bytes at the broker


class _Writer:
    """A socket that takes everything and sends nothing."""

    transport = None

    def __init__(self) -> None:
        self.transport = self  # type: ignore[assignment]

    def get_extra_info(self, name: str) -> Any:
        return ("127.0.0.1", 1) if name == "peername" else None

    def write(self, data: bytes) -> None: ...
    def close(self) -> None: ...
    def abort(self) -> None: ...
    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    async def wait_closed(self) -> None: ...


_loop = asyncio.new_event_loop()
UNLIMITED = Limits(
    messages_per_second=float("inf"),
    bytes_per_second=float("inf"),
    messages_per_second_of_all=float("inf"),
    bytes_per_second_of_all=float("inf"),
)


def mqtt(data: bytes) -> None:
    """A client's bytes from its CONNECT on: what passes our check amqtt can read."""
    _loop.run_until_complete(_client(data))


async def _client(data: bytes) -> None:
    from amqtt.mqtt import packet_class
    from amqtt.mqtt.packet import MQTTFixedHeader

    reader = asyncio.StreamReader(limit=2**20)
    reader.feed_data(data)
    reader.feed_eof()
    connection = GuardedConnection(reader, _Writer(), UNLIMITED, Crowd(UNLIMITED))  # type: ignore[arg-type]
    try:
        while True:
            header = await MQTTFixedHeader.from_stream(connection)
            if header is None:
                return
            await packet_class(header).from_stream(connection, fixed_header=header)
            assert connection._place == len(connection._packet), "amqtt left some of a packet"
    except ConnectionResetError:
        pass
    finally:
        connection.hang_up()
        await connection.gone()


def packet(data: bytes) -> None:
    """One packet's body."""
    with contextlib.suppress(Malformed):
        check_packet(data[0] if data else 0, data[1:])


# What is announced and typed


def txt(data: bytes) -> None:
    """An announcement of a table on the LAN."""
    text, _, addresses = data.partition(APART)
    info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", port=1, properties=text)
    packed = [addresses[at : at + 16] for at in range(0, len(addresses), 16)]
    info.addresses = [each[:4] if len(each) < 16 else each for each in packed if len(each) >= 4]
    found = found_in(info)
    if found is not None:
        assert found.table.isalnum()
        assert found.title == visible(found.title)
        for host, _ in found.addresses:
            ipaddress.ip_address(host)


def typed(data: bytes) -> None:
    """What people type: addresses, brokers, names, titles, chat."""
    text = data.decode(errors="surrogateescape")
    looks_like_address(text)
    for parse in (parse_address, parse_broker, clean_name, clean_title):
        try:
            parse(text)
        except Refused as refused:
            _check_words(refused)
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    assert visible(visible(text)) == visible(text)


# Files


def journal(data: bytes) -> None:
    """A journal that somebody brings along."""
    with contextlib.suppress(JournalError):
        replay(data)
    answer(
        data, "everything", reveal=True, words=lambda code, facts: say(f"refused.{code}", **facts)
    )


def table_json(data: bytes) -> None:
    """A `table.json` that was damaged or edited."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "table.json").write_bytes(data)
        try:
            kept = read_record(folder)
            table = restore(kept, folder, now=lambda: 0.0, tell=lambda _: None)
        except Refused as refused:
            _check_words(refused)
            return
        Host(table, KEYS, MemoryBroker().connect(), pin=kept.pin)


_TABLES = {game: [copy.copy(table) for table, _ in moments(game, 6)][::3] for game in GAMES}


def _ups() -> Iterable[bytes]:
    yield letter("up", m.Hello(1, "0", "Ada", previous="x"))
    yield letter("up", m.Ready("n"))
    yield letter("up", m.PinStart(b"A" * 33))
    yield letter("up", m.Say("a", "hi"))
    yield letter("up", m.Sync(1, 2))
    yield letter("up", m.Beat(1, ("a", "b")))
    yield letter("up", m.OrderMsg("a", orders.SetOption("smell_deck", "plain"), "Ada"))
    for line in _actions():
        yield letter("up", m.Act("a", 1, 1, msgspec.Raw(line)))


def _actions() -> Iterable[bytes]:
    for game in GAMES:
        yield from (line for _, line in moments(game))


def _orders() -> Iterable[bytes]:
    yield from map(msgspec.json.encode, (orders.Start(), orders.SetPin("654321"), orders.Pause()))
    yield from map(msgspec.json.encode, (orders.MoveSeat(1, 2), orders.AddBot("hard")))


def _downs() -> Iterable[bytes]:
    for game in GAMES:
        yield from (letter("down", msgspec.Raw(view)) for view in true_views(game))
    yield letter("down", m.Bye("closed", {"why": "ended"}))
    yield letter("down", m.Welcome("n", 1, "0", b"p"))


def _game_views() -> Iterable[bytes]:
    for game in GAMES:
        for shown in true_views(game)[1:]:
            view = msgspec.json.decode(shown, type=m.ViewMsg)
            yield bytes(view.game) + APART + bytes(view.room.events)


def _publics() -> Iterable[bytes]:
    ad = m.TableAd("C", "prrrt", 1, 1, "0", KEYS.public, "lobby", players=3, taken=1, options={})
    yield letter("public", ad)
    yield from (letter("public", msgspec.Raw(view)) for view in true_views("prrrt")[::5])
    yield b"prrrt/7/abc/table" + APART + b"x" * 64 + b'{"body":{"protocol":7}}'
    told = {**ENVELOPE, "peer": "", "session": ""}
    yield sign(KEYS, m.PublicLetter(**told, body=ad))  # type: ignore[arg-type]


def _halves() -> Iterable[bytes]:
    yield NewcomerPin("123456", b"n" * 32, b"h" * 32).half
    yield HostPin("123456", b"n" * 32, b"h" * 32, next(iter([_newcomers_half()]))).reply
    yield b"x" * 32


def _newcomers_half() -> bytes:
    return NewcomerPin("123456", b"n" * 32, b"h" * 32).half


def _packets() -> Iterable[bytes]:
    connect = b"\x10\x0e\x00\x04MQTT\x04\x02\x00\x05\x00\x02me"
    login = b"\x10\x1a\x00\x04MQTT\x04\xc6\x00\x05\x00\x02me\x00\x01w\x00\x01x\x00\x01u\x00\x01p"
    topic = down_topic(HERE, PEER).encode()
    said = b"\x30" + bytes([2 + len(topic) + 2]) + len(topic).to_bytes(2, "big") + topic + b"hi"
    yield connect + b"\x82\x06\x00\x01\x00\x01t\x00" + said + b"\xc0\x00\xe0\x00"
    yield login + b"\x32\x06\x00\x01t\x00\x07x" + b"\xa2\x05\x00\x01\x00\x01t"


def _texts() -> Iterable[bytes]:
    wanted = {"v": "1", "id": HERE, "title": "Cellar", "game": "prrrt", "players": "3"}
    more = {"taken": "1", "phase": "lobby", "pin": "0", "host": "laptop"}
    pairs = [f"{key}={value}".encode() for key, value in (wanted | more).items()]
    text = b"".join(bytes([len(pair)]) + pair for pair in pairs)
    yield text + APART + bytes([192, 0, 2, 7])
    yield text + APART + b"\xfe\x80" + bytes(13) + b"\x01"


def _typed() -> Iterable[bytes]:
    for text in (
        "[fe80::1%eth0]:3278",
        "cellar.example:99999",
        "mqtts://u:p%40@h:1/",
        "Ada L\u0301",
    ):
        yield text.encode()


def _journals() -> Iterable[bytes]:
    for path in sorted((ROOT / "tests" / "cases").rglob("*.jsonl"))[::5]:
        yield path.read_bytes()


def _tables() -> Iterable[bytes]:
    table = new_table("prrrt")
    table.sit("Ada", "person", PEER, b"k" * 32)
    table.say(PEER, table.lobby.seats[-1], "hello")
    yield msgspec.json.encode(record(Host(table, KEYS, MemoryBroker().connect(), pin="123456")))


TARGETS = {
    "up": Target(up, _ups, (m.UpLetter,)),
    "action": Target(action, _actions, tuple(ACTIONS.values())),
    "order": Target(order, _orders, (orders.AnyOrder,)),
    "down": Target(down, _downs, (m.DownLetter,)),
    "view": Target(game_view, _game_views, (PrrrtView, GasView)),
    "public": Target(public, _publics, (m.PublicLetter,)),
    "pin": Target(pin, _halves),
    "mqtt": Target(mqtt, _packets),
    "packet": Target(packet, _packets),
    "txt": Target(txt, _texts),
    "typed": Target(typed, _typed),
    "journal": Target(journal, _journals),
    "table.json": Target(table_json, _tables, (TableRecord,)),
}
"""By name, in the order in which they are run."""
