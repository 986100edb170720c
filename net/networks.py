"""zeroconf on the networks that this machine has, as they come and go: where to speak and hear."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass

from zeroconf import InterfaceChoice, IPVersion
from zeroconf.asyncio import AsyncZeroconf

from net.interfaces import IPV4_EVERYWHERE, Interface, interfaces
from net.multicast import hear_only

LOOK_EVERY = 5.0
"""Seconds between looks at our own interfaces, and at whether found tables still answer."""

CLOSE_WITHIN = 1.5
"""Seconds that zeroconf may take to say goodbye, so that it is done before a stop is cut off."""

_log = logging.getLogger(__name__)
# It warns of each interface that can't be reached just now, on the terminal of whoever plays.
logging.getLogger("zeroconf").setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class Places:
    """Our own addresses to speak and hear at; `only` at these, or wherever zeroconf can."""

    interfaces: frozenset[Interface]
    only: bool


Work = Callable[[AsyncZeroconf, Places], Coroutine[None, None, None]]
"""What is done while our addresses stay the same; returns when they don't."""


async def on_each_network(stopping: asyncio.Event, where: Callable[[], Places], work: Work) -> None:
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
        await any_of(stopping, within=LOOK_EVERY)


def places_at(hosts: Iterable[str], *, bound: bool = False) -> Places:
    """Return where to speak: at all our addresses, or only at loopback or where we are bound.

    An address that we are bound to and don't have just now is one to say nothing at.
    """
    given = set(hosts)
    ours = interfaces()
    if IPV4_EVERYWHERE in given:
        return Places(frozenset(one for one in ours if one.ip.version == 4), only=True)
    if given and (bound or all(map(_is_loopback, given))):
        known = {one.address for one in ours}
        rest = {Interface("", host) for host in given - known if _is_loopback(host)}  # 127.0.0.2
        return Places(frozenset({one for one in ours if one.address in given} | rest), only=True)
    return Places(frozenset(ours), only=False)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _open(places: Places) -> AsyncZeroconf | None:
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
        async with asyncio.timeout(CLOSE_WITHIN):
            await zeroconf.async_close()


async def any_of(*events: asyncio.Event, within: float) -> None:
    """Wait until one of the events is set, at most so many seconds."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(tasks, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
