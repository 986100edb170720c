"""Ports of loopback at which nobody listens, and that nobody gets by chance."""

from __future__ import annotations

import socket
from random import SystemRandom

BELOW_OUTGOING = range(20_000, 32_000)
"""Connections that go out get higher ports, on Linux and elsewhere."""


def free_port() -> int:
    """Return a port that stays free as long as nobody asks for it by number.

    One that the system chooses may be that of another test's connection a moment later: too bad
    for a table or a broker that is killed and wants its port back.
    """
    while True:
        port = SystemRandom().choice(BELOW_OUTGOING)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
