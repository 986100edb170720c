"""Hearing multicast DNS on chosen addresses, and nothing else.

zeroconf listens on the port of multicast DNS at every address of the machine, so that
a table that is bound to one of them would answer whoever asks at another.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from collections.abc import Iterator, Sequence

from zeroconf import Zeroconf

from net.interfaces import Interface

PORT = 5353
GROUP_4, GROUP_6 = "224.0.0.251", "ff02::fb"

_IP_MULTICAST_ALL, _IPV6_MULTICAST_ALL = 49, 29
"""Linux: whether what other programs asked for on other interfaces is heard, too."""


def hear_only(zeroconf: Zeroconf, places: Sequence[Interface]) -> None:
    """Let a zeroconf that was just made hear these addresses alone: all IPv4, or all IPv6.

    Where a system can't bind to a group, zeroconf listens as it does. This leans on a
    private part of zeroconf 0.146 to 0.154; `tests/net/protocol/test_sockets.py` holds it.
    """
    try:
        ours = _hearing_6(places) if places[0].ip.version == 6 else _hearing_4(places)
    except OSError:
        return
    engine = zeroconf.engine
    theirs, engine._listen_socket = engine._listen_socket, ours
    if theirs is not None:
        theirs.close()


def _hearing_4(places: Sequence[Interface]) -> socket.socket:
    with _closed_on_failure(_shared(socket.AF_INET)) as hearing:
        hearing.bind((GROUP_4, PORT))
        if sys.platform == "linux":
            hearing.setsockopt(socket.IPPROTO_IP, _IP_MULTICAST_ALL, 0)
        for place in places:
            member = socket.inet_aton(GROUP_4) + socket.inet_aton(place.address)
            hearing.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        return hearing


def _hearing_6(places: Sequence[Interface]) -> socket.socket:
    number = socket.if_nametoindex(places[0].name)  # a group is bound to on one interface
    with _closed_on_failure(_shared(socket.AF_INET6)) as hearing:
        hearing.bind((GROUP_6, PORT, 0, number))
        if sys.platform == "linux":
            hearing.setsockopt(socket.IPPROTO_IPV6, _IPV6_MULTICAST_ALL, 0)
        member = socket.inet_pton(socket.AF_INET6, GROUP_6) + struct.pack("@I", number)
        hearing.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
        return hearing


def _shared(family: socket.AddressFamily) -> socket.socket:
    hearing = socket.socket(family, socket.SOCK_DGRAM)
    hearing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        hearing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return hearing


@contextlib.contextmanager
def _closed_on_failure(one: socket.socket) -> Iterator[socket.socket]:
    try:
        yield one
    except OSError:
        one.close()
        raise
