"""A broker that is only memory: solo play without a port, and most tests."""

from __future__ import annotations

from net.line import Line
from net.transport import check_payload, check_topic, matches


class MemoryBroker:
    """Passes messages between the transports that it hands out, in order and without loss."""

    def __init__(self) -> None:
        self._lines: dict[Line, set[str]] = {}
        self._retained: dict[str, bytes] = {}

    def connect(self) -> MemoryTransport:
        """Return a new transport; it stands at once."""
        line = Line()
        line.set_up(True)
        self._lines[line] = set()
        return MemoryTransport(self, line)

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Pass a message on; a retained one that is empty clears what was retained."""
        if retain and payload:
            self._retained[topic] = payload
        elif retain:
            self._retained.pop(topic, None)
        for line, patterns in self._lines.items():
            if any(matches(pattern, topic) for pattern in patterns):
                line.deliver(topic, payload)

    def subscribe(self, line: Line, pattern: str) -> None:
        """Let a line receive what matches, beginning with what is retained."""
        if line not in self._lines:
            return
        self._lines[line].add(pattern)
        for topic, payload in self._retained.items():
            if matches(pattern, topic):
                line.deliver(topic, payload)

    def forget(self, line: Line) -> None:
        """Drop a line and its subscriptions."""
        self._lines.pop(line, None)


class MemoryTransport:
    """A `Transport` to a `MemoryBroker` of the same event loop."""

    def __init__(self, broker: MemoryBroker, line: Line) -> None:
        self._broker = broker
        self._line = line

    @property
    def up(self) -> bool:
        """Whether the line stands: until it is closed."""
        return self._line.up

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """See `Transport.publish`."""
        check_topic(topic)
        check_payload(payload)
        if self.up:
            self._broker.publish(topic, payload, retain=retain)

    async def subscribe(self, topic: str) -> None:
        """See `Transport.subscribe`."""
        self._broker.subscribe(self._line, topic)

    async def receive(self) -> tuple[str, bytes]:
        """See `Transport.receive`."""
        return await self._line.receive()

    async def wait_change(self, up: bool) -> None:
        """See `Transport.wait_change`."""
        await self._line.wait_change(up)

    async def close(self) -> None:
        """See `Transport.close`."""
        self._broker.forget(self._line)
        self._line.close()
