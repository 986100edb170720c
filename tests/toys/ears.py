"""Somebody at a broker who hears every message, as whoever reaches it can."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Self

from net.transport import TransportClosed


class Ears:
    """Hears everything on a line from `listen` to `close`, retained messages too, and keeps it."""

    def __init__(self, line: Any) -> None:
        self.line = line
        self.heard: list[tuple[str, bytes]] = []
        self._listening: asyncio.Task[None] | None = None

    async def listen(self) -> Self:
        await self.line.subscribe("#")
        self._listening = asyncio.create_task(self._listen())
        return self

    def of(self, end: str) -> list[tuple[str, bytes]]:
        """Return what was said under topics that end so."""
        return [(topic, payload) for topic, payload in self.heard if topic.endswith(end)]

    async def hear(self, topic: str, payload: bytes) -> None:
        self.heard.append((topic, payload))

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        with contextlib.suppress(TransportClosed):
            while True:
                await self.hear(*await self.line.receive())
