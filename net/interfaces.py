"""The addresses of this machine, for people to type and for zeroconf to announce."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

import ifaddr


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
    """Return all addresses: IPv4 first, loopback and link-local ones last. Never raises."""
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
    return sorted(found, key=_distance)


def reachable() -> list[Interface]:
    """Return those that others on the network can reach; loopback if there is nothing else."""
    every = interfaces()
    outside = [one for one in every if not one.ip.is_loopback and not one.ip.is_link_local]
    link_local = [one for one in every if one.ip.is_link_local]
    return outside or link_local or every


def _distance(one: Interface) -> tuple[bool, bool, int]:
    return (one.ip.is_loopback, one.ip.is_link_local, one.ip.version)
