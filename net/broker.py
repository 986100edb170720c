"""The broker inside a table process, so that nobody has to install one."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from types import TracebackType
from typing import NamedTuple

from net.address import TABLE_PORT, Address
from net.guarded_broker import HOST_USER, GuardedBroker
from net.guarded_connection import Limits
from net.interfaces import reachable
from net.refused import Refused

PORTS_TO_TRY = 50
"""How many ports from the default on are tried when it is taken."""

STOP_WITHIN = 3.0
"""Seconds that a stop takes at the most; its clients get a third of it for their last messages."""

LOOK_UP_WITHIN = 5.0
"""Seconds that a name server may take to say what a name to bind to means."""

_SEND_BUFFER = 256 * 1024


class EmbeddedBroker:
    """An MQTT 3.1.1 broker in this process, from `async with` to its end.

    `bind` is an address of this machine, or None for all of its interfaces.
    `port` is taken as it is when `explicit`; otherwise the next free one from
    there on. Raises `Refused`: `port_taken`, `port_forbidden`, `bad_bind`.
    """

    def __init__(
        self,
        bind: str | None = None,
        port: int = TABLE_PORT,
        explicit: bool = False,
        *,
        limits: Limits | None = None,
    ) -> None:
        self._bind = bind
        self._wanted = port
        self._explicit = explicit
        self._limits = limits or Limits()
        self._broker: GuardedBroker | None = None
        self._listening: list[str] = []
        self.port = 0
        """The port it listens on, once entered."""

    async def __aenter__(self) -> EmbeddedBroker:
        """Listen. Raises `Refused`."""
        sockets = await self._listen()
        self._listening = [_name(listener) for listener in sockets]
        self.port = sockets[0].getsockname()[1]
        self._broker = GuardedBroker(sockets, self._limits)
        await self._broker.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop within `STOP_WITHIN` seconds, whatever the clients do."""
        broker = self._broker
        if broker is None:
            return
        self._broker = None
        await broker.stop_listening()
        last_words = [asyncio.ensure_future(one.gone()) for one in broker.connections]
        for connection in broker.connections:
            connection.hang_up(within=STOP_WITHIN / 3)
        if last_words:
            await asyncio.wait(last_words, timeout=STOP_WITHIN / 3)
        for connection in list(broker.connections):
            connection.cut("the broker stops")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_WITHIN / 3):
                await broker.shutdown()

    @property
    def host_address(self) -> Address:
        """Where the table itself connects, with the login that makes it the host."""
        if self._broker is None:
            raise RuntimeError("the broker doesn't run")
        host = "127.0.0.1" if self._everywhere else self._listening[0]
        return Address(host, self.port, user=HOST_USER, password=self._broker.password)

    @property
    def clients(self) -> int:
        """How many are connected, the table itself among them."""
        return 0 if self._broker is None else len(self._broker.connections)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses of this machine that it listens on, `::` for all of them."""
        return tuple(self._listening)

    def addresses(self) -> list[str]:
        """Return `address:port` for each address it listens on, as people type it."""
        hosts = self._listening
        if self._everywhere:
            ipv6_too = "::" in self._listening
            hosts = [one.address for one in reachable() if ipv6_too or one.ip.version == 4]
        return [str(Address(host, self.port)) for host in hosts]

    @property
    def _everywhere(self) -> bool:
        return any(host in ("::", "0.0.0.0") for host in self._listening)

    async def _listen(self) -> list[socket.socket]:
        places = await self._places()
        last = self._wanted + (0 if self._explicit else PORTS_TO_TRY)
        for port in range(self._wanted, min(last, 65535) + 1):
            try:
                return _open_all(places, port)
            except OSError as why:
                if why.errno == errno.EADDRINUSE:
                    continue
                if why.errno == errno.EACCES:
                    raise Refused("port_forbidden", port=port) from None
                if self._bind is None and len(places) == 1 and places[0].family == socket.AF_INET6:
                    places = [_IPV4_EVERYWHERE]  # a machine without IPv6
                    with contextlib.suppress(OSError):
                        return _open_all(places, port)
                    continue
                raise Refused("bad_bind", bind=self._bind or "") from None
        raise Refused("port_taken", port=self._wanted)

    async def _places(self) -> list[_Place]:
        """Return what `bind` says: everything is one socket for both kinds of addresses."""
        if self._bind is None:
            return [_EVERYWHERE]
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(LOOK_UP_WITHIN):
                infos = await loop.getaddrinfo(self._bind, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # and `TimeoutError`, which is an `OSError`
            raise Refused("bad_bind", bind=self._bind) from None
        places = [
            _Place(family, str(to[0]), to[3] if len(to) > 3 else 0) for family, *_, to in infos
        ]
        return list(dict.fromkeys(places))


class _Place(NamedTuple):
    """An address to listen on, without a port."""

    family: int
    host: str
    scope: int = 0


_EVERYWHERE = _Place(socket.AF_INET6, "::")
_IPV4_EVERYWHERE = _Place(socket.AF_INET, "0.0.0.0")


def _open_all(places: list[_Place], port: int) -> list[socket.socket]:
    sockets: list[socket.socket] = []
    try:
        for place in places:
            sockets.append(_open(place, port))
            port = sockets[0].getsockname()[1]
    except OSError:
        for one in sockets:
            one.close()
        raise
    return sockets


def _open(place: _Place, port: int) -> socket.socket:
    # Named as TCP, it takes what waits of a fan-out at once: asyncio sets TCP_NODELAY for such.
    listener = socket.socket(place.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        if place.family == socket.AF_INET6:
            only = 0 if place.host == "::" else 1
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, only)
            listener.bind((place.host, port, 0, place.scope))
        else:
            listener.bind((place.host, port))
        listener.listen(128)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _name(listener: socket.socket) -> str:
    host, _, *rest = listener.getsockname()
    scope = rest[1] if len(rest) > 1 else 0
    return f"{host}%{socket.if_indextoname(scope)}" if scope else str(host)
