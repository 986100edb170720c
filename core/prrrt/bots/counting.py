"""Counting cards: how likely everybody is to be the culprit, from what one seat can see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from math import ceil, comb, prod

from core.kernel.hidden import count
from core.prrrt.bots.memory import Memory
from core.prrrt.cards import HAND, SHAME_DECK, SMELL_DECKS, STEP
from core.prrrt.view import PrrrtTable

DECKS = tuple(Counter(deck) for deck in SMELL_DECKS.values())


class Odds:
    """The odds of a sum of points: `at[n]` is the chance of n points."""

    def __init__(self, at: Sequence[float]) -> None:
        self.at = tuple(at)
        self._less = (0.0, *accumulate(self.at))

    def below(self, limit: float) -> float:
        """Return the chance of a sum below a limit; the limit itself counts half, as a tie.

        >>> Odds([0.25, 0.25, 0.5]).below(1), Odds([0.25, 0.25, 0.5]).below(1.5)
        (0.375, 0.5)
        """
        if limit < 0:
            return 0.0
        if limit >= len(self.at):
            return 1.0
        whole = ceil(limit)
        tie = self.at[whole] / 2 if whole == limit else 0.0
        return self._less[whole] + tie


class Tally:
    """The round as one seat can count it.

    `certain` is the points by seat that are known to lie in rows and hands,
    `hidden` how many cards of each hand are unknown, `pool` the Smell cards
    that could be there.
    """

    def __init__(self, table: PrrrtTable, me: int, memory: Memory) -> None:
        self.table = table
        self.me = me
        self.seats = len(table.hands)
        hand, discarded = table.hands[me], table.discards[me]
        self.hand: tuple[int, ...] = hand if isinstance(hand, tuple) else ()
        own = (*self.hand, *(discarded if isinstance(discarded, tuple) else ()))
        open_cards = Counter(card for row in table.rows for card in row)
        seen = open_cards + Counter(own)
        remembered = memory.checked(table, me).hands
        known = sum(remembered.values(), Counter()) + memory.thrown
        deck = likely_deck(seen + known)
        if not seen + known <= deck:  # it can't be so: trust one's eyes only
            memory.forget()
            remembered, known = {}, Counter()
            deck = likely_deck(seen)
        self.pool = deck - seen - known
        self.public_pool = deck - open_cards
        self.remembered: Mapping[int, Counter[int]] = remembered
        self.rows = tuple(sum(row) for row in table.rows)
        self.certain = tuple(
            self.rows[s] + (sum(self.hand) if s == me else points_of(remembered.get(s, Counter())))
            for s in range(self.seats)
        )
        self.hidden = tuple(
            0 if s == me else count(table.hands[s]) - remembered.get(s, Counter()).total()
            for s in range(self.seats)
        )

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats as a lap questions them, the first player last (P19)."""
        step = STEP[self.table.direction or "left"]
        first = self.table.first or 0
        return tuple([(first + step * n) % self.seats for n in range(1, self.seats + 1)])

    @property
    def total(self) -> int:
        """One's own total, row and hand."""
        return self.certain[self.me]

    @cached_property
    def sums(self) -> tuple[Odds, ...]:
        """The odds of the sum of 0, 1, ... 5 unknown cards."""
        return sums_of(self.pool)

    def own_chance(self, shift: Mapping[int, float] | None = None) -> float:
        """Return how likely one is the culprit, if everybody's points shifted by so much."""
        shift = shift or {}
        mine = self.total + shift.get(self.me, 0)
        if self._five_zeros(mine):
            return 1.0
        return prod(
            self.sums[self.hidden[s]].below(mine - self.certain[s] - shift.get(s, 0))
            for s in range(self.seats)
            if s != self.me
        )

    def chances(self) -> tuple[float, ...]:
        """Return how likely each seat is the culprit, as one knows it."""
        return largest([(self.certain[s], self.sums[self.hidden[s]]) for s in range(self.seats)])

    def suspicion(self) -> float:
        """Return how likely one seems to be the culprit to those who see the rows alone."""
        sums = sums_of(self.public_pool)
        everybody = [(self.rows[s], sums[count(self.table.hands[s])]) for s in range(self.seats)]
        return largest(everybody)[self.me]

    def mean_card(self, seat: int) -> float:
        """Return what a card pulled blind from a hand is worth on average."""
        known = self.remembered.get(seat, Counter())
        cards = count(self.table.hands[seat])
        if not cards:
            return 0.0
        return (points_of(known) + self.hidden[seat] * mean(self.pool)) / cards

    def _five_zeros(self, mine: float) -> bool:
        return mine == 0 and len(self.hand) + len(self.table.rows[self.me]) == HAND


def likely_deck(seen: Counter[int]) -> Counter[int]:
    """Return the deck that these cards most likely come from; a view doesn't say which is played.

    >>> likely_deck(Counter([8, 8, 2])) == DECKS[0]
    True
    >>> likely_deck(Counter([0, 1, 2])) == DECKS[1]
    True
    """
    return max(DECKS, key=lambda deck: prod(comb(deck[card], n) for card, n in seen.items()))


def sums_of(pool: Counter[int], most: int = HAND) -> tuple[Odds, ...]:
    """Return, for 0 to `most` cards pulled from a pool, the odds of their sum.

    >>> [odds.at for odds in sums_of(Counter([1, 3]), 1)]
    [(1.0,), (0.0, 0.5, 0.0, 0.5)]
    """
    ways: list[Counter[int]] = [Counter() for _ in range(most + 1)]
    ways[0][0] = 1
    for card, copies in pool.items():
        for taken in range(most, 0, -1):
            for n in range(1, min(taken, copies) + 1):
                choices = comb(copies, n)
                for points, fewer in ways[taken - n].items():
                    ways[taken][points + n * card] += fewer * choices
    odds = []
    for taken, found in enumerate(ways):
        total = comb(pool.total(), taken) or 1
        odds.append(Odds([found[points] / total for points in range(max(found, default=0) + 1)]))
    return tuple(odds)


def largest(hands: Sequence[tuple[int, Odds]]) -> tuple[float, ...]:
    """Return each one's chance of the largest total, given certain points and odds of the rest.

    Hands are taken as independent, which they nearly are.
    """
    found = []
    for seat, (certain, odds) in enumerate(hands):
        others = [hand for other, hand in enumerate(hands) if other != seat]
        found.append(
            sum(
                chance * prod([rest.below(certain + points - sure) for sure, rest in others])
                for points, chance in enumerate(odds.at)
                if chance
            )
        )
    whole = sum(found) or 1.0
    return tuple(chance / whole for chance in found)


def mean(cards: Counter[int]) -> float:
    """Return what a card of these is worth on average.

    >>> mean(Counter([2, 4]))
    3.0
    """
    return points_of(cards) / cards.total() if cards else 0.0


def points_of(cards: Counter[int]) -> int:
    """Return the sum of the cards.

    >>> points_of(Counter([2, 2, 4]))
    8
    """
    return sum(card * n for card, n in cards.items())


def mean_shame(table: PrrrtTable, me: int) -> float:
    """Return what a Shame card that one can't see is worth on average."""
    pile = table.piles[me]
    seen = Counter(table.centre.up) + Counter(pile if isinstance(pile, tuple) else ())
    return mean(Counter(SHAME_DECK) - seen)
