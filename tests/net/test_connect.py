"""Finding the table behind an address, or saying clearly why there is none."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import msgspec
import pytest

import net.connect
from net.address import Address
from net.broker import EmbeddedBroker
from net.connect import _Found, join, join_first, tables_at
from net.keys import HostKeys
from net.messages import PublicLetter, TableAd
from net.mqtt import MqttTransport
from net.refused import Refused
from net.seal import Counters, sign, verify_public
from net.topics import PROTOCOL, table_topic
from net.version import RULES


@pytest.fixture
async def broker() -> AsyncIterator[EmbeddedBroker]:
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True) as broker:
        yield broker


@pytest.fixture
async def host(broker: EmbeddedBroker) -> AsyncIterator[MqttTransport]:
    transport = await MqttTransport.open(broker.host_address)
    yield transport
    await transport.close()


@pytest.fixture
def address(broker: EmbeddedBroker) -> Address:
    return Address("127.0.0.1", broker.port)


def ad_of(keys: HostKeys, title: str = "Cellar", **changes: object) -> bytes:
    ad = TableAd(
        title=title,
        game="prrrt",
        protocol=PROTOCOL,
        rules=RULES,
        app="1",
        host=keys.public,
        phase="lobby",
        players=4,
        taken=1,
        options={},
    )
    ad = msgspec.structs.replace(ad, **changes)
    letter = PublicLetter(table=keys.table_id, peer="", epoch="e", session="", counter=1, body=ad)
    return sign(keys, letter)


async def keep(host: MqttTransport, topic: str, payload: bytes) -> None:
    """Leave a message at the broker, and come back when it is there."""
    await host.subscribe("kept")
    await host.publish(topic, payload, retain=True)
    await host.publish("kept", b"")
    async with asyncio.timeout(5):
        while (await host.receive())[0] != "kept":
            pass


async def open_table(host: MqttTransport, title: str = "Cellar", **changes: object) -> str:
    keys = HostKeys.new()
    await keep(host, table_topic(keys.table_id), ad_of(keys, title, **changes))
    return keys.table_id


async def refusal(address: Address, table: str | None = None) -> Refused:
    with pytest.raises(Refused) as refused:
        await join(address, table)
    return refused.value


async def test_the_only_table_is_found(host: MqttTransport, address: Address) -> None:
    table = await open_table(host)
    transport, ad = await join(address)
    assert (ad.host.table_id, ad.title) == (table, "Cellar")
    assert transport.up
    await transport.close()


async def test_several_tables_are_told_apart(host: MqttTransport, address: Address) -> None:
    one, two = await open_table(host, "Attic"), await open_table(host, "Cellar")
    refused = await refusal(address)
    assert refused.code == "several_tables"
    assert refused.facts == {"tables": (one, two), "titles": ("Attic", "Cellar")}
    transport, ad = await join(address, two)
    assert ad.title == "Cellar"
    await transport.close()
    assert [ad.title for ad in await tables_at(address)] == ["Attic", "Cellar"]


async def test_an_unknown_table_is_not_replaced_by_another(
    host: MqttTransport, address: Address
) -> None:
    await open_table(host)
    refused = await refusal(address, "a" * 26)
    assert (refused.code, refused.facts) == ("unknown_table", {"table": "a" * 26})


async def test_a_broker_without_a_table_is_no_table(address: Address) -> None:
    refused = await refusal(address)
    assert (refused.code, refused.facts["port"]) == ("no_table", address.port)
    assert await tables_at(address) == []


async def test_a_table_that_opens_just_now_is_waited_for(
    host: MqttTransport, address: Address
) -> None:
    joining = asyncio.ensure_future(join(address))
    await asyncio.sleep(0.1)
    table = await open_table(host)
    transport, ad = await joining
    assert ad.host.table_id == table
    await transport.close()


async def test_nobody_there_is_no_connection() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        refused = await refusal(Address("127.0.0.1", probe.getsockname()[1]))
    assert refused.code == "no_connection"


async def test_the_address_that_answers_is_taken(host: MqttTransport, address: Address) -> None:
    table = await open_table(host)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        dead = Address("127.0.0.1", probe.getsockname()[1])
        transport, ad = await join_first([dead, address, dead], table)
        assert ad.host.table_id == table
        await transport.close()
        with pytest.raises(Refused, match="no_connection"):
            await join_first([dead, dead], table)


@pytest.mark.parametrize("change", [{"protocol": PROTOCOL + 1}, {"rules": RULES + 1}])
async def test_another_version_is_said(
    host: MqttTransport, address: Address, change: dict[str, int]
) -> None:
    table = await open_table(host, **change)
    for named in (None, table):
        assert (await refusal(address, named)).code == "version"
    assert await tables_at(address) == []
    await open_table(host, "ours")
    transport, ad = await join(address)
    assert ad.title == "ours"
    await transport.close()


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        ("prrrt/7/abc/table", b"whatever they write by then"),
        ("prrrt/1/abc/table", bytes(64) + b'{"way":"public","body":{"protocol":7,"new":[]}}'),
    ],
)
async def test_a_version_that_cannot_even_be_read_is_said(
    host: MqttTransport, address: Address, topic: str, payload: bytes
) -> None:
    await keep(host, topic, payload)
    refused = await refusal(address)
    assert (refused.code, refused.facts) == ("version", {"ours": PROTOCOL, "theirs": 7})


@pytest.mark.parametrize(
    ("topic", "payload"),
    [
        (f"prrrt/{'9' * 5000}/abc/table", b"x"),
        (f"prrrt/{10**20}/abc/table", b"x"),
        ("prrrt/7/abc/table", bytes(64) + b'{"body":{"protocol":1' + b"0" * 4000 + b"}}"),
    ],
    ids=["5000 digits", "20 digits", "said by itself"],
)
def test_no_version_is_a_number_that_cant_be_read_or_said(topic: str, payload: bytes) -> None:
    """Anybody can publish anywhere on a broker without rules: Python reads no 4,301 digits."""
    found = _Found()
    found.take(topic, payload)
    assert found.strange in ({}, {"abc": 7})


async def test_forged_and_closed_tables_are_passed_over(
    host: MqttTransport, address: Address
) -> None:
    forger, victim = HostKeys.new(), HostKeys.new()
    await keep(host, table_topic(victim.table_id), ad_of(forger))
    damaged = bytearray(ad_of(victim))
    damaged[70] ^= 1
    await keep(host, table_topic("b" * 26), bytes(damaged))
    await keep(host, table_topic("c" * 26), b"noise")
    await open_table(host, phase="closed")
    assert (await refusal(address)).code == "no_table"
    assert (await refusal(address, victim.table_id)).code == "unknown_table"
    table = await open_table(host)
    transport, ad = await join(address)
    assert ad.host.table_id == table
    await transport.close()


async def test_a_tables_own_address_means_that_table(host: MqttTransport, address: Address) -> None:
    ours = await open_table(host)
    stranger = await MqttTransport.open(address)
    await open_table(stranger, "Another one")
    line, found = await join(address)
    await line.close()
    await stranger.close()
    assert found.host.table_id == ours


async def test_a_table_that_is_named_is_found_without_a_look_at_the_others(
    host: MqttTransport, address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may have invented thousands."""
    ours = await open_table(host)
    await open_table(host, "Another one")
    looked_at = []

    def noted(payload: bytes, table: str, counters: Counters) -> PublicLetter | None:
        looked_at.append(table)
        return verify_public(payload, table, counters)

    monkeypatch.setattr(net.connect, "verify_public", noted)
    line, found = await join(address, ours)
    await line.close()
    assert found.host.table_id == ours
    assert looked_at == [ours]


async def test_an_advertisement_without_bounds_is_none(
    host: MqttTransport, address: Address
) -> None:
    await open_table(host, "x" * 50_000)
    await open_table(host, players=10**9)
    await open_table(host, options={str(number): 1 for number in range(1000)})
    assert await tables_at(address) == []
