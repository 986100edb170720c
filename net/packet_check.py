"""What an MQTT 3.1.1 packet from a client must look like before the embedded broker reads it.

amqtt loses its place in the stream when a packet is malformed, and would take
the rest of it for packets of their own.
"""

from __future__ import annotations

from amqtt.mqtt.packet import CONNECT, DISCONNECT, PINGREQ, PUBLISH, SUBSCRIBE, UNSUBSCRIBE

from net.transport import check_topic

FROM_CLIENTS = frozenset((PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PINGREQ, DISCONNECT))
"""What may follow a CONNECT. No acknowledgements: nothing is ever sent with QoS 1 or 2."""

MQTT_3_1_1 = b"\x00\x04MQTT\x04"
WILL, USER, PASSWORD = 0x04, 0x80, 0x40
"""Flags of a CONNECT: which texts it has."""


class Malformed(Exception):  # noqa: N818 - a finding about a packet
    """A packet that breaks the rules; says which."""


def check_packet(first: int, body: bytes) -> None:
    """Raise `Malformed` unless a packet, given as its first byte and its body, is in order."""
    kind = first >> 4
    if kind == PUBLISH:
        if first & 0x06 > 0x02:
            raise Malformed("a message of QoS 2")
        if first & 0x08 and not first & 0x06:  # amqtt would log the whole of it
            raise Malformed("a message of QoS 0 sent again")
        topic, rest = _string(body)
        if first & 0x06 and len(rest) < 2:
            raise Malformed("no packet id")
        try:
            check_topic(topic)
        except ValueError as why:
            raise Malformed(str(why)) from None
    elif kind in (SUBSCRIBE, UNSUBSCRIBE):
        rest = body[2:]
        if not rest:
            raise Malformed("no topic")
        while rest:
            _, rest = _string(rest)
            if kind == SUBSCRIBE:
                if not rest or rest[0] > 2:
                    raise Malformed("no QoS")
                rest = rest[1:]
    elif kind in (PINGREQ, DISCONNECT) and body:
        raise Malformed("a body where none belongs")
    elif kind == CONNECT:
        _check_connect(body)


def _check_connect(body: bytes) -> None:
    if not body.startswith(MQTT_3_1_1):
        raise Malformed("not MQTT 3.1.1")
    flags_and_keepalive, rest = body[len(MQTT_3_1_1) :][:3], body[len(MQTT_3_1_1) + 3 :]
    if len(flags_and_keepalive) < 3:
        raise Malformed("no flags")
    flags = flags_and_keepalive[0]
    _, rest = _string(rest)
    if flags & WILL:
        _, rest = _string(rest)
        _, rest = _data(rest)
    for said in (USER, PASSWORD):
        if flags & said:
            _, rest = _string(rest)
    if rest:
        raise Malformed("more than a CONNECT")


def _data(data: bytes) -> tuple[bytes, bytes]:
    size = int.from_bytes(data[:2], "big")
    if len(data) < 2 + size:
        raise Malformed("a text longer than its packet")
    return data[2 : 2 + size], data[2 + size :]


def _string(data: bytes) -> tuple[str, bytes]:
    text, rest = _data(data)
    try:
        return text.decode(), rest
    except UnicodeDecodeError:
        raise Malformed("a text that isn't UTF-8") from None
