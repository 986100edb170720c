"""The transport of every table on a network: MQTT 3.1.1 through aiomqtt."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import ssl
import time
from typing import Any

import aiomqtt
from aiomqtt.exceptions import MqttConnectError

from net.address import Address
from net.line import Line
from net.paho_reading import PahoReading
from net.refused import Refused
from net.transport import MAX_PAYLOAD, check_payload, check_topic

KEEPALIVE = 5
"""Seconds of silence after which the client asks whether the broker is still there."""

PATIENCE = 5.0
"""Seconds that the broker may take to answer anything."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 1.5
"""Seconds between attempts to reconnect; each pause is twice the last.

Whoever looks for a table right after its broker is back waits for the host to be (`connect.LATE`).
"""

CLOSE_WITHIN = 3.0
"""Seconds that a close takes at the most."""

WAITING_TO_SEND = 500
"""How many messages wait for a broker that doesn't read before the oldest gives way."""

AT_ONCE = 32
"""How many messages are handed to the socket together."""

_log = logging.getLogger(__name__)
# What it warns of shows in `up` already, and its lines would draw over somebody's table.
_paho = logging.getLogger(f"{__name__}.paho")
_paho.setLevel(logging.CRITICAL)
_leaving: set[asyncio.Task[None]] = set()


class _Client(aiomqtt.Client):
    """What aiomqtt leaves open when a line breaks at a bad moment, mended."""

    def _on_socket_register_write(self, client: Any, _: object, sock: socket.socket) -> None:
        """Let asyncio watch a socket only while it is open.

        aiomqtt says so a moment later, when the line may have broken: then asyncio complains, over
        somebody's table, or watches whatever has got the same number since.
        """

        def write() -> None:
            try:
                client.loop_write()
            except Exception as why:  # whatever it is, the line is broken
                if not self._disconnected.done():
                    self._disconnected.set_exception(why)

        def watch() -> None:
            if sock.fileno() >= 0:
                self._loop.add_writer(sock.fileno(), write)

        self._loop.call_soon_threadsafe(watch)  # the thread that connects may call this

    def _on_disconnect(self, *said: Any) -> None:
        """Let nobody wait for a broker that hung up before it let us in."""
        self._loop.call_soon_threadsafe(self._hung_up)
        super()._on_disconnect(*said)

    def _hung_up(self) -> None:
        if not self._connected.done():
            self._connected.set_exception(aiomqtt.MqttError("it hung up"))
            _look_at(self._connected)

    @property
    def gone(self) -> bool:
        """Whether the line broke as soon as it stood: aiomqtt forgets that."""
        return self._client.socket() is None

    def drop(self) -> None:
        """Close what is left of a connection that failed: nobody else does.

        It would answer the broker for ever, and hear everything twice.
        """
        self._client.disconnect()
        left = self._client.socket()
        if isinstance(left, socket.socket):
            with contextlib.suppress(OSError):
                left.shutdown(socket.SHUT_RDWR)  # and asyncio sees its end


