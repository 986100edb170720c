"""The table process: broker, host and announcement, without a screen.

`python -m net.table_process` reads `TableSettings` as JSON from standard input
and prints what happens as JSON lines; with the setting `json` false it goes on
in a log file after its ready line, so that nobody has to read its pipe.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from core.kernel.illegal import Refused
from net.address import TABLE_PORT, Address, parse_broker
from net.announcement import Announcement
from net.broker import EmbeddedBroker
from net.clocks import AwakeClock, Clock
from net.connect import check_hosts
from net.dealer import FairDealer
from net.discovery import Announcer
from net.elsewhere import is_open_elsewhere
from net.happenings import Failed, Happening, Over, Ready, Stopped
from net.host import Host
from net.keys import HostKeys
from net.messages import TableAd
from net.mqtt import MqttTransport
from net.opening import Tell, new_table
from net.running import run
from net.saves import clear_unused, open_log, table_lock
from net.settings import TableSettings
from net.signals import Signals, caught
from net.table import Table
from net.table_file import (
    TableFile,
    TableRecord,
    check_place,
    find_saved,
    keys_of,
    read_record,
    restore,
    restore_answers,
)
from net.telling import Telling, TellingHandler
from net.transport import KERNEL_BUFFER
from net.visible import visible_json

STOP_WITHIN = 4.0
"""Seconds that telling everybody may take when a table stops."""

LAST_LOOK = 10.0
"""Seconds that people have to get the result of a table that closes after one game."""


async def run_table(settings: TableSettings, tell: Tell) -> signal.Signals | None:
    """Hold a table until it closes or a signal comes, which is returned; `tell` hears the rest.

    Raises `Refused` when the table can't be opened.
    """
    opening = asyncio.current_task()
    assert opening is not None
    with caught(opening.cancel) as signals:
        try:
            await _hold(settings, tell, signals)
        except asyncio.CancelledError:
            if not signals.came:
                raise
        return next(iter(signals.came), None)


async def _hold(settings: TableSettings, tell: Tell, signals: Signals) -> None:
    over = asyncio.Event()
    early: list[Happening] = []
    ready = False

    def hear(happening: Happening) -> None:
        if isinstance(happening, Over):
            over.set()
        if ready:
            tell(happening)
        else:
            early.append(happening)

    async with _opened(settings, hear) as opened:
        host = opened.host
        signals.stop = lambda: host.stop("signal")
        hosting = asyncio.create_task(host.run(), name="host")
        try:
            await _first(hosting, host.out.open.wait())
            tell(opened.ready)
            ready = True
            for happening in early:
                tell(happening)
            if settings.once:
                await _first(hosting, over.wait())
                await _first(hosting, host.out.everybody_knows(), within=LAST_LOOK)
                host.stop("once")
            await asyncio.wait([hosting])
            hosting.result()
        finally:
            await _wind_up(host, hosting)
        tell(Stopped(host.table.closed_why or "broker", host.dropped))


@dataclass(frozen=True)
class _Opened:
    host: Host
    ready: Ready


@asynccontextmanager
async def _opened(settings: TableSettings, tell: Tell) -> AsyncIterator[_Opened]:
    """Open everything that a table needs, and close it again in the opposite order."""
    kept, folder = _saved(settings)
    keys = HostKeys.new() if kept is None else keys_of(kept)
    if kept is not None:
        check_place(folder, keys)
    async with AsyncExitStack() as stack:
        if kept is None:
            stack.callback(clear_unused, keys.table_id)
        stack.enter_context(table_lock(keys.table_id))
        if kept is not None:
            kept = read_record(folder)  # whoever held it until now may have written it again
        now = AwakeClock()
        table = _table(settings, keys, kept, folder, tell, now)
        at = await _broker(settings, kept, stack)
        if kept is not None and not at.ours:
            await _check_not_elsewhere(keys, at.address)
        transport = await MqttTransport.open(at.address, unread=KERNEL_BUFFER)
        stack.push_async_callback(transport.close)
        now.line_up = lambda: transport.up
        host = Host(
            table,
            keys,
            transport,
            pin=settings.pin if kept is None else settings.pin or kept.pin,
            now=now,
            keep=TableFile(
                keys.table_id,
                at.address.port if at.ours else None,
                written=0 if kept is None else kept.written,
            ).keep,
        )
        if kept is not None:
            restore_answers(kept, host)
        if settings.discovery:
            await _announce(at, host, stack)
        yield _Opened(
            host,
            Ready(
                table=keys.table_id,
                title=table.title,
                addresses=at.typed,
                port=at.address.port,
                words=keys.public.words(),
                game=table.rules.name,
                broker=None if settings.broker is None else str(at.address),
            ),
        )


def _saved(settings: TableSettings) -> tuple[TableRecord | None, Path]:
    if settings.resume is None:
        return None, Path()
    folder = find_saved(settings.resume)
    return read_record(folder), folder


def _table(
    settings: TableSettings,
    keys: HostKeys,
    kept: TableRecord | None,
    folder: Path,
    tell: Tell,
    now: Clock,
) -> Table:
    if kept is not None:
        table = restore(kept, folder, now=now, tell=tell)
        table.start_when_full = settings.start_when_full
        return table
    table = new_table(settings, keys, FairDealer(keys), tell, now)
    for _ in range(settings.bots):
        table.add_bot(settings.level)
    return table


@dataclass(frozen=True)
class _Broker:
    """Where the table connects, what people type, and where its announcement says it is."""

    address: Address
    typed: tuple[str, ...]
    hosts: tuple[str, ...]
    ours: bool


async def _broker(
    settings: TableSettings, kept: TableRecord | None, stack: AsyncExitStack
) -> _Broker:
    if settings.broker is not None:
        where = parse_broker(settings.broker)
        await check_hosts(where)
        typed = str(Address(where.host, where.port))
        return _Broker(where, (typed,), (where.host,), ours=False)
    last = None if kept is None else kept.port
    broker = EmbeddedBroker(
        settings.bind, settings.port or last or TABLE_PORT, explicit=settings.port is not None
    )
    await stack.enter_async_context(broker)
    return _Broker(broker.host_address, tuple(broker.addresses()), broker.hosts, ours=True)


async def _check_not_elsewhere(keys: HostKeys, where: Address) -> None:
    """Raise `Refused("open_elsewhere")` if a copy of a saved table is open at the same broker."""
    line = await MqttTransport.open(where)
    try:
        if await is_open_elsewhere(keys, line):
            raise Refused("open_elsewhere", host=where.host, port=where.port)
    finally:
        await line.close()


async def _announce(at: _Broker, host: Host, stack: AsyncExitStack) -> None:
    """Announce the table on the LAN, and from then on what becomes of it."""

    def announcement(ad: TableAd) -> Announcement:
        return Announcement(
            table=ad.host.table_id,
            title=ad.title,
            game=ad.game,
            players=ad.players,
            taken=ad.taken,
            phase=ad.phase,
            pin=ad.pin,
            port=at.address.port,
            hosts=at.hosts,
            bound=at.ours and "::" not in at.hosts,
        )

    announcer = Announcer(announcement(host.out.advertisement()))
    await announcer.start()
    stack.push_async_callback(announcer.stop)
    host.out.advertise = lambda ad: announcer.update(announcement(ad))


async def _first(
    hosting: asyncio.Task[None],
    waiting: Coroutine[None, None, object],
    within: float | None = None,
) -> None:
    """Wait for something, unless the host ends before, or for so many seconds."""
    task = asyncio.ensure_future(waiting)
    await asyncio.wait([hosting, task], timeout=within, return_when=asyncio.FIRST_COMPLETED)
    task.cancel()


async def _wind_up(host: Host, hosting: asyncio.Task[None]) -> None:
    """Tell everybody that the table closes, within a bound."""
    host.stop("stopped")
    _, late = await asyncio.wait([hosting], timeout=STOP_WITHIN)
    for task in late:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def json_line(happening: Happening) -> str:
    """Return what happened as one line of JSON."""
    return f"{visible_json(msgspec.json.encode(happening))}\n"


def main() -> int:
    """Read the settings, hold the table; return the exit status."""
    with Telling() as telling:

        def tell(happening: Happening) -> None:
            telling.say(json_line(happening), sys.stdout)

        try:
            settings = msgspec.json.decode(sys.stdin.buffer.read(), type=TableSettings)
        except msgspec.MsgspecError as error:
            tell(Failed("bad_settings", {"why": str(error)}))
            return 2
        _keep_log(telling)

        def tell_until_ready(happening: Happening) -> None:
            tell(happening)
            if isinstance(happening, Ready):
                telling.flush()
                _go_on_in_log(happening.table)

        try:
            run(run_table(settings, tell if settings.json else tell_until_ready))
        except Refused as refusal:
            tell(Failed(refusal.code, dict(refusal.facts)))
            return 1
        return 0


def _keep_log(telling: Telling) -> None:
    handler = TellingHandler(telling, sys.stderr, "%(asctime)s %(name)s %(message)s")
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("net").setLevel(logging.INFO)


def _go_on_in_log(table: str) -> None:
    """Let everything that is said from now on go to a file: the pipe has no reader any more."""
    try:
        descriptor = open_log(table)
    except (OSError, Refused):  # a table can do without
        descriptor = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        os.dup2(descriptor, stream.fileno())
    os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main())
