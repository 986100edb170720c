"""What a bot is: a player that is handed one seat's view, exactly what goes out on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from core.kernel.action import Action
from core.kernel.event import Event

if TYPE_CHECKING:
    from random import Random

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)


class Bot(Protocol[ViewT_contra]):
    """One bot at one seat. It may remember what it was shown; it never sees the game."""

    def saw(self, event: Event) -> None:
        """Take note of an event as this seat was shown it, in order."""
        ...

    def choose(self, view: ViewT_contra, seat: int, rng: Random) -> Action | None:
        """Return a legal action for `seat`, one of whose offers is open in `view`.

        None says nothing: only where the game doesn't wait for this seat, which may speak up.
        """
        ...
