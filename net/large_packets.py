"""Letting packets pass by that are larger than anything of ours: paho keeps up to 256 MB of one.

Whoever is at a broker without limits can publish such a one to anybody's topic, and so can the
broker itself. Hanging up would cost its victim the line each time, so it is read and forgotten.
"""

from __future__ import annotations

from typing import Any

from net.transport import MAX_PAYLOAD

LARGEST_PACKET = MAX_PAYLOAD + 1024
"""Bytes of a packet behind its header: a message of the largest size and its topic."""

AT_ONCE = 64 * 1024
"""Bytes of a packet that is let pass which are held at a time."""

_PINGRESP = 0xD0


def let_large_packets_pass(paho: Any) -> None:
    """Make a paho client forget what is too large, and go on behind it.

    Leans on private parts of paho-mqtt 2: `tests/net/test_mqtt.py` notices if they change.
    """
    receive = paho._sock_recv

    def bounded(size: int) -> bytes:
        packet = paho._in_packet
        if not packet["have_remaining"] or packet["remaining_length"] <= LARGEST_PACKET:
            return bytes(receive(size))
        packet["packet"] = bytearray()
        data = bytes(receive(min(size, AT_ONCE)))
        if len(data) == size:  # all of it is through: let it have been a word without meaning
            packet["command"], packet["remaining_length"] = _PINGRESP, 0
        return data

    paho._sock_recv = bounded