class MqttTransport:
    """A `Transport` over MQTT: QoS 0, a clean session, a random client id that nobody learns.

    One task connects, resubscribes, sends and receives, and does it again
    after a pause whenever the line breaks. Make one with `open`.
    """

    def __init__(self, address: Address, unread: int | None = None) -> None:
        self.address = address
        self._unread = unread
        self._line = Line()
        self._subscriptions: list[str] = []
        self._client: aiomqtt.Client | None = None
        self._outbox: asyncio.Queue[tuple[str, bytes, bool]] = asyncio.Queue(WAITING_TO_SEND)
        self._closing = asyncio.Event()
        self._failure: Refused | None = None
        self._failed = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"mqtt {address}")

    @classmethod
    async def open(
        cls, address: Address, *, within: float = PATIENCE, unread: int | None = None
    ) -> MqttTransport:
        """Connect, for the first time within so many seconds.

        `unread` is how many bytes may wait in the kernel: all that comes later waits for them.
        Raises `Refused`: `no_connection`, or `login_refused` when the broker says so.
        """
        transport = cls(address, unread)
        up = asyncio.ensure_future(transport.wait_change(False))
        failed = asyncio.ensure_future(transport._failed.wait())
        try:
            await asyncio.wait({up, failed}, timeout=within, return_when=asyncio.FIRST_COMPLETED)
            if transport.up:
                return transport
            raise transport._failure or _no_connection(address, "no answer")
        finally:
            up.cancel()
            failed.cancel()
            if not transport.up:
                await transport._leave(within=FIRST_PAUSE)

    @property
    def up(self) -> bool:
        """Whether the line to the broker stands."""
        return self._line.up

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """See `Transport.publish`. Never waits for the network."""
        check_topic(topic)
        check_payload(payload)
        if not self.up:
            return
        if self._outbox.full():
            self._outbox.get_nowait()
        self._outbox.put_nowait((topic, payload, retain))

    async def subscribe(self, topic: str) -> None:
        """See `Transport.subscribe`. While the line is down, it takes effect once it is up."""
        if topic not in self._subscriptions:
            self._subscriptions.append(topic)
        if self._client is None or not self.up:
            return
        try:
            await self._ask_for(self._client, topic)
        except Refused:
            self._subscriptions.remove(topic)
            raise
        except aiomqtt.MqttError as why:
            _log.info("subscribing to %s waits for the line: %s", topic, why)

    async def receive(self) -> tuple[str, bytes]:
        """See `Transport.receive`."""
        return await self._line.receive()

    async def wait_change(self, up: bool) -> None:
        """See `Transport.wait_change`."""
        await self._line.wait_change(up)

    async def close(self) -> None:
        """See `Transport.close`: what was published before still goes out, if the broker reads."""
        await self._leave(within=CLOSE_WITHIN)

    async def _leave(self, within: float) -> None:
        self._closing.set()
        self._line.close()
        # A thread that is connecting can't be called back: it ends by itself, soon after.
        await asyncio.wait({self._task}, timeout=within)
        if not self._task.done():
            _leaving.add(self._task)
            self._task.add_done_callback(_leaving.discard)

    async def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                await self._connected()
            except MqttConnectError as why:
                _log.info("%s doesn't let us in: %s", self.address, why)
                self._fail(Refused("login_refused", host=self.address.host, port=self.address.port))
            except Exception as why:  # whatever breaks a line, it is tried again
                _log.info("no line to %s: %s", self.address, why)
                self._fail(_no_connection(self.address, str(why)))
            self._line.set_up(False)
            if time.monotonic() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._closing.wait()
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _connected(self) -> None:
        """Connect once, and stay until the line breaks or `close` is called."""
        client = self._new_client()
        try:
            await self._stay(client)
        finally:
            client.drop()

    async def _stay(self, connecting: _Client) -> None:
        async with connecting as client:
            if self._closing.is_set():
                return
            if client.gone:
                raise aiomqtt.MqttError("it hung up")
            for topic in list(self._subscriptions):
                await self._ask_for(client, topic)
            while not self._outbox.empty():
                self._outbox.get_nowait()  # from before the line broke: long out of date
            self._client = client
            self._line.set_up(True)
            closing = asyncio.create_task(self._closing.wait())
            sending = asyncio.create_task(self._send(client))
            receiving = asyncio.create_task(self._until_it_breaks(client))
            doing = {closing, sending, receiving}
            try:
                done, _ = await asyncio.wait(doing, return_when=asyncio.FIRST_COMPLETED)
                if closing in done:
                    sending.cancel()
                    await asyncio.wait({sending})
                    await self._send_what_waits(client)
            finally:
                self._client = None
                self._line.set_up(False)
                for task in doing:
                    task.cancel()
                ends = await asyncio.gather(*doing, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end

    def _new_client(self) -> _Client:
        client = _Client(
            self.address.host,
            self.address.port,
            username=self.address.user,
            password=self.address.password,
            identifier=secrets.token_hex(16),
            protocol=aiomqtt.ProtocolVersion.V311,
            clean_session=True,
            keepalive=KEEPALIVE,
            timeout=PATIENCE,
            logger=_paho,
            queue_type=self._straight_to_the_line(),
            socket_options=[
                (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
                *([(socket.SOL_SOCKET, socket.SO_RCVBUF, self._unread)] if self._unread else []),
            ],
            tls_context=ssl.create_default_context() if self.address.tls else None,
        )
        PahoReading(client)
        # It forgets this error when the line breaks as soon as it stands, and asyncio complains.
        client._disconnected.add_done_callback(_look_at)
        return client

    async def _ask_for(self, client: aiomqtt.Client, topic: str) -> None:
        # A broker that refuses a subscription says so in a code and in nothing else.
        for answer in await client.subscribe(topic, qos=0):
            if answer >= 0x80 if isinstance(answer, int) else answer.is_failure:
                raise Refused("not_allowed", topic=topic)

    async def _send(self, client: aiomqtt.Client) -> None:
        while True:
            first = await self._outbox.get()
            await self._send_batch(client, first)

    async def _send_what_waits(self, client: aiomqtt.Client) -> None:
        while not self._outbox.empty():
            await self._send_batch(client, self._outbox.get_nowait())

    async def _send_batch(self, client: aiomqtt.Client, first: tuple[str, bytes, bool]) -> None:
        batch = [first]
        while len(batch) < AT_ONCE and not self._outbox.empty():
            batch.append(self._outbox.get_nowait())
        # They leave in order, so only the last is waited for: a wait of its own costs each a task.
        *ahead, (topic, data, keep) = batch
        for one in ahead:
            if code := client._client.publish(*one[:2], qos=0, retain=one[2]).rc:
                raise aiomqtt.MqttCodeError(code, "it can't be sent")
        await client.publish(topic, data, qos=0, retain=keep)

    def _straight_to_the_line(self) -> type[asyncio.Queue[aiomqtt.Message]]:
        """Return a queue that holds nothing: waiting at aiomqtt's own takes two tasks a message."""
        take = self._take

        class Straight(asyncio.Queue[aiomqtt.Message]):
            def put_nowait(self, item: aiomqtt.Message) -> None:
                take(item)

        return Straight

    def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        if isinstance(payload, (bytes, bytearray)) and len(payload) <= MAX_PAYLOAD:
            self._line.deliver(str(message.topic), bytes(payload))

    async def _until_it_breaks(self, client: aiomqtt.Client) -> None:
        async for _ in client.messages:  # none: they went straight to the line
            pass

    def _fail(self, why: Refused) -> None:
        self._failure = why
        self._failed.set()


def _no_connection(address: Address, why: str) -> Refused:
    return Refused("no_connection", host=address.host, port=address.port, why=why)


def _look_at(end: asyncio.Future[None]) -> None:
    if not end.cancelled():
        end.exception()
