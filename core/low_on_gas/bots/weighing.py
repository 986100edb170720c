"""What a discard is worth: what it leaves one with, and what it does to the next player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import comb

from core.kernel.hidden import count, faces
from core.low_on_gas.cards import CARDS, COLOURS, DECK, MATCH, fits
from core.low_on_gas.view import GasTable

FOLLOWS_COLOUR, FOLLOWS_KIND = 1.0, 0.4
"""What another card in hand is worth that goes with the one discarded: the colour stays longer."""

WILD = 2.5
"""What a wild is worth in hand: it always goes, and so it goes last."""

HURT = 0.5
"""What a card in the hand of somebody who is about to win is worth."""

BLOCKS = 6.0
"""What it is worth that somebody who is about to win can discard nothing at once."""

URGENCY = {1: 1.0, 2: 0.5, 3: 0.25}
"""How much it matters what happens to somebody with so few cards."""

CALM = 0.1
"""How much it matters with more of them."""

SPARED = 2
"""Cards that one draws rather than burn them with a Match."""


@dataclass
class Weighing:
    """A table as one seat sees it. `gone` and `lacks` are what it remembers besides."""

    table: GasTable
    me: int
    gone: Counter[str] = field(default_factory=Counter)
    lacks: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hand = faces(self.table.hands[self.me])
        self.next = (self.me + 1) % len(self.table.hands)
        self.low = count(self.table.hands[self.next])
        self.urgency = URGENCY.get(self.low, CALM)
        self.unseen = Counter(DECK) - Counter(self.hand) - (self.gone or Counter([self.table.top]))

    def worth(self, card: str, colour: str | None) -> float:
        """Return how good it is to discard a card, with the colour selected if it is a wild."""
        face = CARDS[card]
        rest = list(self.hand)
        rest.remove(card)
        now = face.colour or colour
        worth = sum(self._follows(other, card, now) for other in rest) / max(len(rest), 1)
        worth -= WILD if face.wild and rest else 0
        owed = face.pick_up + (self.table.owed if face.pick_up else 0)
        worth += HURT * owed * self.urgency
        return worth + BLOCKS * self.urgency * (1 - self._answers(card, now, owes=owed > 0))

    def best_colour(self, card: str) -> str:
        """Return the colour that a wild is best discarded with."""
        return max(COLOURS.values(), key=lambda colour: self.worth(card, colour))

    def instead_of_drawing(self, cards: Iterable[str], costs: int) -> list[str]:
        """Return those of the cards that had better go before what is owed is drawn.

        A pick-up always had: somebody else owes then. A Match only for much. One that would
        be refused, or cost as much as it saves, had not.
        """
        if costs >= self.table.owed:
            return []
        dear = self.table.owed > SPARED or len(self.hand) == 1
        return [card for card in cards if dear or CARDS[card].pick_up]

    def best(self, cards: Iterable[str]) -> str:
        """Return the card that is best discarded, of equally good ones the first."""
        return max(
            cards,
            key=lambda card: self.worth(card, self.best_colour(card) if CARDS[card].wild else None),
        )

    def _follows(self, other: str, card: str, colour: str | None) -> float:
        face = CARDS[other]
        if face.wild:
            return FOLLOWS_COLOUR
        if face.colour == colour:
            return FOLLOWS_COLOUR
        return FOLLOWS_KIND if face.kind == CARDS[card].kind else 0

    def _answers(self, card: str, colour: str | None, *, owes: bool) -> float:
        """Return how likely the next player holds something that can go at once."""
        lacks = self.lacks.get(self.next)
        if lacks is not None and (owes or lacks == colour):
            return 0  # who lacks a colour had no wild either
        unseen = self.unseen.total()
        fitting = sum(
            number
            for other, number in self.unseen.items()
            if (other == MATCH if owes else fits(other, card, colour))
        )
        held = min(self.low, unseen)
        return 1 - comb(unseen - fitting, held) / comb(unseen, held)
