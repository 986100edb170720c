"""The tables on this network as a screen or a list shows them, whatever found them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from net.discovery import FoundTable

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

    @property
    def joinable(self) -> bool:
        """Whether a newcomer gets a seat there now."""
        return self.state in ("open", "pin")


class TableFinder:
    """Looks for tables as long as somebody iterates over `watch`."""

    async def watch(self) -> AsyncIterator[tuple[Found, ...]]:
        """Yield all tables known, at first and whenever something changes."""
        from net.discovery import Browser

        changed = asyncio.Event()
        browser = Browser(changed.set)
        await browser.start()
        try:
            while True:
                changed.clear()
                yield _sorted(browser.tables())
                await changed.wait()
        finally:
            await browser.stop()


async def found_within(seconds: float) -> tuple[Found, ...]:
    """Look for tables that long."""
    from net.discovery import Browser

    browser = Browser(lambda: None)
    await browser.start()
    try:
        await asyncio.sleep(seconds)
        return _sorted(browser.tables())
    finally:
        await browser.stop()


def _sorted(tables: Iterable[FoundTable]) -> tuple[Found, ...]:
    """Put tables one can sit down at first; the rest keeps its order, so that nothing jumps."""
    found = [
        Found(t.table, t.title, t.game, t.addresses, t.players, t.taken, _state(t)) for t in tables
    ]
    return tuple(sorted(found, key=lambda table: not table.joinable))


def _state(table: FoundTable) -> State:
    if not table.joinable:
        return "gone"
    if table.phase in ("playing", "over"):
        return "playing" if table.phase == "playing" else "over"
    if table.taken >= table.players:
        return "full"
    return "pin" if table.pin else "open"
