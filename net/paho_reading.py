"""How paho reads from its socket: many packets at a time, and nothing kept of too large ones.

paho takes three or four system calls and a turn of the event loop for a packet, and holds up
to 256 MB of one. At a broker without limits anybody can publish to anybody's topic, as much
and as fast as they like: the cheaper a packet is, the more of a flood it takes to drown those
who play, and a large one must cost no memory. Hanging up on it would cost its victim the line.

Leans on private parts of paho-mqtt 2 and aiomqtt 2: `tests/net/test_mqtt.py` notices changes.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiomqtt
from paho.mqtt.enums import MQTTErrorCode

from net.transport import MAX_PAYLOAD

LARGEST_PACKET = MAX_PAYLOAD + 1024
"""Bytes of a packet behind its header: a message of the largest size and its topic."""

BYTES_AT_ONCE = 64 * 1024
PACKETS_AT_ONCE = 64
"""How much is taken from the socket, and how many packets are read, before others have a turn."""

_PINGRESP = 0xD0


class PahoReading:
    """Reads for one client, instead of what its paho client would do itself."""

    def __init__(self, client: aiomqtt.Client) -> None:
        paho: Any = client._client
        self._client = client
        self._paho = paho
        self._loop = asyncio.get_running_loop()
        self._receive = paho._sock_recv
        self._held = b""
        self._place = 0
        paho._sock_recv = self._take
        paho.loop_read = self._read

    def _read(self, _: int = 1) -> MQTTErrorCode:
        """Read the packets that are there: paho's `loop_read`."""
        paho = self._paho
        for _ in range(PACKETS_AT_ONCE):
            if paho._sock is None:
                return MQTTErrorCode.MQTT_ERR_NO_CONN
            code: MQTTErrorCode = paho._packet_read()
            if code > 0:
                result: MQTTErrorCode = paho._loop_rc_handle(code)
                return result
            if code == MQTTErrorCode.MQTT_ERR_AGAIN and self._place == len(self._held):
                return MQTTErrorCode.MQTT_ERR_SUCCESS
        self._loop.call_soon(self._read_on)
        return MQTTErrorCode.MQTT_ERR_SUCCESS

    def _read_on(self) -> None:
        """Read what is held here already, of which the socket tells nobody any more."""
        try:
            self._paho.loop_read()
        except Exception as error:  # as aiomqtt does it when the socket has news
            if not self._client._disconnected.done():
                self._client._disconnected.set_exception(error)

    def _take(self, size: int) -> bytes:
        """Return the next bytes: paho's `_sock_recv`. Raises `OSError`, `BlockingIOError`."""
        if self._place == len(self._held):
            self._held, self._place = self._receive(BYTES_AT_ONCE), 0
        data = self._held[self._place : self._place + size]
        self._place += len(data)
        packet = self._paho._in_packet
        if packet["have_remaining"] and packet["remaining_length"] > LARGEST_PACKET:
            packet["packet"] = bytearray()
            if len(data) == size:  # all of it is through: let it have been a word without meaning
                packet["command"], packet["remaining_length"] = _PINGRESP, 0
        return data
