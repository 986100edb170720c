"""The seam between the protocol and whatever carries its messages.

Host and seats speak through these few calls only: MQTT for tables
(`net.mqtt`), memory for solo play and most tests (`net.memory`), and a hostile
one for the protocol's tests. No transport is trusted: messages may be lost,
repeated, reordered or forged, and the protocol above goes on right.
"""

from __future__ import annotations

from typing import Protocol

MAX_PAYLOAD = 64 * 1024
"""The largest message that travels, in bytes; a larger one is dropped wherever it turns up."""

KERNEL_BUFFER = 2 * MAX_PAYLOAD
"""Bytes that a socket may hold where nobody sees them: what comes later waits for them.

With less than the largest message and some room Linux drops what arrives, and
its sender waits longer and longer before it tries again: 20 s were seen.
"""


class TransportClosed(Exception):  # noqa: N818 - an end, not a mistake
    """The transport is closed for good; nothing more will be received."""


class Transport(Protocol):
    """A connection to a broker, real or not.

    It reconnects by itself until closed; `up` says whether the line stands
    now. Subscriptions survive a reconnect.
    """

    @property
    def up(self) -> bool:
        """Whether the line stands at the moment."""
        ...

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Hand a message over. A message published while the line is down is dropped silently.

        Raises `ValueError` for a topic with wildcards and a payload above `MAX_PAYLOAD`.
        """
        ...

    async def subscribe(self, topic: str) -> None:
        """Receive what is published to `topic` (MQTT wildcards allowed) from now on.

        What is retained there comes first. Raises `Refused("not_allowed")` when the broker
        forbids it.
        """
        ...

    async def receive(self) -> tuple[str, bytes]:
        """Return the next message as (topic, payload). Raises `TransportClosed` once closed."""
        ...

    async def wait_change(self, up: bool) -> None:
        """Wait until `up` is no longer as given: for status lines and hello after a reconnect.

        Raises `TransportClosed` once closed.
        """
        ...

    async def close(self) -> None:
        """Close for good, within a few seconds whatever the other side does."""
        ...


def matches(pattern: str, topic: str) -> bool:
    """Return whether a subscription to `pattern` receives what is published to `topic`.

    >>> matches("prrrt/1/+/table", "prrrt/1/abc/table"), matches("prrrt/#", "prrrt")
    (True, True)
    >>> matches("prrrt/+", "prrrt/1/abc"), matches("#", "$SYS/load")
    (False, False)
    """
    if topic.startswith("$") and not pattern.startswith("$"):
        return False
    wanted, levels = pattern.split("/"), topic.split("/")
    for place, part in enumerate(wanted):
        if part == "#":
            return place == len(wanted) - 1
        if place >= len(levels) or part not in ("+", levels[place]):
            return False
    return len(wanted) == len(levels)


def check_topic(topic: str) -> None:
    """Raise `ValueError` for a topic that nobody may publish to."""
    if not topic or any(sign in topic for sign in "+#\0"):
        raise ValueError(f"no topic to publish to: {topic!r}")


def check_payload(payload: bytes) -> None:
    """Raise `ValueError` for a payload that would be dropped on its way."""
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"{len(payload)} bytes are more than {MAX_PAYLOAD}")
