"""Tables found without typing an address: announced and looked for by zeroconf on the LAN.

Nothing here blocks a screen or raises: a network that is missing, blocked or
changing only means that nothing is found for now. `prrrt join HOST` works all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import socket
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace

from zeroconf import InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from net.interfaces import Interface, interfaces
from net.multicast import hear_only
from net.topics import PROTOCOL
from net.visible import visible

SERVICE = "_prrrt._tcp.local."

HOST_TTL = 10
"""Seconds that others may remember where a table is."""

LOOK_EVERY = 5.0
"""Seconds between looks at our own interfaces, and at whether found tables still answer."""

CONNECT_WITHIN = 1.5
RESOLVE_WITHIN = 3.0
STOP_WITHIN = 2.0
FORGET_AFTER = 300.0
"""Seconds after which a table that doesn't answer any more is no longer listed at all."""

MOST_TABLES, MOST_ADDRESSES = 200, 12
"""How many are looked at: anybody can announce anything."""

TEXT_BYTES = 60
"""Bytes of a title or host name in the announcement, so that all of it stays under 400."""

_log = logging.getLogger(__name__)
# It warns of each interface that can't be reached just now, on the terminal of whoever plays.
logging.getLogger("zeroconf").setLevel(logging.CRITICAL)

ID_LENGTH, DIGITS = 64, 3
"""Characters of a table's id, and digits of a number, in what is announced."""

IPV4_EVERYWHERE = "0.0.0.0"

Where = tuple[str, int]


@dataclass(frozen=True)
class _Places:
    """Our own addresses to speak and hear at; `only` at these, or wherever zeroconf can."""

    interfaces: frozenset[Interface]
    only: bool


_Work = Callable[[AsyncZeroconf, _Places], Coroutine[None, None, None]]
"""What is done while our addresses stay the same; returns when they don't."""


@dataclass(frozen=True)
class Announcement:
    """What a table says about itself to the LAN.

    `hosts` are where its broker listens: none (or `::`) for all of this machine's
    addresses, whatever they are just then; `--bind`'s, or a broker's elsewhere.
    `bound` is whether nothing may be said or heard but at these.
    """

    table: str
    title: str
    game: str
    players: int
    taken: int
    phase: str
    pin: bool
    port: int
    hosts: tuple[str, ...] = ()
    bound: bool = False
    protocol: int = PROTOCOL


@dataclass(frozen=True)
class FoundTable:
    """A table that somebody announced, with all addresses at which it may be reached, best first.

    `joinable` is whether it answered a connect just now; `version` is its
    protocol's. Whether there is a seat follows from `phase`, `players` and `taken`.
    """

    table: str
    title: str
    game: str
    host_name: str
    addresses: tuple[Where, ...]
    players: int
    taken: int
    phase: str
    pin: bool
    joinable: bool
    version: int


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
        await _on_each_network(self._stopping, self._our_places, self._announce)

    def _our_places(self) -> _Places:
        return _places(self._announcement.hosts, bound=self._announcement.bound)

    async def _announce(self, zeroconf: AsyncZeroconf, places: _Places) -> None:
        """Register, and follow the changes, until it is over or the interfaces are others."""
        said = self._announcement
        info = await _service(said, f"{said.table}.{SERVICE}")
        self._changed.clear()
        # Another one of this name is our own, killed a while ago: the table id is nobody else's.
        await (await zeroconf.async_register_service(info, allow_name_change=True))
        while not self._stopping.is_set() and self._our_places() == places:
            if self._announcement != said:
                said = self._announcement
                info = await _service(said, info.name)
                await (await zeroconf.async_update_service(info))
            await _any_of(self._stopping, self._changed, within=LOOK_EVERY)
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
        await _on_each_network(self._stopping, lambda: _places(self._only), self._browse)

    async def _browse(self, zeroconf: AsyncZeroconf, places: _Places) -> None:
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
            while _places(self._only) == places:
                await _any_of(self._stopping, within=LOOK_EVERY)
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
            found = _read(info)
            if found is None:
                self._entries.pop(name, None)
                return
            entry = self._entries.get(name)
            if entry is None:
                entry = self._entries[name] = _Entry(found)
            # Still as tried before, until it has been tried again.
            entry.found = replace(found, joinable=entry.found.joinable)
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


# What is announced


async def _service(said: Announcement, name: str) -> AsyncServiceInfo:
    packed = [
        ipaddress.ip_address(host.partition("%")[0]).packed for host in await _addresses(said)
    ]
    return AsyncServiceInfo(
        SERVICE,
        name,
        port=said.port,
        addresses=packed,
        server=f"prrrt-{said.table[:16]}.local.",
        host_ttl=HOST_TTL,
        properties={
            "v": str(said.protocol),
            "id": said.table,
            "title": _cut(said.title),
            "game": said.game,
            "players": str(said.players),
            "taken": str(said.taken),
            "phase": said.phase,
            "pin": "1" if said.pin else "0",
            "host": _cut(socket.gethostname().partition(".")[0]),
        },
    )


async def _addresses(said: Announcement) -> list[str]:
    if not said.hosts or any(_is_everywhere(host) for host in said.hosts):
        ipv6_too = IPV4_EVERYWHERE not in said.hosts
        ours = [one for one in interfaces() if ipv6_too or one.ip.version == 4]
        outside = [one.address for one in ours if not one.ip.is_loopback]
        return outside or [one.address for one in ours]
    found: dict[str, None] = {}
    loop = asyncio.get_running_loop()
    for host in said.hosts:
        with contextlib.suppress(OSError, UnicodeError):
            for *_, where in await loop.getaddrinfo(host, said.port, type=socket.SOCK_STREAM):
                found[str(where[0])] = None
    return list(found)


