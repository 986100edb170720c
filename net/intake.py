"""What has arrived at a host and waits to be opened: nobody's letters crowd out another's."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque

Letter = tuple[str, bytes]


class Intake:
    """Letters by whose share they are, handed out one of each share in turn.

    A share that is full loses its oldest letter, for the same reason as in
    `net.line`: the newest counts, and whoever misses an answer asks again.
    """

    def __init__(self) -> None:
        self.lost = 0
        self._waiting: OrderedDict[str, deque[Letter]] = OrderedDict()
        self._news = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, share: str, letter: Letter, most: int) -> None:
        """Let a letter wait among at most so many of its share."""
        waiting = self._waiting.setdefault(share, deque())
        if len(waiting) >= most:
            waiting.popleft()
            self.lost += 1
        waiting.append(letter)
        self._news.set()

    async def next(self) -> Letter:
        """Return the next letter; waits only while there is none."""
        while not self._waiting:
            self._news.clear()
            await self._news.wait()
        share, waiting = self._waiting.popitem(last=False)
        letter = waiting.popleft()
        if waiting:
            self._waiting[share] = waiting  # behind all others
        return letter
