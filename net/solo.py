"""A table in this process: one person, bots, and no network at all.

The same host, client and protocol as on a LAN, over a broker that is memory.
"""

from __future__ import annotations

import asyncio
from random import Random
from types import TracebackType

from net.client import SeatClient
from net.dealer import FairDealer
from net.host import Host
from net.keys import HostKeys, SeatKeys
from net.memory import MemoryBroker
from net.opening import new_table
from net.settings import TableSettings


class SoloTable:
    """`async with SoloTable(settings, "Ada") as solo:` and then run `solo.client`.

    The person has seat 0 and the owner's right, bots the other seats, and the
    game begins at once; so does a rematch. With `keep` the journal goes to
    disk. With `seed` the deal and the bots are the same every time: for
    pictures and tests. Raises `Refused` for settings that can't be.
    """

    def __init__(
        self,
        settings: TableSettings,
        name: str,
        *,
        keep: bool = False,
        seed: int | None = None,
    ) -> None:
        self._broker = MemoryBroker()
        self._running: asyncio.Task[None] | None = None
        keys = HostKeys.new()
        if seed is None:
            rng, dealer = None, FairDealer(keys, keep=keep)
        else:
            rng, known = Random(seed), Random(f"deal {seed}")
            keys = HostKeys.from_secrets(known.randbytes(32), known.randbytes(32))
            dealer = FairDealer(keys, keep=keep, secret=lambda: known.randbytes(32))
        seat = SeatKeys.new()
        table = new_table(settings, keys, dealer, lambda _: None)
        table.sit(name, "person", seat.peer_id, seat.public)
        while not table.lobby.full:
            table.add_bot(settings.level)
        table.start_when_full = True
        self.host = Host(table, keys, self._broker.connect(), rng=rng)
        self.client = SeatClient(
            self._broker.connect(), keys.table_id, keys=seat, name=name, take_over=True
        )

    async def __aenter__(self) -> SoloTable:
        """Open the table."""
        self._running = asyncio.create_task(self.host.run(), name="solo table")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the table."""
        if self._running is None:
            return
        self.host.stop("ended")
        try:
            async with asyncio.timeout(2):
                await self._running
        except TimeoutError:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
