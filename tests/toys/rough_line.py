"""A bad line to a real broker: a small TCP proxy that knows where an MQTT packet ends.

It loses, repeats, delays and so reorders what is published, either way, and treats the
stream itself as networks do: odd segments, little bandwidth, stalls, cuts in the middle of a
packet, silence. What MQTT promises of the stream (whole packets, in order, but for those that
are published) it breaks only where it is told to damage them.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from net.address import Address

PUBLISH = 3

Cut = Literal["fin", "rst"]


@dataclass(frozen=True)
class Roughness:
    """What happens how often (0 to 1) to each published packet, either way; seconds, bytes."""

    drop: float = 0.0
    repeat: float = 0.0
    delay: float = 0.0  # for up to `longest` seconds, so that later ones overtake it
    longest: float = 0.05
    latency: float = 0.0  # everything takes so many seconds, in order
    torn: float = 0.0  # how often a packet leaves in several odd segments
    bandwidth: float | None = None  # bytes a second, each way
    stall: float = 0.0  # nothing moves for `stalled` seconds
    stalled: float = 0.5
    cut: float = 0.0  # the connection ends in the middle of this packet
    damage: float = 0.0  # some bits of it change, wherever they are


class RoughLine:
    """Listens on a loopback port and passes on to a broker. Use it as `async with`.

    Seeded: what happens to the n-th packet of the n-th connection in one direction is the same
    every time. `did` counts what was done. `cut` ends all connections; while `silent`, all that
    is sent vanishes and nobody is told, as on a cable that was pulled out.
    """

    def __init__(self, broker: Address, seed: int, rough: Roughness) -> None:
        self.did: Counter[str] = Counter()
        self.silent = False
        self._broker = broker
        self._seed = seed
        self._rough = rough
        self._connections: set[_Connection] = set()
        self._made = itertools.count()
        self._server: asyncio.Server | None = None

    @property
    def address(self) -> Address:
        """Where clients connect instead, with the broker's login."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        return Address("127.0.0.1", port, self._broker.user, self._broker.password)

    async def __aenter__(self) -> RoughLine:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for connection in list(self._connections):
            connection.end("rst")
        async with asyncio.timeout(5):
            await asyncio.gather(*(each.over.wait() for each in list(self._connections)))

    def cut(self, how: Cut = "rst") -> None:
        """End every connection, between two packets or not."""
        for connection in list(self._connections):
            self.did["cut"] += 1
            connection.end(how)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._made)
        try:
            far = await asyncio.open_connection(self._broker.host, self._broker.port)
        except OSError:
            _end(writer, "rst")
            return
        connection = _Connection(self, self._rough, (reader, writer), far)
        self._connections.add(connection)
        try:
            await connection.pass_on(Random(f"{self._seed} {number}"))
        finally:
            self._connections.discard(connection)


Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Connection:
    """One client, its line to the broker, and both directions between them."""

    def __init__(self, line: RoughLine, rough: Roughness, near: Ends, far: Ends) -> None:
        self.over = asyncio.Event()
        self._line = line
        self._rough = rough
        self._near = near
        self._far = far
        self._how: Cut = "fin"
        self._ended = asyncio.Event()

    def end(self, how: Cut) -> None:
        self._how = how
        self._ended.set()

    async def pass_on(self, random: Random) -> None:
        up = _OneWay(self, self._line, self._rough, random.randbytes(8))
        down = _OneWay(self, self._line, self._rough, random.randbytes(8))
        tasks = [
            *up.tasks(self._near[0], self._far[1]),
            *down.tasks(self._far[0], self._near[1]),
        ]
        try:
            await self._ended.wait()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for _, writer in (self._near, self._far):
                _end(writer, self._how)
            self.over.set()


