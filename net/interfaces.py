"""The addresses of this machine, for people to type and for zeroconf to announce."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

import ifaddr

IPV4_EVERYWHERE = "0.0.0.0"
"""What is bound to that is to be reached at each address of IPv4."""


@dataclass(frozen=True)
class Interface:
    """One address of one network interface, `fe80::1%eth0` with its scope."""

    name: str
    address: str

    @property
    def ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        """The address as a value."""
        return ipaddress.ip_address(self.address)


def interfaces() -> list[Interface]:
    """Return all addresses in use: IPv4 first, loopback and link-local ones last. Never raises.

    An IPv6 address that the kernel still checks for duplicates isn't in use yet.
    """
    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:
        return []
    found = []
    for adapter in adapters:
        for entry in adapter.ips:
            if isinstance(entry.ip, str):
                found.append(Interface(adapter.nice_name, entry.ip))
            else:
                address, _, scope = entry.ip
                scoped = f"{address}%{adapter.nice_name}" if scope else address
                found.append(Interface(adapter.nice_name, scoped))
    return sorted(filter(_in_use, found), key=_distance)


def reachable() -> list[Interface]:
    """Return those that others on the network can reach; loopback if there is nothing else."""
    every = interfaces()
    outside = [one for one in every if not one.ip.is_loopback and not one.ip.is_link_local]
    link_local = [one for one in every if one.ip.is_link_local]
    return outside or link_local or every


def _in_use(one: Interface) -> bool:
    family = socket.AF_INET6 if one.ip.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            numeric = socket.AI_NUMERICHOST
            (*_, where), *_ = socket.getaddrinfo(one.address, 0, family, flags=numeric)
            probe.bind(where)
    except OSError:
        return False
    return True


def _distance(one: Interface) -> tuple[bool, bool, int]:
    return (one.ip.is_loopback, one.ip.is_link_local, one.ip.version)
