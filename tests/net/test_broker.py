"""The embedded broker: where it listens, and that no client can spoil it for the others.

The clients here are raw sockets, since ours is too well-behaved to test with.
"""

from __future__ import annotations

import asyncio
import os
import socket
import statistics
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from net import guarded_broker
from net.allowance import Allowance
from net.broker import EmbeddedBroker
from net.guarded_broker import (
    HOST_USER,
    RETAINED_BY_STRANGERS,
    RETAINED_SIZE,
    SUBACK_REFUSED,
)
from net.guarded_connection import HOST_LIMITS, Limits
from net.interfaces import interfaces
from net.mqtt import MqttTransport
from net.refused import Refused
from net.transport import KERNEL_BUFFER, MAX_PAYLOAD

ACCEPTED, BAD_VERSION, NOT_AUTHORIZED = 0, 1, 5


def text(value: str) -> bytes:
    return struct.pack("!H", len(value.encode())) + value.encode()


def packet(first: int, body: bytes) -> bytes:
    size, digits = len(body), []
    while True:
        size, digit = divmod(size, 128)
        digits.append(digit | (0x80 if size else 0))
        if not size:
            return bytes([first, *digits]) + body


def publish(topic: str, payload: bytes, *, retain: bool = False) -> bytes:
    return packet(0x30 | retain, text(topic) + payload)