class _OneWay:
    """What is on its way in one direction of one connection."""

    def __init__(
        self, connection: _Connection, line: RoughLine, rough: Roughness, seed: bytes
    ) -> None:
        self._connection = connection
        self._line = line
        self._rough = rough
        self._taking = Random(seed + b"taking")
        self._sending = Random(seed + b"sending")
        self._under_way: list[tuple[float, int, bytes, bool]] = []
        self._numbers = itertools.count()
        self._news = asyncio.Event()

    def tasks(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> tuple[asyncio.Task[None], ...]:
        return (
            asyncio.create_task(self._until_it_ends(self._take(reader))),
            asyncio.create_task(self._until_it_ends(self._send(writer))),
        )

    async def _until_it_ends(self, doing: object) -> None:
        try:
            await doing  # type: ignore[misc]
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            if not self._line.silent:  # a dead line tells nobody
                self._connection.end("fin")

    async def _take(self, reader: asyncio.StreamReader) -> None:
        now = asyncio.get_running_loop().time
        async for kind, packet in packets(reader):
            due = now() + self._rough.latency
            if kind != PUBLISH:
                self._put(due, packet, may_end=False)
                continue
            dice = self._taking
            if self._does("drop", dice):
                continue
            for _ in range(2 if self._does("repeat", dice) else 1):
                late = dice.uniform(0, self._rough.longest) if self._does("delay", dice) else 0.0
                self._put(due + late, self._damaged(packet), may_end=True)

    def _put(self, due: float, packet: bytes, *, may_end: bool) -> None:
        heapq.heappush(self._under_way, (due, next(self._numbers), packet, may_end))
        self._news.set()

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        now, dice = asyncio.get_running_loop().time, self._sending
        while True:
            self._news.clear()
            if not self._under_way or self._under_way[0][0] > now():
                wait = self._under_way[0][0] - now() if self._under_way else None
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._news.wait()
                continue
            *_, packet, may_end = heapq.heappop(self._under_way)
            if self._line.silent:
                self._line.did["swallowed"] += 1
                continue
            if may_end and self._does("cut", dice):
                writer.write(packet[: dice.randrange(len(packet))])
                self._connection.end(dice.choice(("fin", "rst")))
                return
            for piece in self._pieces(packet):
                writer.write(piece)
                await writer.drain()
                if self._rough.bandwidth:
                    await asyncio.sleep(len(piece) / self._rough.bandwidth)
                elif len(piece) < len(packet):
                    await asyncio.sleep(0.001)  # so that they travel apart
            if may_end and self._does("stall", dice):
                await asyncio.sleep(self._rough.stalled)

    def _pieces(self, packet: bytes) -> list[bytes]:
        dice = self._sending
        if len(packet) < 2 or not self._does("torn", dice):
            return [packet]
        most = min(4, len(packet) - 1)
        places = sorted(dice.sample(range(1, len(packet)), dice.randint(1, most)))
        return [packet[a:b] for a, b in itertools.pairwise((0, *places, len(packet)))]

    def _damaged(self, packet: bytes) -> bytes:
        dice = self._taking
        if not self._does("damage", dice):
            return packet
        bad = bytearray(packet)
        for _ in range(dice.randint(1, 3)):
            bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
        return bytes(bad)

    def _does(self, what: str, dice: Random) -> bool:
        if dice.random() >= getattr(self._rough, what):
            return False
        self._line.did[what] += 1
        return True


async def packets(reader: asyncio.StreamReader) -> AsyncIterator[tuple[int, bytes]]:
    """Yield each whole MQTT packet of a stream, and which kind it is, until the stream ends."""
    while head := await reader.read(1):
        length = shift = 0
        while True:
            digit = await reader.readexactly(1)
            head += digit
            length |= (digit[0] & 0x7F) << shift
            shift += 7
            if not digit[0] & 0x80:
                break
        yield head[0] >> 4, head + await reader.readexactly(length)


def _end(writer: asyncio.StreamWriter, how: Cut) -> None:
    """Close with a goodbye of TCP's (`fin`), or without (`rst`)."""
    if how == "rst":
        raw = writer.get_extra_info("socket")
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    else:
        writer.close()
