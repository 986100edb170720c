"""Names of the MQTT topics of a table (`architecture.md`, "net/"), and the protocol's version."""

from __future__ import annotations

PROTOCOL = 1
"""Grows when hosts and seats of different versions no longer understand each other."""

ROOT = "prrrt/1"


def table_topic(table: str) -> str:
    """Return where a table's signed, retained advertisement stands."""
    return f"{ROOT}/{table}/table"


def public_topic(table: str) -> str:
    """Return where the signed spectators' view goes."""
    return f"{ROOT}/{table}/public"


def up_topic(table: str, peer: str) -> str:
    """Return where a peer writes to the host; `+` for all peers."""
    return f"{ROOT}/{table}/peer/{peer}/up"


def down_topic(table: str, peer: str) -> str:
    """Return where the host writes to one peer."""
    return f"{ROOT}/{table}/peer/{peer}/down"


def table_of(topic: str) -> str | None:
    """Return the table id in a `table` topic, None for any other topic.

    >>> table_of("prrrt/1/abc/table")
    'abc'
    """
    match topic.split("/"):
        case ["prrrt", "1", table, "table"]:
            return table
        case _:
            return None


def peer_of(topic: str) -> str | None:
    """Return the peer id in an `up` topic, None for any other topic."""
    match topic.split("/"):
        case ["prrrt", "1", _, "peer", peer, "up"]:
            return peer
        case _:
            return None


def only_a_host_says(topic: str) -> bool:
    """Say whether a topic carries the words of a host, of whatever version and table.

    >>> only_a_host_says("prrrt/1/abc/table"), only_a_host_says("prrrt/1/abc/peer/xyz/up")
    (True, False)
    """
    match topic.split("/"):
        case ["prrrt", _, _, "table" | "public"] | ["prrrt", _, _, "peer", _, "down"]:
            return True
        case _:
            return False
