"""The MQTT transport, over loopback: against the embedded broker and against broken ones."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import statistics
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random

import pytest
from free_ports import free_port

from net.address import Address
from net.broker import EmbeddedBroker
from net.guarded_connection import Limits
from net.mqtt import WAITING_TO_SEND, MqttTransport
from net.refused import Refused
from net.transport import MAX_PAYLOAD, TransportClosed

CONNACK = b"\x20\x02\x00\x00"

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
async def embedded() -> AsyncIterator[EmbeddedBroker]:
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True) as broker:
        yield broker


@asynccontextmanager
async def fake_broker(serve: Serve) -> AsyncIterator[Address]:
    """Something that listens and does what `serve` does with each connection."""
    writers: list[asyncio.StreamWriter] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await serve(reader, writer)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    server.close()
    for writer in writers:
        writer.transport.abort()


async def test_messages_travel_retained_ones_first(embedded: EmbeddedBroker) -> None:
    host = await MqttTransport.open(embedded.host_address)
    await host.publish("t/a/table", b"retained", retain=True)
    seat = await MqttTransport.open(Address("127.0.0.1", embedded.port))
    await host.subscribe("t/a/+")
    assert await asyncio.wait_for(host.receive(), 5) == ("t/a/table", b"retained")
    await seat.subscribe("t/+/table")
    assert await asyncio.wait_for(seat.receive(), 5) == ("t/a/table", b"retained")
    await seat.publish("t/a/up", b"live")
    assert await asyncio.wait_for(host.receive(), 5) == ("t/a/up", b"live")
    await host.close()
    await seat.close()
    with pytest.raises(TransportClosed):
        await seat.receive()


async def test_it_comes_back_by_itself_with_its_subscriptions() -> None:
    port = free_port()
    async with EmbeddedBroker("127.0.0.1", port, explicit=True):
        seat = await MqttTransport.open(Address("127.0.0.1", port))
        await seat.subscribe("t/down")
    await asyncio.wait_for(seat.wait_change(True), 10)
    await seat.publish("t/up", b"dropped silently")
    await seat.subscribe("t/later")
    async with EmbeddedBroker("127.0.0.1", port, explicit=True) as broker:
        await asyncio.wait_for(seat.wait_change(False), 10)
        host = await MqttTransport.open(broker.host_address)
        await host.publish("t/down", b"1")
        await host.publish("t/later", b"2")
        got = [await asyncio.wait_for(seat.receive(), 5) for _ in range(2)]
        assert got == [("t/down", b"1"), ("t/later", b"2")]
        await host.close()
        await seat.close()


async def test_nobody_there_is_said_at_once() -> None:
    port = free_port()
    began = time.monotonic()
    with pytest.raises(Refused) as refused:
        await MqttTransport.open(Address("127.0.0.1", port))
    assert time.monotonic() - began < 3
    assert refused.value.code == "no_connection"
    assert (refused.value.facts["host"], refused.value.facts["port"]) == ("127.0.0.1", port)


async def test_a_wrong_password_is_told_from_a_dead_line(embedded: EmbeddedBroker) -> None:
    with pytest.raises(Refused) as refused:
        await MqttTransport.open(replace(embedded.host_address, password="guess"))
    assert refused.value.code == "login_refused"


async def test_a_broker_that_says_nothing_is_given_up() -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with fake_broker(say_nothing) as address:
        began = time.monotonic()
        with pytest.raises(Refused, match="no_connection"):
            await MqttTransport.open(address, within=0.3)
        assert time.monotonic() - began < 5


async def test_a_forbidden_topic_is_noticed() -> None:
    limits = Limits(subscriptions=1)
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True, limits=limits) as broker:
        seat = await MqttTransport.open(Address("127.0.0.1", broker.port))
        await seat.subscribe("t/1")
        with pytest.raises(Refused) as refused:
            await seat.subscribe("t/2")
        assert (refused.value.code, refused.value.facts) == ("not_allowed", {"topic": "t/2"})
        assert seat.up
        await seat.close()


async def test_its_connect_gives_nothing_away_and_asks_for_little() -> None:
    connects: asyncio.Queue[bytes] = asyncio.Queue()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readexactly(2)
        await connects.put(await reader.readexactly(head[1]))
        writer.write(CONNACK)

    async with fake_broker(greet) as address:
        seats = [await MqttTransport.open(address) for _ in range(2)]
        bodies = [await connects.get() for _ in seats]
        for seat in seats:
            await seat.close()
    for body in bodies:
        assert body[:7] == b"\0\4MQTT\4", "MQTT 3.1.1"
        assert body[7] == 0b10, "a clean session, no will, no login"
        assert body[8:10] == b"\0\5", "keepalive"
        assert len(body[12:]) == 32, "128 bits in hex"
    assert bodies[0][12:] != bodies[1][12:]


async def test_small_messages_dont_wait_for_each_other(embedded: EmbeddedBroker) -> None:
    """Nagle's algorithm would make every second message in a row wait for 40 ms."""
    sender = await MqttTransport.open(Address("127.0.0.1", embedded.port))
    reader = await MqttTransport.open(Address("127.0.0.1", embedded.port))
    await reader.subscribe("t")

    async def two_at_once() -> float:
        began = time.perf_counter()
        for _ in range(2):
            await sender.publish("t", b"x" * 50)
            await asyncio.sleep(0.001)  # so that the two travel apart
        for _ in range(2):
            await asyncio.wait_for(reader.receive(), 5)
        return time.perf_counter() - began

    best = 1.0
    for _ in range(8):  # some moment is calm enough to tell, on the busiest machine
        if best > 0.03:
            best = min(best, statistics.median([await two_at_once() for _ in range(15)]))
    assert best < 0.03
    await sender.close()
    await reader.close()


