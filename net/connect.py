"""From an address to a table: what stands behind it, whether we fit, and the line to it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from typing import Annotated

import msgspec

from net.address import Address, parse_address, parse_broker
from net.messages import TableAd
from net.mqtt import MqttTransport
from net.names import TITLE_LENGTH
from net.refused import Refused
from net.seal import Counters, verify_public
from net.topics import PROTOCOL, ROOT, table_of, table_topic
from net.version import RULES

__all__ = [
    "Address",
    "check_hosts",
    "join",
    "join_first",
    "parse_address",
    "parse_broker",
    "tables_at",
]

ANY_VERSION = "prrrt/+/{table}/table"
"""Where a table of every protocol stands, so that an older or newer one is named and not missed."""

VERSION_DIGITS = 6
"""Digits that the number of a protocol may have: anybody can publish under such a topic."""

LATE = 2.0
"""Seconds that a table may take to say so which has just opened, or was shouted down."""


async def join(address: Address, table: str | None = None) -> tuple[MqttTransport, TableAd]:
    """Connect to the table at a broker: to the one named, or to the only one there.

    Its advertisement is signed with the key that the table's id is made of;
    what isn't is passed over. Raises `Refused`: `no_connection`,
    `login_refused`, `no_table`, `unknown_table`, `several_tables`, `version`.
    """
    found = await _look(address, table)
    ad = _only(found, address, table)
    return await MqttTransport.open(address), ad


async def join_first(
    addresses: Sequence[Address], table: str | None = None
) -> tuple[MqttTransport, TableAd]:
    """Connect to a table at the first of its addresses that answers (`FoundTable.addresses`).

    A machine with two networks announces both, and only one may be ours. Raises like `join`:
    what the last one said, if none answers.
    """
    *others, last = addresses
    for address in others:
        try:
            return await join(address, table)
        except Refused as refused:
            if refused.code not in ("no_connection", "unknown_table", "no_table"):
                raise
    return await join(last, table)


async def tables_at(address: Address) -> list[TableAd]:
    """Return the tables at a broker that we could play at, by title; `ad.host.table_id` is the id.

    Raises `Refused`: `no_connection`, `login_refused`.
    """
    found = await _look(address, None, late=0.0)
    fitting = [ad for ad in found.ads.values() if _fits(ad)]
    return sorted(fitting, key=lambda ad: (ad.title, ad.host.table_id))


async def check_hosts(address: Address) -> None:
    """Raise `Refused("tables_broker")` if nobody but the table that it belongs to can host there.

    Also `no_connection`, `login_refused`, `not_allowed`. A table's own broker drops in silence
    what only a host says, so we say an empty such word, and one that anybody may say after it.
    """
    transport = await MqttTransport.open(address)
    one = secrets.token_hex(16)
    ours, echo = table_topic(one), f"{ROOT}/echo/{one}"
    try:
        for topic in (ours, echo):
            await transport.subscribe(topic)
        for topic in (ours, echo):
            await transport.publish(topic, b"")
        with contextlib.suppress(TimeoutError):  # a broker that is so slow is none of a table
            async with asyncio.timeout(LATE):
                first, _ = await transport.receive()
                if first == echo:
                    raise Refused("tables_broker", host=address.host, port=address.port)
    finally:
        await transport.close()


class _Found:
    """What a broker keeps under `table` topics."""

    def __init__(self) -> None:
        self.ads: dict[str, TableAd] = {}
        self.strange: dict[str, int] = {}
        """Tables of a protocol that we don't speak, by id, unverified: we can't."""

    def take(self, topic: str, payload: bytes) -> None:
        """Take in one message; whatever isn't a table's own word is dropped."""
        table = table_of(topic)
        if table is None:
            self._take_strange(topic, payload)
            return
        letter = verify_public(payload, table, Counters())
        if letter is None:
            self._take_strange(topic, payload)
        elif isinstance(letter.body, TableAd) and letter.body.phase != "closed":
            self.ads[table] = letter.body

    def _take_strange(self, topic: str, payload: bytes) -> None:
        match topic.split("/"):
            case ["prrrt", version, table, "table"] if _is_version(version):
                if payload and (protocol := _protocol_in(payload, int(version))) != PROTOCOL:
                    self.strange[table] = protocol


def _is_version(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= VERSION_DIGITS


class _Body(msgspec.Struct):
    protocol: Annotated[int, msgspec.Meta(ge=0, lt=10**VERSION_DIGITS)]


class _Glimpse(msgspec.Struct):
    body: _Body


def _protocol_in(payload: bytes, otherwise: int) -> int:
    """Return the protocol that an advertisement of another version tells, if it can be read."""
    with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(payload[64:], type=_Glimpse).body.protocol
    return otherwise


async def _look(address: Address, table: str | None, late: float = LATE) -> _Found:
    """Return what the broker keeps; wait a little for a table that isn't there yet."""
    transport = await MqttTransport.open(address)
    found = _Found()
    echo = f"{ROOT}/echo/{secrets.token_hex(16)}"
    wanted = table is not None
    try:
        await transport.subscribe(echo)
        # Whoever knows which table needs none of the thousands that somebody may have invented.
        known = table if table is not None and table.isalnum() else "+"
        await transport.subscribe(ANY_VERSION.format(table=known))
        await transport.publish(echo, b"")
        # A broker keeps the order: when our own word comes back, all that it kept has come before.
        # One that forbids us this topic costs the whole wait.
        everything_kept = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(late or LATE):
                while True:
                    topic, payload = await transport.receive()
                    if topic == echo:
                        everything_kept = True
                    else:
                        found.take(topic, payload)
                    there = table in found.ads if wanted else bool(found.ads)
                    # Another version's word can't be checked: it may cover up a table of ours,
                    # which says its own again (`net.ad_watch`).
                    if everything_kept and (there or not late):
                        break
    finally:
        await transport.close()
    return found


def _only(found: _Found, address: Address, table: str | None) -> TableAd:
    if table is not None:
        if table in found.ads:
            return _fitting(found.ads[table])
        if table in found.strange:
            raise _version(found.strange[table])
        raise Refused("unknown_table", table=table)
    fitting = [ad for ad in found.ads.values() if _fits(ad)]
    if len(fitting) > 1:
        fitting.sort(key=lambda ad: ad.title)
        raise Refused(
            "several_tables",
            tables=tuple(ad.host.table_id for ad in fitting),
            titles=tuple(ad.title[:TITLE_LENGTH] for ad in fitting),
        )
    if fitting:
        return fitting[0]
    for ad in found.ads.values():
        return _fitting(ad)
    for protocol in found.strange.values():
        raise _version(protocol)
    raise Refused("no_table", host=address.host, port=address.port)


def _fits(ad: TableAd) -> bool:
    return ad.protocol == PROTOCOL and ad.rules == RULES


def _fitting(ad: TableAd) -> TableAd:
    if not _fits(ad):
        raise _version(ad.protocol)
    return ad


def _version(theirs: int) -> Refused:
    return Refused("version", ours=PROTOCOL, theirs=theirs)
