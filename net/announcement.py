"""What a table says about itself on the LAN, and what can be made of what others say there."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceInfo

from net.interfaces import IPV4_EVERYWHERE, interfaces
from net.topics import PROTOCOL
from net.visible import visible

SERVICE = "_prrrt._tcp.local."

HOST_TTL = 10
"""Seconds that others may remember where a table is."""

TEXT_BYTES = 60
"""Bytes of a title or host name in the announcement, so that all of it stays under 400."""

MOST_ADDRESSES = 12
"""Addresses of a table that are tried: anybody can announce anything."""

ID_LENGTH, DIGITS = 64, 3
"""Characters of a table's id, and digits of a number, in what is announced."""

Where = tuple[str, int]


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


async def service_info(said: Announcement, name: str) -> AsyncServiceInfo:
    """Return an announcement as zeroconf says it, under this name."""
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


def found_in(info: AsyncServiceInfo) -> FoundTable | None:
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


def _is_everywhere(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
