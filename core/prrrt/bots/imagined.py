"""Rounds that could be: hidden hands dealt in the mind, and played to their end in outline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.prrrt.bots.counting import Count
from core.prrrt.cards import EXCHANGED, LAPS, STEP
from core.prrrt.verdict import culprit_of

if TYPE_CHECKING:
    from random import Random

OWNS_UP = 0.6
"""How often somebody whose total is alarming is taken to own up when asked."""

ALARM = 0.65
"""From which chance of being the culprit on a total is alarming to its owner."""


def dealt(count_: Count, rng: Random) -> list[list[int]]:
    """Return everybody's hand as it could be: what one knows, and the rest out of the pool."""
    pool = rng.sample(tuple(count_.pool.elements()), sum(count_.hidden))
    hands = []
    for seat, unknown in enumerate(count_.hidden):
        if seat == count_.me:
            hands.append(list(count_.hand))
        else:
            known = count_.remembered.get(seat, Counter())
            hands.append([*known.elements(), *pool[:unknown]])
            del pool[:unknown]
    return hands


def questioned(count_: Count) -> list[int]:
    """Return the seats in the order of a lap's questions, the first player last."""
    table = count_.table
    step = STEP[table.direction or "left"]
    return [((table.first or 0) + step * n) % count_.seats for n in range(1, count_.seats + 1)]


def alarming_totals(count_: Count) -> list[int]:
    """Return for each seat from which total on its owner has to fear to be the culprit."""
    sums = count_.sums
    hands = [len(count_.hand) if s == count_.me else n for s, n in enumerate(count_.hidden)]
    found = []
    for seat in range(count_.seats):
        others = [s for s in range(count_.seats) if s != seat]
        total = 0
        while total < 45:
            chance = 1.0
            for other in others:
                sure = count_.rows[other] if other == count_.me else count_.certain[other]
                chance *= sums[hands[other]].below(total - sure)
            if chance >= ALARM:
                break
            total += 1
        found.append(total)
    return found


class Round:
    """One round as it could be, from the question to oneself on, if everybody played simply."""

    def __init__(self, count_: Count, hands: list[list[int]], alarm: Sequence[float]) -> None:
        self.me = count_.me
        self.hands = hands
        self.rows = [list(row) for row in count_.table.rows]
        self.order = questioned(count_)
        self.lap = count_.table.lap
        self.start = self.order.index(count_.me)
        self.alarm = alarm

    def play(self, rng: Random) -> tuple[int, int, bool]:
        """Deny now; return who pays in the end, in which lap, and whether they owned up."""
        lap, place = self.lap, self.start
        first = True
        while lap <= LAPS:
            seat = self.order[place]
            if not first and self._owns_up(seat, rng):
                return seat, lap, True
            first = False
            if self.hands[seat]:
                self._denies(seat, rng)
            place += 1
            if place == len(self.order):
                lap, place = lap + 1, 0
        cards = [(*row, *hand) for row, hand in zip(self.rows, self.hands, strict=True)]
        return culprit_of(cards, self.order)[0], LAPS, False

    def _owns_up(self, seat: int, rng: Random) -> bool:
        total = sum(self.rows[seat]) + sum(self.hands[seat])
        return total >= self.alarm[seat] and rng.random() < OWNS_UP

    def _denies(self, seat: int, rng: Random) -> None:
        hand = self.hands[seat]
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
