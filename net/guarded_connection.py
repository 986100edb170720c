"""One client's connection to the embedded broker, with its limits: what may come in, what waits.

amqtt reads packets of any size at any rate and buffers without end for whoever
doesn't read. Both adapters here stand between it and the socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass

from amqtt.adapters import ReaderAdapter, WriterAdapter
from amqtt.mqtt.packet import CONNECT, SUBSCRIBE, UNSUBSCRIBE

from net.allowance import Allowance
from net.packet_check import FROM_CLIENTS, MQTT_3_1_1, Malformed, check_packet
from net.transport import KERNEL_BUFFER, MAX_PAYLOAD

_log = logging.getLogger(__name__)

_WRONG_VERSION = b"\x20\x02\x00\x01"  # CONNACK: unacceptable protocol version


@dataclass(frozen=True)
class Limits:
    """What the broker bears from its clients. Sizes in bytes, times in seconds."""

    packet: int = MAX_PAYLOAD + 1024
    control_packet: int = 4096  # SUBSCRIBE and UNSUBSCRIBE
    messages_per_second: float = 200
    bytes_per_second: float = 512 * 1024
    messages_per_second_of_all: float = 400  # all clients together, but for the host
    bytes_per_second_of_all: float = 8 * 1024 * 1024
    waiting_for_host: int = 16 * 1024  # before everybody else is read more slowly
    waiting: int = 1024 * 1024  # for a reader that doesn't keep up, before it is cut off
    connect_within: float = 5
    longest_silence: float = 90  # also for clients that ask for no keepalive
    subscriptions: int = 32
    topic: int = 256
    connections: int = 256  # of everybody together
    connections_from_one_address: int = 192  # fewer, so that one machine can't keep all others out


HOST_LIMITS = Limits(waiting=32 * 1024 * 1024)
"""The table's own connection answers everybody, so nobody's share may bound it."""

HELD_UP = 0.01
"""Seconds after which a client looks again whether the host can take more."""

BEHIND = 8
"""Messages of one client that may wait inside the broker before it is read on."""

_CONTROL_COST = 8
"""A byte of a SUBSCRIBE costs the broker that many times a published one."""


class Rates:
    """How much may come in, of one client or of all of them together."""

    def __init__(self, messages_per_second: float, bytes_per_second: float) -> None:
        self._messages = Allowance(messages_per_second)
        self._bytes = Allowance(bytes_per_second)

    def take(self, cost: float, now: float) -> float:
        """Let one packet in and return how many seconds that is ahead of what is allowed."""
        return max(self._messages.take(1, now), self._bytes.take(cost, now))


class Crowd:
    """What all clients but the host share: what they send together, and what the host can take.

    Whoever has to wait does so with one packet, so that all come through in turns: a client
    that says little waits no longer than everybody, however many others flood.
    """

    def __init__(self, limits: Limits) -> None:
        self.host: GuardedConnection | None = None
        self._rates = Rates(limits.messages_per_second_of_all, limits.bytes_per_second_of_all)
        self._most = limits.waiting_for_host

    def take(self, cost: float, now: float) -> float:
        """See `Rates.take`."""
        return self._rates.take(cost, now)

    @property
    def held_up(self) -> bool:
        """Whether the host has so much to read that nobody else may send just now."""
        return self.host is not None and self.host.unread > self._most


class GuardedConnection(ReaderAdapter, WriterAdapter):
    """A client's socket as amqtt sees it: whole packets in, bounded bytes out.

    Reading takes one whole packet at a time, so that a packet can be judged by
    its size before it is read and a malformed one can't eat into the next.
    Nothing that is written ever waits: a reader that falls behind is cut off.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        limits: Limits,
        crowd: Crowd,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._packet = b""
        self._place = 0
        self._greeted = False
        self._loop = asyncio.get_running_loop()
        self._watch: asyncio.TimerHandle | None = None
        self._gone = False
        self.limits = limits
        self._alone = Rates(limits.messages_per_second, limits.bytes_per_second)
        self._crowd: Crowd | None = crowd
        self.behind: Callable[[], int] = lambda: 0
        """How many of its messages were read and not yet passed on: amqtt reads on regardless."""
        self.expect_within(limits.connect_within)

    def be_host(self) -> None:
        """Let this be the host's connection: its messages aren't rationed, all others wait for it.

        What the kernel buffers nobody can see, so little may be in there.
        """
        self.limits = HOST_LIMITS
        if self._crowd is not None:
            self._crowd.host, self._crowd = self, None
        listener = self._writer.get_extra_info("socket")
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)

    @property
    def unread(self) -> int:
        """Bytes that wait for this client to read."""
        return int(self._writer.transport.get_write_buffer_size())

    def expect_within(self, seconds: float) -> None:
        """Cut the connection whenever so many seconds pass without a packet (trap 6)."""
        self._patience = seconds
        self._heard = self._loop.time()
        self._look_again()

    @property
    def peer(self) -> str:
        """The client's address, without its port."""
        return (self.get_peer_info() or ("", 0))[0]

    async def read(self, n: int = -1) -> bytes:
        """Return the next n bytes of the packet under way; a new packet begins when it is used up.

        Raises `ConnectionResetError` when the client is gone or was cut off.
        """
        if self._place == len(self._packet):
            # Also lets amqtt handle the packet before: it cancels what it has not begun at the end.
            await asyncio.sleep(0)
            try:
                self._packet, self._place = await self._next_packet(), 0
            except (EOFError, OSError):
                raise ConnectionResetError from None
        taken = self._packet[self._place : self._place + n]
        if len(taken) < n:
            self.cut("a packet that ends too early")
            raise ConnectionResetError
        self._place += n
        return taken

    async def _next_packet(self) -> bytes:
        first = await self._reader.readexactly(1)
        kind = first[0] >> 4
        if not (kind in FROM_CLIENTS if self._greeted else kind == CONNECT):
            raise self._cut_off(f"packet type {kind}")
        head, size = first, 0
        for shift in (0, 7, 14, 21):
            byte = await self._reader.readexactly(1)
            head += byte
            size |= (byte[0] & 0x7F) << shift
            if byte[0] < 0x80:
                break
        else:
            raise self._cut_off("a packet without a length")
        control = kind in (SUBSCRIBE, UNSUBSCRIBE)
        if size > (self.limits.control_packet if control else self.limits.packet):
            raise self._cut_off(f"a packet of {size} bytes")
        body = await self._reader.readexactly(size)
        if kind == CONNECT:
            self._greet(body)
        try:
            check_packet(first[0], body)
        except Malformed as why:
            raise self._cut_off(str(why)) from None
        self._heard = now = self._loop.time()
        cost = size * (_CONTROL_COST if control else 1)
        if self._crowd is not None:
            await self._wait_for_a_turn(self._crowd, cost, now)
        return head + body

    async def _wait_for_a_turn(self, crowd: Crowd, cost: float, now: float) -> None:
        wait = max(self._alone.take(cost, now), crowd.take(cost, now))
        while wait or crowd.held_up or self.behind() > BEHIND:
            await asyncio.sleep(wait or HELD_UP)
            wait = 0.0
            self._heard = self._loop.time()

    def _greet(self, body: bytes) -> None:
        # amqtt waits for ever on the properties of an MQTT 5 CONNECT that it takes for 3.1.1.
        self._greeted = True
        if not body.startswith(MQTT_3_1_1):
            self._writer.write(_WRONG_VERSION)
            self.hang_up()
            raise ConnectionResetError

    def feed_eof(self) -> None:
        """See `ReaderAdapter`."""
        self._reader.feed_eof()

    def write(self, data: bytes) -> None:
        """Send, or cut off a client who has left too much unread (trap 9)."""
        if self._gone or self._writer.is_closing():
            return
        waiting = self.unread
        if waiting + len(data) > self.limits.waiting:
            self.cut(f"{waiting} bytes left unread")
        else:
            self._writer.write(data)

    async def drain(self) -> None:
        """Wait for nobody: what may wait is bounded in `write`."""

    def get_peer_info(self) -> tuple[str, int] | None:
        """See `WriterAdapter`."""
        info = self._writer.get_extra_info("peername")
        return (info[0], info[1]) if info else None

    def get_ssl_info(self) -> ssl.SSLObject | None:
        """See `WriterAdapter`: no TLS here."""
        return None

    async def close(self) -> None:
        """See `WriterAdapter`; waits for nobody."""
        self.hang_up()

    def hang_up(self, within: float = 1.0) -> None:
        """Close once what was written is on its way, at the latest after so many seconds."""
        if not self._gone:
            self._gone = True
            self._forget_watch()
            self._writer.close()
            self._watch = self._loop.call_later(within, self._abort)

    def cut(self, why: str) -> None:
        """Close at once."""
        if not self._gone:
            _log.warning("cut off %s: %s", self.get_peer_info(), why)
        self._abort()

    async def gone(self) -> None:
        """Wait until the socket is closed. Bounded after `hang_up` or `cut`."""
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        self._forget_watch()

    def _abort(self) -> None:
        self._gone = True
        self._forget_watch()
        with contextlib.suppress(AttributeError):  # asyncio forgot its loop: the client was faster
            self._writer.transport.abort()

    def _cut_off(self, why: str) -> ConnectionResetError:
        self.cut(why)
        return ConnectionResetError(why)

    def _look_again(self) -> None:
        self._forget_watch()
        left = self._heard + self._patience - self._loop.time()
        if left <= 0:
            self.cut(f"silent for {self._patience:g} s")
        elif not self._gone:
            self._watch = self._loop.call_later(left, self._look_again)

    def _forget_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
