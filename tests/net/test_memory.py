"""The in-memory broker, and the hostile transport that the protocol's tests rest on."""

from __future__ import annotations

import asyncio

import pytest

from net.line import Line
from net.memory import MemoryBroker
from net.transport import MAX_PAYLOAD, TransportClosed, matches


@pytest.mark.parametrize(
    ("pattern", "topic", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a/b/c", False),
        ("a/+/c", "a/b/c", True),
        ("a/+/c", "a/b/d", False),
        ("a/+", "a", False),
        ("a/+", "a/", True),
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("a/#", "ab", False),
        ("#", "a/b", True),
        ("#", "$SYS/a", False),
        ("+/a", "$SYS/a", False),
        ("$SYS/#", "$SYS/a", True),
    ],
)
def test_wildcards_match_as_mqtt_says(pattern: str, topic: str, expected: bool) -> None:
    assert matches(pattern, topic) is expected


async def test_subscribers_receive_in_order(broker: MemoryBroker) -> None:
    sender, reader = broker.connect(), broker.connect()
    await reader.subscribe("t/+/up")
    for number in range(5):
        await sender.publish("t/a/up", bytes([number]))
    await sender.publish("t/a/down", b"not for us")
    assert [await reader.receive() for _ in range(5)] == [("t/a/up", bytes([n])) for n in range(5)]


async def test_overlapping_subscriptions_deliver_once(broker: MemoryBroker) -> None:
    sender, reader = broker.connect(), broker.connect()
    await reader.subscribe("t/#")
    await reader.subscribe("t/a")
    await sender.publish("t/a", b"1")
    await sender.publish("t/a", b"2")
    assert [(await reader.receive())[1] for _ in range(2)] == [b"1", b"2"]


async def test_a_retained_message_reaches_who_comes_later(broker: MemoryBroker) -> None:
    sender = broker.connect()
    await sender.publish("t/table", b"old", retain=True)
    await sender.publish("t/table", b"new", retain=True)
    await sender.publish("t/gone", b"x", retain=True)
    await sender.publish("t/gone", b"", retain=True)
    reader = broker.connect()
    await reader.subscribe("t/+")
    await sender.publish("t/live", b"live")
    assert [await reader.receive(), await reader.receive()] == [
        ("t/table", b"new"),
        ("t/live", b"live"),
    ]


async def test_nothing_is_received_once_closed(broker: MemoryBroker) -> None:
    reader = broker.connect()
    await reader.subscribe("t")
    waiting = asyncio.ensure_future(reader.receive())
    watching = asyncio.ensure_future(reader.wait_change(True))
    await asyncio.sleep(0)
    await reader.close()
    for end in (waiting, watching, reader.receive()):
        with pytest.raises(TransportClosed):
            await end
    assert not reader.up
    await reader.publish("t", b"dropped silently")


@pytest.mark.parametrize("topic", ["", "t/+", "t/#", "t\0"])
async def test_nobody_publishes_to_a_wildcard(broker: MemoryBroker, topic: str) -> None:
    with pytest.raises(ValueError, match="no topic"):
        await broker.connect().publish(topic, b"")


async def test_a_payload_has_a_limit(broker: MemoryBroker) -> None:
    await broker.connect().publish("t", bytes(MAX_PAYLOAD))
    with pytest.raises(ValueError, match="65537"):
        await broker.connect().publish("t", bytes(MAX_PAYLOAD + 1))


async def test_a_reader_who_sleeps_loses_the_oldest() -> None:
    line = Line(waiting=3)
    for number in range(5):
        line.deliver("t", bytes([number]))
    assert [(await line.receive())[1] for _ in range(3)] == [b"\2", b"\3", b"\4"]
    assert line.lost == 2


async def test_up_and_down_are_noticed() -> None:
    line = Line()
    watching = asyncio.ensure_future(line.wait_change(False))
    await asyncio.sleep(0)
    line.set_up(True)
    await asyncio.wait_for(watching, 1)
    line.set_up(False)
    await asyncio.wait_for(line.wait_change(True), 1)


async def test_the_hostile_transport_does_everything_it_says(broker: MemoryBroker, hostile) -> None:
    sender, reader = hostile(broker.connect(), seed=1), hostile(broker.connect(), seed=2)
    await reader.subscribe("t/#")
    sent = [f"message {number}".encode() for number in range(400)]
    for number, payload in enumerate(sent):
        await sender.publish(f"t/{number % 2}", payload)
        await asyncio.sleep(0)
    got: list[bytes] = []
    while True:
        try:
            got.append((await asyncio.wait_for(reader.receive(), 0.3))[1])
        except TimeoutError:
            break
    did = sender.did + reader.did
    assert set(did) == {"drop", "repeat", "delay", "replay", "swap", "damage", "garbage"}
    true = [payload for payload in got if payload in set(sent)]
    assert len(set(true)) < len(sent), "some are lost"
    assert len(true) > len(set(true)), "some come twice"
    assert true != sorted(true, key=sent.index), "some overtake others"
    assert len(got) > len(true), "some are forged"


async def test_a_hostile_line_can_be_cut(broker: MemoryBroker, hostile) -> None:
    sender = hostile(
        broker.connect(), drop=0, repeat=0, delay=0, replay=0, swap=0, damage=0, garbage=0
    )
    reader = broker.connect()
    await reader.subscribe("t")
    sender.cut()
    await asyncio.wait_for(sender.wait_change(True), 1)
    await sender.publish("t", b"lost")
    sender.mend()
    await sender.publish("t", b"arrives")
    assert await asyncio.wait_for(reader.receive(), 1) == ("t", b"arrives")
