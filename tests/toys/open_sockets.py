"""What the kernel says about the sockets of a process."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LISTEN = "0A"


class Port(NamedTuple):
    """Where a process listens (TCP), or what it hears datagrams at (UDP)."""

    kind: str
    address: str
    number: int


def open_ports(pid: int | str = "self") -> set[Port]:
    """Return every port at which others can reach a process."""
    ours = set(_sockets(pid))
    return {
        Port(kind[:3], _address(where), int(port, 16))
        for kind in ("tcp", "tcp6", "udp", "udp6")
        for inode, where, port, state in _table(kind)
        if inode in ours and (kind.startswith("udp") or state == LISTEN)
    }


def connections(pid: int | str) -> int:
    """Return how many sockets of a process are known to the network at all, open or connected."""
    ours = set(_sockets(pid))
    kinds = ("tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6")
    return sum(inode in ours for kind in kinds for inode, *_ in _table(kind))


def _sockets(pid: int | str) -> Iterator[str]:
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed since
            name = os.readlink(descriptor)  # noqa: PTH115 - a name that is no path
            if name.startswith("socket:["):
                yield name[8:-1]


def _table(kind: str) -> Iterator[tuple[str, str, str, str]]:
    with contextlib.suppress(FileNotFoundError):  # a machine without IPv6
        for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]:
            fields = line.split()
            where, port = fields[1].split(":")
            yield fields[9], where, port, fields[3]


def _address(words: str) -> str:
    """Return an address that the kernel writes as words in its own order of bytes."""
    numbers = [int(words[i : i + 8], 16) for i in range(0, len(words), 8)]
    return str(ipaddress.ip_address(struct.pack(f"={len(numbers)}I", *numbers)))
