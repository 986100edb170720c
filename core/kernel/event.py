"""What happened: the only thing that changes a table.

Each event says itself what a seat may see of it, in one method. An event that
says nothing is shown to nobody, so that a leak fails closed.
"""

from __future__ import annotations

import msgspec

Viewer = int | None
"""Who is looking: a seat number, or None for a spectator."""


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=str.lower):
    """Something that happened at the table, immutable."""

    def seen_by(self, viewer: Viewer) -> Event | None:  # noqa: ARG002
        """Return the part of this that `viewer` may see; None hides even that it happened."""
        return None


class Public(Event, frozen=True):
    """An event that everybody at the table sees whole."""

    def seen_by(self, viewer: Viewer) -> Event | None:  # noqa: ARG002
        """Return the event itself."""
        return self
