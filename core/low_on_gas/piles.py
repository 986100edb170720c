"""Drawing from the draw pile, which the discard pile refills (F-R19, F25)."""

from __future__ import annotations

from collections.abc import Callable

from core.kernel.event import Event
from core.low_on_gas.cards import DECK
from core.low_on_gas.events import Drew, Reshuffled, Waived, Why

Shuffle = Callable[[int, tuple[str, ...]], tuple[str, ...]]
"""Orders the cards of the K-th new draw pile of a game."""

_PLACE = {card: place for place, card in enumerate(DECK)}


class Piles:
    """Draws as they will happen, on copies: chance is asked before anything is emitted.

    Both piles are top first. `events` is what the draws so far come to.
    """

    def __init__(
        self,
        draw_pile: tuple[str, ...],
        discard_pile: tuple[str, ...],
        reshuffles: int,
        shuffle: Shuffle,
    ) -> None:
        self._draw_pile = draw_pile
        self._discard_pile = discard_pile
        self._reshuffles = reshuffles
        self._shuffle = shuffle
        self.events: list[Event] = []

    def draw(self, seat: int, number: int, why: Why) -> tuple[str, ...]:
        """Draw so many cards, as far as there are any (F26); return them."""
        drawn: tuple[str, ...] = ()
        self._refill()
        while number and self._draw_pile:
            part, self._draw_pile = self._draw_pile[:number], self._draw_pile[number:]
            self.events.append(Drew(seat, part, why))
            drawn += part
            number -= len(part)
            self._refill()
        if number:
            self.events.append(Waived(seat, number, why))
        return drawn

    def _refill(self) -> None:
        """Shuffle all but the visible card when the draw pile is empty: before and after a draw."""
        if self._draw_pile or len(self._discard_pile) < 2:
            return
        cards = tuple(sorted(self._discard_pile[1:], key=_PLACE.__getitem__))
        self._reshuffles += 1
        self._draw_pile = self._shuffle(self._reshuffles, cards)
        self._discard_pile = self._discard_pile[:1]
        self.events.append(Reshuffled(self._draw_pile))