async def test_a_broker_that_stops_reading_holds_nobody_up() -> None:
    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(CONNACK)
        writer.transport.pause_reading()  # type: ignore[attr-defined]

    async with fake_broker(stall) as address:
        host = await MqttTransport.open(address)
        for _ in range(1000):
            with pytest.raises(StopIteration):  # publishing never waits
                host.publish("t", bytes(MAX_PAYLOAD)).send(None)
        began = time.monotonic()
        await host.close()
        assert time.monotonic() - began < 5, "closing is bounded"


async def test_a_broker_that_reads_again_gets_what_is_newest() -> None:
    got = bytearray()
    reading = asyncio.Event()

    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(CONNACK)
        await reading.wait()
        while b"newest" not in got:
            got.extend(await reader.read(1 << 20))

    async with fake_broker(stall) as address:
        host = await MqttTransport.open(address)
        for number in range(WAITING_TO_SEND + 200):
            await host.publish("t", b"%d" % number)
        await host.publish("t", b"newest")
        reading.set()
        async with asyncio.timeout(5):
            while b"newest" not in got:  # noqa: ASYNC110 - the other end is a socket
                await asyncio.sleep(0.01)
        await host.close()


async def test_a_broker_that_dies_while_we_write_leaves_nothing_to_be_complained_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its socket may be closed, or another's by then, when asyncio is to watch it."""
    dying: asyncio.Queue[asyncio.StreamWriter] = asyncio.Queue()

    async def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(CONNACK)
        dying.put_nowait(writer)

    async with fake_broker(let_in) as address:
        host = await MqttTransport.open(address)
        for _ in range(5):
            (await dying.get()).transport.abort()
            while host.up:
                await host.publish("t", b"x")
                await asyncio.sleep(0)
        await host.close()
    assert "Exception in callback" not in caplog.text


@pytest.mark.parametrize("word", [b"", CONNACK + b"\x00\x00"])
async def test_a_broker_that_hangs_up_while_it_lets_us_in_is_tried_again_soon(word: bytes) -> None:
    """As a container's proxy does while what is behind it starts; also in the moment after."""
    calls = 0

    async def hang_up_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        await reader.read(1000)
        writer.write(word if calls < 3 else CONNACK)
        if calls < 3:
            writer.close()

    async with fake_broker(hang_up_twice) as address:
        began = time.monotonic()
        host = MqttTransport(address)
        async with asyncio.timeout(10):
            while calls < 3 or not host.up:  # noqa: ASYNC110 - the other end is a socket
                await asyncio.sleep(0.01)
        assert time.monotonic() - began < 2
        await host.close()


