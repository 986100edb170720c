"""The near end of a line, alike in every transport: what has arrived, and whether it stands."""

from __future__ import annotations

import asyncio
from collections import deque

from net.transport import TransportClosed

WAITING_MESSAGES = 1000
"""How many messages wait for a reader before the oldest gives way."""


class Line:
    """What a transport has received and not yet handed out, and its `up`.

    Bounded: when nobody reads, the oldest message is lost, since the newest
    view is the one that counts. `lost` says how many went that way.
    """

    def __init__(self, waiting: int = WAITING_MESSAGES) -> None:
        self._messages: deque[tuple[str, bytes]] = deque()
        self._waiting = waiting
        self._up = False
        self._closed = False
        self._changed = asyncio.Event()
        self.lost = 0

    @property
    def up(self) -> bool:
        """Whether the line stands at the moment."""
        return self._up and not self._closed

    @property
    def closed(self) -> bool:
        """Whether it is over for good."""
        return self._closed

    def set_up(self, up: bool) -> None:
        """Say that the line went up or down."""
        if up != self._up:
            self._up = up
            self._tell()

    def deliver(self, topic: str, payload: bytes) -> None:
        """Put a message that arrived in front of `receive`."""
        if self._closed:
            return
        if len(self._messages) >= self._waiting:
            self._messages.popleft()
            self.lost += 1
        self._messages.append((topic, payload))
        self._tell()

    def close(self) -> None:
        """End it: `receive` and `wait_change` raise from now on."""
        self._closed = True
        self._messages.clear()
        self._tell()

    async def receive(self) -> tuple[str, bytes]:
        """Return the next message. Raises `TransportClosed` once closed."""
        while not self._messages:
            await self._next_change()
        return self._messages.popleft()

    async def wait_change(self, up: bool) -> None:
        """Wait until `up` is no longer as given. Raises `TransportClosed` once closed."""
        while self._up == up:
            await self._next_change()

    async def _next_change(self) -> None:
        if self._closed:
            raise TransportClosed
        await self._changed.wait()

    def _tell(self) -> None:
        # Everybody who waits on the old event looks again; the next wait gets a new one.
        self._changed.set()
        self._changed = asyncio.Event()
