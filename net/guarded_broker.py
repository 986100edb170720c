"""amqtt's broker without its traps: the numbers in comments are those of `net/README.md`.

This leans on private parts of amqtt 0.12.1, hence the exact pin.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import socket
from functools import partial

from amqtt.broker import Broker, Server
from amqtt.errors import AMQTTError, MQTTError, NoDataError
from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler
from amqtt.mqtt.publish import PublishPacket
from amqtt.session import ApplicationMessage, Session

from net.allowance import Allowance
from net.guarded_connection import Crowd, GuardedConnection, Limits
from net.topics import only_a_host_says
from net.transport import KERNEL_BUFFER, check_topic, matches

HOST_USER = "host"

CONNECTS_PER_SECOND, CONNECTS_AT_ONCE = 20, 256
"""From one address: all spectators behind one ssh server may come at once."""

ADDRESSES_REMEMBERED = 1000
"""How many addresses are known by how often they connect."""

UNREAD = 16 * 1024
"""Bytes of a client that wait in this process: its end is seen only when they were read."""

RETAINED_BY_STRANGERS, RETAINED_SIZE = 32, 16 * 1024
"""How many messages, and of how many bytes, clients other than the host may leave behind."""

SUBACK_REFUSED = 0x80

_log = logging.getLogger(__name__)


class GuardedBroker(Broker):
    """amqtt's sessions and handshakes, with our own door, fan-out and retained messages.

    Delivery is QoS 0 whatever was asked for (a broker may grant less), sessions
    are clean whatever was asked for: nothing is kept for anybody who is away.
    The host logs in with `password`; its messages are not rationed, what it
    retained nobody else can replace, and what only a host says nobody else can
    say: whoever joins by this address means its table, however many others
    somebody invents. Everybody else needs no login.
    """

    def __init__(self, sockets: list[socket.socket], limits: Limits) -> None:
        super().__init__({"listeners": {"default": {"bind": None}}, "plugins": {}})
        self.password = secrets.token_hex(16)
        self.connections: set[GuardedConnection] = set()
        self._sockets = sockets
        self._limits = limits
        self._crowd = Crowd(limits)
        self._by_client: dict[str, GuardedConnection] = {}
        self._connects: dict[str, Allowance] = {}

    async def _start_listeners(self) -> None:
        for number, listener in enumerate(self._sockets):
            name = f"listener-{number}"
            connected = partial(self.stream_connected, listener_name=name)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BUFFER)
            server = await asyncio.start_server(connected, sock=listener, limit=UNREAD)
            self._servers[name] = Server(name, server)

    async def stop_listening(self) -> None:
        """Accept nobody any more; those who are connected stay."""
        for server in self._servers.values():
            server.instance.close()
        self._servers.clear()  # amqtt would wait for their clients, some of them for ever (trap 8)

    async def stream_connected(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        listener_name: str,  # noqa: ARG002 - amqtt calls it so
    ) -> None:
        """Serve one client from its CONNECT to its end. Raises nothing."""
        connection = GuardedConnection(reader, writer, self._limits, self._crowd)
        if not self._has_room_for(connection):
            connection.cut("too many connections")
            await connection.gone()
            return
        self.connections.add(connection)
        try:
            await self._serve(connection)
        except (AMQTTError, MQTTError, NoDataError, OSError) as why:
            # Not worth a line: whoever looks for tables knocks every few seconds and leaves.
            _log.debug("%s is gone: %s", connection.get_peer_info(), why)
        except Exception:
            _log.exception("a client's packet was too much for the broker")
        finally:
            connection.hang_up()
            await connection.gone()
            self.connections.discard(connection)

    def _has_room_for(self, connection: GuardedConnection) -> bool:
        peer = connection.peer
        now = asyncio.get_running_loop().time()
        if len(self._connects) > ADDRESSES_REMEMBERED:
            self._connects.clear()
        allowance = self._connects.setdefault(
            peer, Allowance(CONNECTS_PER_SECOND, at_once=CONNECTS_AT_ONCE)
        )
        if allowance.take(1, now) > 0:
            return False
        same = sum(other.peer == peer for other in self.connections)
        return (
            len(self.connections) < self._limits.connections
            and same < self._limits.connections_from_one_address
        )

    async def _serve(self, connection: GuardedConnection) -> None:
        handler, session = await BrokerProtocolHandler.init_from_connect(
            connection, connection, self.plugins_manager
        )
        client_id = session.client_id or ""
        handler.attach(session, connection, connection)
        # The door comes before anything that could touch somebody's session (trap 4).
        if not self._may_enter(session):
            await handler.mqtt_connack_authorize(False)
            return
        if session.username == HOST_USER:
            connection.be_host()
        connection.behind = session.delivered_message_queue.qsize
        asked = 1.5 * session.keep_alive
        longest = connection.limits.longest_silence
        connection.expect_within(min(asked or longest, longest))
        session.keep_alive = 0  # or amqtt would start a timer for every packet and do nothing
        session.clean_session = True
        await self._evict(client_id)
        session.transitions.connect()
        self._sessions[client_id] = (session, handler)
        self._by_client[client_id] = connection
        try:
            await handler.mqtt_connack_authorize(True)
            await handler.start()
            await self._client_message_loop(session, handler)
            await self._deliver_the_rest(session, handler)
        finally:
            if self._by_client.get(client_id) is connection:
                await self._evict(client_id)

    def _may_enter(self, session: Session) -> bool:
        if session.username == HOST_USER:
            return hmac.compare_digest(session.password or "", self.password)
        sitting, _ = self._sessions.get(session.client_id or "", (None, None))
        if sitting is not None and sitting.username == HOST_USER:
            return False
        return not session.will_flag or self._may_publish(session.will_topic)  # trap 3

    def _may_publish(self, topic: str | None) -> bool:
        try:
            check_topic(topic or "")
        except ValueError:
            return False
        return topic is not None and topic[0] != "$" and len(topic) <= self._limits.topic

    async def _evict(self, client_id: str) -> None:
        connection = self._by_client.pop(client_id, None)
        if connection is not None:
            connection.hang_up()
        with contextlib.suppress(AMQTTError, OSError):
            await self._cleanup_session(client_id)

    async def _deliver_the_rest(self, session: Session, handler: BrokerProtocolHandler) -> None:
        """Pass on what a client published just before it left: amqtt would forget it."""
        waiting = session.delivered_message_queue
        while not waiting.empty():
            message: asyncio.Future[ApplicationMessage] = asyncio.Future()
            message.set_result(waiting.get_nowait())
            if not await self._handle_message_delivery(session, handler, message):
                return

    async def _handle_message_delivery(
        self,
        client_session: Session,
        handler: BrokerProtocolHandler,  # noqa: ARG002
        wait_deliver: asyncio.Future[ApplicationMessage],
    ) -> bool:
        message = wait_deliver.result()
        if message is None:
            return True
        if not self._may_publish(message.topic):
            return False
        await self._broadcast_message(client_session, message.topic, message.data)
        if message.publish_packet is not None and message.publish_packet.retain_flag:
            await self.retain_message(client_session, message.topic, message.data, message.qos)
        return True

    async def _broadcast_message(
        self,
        session: Session | None,
        topic: str | None,
        data: bytes | bytearray | None,
        force_qos: int | None = None,  # noqa: ARG002
    ) -> None:
        """Write a message to everybody it is for, here and now.

        Nothing is awaited in between, so that no subscription can change under
        the fan-out (trap 5) and no slow reader can hold it up.
        """
        if topic is None or data is None or not _may_say(session, topic):
            return
        targets = {
            target.client_id
            for pattern, subscribers in self._subscriptions.items()
            if pattern == topic or (("+" in pattern or "#" in pattern) and matches(pattern, topic))
            for target, _ in subscribers
        }
        packet = _publish_packet(topic, data, retain=False)
        for client_id in targets:
            self._write(client_id, packet)

    async def retain_message(
        self,
        source_session: Session | None,
        topic_name: str | None,
        data: bytes | bytearray | None,
        qos: int | None = None,
    ) -> None:
        """Keep a message for those who subscribe later; an empty one clears it.

        What the host left nobody else can replace, and others may leave only so much.
        """
        if not _may_say(source_session, topic_name or ""):
            return
        by_host = _is_host(source_session)
        if not by_host and topic_name is not None and data:
            foreign = [
                topic for topic, kept in self._retained_messages.items() if not _by_host(kept)
            ]
            full = topic_name not in foreign and len(foreign) >= RETAINED_BY_STRANGERS
            if full or len(data) > RETAINED_SIZE:
                return
        sitting = self._retained_messages.get(topic_name or "")
        if by_host or sitting is None or not _by_host(sitting):
            await super().retain_message(source_session, topic_name, data, qos)

    async def add_subscription(self, subscription: tuple[str, int], session: Session) -> int:
        """Subscribe a client, with QoS 0 whatever it asks for; return the code of the SUBACK."""
        pattern, _ = subscription
        count = sum(
            other.client_id == session.client_id
            for subscribers in self._subscriptions.values()
            for other, _ in subscribers
        )
        if not pattern or len(pattern) > self._limits.topic or count >= self._limits.subscriptions:
            return SUBACK_REFUSED
        return int(await super().add_subscription((pattern, 0), session))

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        # Only ever called for the client's own new subscription (traps 1 and 2).
        for topic, kept in list(self._retained_messages.items()):
            if matches(subscription[0], topic):
                self._write(session.client_id, _publish_packet(topic, kept.data, retain=True))

    def _write(self, client_id: str | None, packet: bytes) -> None:
        connection = self._by_client.get(client_id or "")
        if connection is not None:
            connection.write(packet)


def _is_host(session: Session | None) -> bool:
    return session is not None and session.username == HOST_USER


def _may_say(session: Session | None, topic: str) -> bool:
    return _is_host(session) or not only_a_host_says(topic)


def _by_host(kept: ApplicationMessage) -> bool:
    return _is_host(getattr(kept, "source_session", None))


def _publish_packet(topic: str, data: bytes | bytearray, *, retain: bool) -> bytes:
    return PublishPacket.build(topic, bytes(data), None, False, 0, retain).to_bytes()