@pytest.mark.parametrize("word", [b"", b"\x30\x00"])
async def test_a_connection_that_was_given_up_is_closed(
    word: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a broker that answers too late, or says what can't be read: else each try leaves one."""
    monkeypatch.setattr("net.mqtt.PATIENCE", 0.2)
    came, here, most = 0, 0, 0

    async def mumble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal came, here, most
        came, here = came + 1, here + 1
        most = max(most, here)
        await reader.read(1000)
        await asyncio.sleep(0 if word else 0.3)
        writer.write(CONNACK)
        await asyncio.sleep(0.1)
        writer.write(word)
        with contextlib.suppress(OSError):
            while await reader.read(1000):
                pass
        here -= 1

    async with fake_broker(mumble) as address:
        host = MqttTransport(address)
        async with asyncio.timeout(10):
            while came < 4:  # noqa: ASYNC110 - the other end is a socket
                await asyncio.sleep(0.01)
            await host.close()
            while here:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert most <= 2


async def test_a_message_above_the_limit_is_dropped() -> None:
    async def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(CONNACK)
        for size in (MAX_PAYLOAD + 1, 5):
            length = size + 3
            digits = []
            while length:
                length, digit = divmod(length, 128)
                digits.append(digit | (0x80 if length else 0))
            writer.write(bytes([0x30, *digits]) + b"\0\1t" + bytes(size))

    async with fake_broker(shout) as address:
        seat = await MqttTransport.open(address)
        assert await asyncio.wait_for(seat.receive(), 5) == ("t", bytes(5))
        await seat.close()


async def test_packets_come_whole_and_in_order_however_they_are_cut() -> None:
    """Many are read at a time, and one may come in pieces."""
    words = [b"%d" % n * (n % 30) for n in range(500)]
    stream = b"".join(bytes([0x30, 3 + len(word)]) + b"\0\1t" + word for word in words)

    async def mince(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(CONNACK)
        place, rng = 0, Random(1)
        while place < len(stream):
            size = rng.choice((1, 2, 3, 50, 5000))
            writer.write(stream[place : place + size])
            await writer.drain()
            place += size

    async with fake_broker(mince) as address:
        seat = await MqttTransport.open(address)
        for word in words:
            assert await asyncio.wait_for(seat.receive(), 5) == ("t", word)
        await seat.close()


async def test_a_packet_without_measure_is_forgotten_as_it_comes() -> None:
    """Anybody can publish one at a broker without limits: memory stays level, and the line up."""
    connects = 0

    async def shout(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connects
        connects += 1
        writer.write(CONNACK)
        writer.write(b"\x30\x80\x80\x80\x08")  # 16 MB follow
        for _ in range(256):
            writer.write(bytes(64 * 1024))
            await writer.drain()
        writer.write(b"\x30\x05\0\1thi")

    async with fake_broker(shout) as address:
        tracemalloc.start()
        seat = await MqttTransport.open(address)
        assert await asyncio.wait_for(seat.receive(), 30) == ("t", b"hi")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        await seat.close()
    assert connects == 1
    assert most < 4 * 1024 * 1024


async def test_the_last_words_before_a_close_arrive(embedded: EmbeddedBroker) -> None:
    host = await MqttTransport.open(embedded.host_address)
    seat = await MqttTransport.open(Address("127.0.0.1", embedded.port))
    await seat.subscribe("t")
    for number in range(50):
        await host.publish("t", bytes([number]))
    await host.close()
    got = [(await asyncio.wait_for(seat.receive(), 5))[1] for _ in range(50)]
    assert got == [bytes([number]) for number in range(50)]
    await seat.close()


async def test_a_broker_that_hangs_up_at_once_leaves_nothing_to_be_complained_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What asyncio says about a forgotten error would be drawn over somebody's table."""
    calls = 0

    async def let_in_and_hang_up(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        nonlocal calls
        calls += 1
        await reader.read(1000)
        writer.write(CONNACK)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(let_in_and_hang_up, "127.0.0.1", 0)
    async with server:
        address = Address("127.0.0.1", server.sockets[0].getsockname()[1])
        with contextlib.suppress(Refused):
            transport = await MqttTransport.open(address, within=2)
            await transport.close()
    gc.collect()
    await asyncio.sleep(0)
    assert calls
    assert "never retrieved" not in caplog.text
