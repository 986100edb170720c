"""What can happen in Achoo, and what a seat may see of it."""

from __future__ import annotations

from core.kernel.event import Event, Public, Viewer
from core.kernel.hidden import count

Cards = tuple[int, ...] | int
"""Faces, or how many there are."""


class Dealt(Event, frozen=True):
    """Four cards were dealt to a seat."""

    seat: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """Their owner sees the faces."""
        return self if viewer == self.seat else Dealt(self.seat, count(self.cards))


class TurnCame(Public, frozen=True):
    """It is a seat's turn."""

    seat: int


class Played(Public, frozen=True):
    """A card was played; it made its player sneeze, or not."""

    seat: int
    card: int
    sneezed: bool


class Apologised(Public, frozen=True):
    """Whoever sneezed said sorry: the card counts after all."""

    seat: int


class Ended(Public, frozen=True):
    """Nobody has a card left."""


AchooEvent = Dealt | TurnCame | Played | Apologised | Ended
