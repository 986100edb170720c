"""Tables found without typing an address: announced and looked for by zeroconf on the LAN.

Nothing here blocks a screen or raises: a network that is missing, blocked or
changing only means that nothing is found for now. `prrrt join HOST` works all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace

from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from net import networks
from net.announcement import SERVICE, Announcement, FoundTable, Where, found_in, service_info
from net.networks import Places, any_of, on_each_network, places_at

CONNECT_WITHIN = 1.5
"""Seconds within which a table answers a connect, or isn't to be reached there."""

RESOLVE_WITHIN = 3.0
"""Seconds within which a name says what it stands for."""

STOP_WITHIN = 2.0
"""Seconds that a stop takes at the most."""

FORGET_AFTER = 300.0
"""Seconds after which a table that doesn't answer any more is no longer listed at all."""

MOST_TABLES = 200
"""How many are looked at: anybody can announce anything."""


class Announcer:
    """Announces a table from `start` to `stop`, on every network that comes and goes meanwhile."""

    def __init__(self, announcement: Announcement) -> None:
        self._announcement = announcement
        self._changed = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to announce; returns at once (registering takes nearly two seconds)."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="announcer")

    def update(self, announcement: Announcement) -> None:
        """Announce something else from now on: seats taken, a game begun."""
        if announcement != self._announcement:
            self._announcement = announcement
            self._changed.set()

    async def stop(self) -> None:
        """Take the announcement back, in at most `STOP_WITHIN` seconds."""
        self._stopping.set()
        await _end(self._task)

    async def _run(self) -> None:
        await on_each_network(self._stopping, self._our_places, self._announce)

    def _our_places(self) -> Places:
        return places_at(self._announcement.hosts, bound=self._announcement.bound)

    async def _announce(self, zeroconf: AsyncZeroconf, places: Places) -> None:
        """Register, and follow the changes, until it is over or the interfaces are others."""
        said = self._announcement
        info = await service_info(said, f"{said.table}.{SERVICE}")
        self._changed.clear()
        # Another one of this name is our own, killed a while ago: the table id is nobody else's.
        await (await zeroconf.async_register_service(info, allow_name_change=True))
        while not self._stopping.is_set() and self._our_places() == places:
            if self._announcement != said:
                said = self._announcement
                info = await service_info(said, info.name)
                await (await zeroconf.async_update_service(info))
            await any_of(self._stopping, self._changed, within=networks.LOOK_EVERY)
            self._changed.clear()