def _read(info: AsyncServiceInfo) -> FoundTable | None:
    """Return what an announcement says, None if it isn't one of ours: anybody can announce."""
    said = {}
    for key, value in info.properties.items():
        said[key.decode(errors="replace")] = (value or b"").decode(errors="replace")
    hosts = _with_scopes(info.parsed_scoped_addresses(IPVersion.All))
    try:
        return FoundTable(
            table=_table_id(said["id"]),
            title=_title(said["title"]),
            game=_shown(said["game"])[:40],
            host_name=_shown(said.get("host", "")),
            addresses=tuple((host, info.port or 0) for host in hosts[:MOST_ADDRESSES]),
            players=_number(said["players"]),
            taken=_number(said["taken"]),
            phase=_shown(said["phase"]),
            pin=said.get("pin") == "1",
            joinable=False,
            version=_number(said["v"]),
        )
    except (KeyError, ValueError):
        return None


def _with_scopes(hosts: Iterable[str]) -> list[str]:
    """Return addresses that can be connected to, IPv4 first.

    A link-local one that came in over IPv4 doesn't say on which interface it is: it may be any.
    """
    found: list[str] = []
    for host in sorted(hosts, key=lambda host: ":" in host):
        ip = ipaddress.ip_address(host)
        if ip.version == 6 and ip.is_link_local and "%" not in host:
            ours = [one for one in interfaces() if one.ip.version == 6 and one.ip.is_link_local]
            found.extend(f"{host}%{one.name}" for one in ours)
        else:
            found.append(host)
    return found


def _cut(text: str) -> str:
    return text.encode()[:TEXT_BYTES].decode(errors="ignore")


def _shown(text: str) -> str:
    """Return what can be shown of a stranger's text."""
    return visible(text)[:TEXT_BYTES].strip()


def _title(text: str) -> str:
    if not (title := _shown(text)):
        raise ValueError("a title of nothing")
    return title


def _table_id(text: str) -> str:
    """Return a table's id, which becomes part of a topic and of commands."""
    if not (text.isascii() and text.isalnum() and len(text) <= ID_LENGTH):
        raise ValueError("no id of a table")
    return text


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS):
        raise ValueError("no number of ours")
    return int(text)


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


# The network, such as it is


async def _on_each_network(
    stopping: asyncio.Event, where: Callable[[], _Places], work: _Work
) -> None:
    """Do the work on the network as it is, anew when that is another one, until it is over.

    Whatever zeroconf meets on a strange network ends nothing: after a while it is tried again.
    """
    while not stopping.is_set():
        places = where()
        zeroconf = _open(places)
        if zeroconf is not None:
            try:
                await work(zeroconf, places)
            except Exception:
                _log.info("no luck with this network", exc_info=True)
            finally:
                await _close(zeroconf)
        await _any_of(stopping, within=LOOK_EVERY)


def _places(hosts: Iterable[str], *, bound: bool = False) -> _Places:
    """Return where to speak: at all our addresses, or only at loopback or where we are bound.

    An address that we are bound to and don't have just now is one to say nothing at.
    """
    given = set(hosts)
    ours = interfaces()
    if IPV4_EVERYWHERE in given:
        return _Places(frozenset(one for one in ours if one.ip.version == 4), only=True)
    if given and (bound or all(map(_is_loopback, given))):
        known = {one.address for one in ours}
        rest = {Interface("", host) for host in given - known if _is_loopback(host)}  # 127.0.0.2
        return _Places(frozenset({one for one in ours if one.address in given} | rest), only=True)
    return _Places(frozenset(ours), only=False)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_everywhere(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _open(places: _Places) -> AsyncZeroconf | None:
    """Open zeroconf on these addresses; None without any, or if the machine won't."""
    if not places.interfaces:
        return None
    if places.only:
        return _open_only(sorted(places.interfaces, key=lambda one: one.address))
    for version in (IPVersion.All, IPVersion.V4Only, IPVersion.V6Only):
        try:
            return AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=version)
        except (OSError, RuntimeError, ValueError) as why:
            _log.info("no zeroconf with %s: %s", version.name, why)
    return None


def _open_only(places: list[Interface]) -> AsyncZeroconf | None:
    """Open zeroconf on these addresses of IPv4, or where there are none of IPv6."""
    ipv4 = [one for one in places if one.ip.version == 4]
    chosen, version = (ipv4, IPVersion.V4Only) if ipv4 else (places, IPVersion.V6Only)
    try:
        zeroconf = AsyncZeroconf(interfaces=[one.address for one in chosen], ip_version=version)
    except (OSError, RuntimeError, ValueError) as why:
        _log.info("no zeroconf on %s: %s", ", ".join(one.address for one in chosen), why)
        return None
    hear_only(zeroconf.zeroconf, chosen)
    return zeroconf


async def _close(zeroconf: AsyncZeroconf) -> None:
    with contextlib.suppress(Exception):
        async with asyncio.timeout(STOP_WITHIN - 0.5):
            await zeroconf.async_close()


async def _any_of(*events: asyncio.Event, within: float) -> None:
    """Wait until one of the events is set, at most so many seconds."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(tasks, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _end(task: asyncio.Task[None] | None) -> None:
    """Wait for a task that was asked to stop, and cancel it if it takes too long."""
    if task is None:
        return
    await asyncio.wait({task}, timeout=STOP_WITHIN)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
