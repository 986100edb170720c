"""Whole games over the brokers that tables are played with: ours, and a mosquitto."""

from __future__ import annotations

import asyncio
import statistics
import struct
import time
from itertools import cycle
from random import Random
from typing import Any

import pytest
from rogue import strangers_hello

from core.registry import GAMES
from net import orders
from net.address import Address
from net.topics import down_topic, table_topic, up_topic


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_visiting_bots_play_a_game_to_its_end(
    party: Any, real_broker: Any, game: str
) -> None:
    """The protocol and not the broker carries a game of each kind to its end."""
    table = party(
        GAMES[game],
        broker=real_broker,
        host_line=real_broker.host_line,
        players=3,
        start_when_full=True,
    )
    watching = await table.seat(None)
    for name in ("Ada", "Ben", "Cyd"):
        table.guest_bot(name, "easy")
    await table.over(60)
    await watching.sees(lambda seen: seen.game is not None and seen.game.over)
    assert table.journal.result is not None
    assert {by for *_, by in table.journal.lines} == {"seat"}


LOUD, AT_ONCE = 2000, 20
"""Messages a second of a flood, and how many are written together: more than a table needs."""


class Boor:
    """A client without manners: raw bytes to a broker, and nothing that anybody says is read."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    @classmethod
    async def at(cls, address: Address) -> Boor:
        reader, writer = await asyncio.open_connection(address.host, address.port)
        writer.write(b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00")
        assert (await reader.readexactly(4))[3] == 0
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        return cls(writer)

    def asks_for_everything(self) -> None:
        self._writer.write(b"\x82\x06\x00\x01\x00\x01#\x00")

    async def floods(self, messages: list[tuple[str, bytes]]) -> None:
        packets = []
        for topic, payload in messages:
            body = struct.pack("!H", len(topic)) + topic.encode() + payload
            packets.append(bytes([0x30, len(body) & 127 | 128, len(body) >> 7]) + body)
        turn = cycle(packets)
        while True:
            self._writer.write(b"".join(next(turn) for _ in range(AT_ONCE)))
            await self._writer.drain()
            await asyncio.sleep(AT_ONCE / LOUD)

    def leave(self) -> None:
        self._writer.transport.abort()


async def test_whoever_floods_or_stops_reading_slows_nobody(party: Any, real_broker: Any) -> None:
    """From an order to the view that answers it, with and without them, as a ratio in one run.

    `tests/bench/slow_and_loud.py` has the figures of whole games.
    """
    table = party(GAMES["prrrt"], players=3, broker=real_broker, host_line=real_broker.host_line)
    ada = await table.seat("Ada")
    here, peer, noise = table.keys.table_id, ada.keys.peer_id, Random(1).randbytes(1000)

    async def usual() -> float:
        """Return the median of some seconds from an order to its answer."""
        times = []
        for _ in range(40):
            began = time.perf_counter()
            await ada.answered(ada.client.order(orders.Pause()))
            times.append(time.perf_counter() - began)
        return statistics.median(times)

    words = [
        strangers_hello(table),
        (up_topic(here, peer), ada.keys.public + noise),
        (down_topic(here, peer), noise),
        (table_topic(here), noise),
    ]
    quiet = await usual()
    stalled, loud = await Boor.at(real_broker.address), await Boor.at(real_broker.address)
    stalled.asks_for_everything()
    flooding = asyncio.create_task(loud.floods(words))
    await asyncio.sleep(0.3)  # past what a flood may say at once
    flooded = await usual()
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    for boor in (stalled, loud):
        boor.leave()
    assert flooded < 10 * quiet + 0.05
    assert table.host.mishaps.count == 0
    assert ada.ended is None
