"""The tables on this network, and the one that somebody means."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from net.names import TITLE_LENGTH, alike
from net.refused import Refused
from tui.opening import Target

if TYPE_CHECKING:
    from net.announcement import FoundTable
    from net.messages import TableAd
    from net.mqtt import MqttTransport

LOOK_FOR = 4.0
"""Seconds to look for a table on this network before saying that there is none."""

SETTLE = 1.0
"""Seconds in which a second table may turn up before the first one found is the only one."""

State = Literal["open", "pin", "full", "playing", "over", "version", "gone"]
"""What somebody can do there: sit down (`open`, with a PIN `pin`), or why not."""


@dataclass(frozen=True)
class Found:
    """A table somebody announced."""

    table: str
    title: str
    game: str
    addresses: tuple[tuple[str, int], ...]
    players: int
    taken: int
    state: State
    own: bool = False
    """Whether it is held on this account."""

    @property
    def joinable(self) -> bool:
        """Whether a newcomer gets a seat there now."""
        return self.state in ("open", "pin")


class TableFinder:
    """Looks for tables as long as somebody iterates over `watch`."""

    async def watch(self) -> AsyncIterator[tuple[Found, ...]]:
        """Yield all tables known, at first and whenever something changes."""
        async with _looking() as (tables, changed):
            while True:
                changed.clear()
                yield tables()
                await changed.wait()


@asynccontextmanager
async def _looking() -> AsyncIterator[tuple[Callable[[], tuple[Found, ...]], asyncio.Event]]:
    from net.discovery import Browser

    changed = asyncio.Event()
    browser = Browser(changed.set)
    await browser.start()
    try:
        yield lambda: _sorted(browser.tables()), changed
    finally:
        await browser.stop()


async def found_within(
    seconds: float,
    enough: Callable[[tuple[Found, ...]], bool] = lambda _: False,
    settle: float = 0.0,
) -> tuple[Found, ...]:
    """Look for tables that long, or until there are `enough` and some seconds have passed."""
    async with _looking() as (tables, changed):
        try:
            async with asyncio.timeout(seconds):
                while not enough(tables()):
                    changed.clear()
                    await changed.wait()
            await asyncio.sleep(settle)
        except TimeoutError:
            pass
        return tables()


async def find_table(target: Target) -> tuple[MqttTransport, TableAd, str]:
    """Connect to the table that is meant; return the line, its signed word, and its address.

    Raises `Refused` with what there is instead.
    """
    from net.address import looks_like_address

    if target.addresses:
        return await _at_first(target.addresses, target.table)
    if target.broker is not None:
        return await _at_broker(target.broker, target.where, target.table)
    if target.where is not None and looks_like_address(target.where):
        return await _at_address(target.where, target.table)
    return await _on_network(target)


async def _at_first(
    places: Iterable[tuple[str, int]], table: str | None
) -> tuple[MqttTransport, TableAd, str]:
    """Connect at the first of a table's addresses that answers: that one is worth telling."""
    from net.address import Address
    from net.connect import join_first

    transport, ad = await join_first([Address(host, port) for host, port in places], table)
    return transport, ad, str(transport.address)


async def _at_broker(
    url: str, title: str | None, table: str | None
) -> tuple[MqttTransport, TableAd, str]:
    from net.address import parse_broker
    from net.connect import join, tables_at

    broker = parse_broker(url)
    if title is not None:
        ads = [ad for ad in await tables_at(broker) if _same(ad.title, title)]
        if not ads:
            raise Refused("no_such_title", title=title)
        if len(ads) > 1:
            raise Refused(
                "several_tables",
                tables=tuple(ad.host.table_id for ad in ads),
                titles=tuple(ad.title[:TITLE_LENGTH] for ad in ads),
            )
        table = ads[0].host.table_id
    transport, ad = await join(broker, table)
    return transport, ad, f"--broker {url}"


async def _at_address(where: str, table: str | None) -> tuple[MqttTransport, TableAd, str]:
    from net.address import parse_address
    from net.connect import join

    address = parse_address(where)
    transport, ad = await join(address, table)
    return transport, ad, str(address)


async def _on_network(target: Target) -> tuple[MqttTransport, TableAd, str]:
    """Find the table by its title, its id, or because it is the only one here."""

    def meant(tables: Iterable[Found]) -> list[Found]:
        if target.table is not None:
            return [one for one in tables if one.table == target.table]
        if target.where is not None:
            return [one for one in tables if _same(one.title, target.where)]
        return list(tables)

    def answering(tables: Iterable[Found]) -> list[Found]:
        return [one for one in meant(tables) if one.state != "gone"]

    settle = SETTLE if target.table is None else 0.0  # an id is nobody else's, a title may be
    tables = await found_within(LOOK_FOR, lambda tables: bool(answering(tables)), settle)
    named = target.table is not None or target.where is not None
    found = answering(tables) or (meant(tables) if named else [])
    if not found:
        return await _not_found(target)
    ids, titles = tuple(one.table for one in found), tuple(one.title for one in found)
    if len(found) > 1 and target.where is not None:  # one title for several: it tells nothing
        raise Refused("several_tables", tables=ids, titles=titles)
    if len(found) > 1:
        raise Refused("several_found", titles=titles, tables=ids)
    return await _at_first(found[0].addresses, found[0].table)


async def _not_found(target: Target) -> tuple[MqttTransport, TableAd, str]:
    """Nobody announces it: a title with no blanks may be the name of a machine."""
    if target.where is None:
        if target.table is not None:
            raise Refused("unknown_table", table=target.table)
        raise Refused("no_table_found")
    try:
        return await _at_address(target.where, target.table)
    except Refused as refused:
        if refused.code in ("bad_address", "no_connection"):
            raise Refused("no_such_title", title=target.where) from None
        raise


def _same(title: str, other: str) -> bool:
    return alike(title) == alike(other)


def _sorted(tables: Iterable[FoundTable]) -> tuple[Found, ...]:
    """Put tables one can sit down at first; the rest keeps its order, so that nothing jumps."""
    from net.saves import kept_here

    def seen(t: FoundTable) -> Found:
        own = kept_here(t.table)
        return Found(t.table, t.title, t.game, t.addresses, t.players, t.taken, _state(t), own)

    found = [seen(table) for table in tables]
    return tuple(sorted(found, key=lambda table: not table.joinable))


def _state(table: FoundTable) -> State:
    from net.topics import PROTOCOL

    if not table.joinable:
        return "gone"
    if table.version != PROTOCOL:
        return "version"
    return state_of(table)


def state_of(table: FoundTable | TableAd) -> State:
    """Return what somebody can do at a table that answers and that we understand."""
    if table.phase != "lobby":
        return "playing" if table.phase == "playing" else "over"
    if table.taken >= table.players:
        return "full"
    return "pin" if table.pin else "open"
