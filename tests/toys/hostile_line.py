"""Bad lines above any transport: one that means ill, and one that is only slow.

`rough_line.py` is what a network does to the bytes of a real broker; these need none.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from net.line import Line
from net.transport import MAX_PAYLOAD, Transport

Item = TypeVar("Item")


@dataclass(frozen=True)
class Malice:
    """How often, for each message either way, a `HostileTransport` does what (0 to 1)."""

    drop: float = 0.1
    repeat: float = 0.1
    delay: float = 0.3  # for up to `longest` seconds, so that later ones overtake it
    longest: float = 0.02
    replay: float = 0.05  # something that was sent long ago comes again
    swap: float = 0.05  # the payload of another topic arrives here (a reflection)
    damage: float = 0.05  # some bytes changed, beside the true one
    garbage: float = 0.05  # something that was never a message, beside the true one


class HostileTransport:
    """A `Transport` around another one that loses, repeats, reorders, delays and forges.

    Seeded, so that what it does to the n-th message is the same every time.
    `did` counts what it did. `cut()` and `mend()` take the line down and up.
    """

    def __init__(self, inner: Transport, seed: int, malice: Malice) -> None:
        self.did: Counter[str] = Counter()
        self._inner = inner
        self._malice = malice
        self._random = Random(seed)
        self._seen: deque[tuple[str, bytes]] = deque(maxlen=200)
        self._line = Line()
        self._line.set_up(inner.up)
        self._tasks = {asyncio.ensure_future(self._pump())}

    @property
    def up(self) -> bool:
        return self._line.up

    def cut(self) -> None:
        self._line.set_up(False)

    def mend(self) -> None:
        self._line.set_up(True)

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if not self.up:
            return
        if retain:  # what is retained reaches whoever comes later, however bad the line is
            await self._inner.publish(topic, payload, retain=True)
            return
        for _, sent, wait in self._spoil(topic, payload):
            self._start(self._send_later(topic, sent, wait))

    async def subscribe(self, topic: str) -> None:
        await self._inner.subscribe(topic)

    async def receive(self) -> tuple[str, bytes]:
        return await self._line.receive()

    async def wait_change(self, up: bool) -> None:
        await self._line.wait_change(up)

    async def close(self) -> None:
        self._line.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._inner.close()

    async def _pump(self) -> None:
        while True:
            topic, payload = await self._inner.receive()
            for place, sent, wait in self._spoil(topic, payload):
                self._start(self._deliver_later(place, sent, wait))

    async def _send_later(self, topic: str, payload: bytes, wait: float) -> None:
        await asyncio.sleep(wait)
        if self.up:
            await self._inner.publish(topic, payload)

    async def _deliver_later(self, topic: str, payload: bytes, wait: float) -> None:
        if wait:
            await asyncio.sleep(wait)
        if self.up:
            self._line.deliver(topic, payload)

    def _start(self, doing: object) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(doing)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _spoil(self, topic: str, payload: bytes) -> list[tuple[str, bytes, float]]:
        """Return what goes on instead of one message: (topic, payload, seconds to wait)."""
        out: list[tuple[str, bytes, float]] = []
        if not self._does("drop"):
            out.append((topic, payload, self._wait()))
            if self._does("repeat"):
                out.append((topic, payload, self._wait()))
        if self._seen and self._does("replay"):
            old_topic, old = self._random.choice(self._seen)
            out.append((old_topic, old, self._wait()))
        if self._seen and self._does("swap"):
            out.append((topic, self._random.choice(self._seen)[1], self._wait()))
        if payload and self._does("damage"):
            bad = bytearray(payload)
            bad[self._random.randrange(len(bad))] ^= 1 << self._random.randrange(8)
            out.append((topic, bytes(bad), self._wait()))
        if self._does("garbage"):
            size = self._random.choice((0, 1, 40, 512, MAX_PAYLOAD))
            out.append((topic, self._random.randbytes(size), self._wait()))
        self._seen.append((topic, payload))
        return out

    def _does(self, what: str) -> bool:
        if self._random.random() >= getattr(self._malice, what):
            return False
        self.did[what] += 1
        return True

    def _wait(self) -> float:
        return self._random.uniform(0, self._malice.longest) if self._does("delay") else 0.0


class SlowLine:
    """A `Transport` on which everything takes `seconds`, either way, in order."""

    def __init__(self, inner: Transport, seconds: float) -> None:
        self._inner = inner
        self._seconds = seconds
        self._out: asyncio.Queue[tuple[float, tuple[str, bytes, bool]]] = asyncio.Queue()
        self._in: asyncio.Queue[tuple[float, tuple[str, bytes]]] = asyncio.Queue()
        self._tasks = [asyncio.ensure_future(each()) for each in (self._send, self._hear)]

    @property
    def up(self) -> bool:
        return self._inner.up

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self._out.put_nowait((self._due(), (topic, payload, retain)))

    async def subscribe(self, topic: str) -> None:
        await self._inner.subscribe(topic)

    async def receive(self) -> tuple[str, bytes]:
        return await self._arrived(self._in)

    async def wait_change(self, up: bool) -> None:
        await self._inner.wait_change(up)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._inner.close()

    def _due(self) -> float:
        return asyncio.get_running_loop().time() + self._seconds

    async def _arrived(self, queue: asyncio.Queue[tuple[float, Item]]) -> Item:
        due, item = await queue.get()
        await asyncio.sleep(due - asyncio.get_running_loop().time())
        return item

    async def _send(self) -> None:
        while True:
            topic, payload, retain = await self._arrived(self._out)
            await self._inner.publish(topic, payload, retain=retain)

    async def _hear(self) -> None:
        while True:
            letter = await self._inner.receive()
            self._in.put_nowait((self._due(), letter))
