"""Getting a seat: against bots in this process, at a table of our own, or at somebody's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tui.finding import find_table
from tui.opening import Host, Join, Solo
from tui.preferences import my_name
from tui.session import Client


@dataclass(frozen=True)
class Place:
    """A client that is about to sit down, and the addresses under which others find its table."""

    client: Client
    reach: tuple[str, ...] = ()


@asynccontextmanager
async def sit_down(opening: Solo | Host | Join) -> AsyncIterator[Place]:
    """Open or find the table and yield a place at it; the line drops at the end.

    Raises `Refused` when there is no such table to be had.
    """
    match opening:
        case Solo():
            from net.solo import SoloTable

            async with SoloTable(opening.settings, opening.name, keep=True) as table:
                yield Place(table.client)
        case Host():
            async with _host(opening) as place:
                yield place
        case Join():
            async with _join(opening) as place:
                yield place


@asynccontextmanager
async def _host(opening: Host) -> AsyncIterator[Place]:
    """Start a table process, whose owner we are before anybody can sit down."""
    from msgspec.structs import replace as with_

    from net.address import parse_address, parse_broker
    from net.client import SeatClient
    from net.connect import join
    from net.keys import SeatKeys
    from net.saves import keep_seat_keys, note_proved, seat_keys
    from net.spawn import spawn_table

    settings, name = opening.settings, opening.name
    keys = SeatKeys.new()
    table = await spawn_table(with_(settings, owner=keys.peer_id))
    if settings.resume is None:
        keep_seat_keys(table.table, name, keys)
    else:
        keys = seat_keys(table.table, name)
    note_proved(table.table)  # we opened it
    host = settings.bind or "127.0.0.1"
    near = f"[{host}]:{table.port}" if ":" in host else f"{host}:{table.port}"
    where = parse_broker(settings.broker) if settings.broker else parse_address(near)
    transport, _ = await join(where, table.table)
    client = SeatClient(
        transport,
        table.table,
        keys=keys,
        name=name,
        pin=settings.pin,
        proved=True,
        take_over=True,
    )
    try:
        yield Place(client, table.addresses)
    finally:
        await transport.close()


@asynccontextmanager
async def _join(opening: Join) -> AsyncIterator[Place]:
    from net.client import SeatClient
    from net.keys import SeatKeys
    from net.saves import note_proved, proved, seat_keys, seats_kept

    transport, ad, address = await find_table(opening.target)
    table = ad.host.table_id
    try:
        if opening.watch:
            keys, name = SeatKeys.new(), None
        else:
            name = opening.name or next(iter(seats_kept(table)), None) or my_name()
            keys = seat_keys(table, name)
        client = SeatClient(
            transport,
            table,
            keys=keys,
            name=name,
            pin=opening.pin,
            proved=proved(table),
            on_proof=lambda: note_proved(table),
            take_over=opening.take_over,
        )
        yield Place(client, (address,))
    finally:
        await transport.close()