class RawClient:
    """A client that does exactly what it is told."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def connect(
        self,
        client_id: str = "",
        *,
        keepalive: int = 30,
        level: int = 4,
        clean: bool = True,
        will: tuple[str, bytes] | None = None,
        login: tuple[str, str] | None = None,
    ) -> int:
        """Send CONNECT; return the code of the CONNACK."""
        flags = 2 * clean | 4 * bool(will) | 0xC0 * bool(login)
        body = text("MQTT") + bytes([level, flags]) + struct.pack("!H", keepalive) + text(client_id)
        if will:
            body += text(will[0]) + struct.pack("!H", len(will[1])) + will[1]
        if login:
            body += text(login[0]) + text(login[1])
        self.writer.write(packet(0x10, body))
        first, answer = await self.receive()
        assert first == 0x20
        return answer[1]

    async def subscribe(self, topic: str, qos: int = 0) -> int:
        """Send SUBSCRIBE; return the code of the SUBACK."""
        self.writer.write(packet(0x82, b"\0\1" + text(topic) + bytes([qos])))
        first, answer = await self.receive()
        assert first == 0x90
        return answer[2]

    async def receive(self) -> tuple[int, bytes]:
        """Return the next packet as (first byte, body)."""
        async with asyncio.timeout(5):
            first = (await self.reader.readexactly(1))[0]
            size = shift = 0
            while True:
                byte = (await self.reader.readexactly(1))[0]
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    return first, await self.reader.readexactly(size)

    async def message(self) -> tuple[str, bytes, bool]:
        """Return the next message as (topic, payload, retained)."""
        first, body = await self.receive()
        assert first & 0xF6 == 0x30, "a PUBLISH of QoS 0"
        size = int.from_bytes(body[:2], "big")
        return body[2 : 2 + size].decode(), body[2 + size :], bool(first & 1)

    async def ping(self) -> None:
        """Check that the connection lives."""
        self.writer.write(b"\xc0\0")
        assert await self.receive() == (0xD0, b"")

    async def settle(self) -> None:
        """Wait until the broker has passed on all that was sent; check that no message waits."""
        assert await self.subscribe("settled") == 0
        self.writer.write(publish("settled", b""))
        assert await self.message() == ("settled", b"", False)

    async def ended(self, within: float = 5) -> bool:
        """Whether the broker closes the connection in time."""
        try:
            async with asyncio.timeout(within):
                while await self.reader.read(65536):
                    pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True


@asynccontextmanager
async def raw(broker: EmbeddedBroker, host: str = "127.0.0.1") -> AsyncIterator[RawClient]:
    reader, writer = await asyncio.open_connection(host, broker.port)
    try:
        yield RawClient(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def listening(**limits: float) -> AsyncIterator[EmbeddedBroker]:
    chosen = Limits(**limits)  # type: ignore[arg-type]
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True, limits=chosen) as broker:
        yield broker


@pytest.fixture
async def embedded() -> AsyncIterator[EmbeddedBroker]:
    async with listening() as broker:
        yield broker


# Where it listens


async def test_it_listens_for_both_kinds_of_addresses() -> None:
    async with EmbeddedBroker(None, 0, explicit=True) as broker:
        hosts = ["127.0.0.1", *(["::1"] if socket.has_dualstack_ipv6() else [])]
        for host in hosts:
            async with raw(broker, host) as client:
                assert await client.connect() == ACCEPTED
        assert broker.addresses()
        assert all(address.endswith(f":{broker.port}") for address in broker.addresses())


async def test_it_listens_where_bind_says_and_nowhere_else() -> None:
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True) as broker:
        assert broker.addresses() == [f"127.0.0.1:{broker.port}"]
        async with raw(broker) as client:
            assert await client.connect() == ACCEPTED
        elsewhere = [one.address for one in interfaces() if one.address != "127.0.0.1"]
        for address in elsewhere:
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection(address, broker.port)
        host = await MqttTransport.open(broker.host_address)
        await host.close()


async def test_a_taken_port_is_refused_if_it_was_asked_for(embedded: EmbeddedBroker) -> None:
    with pytest.raises(Refused) as refused:
        async with EmbeddedBroker("127.0.0.1", embedded.port, explicit=True):
            pass
    assert (refused.value.code, refused.value.facts) == ("port_taken", {"port": embedded.port})


async def test_the_next_free_port_is_taken_otherwise(embedded: EmbeddedBroker) -> None:
    async with EmbeddedBroker("127.0.0.1", embedded.port) as other:
        assert embedded.port < other.port <= embedded.port + 50


@pytest.mark.parametrize("bind", ["192.0.2.77", "no such host", "300.1.1.1"])
async def test_a_foreign_address_is_refused(bind: str) -> None:
    with pytest.raises(Refused) as refused:
        async with EmbeddedBroker(bind, 0, explicit=True):
            pass
    assert (refused.value.code, refused.value.facts) == ("bad_bind", {"bind": bind})


async def test_a_name_to_bind_to_is_looked_up_within_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def silent(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", silent)
    monkeypatch.setattr("net.broker.LOOK_UP_WITHIN", 0.05)
    async with asyncio.timeout(5):
        with pytest.raises(Refused, match="bad_bind"):
            await EmbeddedBroker("cellar.example").__aenter__()


# The traps of amqtt, by their number in net/README.md


async def test_trap_1_a_newcomer_gets_no_retained_message_of_others(
    embedded: EmbeddedBroker,
) -> None:
    async with raw(embedded) as first, raw(embedded) as second:
        await first.connect()
        await first.subscribe("t/#")
        first.writer.write(publish("t/a", b"retained", retain=True))
        assert await first.message() == ("t/a", b"retained", False)
        await second.connect()
        await second.subscribe("other")
        await second.settle()  # nothing came in between
        await second.subscribe("t/+")
        assert await second.message() == ("t/a", b"retained", True)


@pytest.mark.parametrize("topic", ["$SYS/load", "t/+", "t/#", ""])
async def test_trap_3_a_will_is_checked_at_the_door(embedded: EmbeddedBroker, topic: str) -> None:
    async with raw(embedded) as client:
        assert await client.connect(will=(topic, b"boo")) == NOT_AUTHORIZED


async def test_a_will_is_published_when_the_line_breaks(embedded: EmbeddedBroker) -> None:
    async with raw(embedded) as reader:
        await reader.connect()
        await reader.subscribe("t/will")
        async with raw(embedded) as leaver:
            await leaver.connect(will=("t/will", b"gone"))
        assert await reader.message() == ("t/will", b"gone", False)


async def test_trap_4_a_stranger_cannot_take_the_hosts_session(embedded: EmbeddedBroker) -> None:
    login = (HOST_USER, embedded.host_address.password or "")
    async with raw(embedded) as host, raw(embedded) as stranger, raw(embedded) as guesser:
        await host.connect("the-host", login=login)
        await host.subscribe("t/up")
        assert await stranger.connect("the-host") == NOT_AUTHORIZED
        assert await guesser.connect("the-host", login=(HOST_USER, "guess")) == NOT_AUTHORIZED
        host.writer.write(publish("t/up", b"still here"))
        assert await host.message() == ("t/up", b"still here", False)


async def test_the_newer_connection_of_a_client_evicts_the_older(embedded: EmbeddedBroker) -> None:
    async with raw(embedded) as older, raw(embedded) as newer:
        await older.connect("me")
        await older.subscribe("t")
        assert await newer.connect("me", clean=False) == ACCEPTED
        assert await older.ended()
        newer.writer.write(publish("t", b"x"))
        await newer.settle()  # the older one's subscription went with it


@pytest.mark.parametrize(("keepalive", "silence"), [(1, 90), (0, 1)])
async def test_trap_6_the_silent_are_cut_off(keepalive: int, silence: float) -> None:
    async with listening(longest_silence=silence) as broker, raw(broker) as client:
        await client.connect(keepalive=keepalive)
        await client.ping()
        began = time.monotonic()
        assert await client.ended(within=10)
        assert 0.5 < time.monotonic() - began < 5


async def test_who_never_says_connect_is_cut_off() -> None:
    async with listening(connect_within=0.2) as broker, raw(broker) as client:
        client.writer.write(b"\x10")
        assert await client.ended()


async def test_trap_8_a_stop_is_bounded_whoever_is_connected() -> None:
    async with (
        EmbeddedBroker("127.0.0.1", 0, explicit=True) as broker,
        raw(broker) as silent,
        raw(broker) as stalled,
        raw(broker) as sender,
    ):
        await stalled.connect()
        await stalled.subscribe("t")
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await sender.connect()
        for _ in range(10):
            sender.writer.write(publish("t", bytes(MAX_PAYLOAD)))
        await sender.settle()
        began = time.monotonic()
        await broker.__aexit__(None, None, None)
        assert time.monotonic() - began < 4
        assert await silent.ended()
        assert await sender.ended()


async def test_trap_9_a_packet_has_a_limit(embedded: EmbeddedBroker) -> None:
    async with raw(embedded) as client:
        await client.connect()
        await client.subscribe("t")
        client.writer.write(publish("t", bytes(MAX_PAYLOAD)))
        assert len((await client.message())[1]) == MAX_PAYLOAD
        client.writer.write(packet(0x30, bytes(MAX_PAYLOAD + 2000))[:100])
        assert await client.ended(), "closed before the rest was even sent"


async def test_trap_9_mqtt_5_is_told_so(embedded: EmbeddedBroker) -> None:
    async with raw(embedded) as client:
        assert await client.connect(level=5) == BAD_VERSION
        assert await client.ended()


async def test_trap_9_a_slow_reader_is_cut_off_and_the_others_are_not() -> None:
    async with (
        listening(waiting=128 * 1024) as broker,
        raw(broker) as slow,
        raw(broker) as quick,
    ):
        for reader in (slow, quick):
            await reader.connect()
            await reader.subscribe("t")
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
        host = await MqttTransport.open(broker.host_address)
        for number in range(300):
            await host.publish("t", struct.pack("!H", number) + bytes(60_000))
            _, payload, _ = await quick.message()
            assert int.from_bytes(payload[:2], "big") == number
        slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
        assert await slow.ended()
        await quick.ping()
        await host.close()


# What else one client may not do


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="http"),
        pytest.param(b"\x10\x00", id="empty CONNECT"),
        pytest.param(b"\x10\xff\xff\xff\xff\xff", id="a length without end"),
        pytest.param(b"\x30\x03\0\1t", id="PUBLISH before CONNECT"),
        pytest.param(os.urandom(3000), id="noise"),
    ],
)
async def test_what_is_not_mqtt_ends_that_connection_alone(
    embedded: EmbeddedBroker, sent: bytes
) -> None:
    async with raw(embedded) as good, raw(embedded) as bad:
        await good.connect()
        bad.writer.write(sent)
        bad.writer.write_eof()
        assert await bad.ended()
        await good.ping()


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(packet(0x34, text("t") + b"\0\1x"), id="QoS 2"),
        pytest.param(packet(0x38, text("t") + b"x"), id="sent again with QoS 0"),
        pytest.param(packet(0x10, b""), id="a second CONNECT"),
        pytest.param(packet(0xF0, b""), id="reserved"),
        pytest.param(packet(0x30, b"\0\x40t"), id="a topic longer than the packet"),
        pytest.param(packet(0x82, b"\0\1" + 900 * text("topic")), id="a huge SUBSCRIBE"),
        pytest.param(publish("t/#", b"x"), id="a wildcard"),
        pytest.param(publish("t/#", b"\xc0\0"), id="a wildcard"),
        pytest.param(publish("", b"x"), id="no topic"),
        pytest.param(packet(0x30, b"\0\1\xffx"), id="a topic that isn't UTF-8"),
        pytest.param(packet(0x32, b"\0\1t\0"), id="no packet id"),
        pytest.param(packet(0x82, b"\0\1\0\1\xff\0"), id="a filter that isn't UTF-8"),
        pytest.param(packet(0x82, b"\0\1\0\1t\3"), id="QoS 3"),
        pytest.param(packet(0xA2, b"\0\1\0\5t"), id="a filter longer than the packet"),
        pytest.param(packet(0xC0, b"x"), id="a PINGREQ with a body"),
        pytest.param(publish("$SYS/x", b"x"), id="a system topic"),
    ],
)
async def test_a_client_that_breaks_the_rules_is_cut_off(
    embedded: EmbeddedBroker, sent: bytes
) -> None:
    async with raw(embedded) as good, raw(embedded) as bad:
        await good.connect()
        await good.subscribe("#")
        await bad.connect()
        bad.writer.write(sent)
        assert await bad.ended()
        await good.ping()


CONNECT = text("MQTT") + b"\4\2\0\x1e" + text("me")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(CONNECT + publish("t", b"unchecked"), id="more than a CONNECT"),
        pytest.param(CONNECT + text("t") + text("x"), id="a will that isn't announced"),
        pytest.param(CONNECT[:8] + b"\0\x1e", id="no client id"),
        pytest.param(CONNECT[:7] + b"\x06" + CONNECT[8:] + text("t"), id="half a will"),
        pytest.param(CONNECT[:7] + b"\x82" + CONNECT[8:], id="no user"),
        pytest.param(CONNECT[:7] + b"\xc2" + CONNECT[8:] + text("u"), id="no password"),
        pytest.param(CONNECT[:10] + b"\0\2\xff\xfe", id="a client id that isn't UTF-8"),
    ],
)
async def test_trap_12_a_connect_is_one_packet_and_nothing_follows_in_it(
    embedded: EmbeddedBroker, body: bytes
) -> None:
    """What amqtt leaves of it would be taken for packets that nobody checked or counted."""
    async with raw(embedded) as good, raw(embedded) as bad:
        await good.connect()
        await good.subscribe("#")
        bad.writer.write(packet(0x10, body))
        assert await bad.ended()
        await good.settle()


async def test_qos_1_is_acknowledged_and_delivered_as_qos_0(embedded: EmbeddedBroker) -> None:
    async with raw(embedded) as client:
        await client.connect()
        assert await client.subscribe("t", qos=1) == 0
        client.writer.write(packet(0x32, text("t") + b"\0\7" + b"once"))
        got = {(await client.receive()) for _ in range(2)}
        assert got == {(0x40, b"\0\7"), (0x30, text("t") + b"once")}


async def test_what_is_said_just_before_leaving_is_passed_on(embedded: EmbeddedBroker) -> None:
    async with raw(embedded) as reader, raw(embedded) as leaver:
        await reader.connect()
        await reader.subscribe("t")
        await leaver.connect()
        words = [bytes([number]) for number in range(100)]
        leaver.writer.write(b"".join(publish("t", word) for word in words) + b"\xe0\0")
        leaver.writer.write_eof()
        assert [(await reader.message())[1] for _ in words] == words


async def test_connections_are_counted() -> None:
    async with (
        listening(connections=2) as broker,
        raw(broker) as first,
        raw(broker) as second,
        raw(broker) as third,
    ):
        assert await first.connect() == ACCEPTED
        assert await second.connect() == ACCEPTED
        assert await third.ended()
        first.writer.write(b"\xe0\0")
        assert await first.ended()
        async with raw(broker) as fourth:
            assert await fourth.connect() == ACCEPTED


async def test_one_address_leaves_room_for_others() -> None:
    async with (
        listening(connections=9, connections_from_one_address=1) as broker,
        raw(broker) as first,
        raw(broker) as second,
    ):
        assert await first.connect() == ACCEPTED
        assert await second.ended()
        await first.ping()


async def test_who_connects_again_and_again_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_broker, "CONNECTS_AT_ONCE", 2)
    monkeypatch.setattr(guarded_broker, "CONNECTS_PER_SECOND", 0.1)
    async with listening() as broker, raw(broker) as first, raw(broker) as second:
        assert await first.connect() == ACCEPTED
        assert await second.connect() == ACCEPTED
        async with raw(broker) as third:
            assert await third.ended()
        await first.ping()


async def test_who_says_too_much_is_read_more_slowly_and_nothing_is_lost() -> None:
    async with listening(messages_per_second=100) as broker, raw(broker) as loud:
        await loud.connect()
        await loud.subscribe("t")
        began, words = time.monotonic(), [b"%d" % number for number in range(250)]
        loud.writer.write(b"".join(publish("t", word) for word in words))
        assert [(await loud.message())[1] for _ in words] == words
        assert time.monotonic() - began > 0.4, "200 come at once, and then 100 a second"


async def test_a_topic_has_a_limit(embedded: EmbeddedBroker) -> None:
    most = Limits().topic
    async with raw(embedded) as client:
        await client.connect()
        assert await client.subscribe("t" * most) == 0
        assert await client.subscribe("t" * (most + 1)) == SUBACK_REFUSED
        client.writer.write(publish("t" * most, b"x"))
        assert (await client.message())[1] == b"x"
        client.writer.write(publish("t" * (most + 1), b"x"))
        assert await client.ended()


async def test_strangers_can_leave_only_so_much_behind(embedded: EmbeddedBroker) -> None:
    host = await MqttTransport.open(embedded.host_address)
    await host.publish("t/table", b"ours", retain=True)
    await host.subscribe("t/table")
    assert (await asyncio.wait_for(host.receive(), 5))[1] == b"ours"
    async with raw(embedded) as stranger, raw(embedded) as newcomer:
        await stranger.connect()
        stranger.writer.write(publish("t/table", b"forged", retain=True))
        stranger.writer.write(publish("t/table", b"", retain=True))
        stranger.writer.write(publish("t/big", bytes(RETAINED_SIZE + 1), retain=True))
        for number in range(RETAINED_BY_STRANGERS + 5):
            stranger.writer.write(publish(f"t/{number}", b"x", retain=True))
        await stranger.settle()
        await newcomer.connect()
        await newcomer.subscribe("t/+")
        kept = [(await newcomer.message())[:2] for _ in range(RETAINED_BY_STRANGERS + 1)]
        await newcomer.settle()  # that was all
    assert ("t/table", b"ours") in kept
    assert "t/big" not in dict(kept)
    await host.close()


HOSTS_WORDS = ("prrrt/1/abc/table", "prrrt/2/abc/public", "prrrt/1/abc/peer/xyz/down")


@pytest.mark.parametrize("topic", HOSTS_WORDS)
async def test_nobody_else_says_what_only_a_host_says(embedded: EmbeddedBroker, topic: str) -> None:
    async with raw(embedded) as reader, raw(embedded) as liar, raw(embedded) as host:
        await host.connect(login=(HOST_USER, embedded.host_address.password or ""))
        await reader.connect()
        await reader.subscribe("prrrt/#")
        async with raw(embedded) as dead:
            await dead.connect(will=(topic, b"a will"))
        await liar.connect()
        liar.writer.write(publish(topic, b"a lie"))
        liar.writer.write(publish(topic, b"a lie that stays", retain=True))
        await liar.settle()
        host.writer.write(publish(topic, b"the truth"))
        assert (await reader.message())[:2] == (topic, b"the truth")
        async with raw(embedded) as newcomer:
            await newcomer.connect()
            await newcomer.subscribe("prrrt/#")
            await newcomer.settle()


async def test_a_flooding_and_a_stalled_client_dont_slow_the_others(
    embedded: EmbeddedBroker,
) -> None:
    """Measured as a ratio in one run: a machine under load is slow with and without them."""
    async with raw(embedded) as ping, raw(embedded) as flood, raw(embedded) as stalled:
        for client in (ping, flood, stalled):
            await client.connect()
        await ping.subscribe("ping")
        await stalled.subscribe("flood")
        await stalled.subscribe("ping")
        stalled.writer.transport.pause_reading()  # type: ignore[attr-defined]

        async def rounds() -> float:
            seconds = []
            for _ in range(60):
                began = time.perf_counter()
                ping.writer.write(publish("ping", b"x" * 500))
                await ping.message()
                seconds.append(time.perf_counter() - began)
                await asyncio.sleep(0.002)
            return statistics.median(seconds)

        async def flooding() -> None:
            while True:
                flood.writer.write(publish("flood", bytes(2000)) * 20)
                await flood.writer.drain()
                await asyncio.sleep(0)

        quiet = await rounds()
        task = asyncio.create_task(flooding())
        await asyncio.sleep(0.1)  # past what the flood may send at once
        flooded = await rounds()
        task.cancel()
        assert flooded < 10 * quiet + 0.01


async def test_what_waits_for_the_host_holds_the_flood_up_and_nobody_is_cut_off() -> None:
    """Strangers flood, the host reads slowly: the flood waits at its source."""
    async with (
        listening(messages_per_second=1e6, bytes_per_second=1e9) as broker,
        raw(broker) as host,
        raw(broker) as flood,
        raw(broker) as seat,
    ):
        await host.connect(login=(HOST_USER, broker.host_address.password or ""))
        await flood.connect()
        await seat.connect()
        await host.subscribe("up")
        host.writer.transport.pause_reading()  # type: ignore[attr-defined]
        ours = next(c for c in broker._broker.connections if c.limits is HOST_LIMITS)
        flood.writer.write(publish("up", bytes(2000)) * 2000)
        async with asyncio.timeout(10):
            while not broker._broker._crowd.held_up:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)  # ten times as long as somebody waits who is held up
        assert ours.unread < Limits().waiting_for_host + 12 * 2100
        seat.writer.write(publish("up", b"seat"))
        host.writer.transport.resume_reading()  # type: ignore[attr-defined]
        before = 0
        async with asyncio.timeout(30):
            while (await host.message())[1] != b"seat":
                before += 1
        assert before < 1000, "it came in its turn"


async def test_no_message_of_a_fan_out_waits_for_the_last() -> None:
    """Nagle's algorithm held every second message to a client back until the first was told of.

    asyncio switches it off for sockets that say they are TCP, and for no others.
    """
    async with listening() as broker, raw(broker) as client:
        await client.connect()
        (connection,) = broker._broker.connections
        held = connection._writer.get_extra_info("socket")
        assert held.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_the_largest_message_fits_into_every_socket() -> None:
    """Linux drops what doesn't, and the sender tries again ever later: a whole table stalled."""
    async with listening() as broker, raw(broker) as client:
        host = await MqttTransport.open(broker.host_address, unread=KERNEL_BUFFER)
        await client.connect()
        for connection in broker._broker.connections:
            held = connection._writer.get_extra_info("socket")
            for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                assert held.getsockopt(socket.SOL_SOCKET, buffer) >= 2 * MAX_PAYLOAD
        await host.close()


def test_an_allowance_gives_what_it_says() -> None:
    allowance = Allowance(per_second=10)
    assert [allowance.take(1, now=0) for _ in range(20)] == [0] * 20
    assert allowance.take(1, now=0) == pytest.approx(0.1)
    assert allowance.take(5, now=0) == pytest.approx(0.6)
    assert allowance.take(1, now=1) == 0
    assert allowance.take(20, now=100) == 0
    assert allowance.take(1, now=100) == pytest.approx(0.1)
