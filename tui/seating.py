"""Getting a seat: against bots in this process, at a table of our own, or at somebody's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tui.opening import Host, Join, Solo
from tui.session import Client


@dataclass(frozen=True)
class Place:
    """A client that is about to sit down, and the addresses under which others find its table."""

    client: Client
    reach: tuple[str, ...] = ()


@asynccontextmanager
async def sit_down(opening: Solo | Host | Join) -> AsyncIterator[Place]:
    """Open or find the table and yield a place at it; the line drops at the end.

    Raises `net.refused.Refused` when there is no such table to be had.
    """
    raise NotImplementedError
    yield Place(None)