class Browser:
    """Looks for tables from `start` to `stop`; `tables()` are those found and tried by then."""

    def __init__(self, on_change: Callable[[], None], *, only: Iterable[str] = ()) -> None:
        """Call `on_change` whenever `tables()` changed; `only` loopback addresses may be named."""
        self._on_change = on_change
        self._only = tuple(only)
        self._entries: dict[str, _Entry] = {}
        self._looking: dict[str, asyncio.Lock] = {}
        self._told: tuple[FoundTable, ...] = ()
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to look; returns at once."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="browser")

    async def stop(self) -> None:
        """Stop looking, in at most `STOP_WITHIN` seconds."""
        self._stopping.set()
        await _end(self._task)

    def tables(self) -> tuple[FoundTable, ...]:
        """Return each table once, however often it was announced, in the order of finding."""
        merged: dict[str, FoundTable] = {}
        # Of two announcements of one table the one that answers tells how things are now.
        for entry in sorted(self._entries.values(), key=lambda entry: not entry.found.joinable):
            one = entry.found
            if not entry.tried:
                continue
            if one.table in merged:
                other = merged[one.table]
                both = tuple(dict.fromkeys(other.addresses + one.addresses))
                merged[one.table] = replace(other, addresses=both)
            else:
                merged[one.table] = one
        order = list(dict.fromkeys(entry.found.table for entry in self._entries.values()))
        return tuple(merged[table] for table in order if table in merged)

    async def _run(self) -> None:
        await on_each_network(self._stopping, lambda: places_at(self._only), self._browse)

    async def _browse(self, zeroconf: AsyncZeroconf, places: Places) -> None:
        def changed(
            zeroconf: Zeroconf,
            service_type: str,  # noqa: ARG001 - zeroconf names them all
            name: str,
            state_change: ServiceStateChange,
        ) -> None:
            if state_change is ServiceStateChange.Removed:
                self._entries.pop(name, None)
                self._forget_lock(name)
                self._tell()
            elif len(self._entries) < MOST_TABLES or name in self._entries:
                self._begin(zeroconf, name)

        listener = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[changed])
        try:
            while places_at(self._only) == places:
                await any_of(self._stopping, within=networks.LOOK_EVERY)
                if self._stopping.is_set():
                    return
                for name in list(self._entries):
                    self._begin(zeroconf.zeroconf, name)
        finally:
            try:
                await listener.async_cancel()
            finally:
                await self._end_looking()

    async def _end_looking(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, zeroconf: Zeroconf, name: str) -> None:
        """Look at a name, unless too much is under way: it is announced again."""
        if len(self._tasks) >= MOST_TABLES:
            return
        task = asyncio.create_task(self._look_at(zeroconf, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_at(self, zeroconf: Zeroconf, name: str) -> None:
        """Ask what a name stands for now, and whether anybody answers there; once at a time."""
        try:
            async with self._looking.setdefault(name, asyncio.Lock()):
                await self._ask_and_try(zeroconf, name)
        finally:
            self._forget_lock(name)

    def _forget_lock(self, name: str) -> None:
        lock = self._looking.get(name)
        if lock is not None and not lock.locked() and name not in self._entries:
            del self._looking[name]

    async def _ask_and_try(self, zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if await info.async_request(zeroconf, RESOLVE_WITHIN * 1000):
            found = found_in(info)
            if found is None:
                self._entries.pop(name, None)
                return
            entry = self._entries.get(name)
            if entry is None:
                entry = self._entries[name] = _Entry(found)
            # Still as tried before, until it has been tried again.
            before = entry.found
            addresses = _in_order_of(before.addresses, found.addresses)
            entry.found = replace(found, joinable=before.joinable, addresses=addresses)
        entry = self._entries.get(name)
        if entry is None:
            return
        answering = await _answering(entry.found.addresses)
        silent = tuple(one for one in entry.found.addresses if one not in answering)
        entry.found = replace(
            entry.found, joinable=bool(answering), addresses=(*answering, *silent)
        )
        entry.tried = True
        now = asyncio.get_running_loop().time()
        if answering:
            entry.answered = now
        elif now - entry.answered > FORGET_AFTER:
            self._entries.pop(name, None)
        self._tell()

    def _tell(self) -> None:
        tables = self.tables()
        if tables != self._told:
            self._told = tables
            self._on_change()


class _Entry:
    """One announcement, and what became of trying its addresses."""

    def __init__(self, found: FoundTable) -> None:
        self.found = found
        self.tried = False
        self.answered = asyncio.get_running_loop().time()


def _in_order_of(before: tuple[Where, ...], addresses: tuple[Where, ...]) -> tuple[Where, ...]:
    """Return addresses with those that are known already first, as they stood."""
    known = [one for one in before if one in addresses]
    return (*known, *(one for one in addresses if one not in known))


async def _answering(addresses: Iterable[Where]) -> list[Where]:
    """Return those where something listens, the quickest first."""
    found: list[Where] = []

    async def attempt(where: Where) -> None:
        with contextlib.suppress(OSError, TimeoutError, UnicodeError):
            async with asyncio.timeout(CONNECT_WITHIN):
                _, writer = await asyncio.open_connection(*where)
            found.append(where)
            writer.transport.abort()

    await asyncio.gather(*(attempt(where) for where in addresses))
    return found


async def _end(task: asyncio.Task[None] | None) -> None:
    """Wait for a task that was asked to stop, and cancel it if it takes too long."""
    if task is None:
        return
    await asyncio.wait({task}, timeout=STOP_WITHIN)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
