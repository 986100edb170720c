"""Rounds that could be: hidden hands dealt in the mind, and played to their end in outline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from core.prrrt.bots.counting import Tally
from core.prrrt.cards import EXCHANGED, LAPS
from core.prrrt.verdict import culprit_of

if TYPE_CHECKING:
    from random import Random

OWNS_UP = 0.4
"""How often somebody whose total is alarming is taken to own up when asked."""

ALARM = 0.75
"""From which chance of being the culprit on a total is alarming to its owner."""

NEVER = 41
"""More than five cards can be worth."""


def dealt(tally: Tally, rng: Random) -> list[list[int]]:
    """Return everybody's hand as it could be: what one knows, and the rest out of the pool."""
    pool = rng.sample(tuple(tally.pool.elements()), sum(tally.hidden))
    hands = []
    for seat, unknown in enumerate(tally.hidden):
        if seat == tally.me:
            hands.append(list(tally.hand))
        else:
            known = tally.remembered.get(seat, Counter())
            hands.append([*known.elements(), *pool[:unknown]])
            del pool[:unknown]
    return hands


def alarming_totals(tally: Tally) -> list[int]:
    """Return for each seat from which total on its owner has to fear to be the culprit."""
    others = [(tally.certain[s], tally.sums[n]) for s, n in enumerate(tally.hidden)]
    others[tally.me] = (tally.rows[tally.me], tally.sums[len(tally.hand)])

    def fears(seat: int, total: int) -> bool:
        rivals = [other for s, other in enumerate(others) if s != seat]
        return prod([odds.below(total - sure) for sure, odds in rivals]) >= ALARM

    return [
        next((total for total in range(NEVER) if fears(seat, total)), NEVER)
        for seat in range(tally.seats)
    ]


class Round:
    """One round as it could be, from the question to oneself on, if everybody played simply."""

    def __init__(self, tally: Tally, hands: list[list[int]], alarm: Sequence[int]) -> None:
        self.hands = hands
        self.rows = [list(row) for row in tally.table.rows]
        self.alarm = alarm
        self.me = tally.me
        self.order = tally.order
        self.lap = tally.table.lap

    def play(self, rng: Random) -> tuple[int, int, bool]:
        """Deny now; return who pays in the end, in which lap, and whether they owned up."""
        self._denies(self.me, rng)
        to_come = self.order[self.order.index(self.me) + 1 :]
        for lap in range(self.lap, LAPS + 1):
            for seat in to_come:
                if self._owns_up(seat, rng):
                    return seat, lap, True
                self._denies(seat, rng)
            to_come = self.order
        cards = [(*row, *hand) for row, hand in zip(self.rows, self.hands, strict=True)]
        return culprit_of(cards, self.order)[0], LAPS, False

    def _owns_up(self, seat: int, rng: Random) -> bool:
        total = sum(self.rows[seat]) + sum(self.hands[seat])
        return total >= self.alarm[seat] and rng.random() < OWNS_UP

    def _denies(self, seat: int, rng: Random) -> None:
        hand = self.hands[seat]
        if not hand:
            return
        card = hand.pop(int(rng.random() * len(hand)))
        self.rows[seat].append(card)
        if card == 7:
            hand.clear()
        elif card == 5:
            self._swaps(seat)
        elif card in EXCHANGED:
            self._exchanges(seat, EXCHANGED[card], rng)

    def _swaps(self, seat: int) -> None:
        open_cards = [(min(row), s) for s, row in enumerate(self.rows) if s != seat and row]
        if open_cards:
            card, other = min(open_cards)
            self.rows[seat][-1] = card
            self.rows[other].remove(card)
            self.rows[other].append(5)

    def _exchanges(self, seat: int, number: int, rng: Random) -> None:
        others = [s for s, hand in enumerate(self.hands) if s != seat and hand]
        if not others:
            return
        hand, other = self.hands[seat], self.hands[others[int(rng.random() * len(others))]]
        number = min(number, len(other))
        for _ in range(number):
            hand.append(other.pop(int(rng.random() * len(other))))
        hand.sort()
        other.extend(hand[-number:])
        del hand[-number:]
