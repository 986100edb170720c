"""Where a broker is: `HOST[:PORT]` as people type it, or an `mqtt://` URL."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from net.refused import Refused

TABLE_PORT = 3278
"""Where a table listens unless told otherwise."""

BROKER_PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True)
class Address:
    """A broker's address, and what it takes to be let in."""

    host: str
    port: int = TABLE_PORT
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False

    def __str__(self) -> str:
        """As people type it: `192.0.2.7:3278`, `[fe80::1%eth0]:3278`."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `HOST[:PORT]`, an IPv6 address bare or in brackets: `::1`, `[::1]:3278`.

    Raises `Refused`: `bad_address`, `bad_port`.
    """
    given = text.strip()
    if given.startswith("["):
        host, bracket, rest = given[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        good = bool(bracket) and (colon == ":" or not rest) and _is_ipv6(host)
    elif given.count(":") > 1:
        host, colon, port = given, "", ""
        good = _is_ipv6(host)
    else:
        host, colon, port = given.partition(":")
        good = _is_name(host)
    number = _port(port) if colon else TABLE_PORT
    if number is None and _is_number(port):
        raise Refused("bad_port", text=text, port=port)
    if not good or number is None:
        raise Refused("bad_address", text=text)
    return Address(host, number)


def parse_broker(text: str) -> Address:
    """Read a broker's URL, `mqtt://[user:password@]host[:port]` or `mqtts://...`.

    Raises `Refused("bad_broker")`; the password is not repeated in it.
    """
    try:
        url = urlsplit(text.strip())
        host, port = url.hostname or "", url.port
    except ValueError:
        raise Refused("bad_broker", text=_without_password(text)) from None
    good = url.scheme in BROKER_PORTS and url.path in ("", "/") and not url.query
    if not good or port == 0 or not (_is_name(host) or _is_ipv6(host)):
        raise Refused("bad_broker", text=_without_password(text))
    return Address(
        host=host,
        port=port or BROKER_PORTS[url.scheme],
        user=None if url.username is None else unquote(url.username),
        password=None if url.password is None else unquote(url.password),
        tls=url.scheme == "mqtts",
    )


def looks_like_address(text: str) -> bool:
    """Whether a text can only be meant as an address: anything else is a table's title first.

    >>> [looks_like_address(one) for one in ("192.0.2.7", "cellar:3278", "a b:99999", "localhost")]
    [True, True, True, True]
    >>> [looks_like_address(one) for one in ("Cellar", "PRRRT...", "Friday 20:30", "Round 2.")]
    [False, False, False, False]
    """
    before, _, port = text.strip().rpartition(":")
    if before and _is_number(port) and _port(port) is None:
        return True  # with a port that is none
    if " " in text.strip():
        return False
    return text == "localhost" or any(c in text for c in ":[") or ("." in text and _is_name(text))


def _port(text: str) -> int | None:
    good = _is_number(text) and len(text) <= 5 and 0 < int(text) < 65536
    return int(text) if good else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).version == 6
    except ValueError:
        return False


def _is_name(host: str) -> bool:
    """Whether it can be a host's name or an IPv4 address."""
    labels = host.removesuffix(".").split(".")
    return len(host) <= 253 and all(
        label and label.replace("-", "a").replace("_", "a").isalnum() for label in labels
    )


def _without_password(text: str) -> str:
    before, at, after = text.rpartition("@")
    scheme, slashes, _ = before.partition("://")
    return f"{scheme}{slashes}...@{after}" if at else text
