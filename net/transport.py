"""The seam between the protocol and whatever carries its messages.

Host and seats speak through these few calls only: MQTT for tables
(`net.mqtt`), memory for solo play and most tests (`net.memory`), and a hostile
one for the protocol's tests. No transport is trusted: messages may be lost,
repeated, reordered or forged, and the protocol above goes on right.
"""

from __future__ import annotations

from typing import Protocol


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
        """Hand a message over. A message published while the line is down is dropped silently."""
        ...

    async def subscribe(self, topic: str) -> None:
        """Receive what is published to `topic` (MQTT wildcards allowed) from now on."""
        ...

    async def receive(self) -> tuple[str, bytes]:
        """Return the next message as (topic, payload). Raises `TransportClosed` once closed."""
        ...

    async def wait_change(self, up: bool) -> None:
        """Wait until `up` is no longer as given: for status lines and hello after a reconnect."""
        ...

    async def close(self) -> None:
        """Close for good, within a few seconds whatever the other side does."""
        ...
