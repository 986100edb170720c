"""The medium bot: counts the cards it can see and weighs what a confession costs now and later."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import TYPE_CHECKING

from core.kernel.action import Action
from core.kernel.event import Event
from core.kernel.hidden import count
from core.kernel.view import Offer
from core.prrrt.actions import Choose, Deny, Give, OwnUp, Point
from core.prrrt.bots.counting import Count, mean_shame
from core.prrrt.bots.easy import at_random
from core.prrrt.bots.memory import Memory
from core.prrrt.cards import EXCHANGED, LAPS
from core.prrrt.view import PrrrtTable, PrrrtView

if TYPE_CHECKING:
    from random import Random

HURT = 0.5
"""What a Shame point on the culprit is worth against one on oneself, when pointing."""

RESCUE = 0.03
"""The chance, for each question that somebody else still has to answer, that they own up."""

KEPT_FOR = {7: 3.0, 6: 1.0, 4: 0.5}
"""Points that a card in hand may be worth more than it smells, as long as it can come to light."""


class SensibleBot:
    """Owns up, picks and points by the odds. It remembers what 4s and 6s showed it."""

    def __init__(self) -> None:
        self.memory = Memory()

    def saw(self, event: Event) -> None:
        """Remember what passed through its hands."""
        self.memory.note(event)

    def choose(self, view: PrrrtView, seat: int, rng: Random) -> Action:
        """Return a legal action: a considered one where there is something to consider."""
        offers = {offer.do: offer for offer in view.offers}
        if "own_up" in offers:
            return OwnUp() if self.owns_up(self.counted(view, seat), rng) else Deny()
        if "choose" in offers:
            return self.picks(view, seat, offers["choose"])
        if "give" in offers:
            return self.gives(view, offers["give"])
        if "point" in offers:
            return self.points(self.counted(view, seat), offers["point"], rng)
        return at_random(view.offers[0], view, rng)

    def counted(self, view: PrrrtView, seat: int) -> Count:
        """Return the round as this seat can count it."""
        return Count(view.table, seat, self.memory)

    # -- one decision each

    def owns_up(self, count_: Count, rng: Random) -> bool:  # noqa: ARG002
        """Return whether the centre now costs less than what a denial is to be feared to cost."""
        stakes = Stakes(count_)
        guilty = self.guilt(count_)
        return stakes.now < stakes.denial(guilty)

    def guilt(self, count_: Count) -> float:
        """Return how likely one is to end up as the culprit, with a 7 in hand as a way out."""
        return with_a_way_out(count_, count_.own_chance())

    def picks(self, view: PrrrtView, seat: int, offer: Offer) -> Choose:
        """Return whom a 3, 4, 5 or 6 is to hit."""
        effect = view.table.effect
        if offer.pairs:
            return self.swaps(self.counted(view, seat), offer.pairs)
        players = [player for player in offer.players if player is not None]
        if effect is None or effect.card not in EXCHANGED:
            return Choose(least_ashamed(view.table, players))
        count_ = self.counted(view, seat)
        number = EXCHANGED[effect.card]
        return Choose(
            min(players, key=lambda player: count_.own_chance(swap(count_, player, number)))
        )

    def swaps(self, count_: Count, pairs: Iterable[tuple[int, int]]) -> Choose:
        """Return which open card to take for a 5: the one that leaves one least likely guilty."""
        five = 5
        best = min(
            pairs,
            key=lambda pair: (
                count_.own_chance({count_.me: pair[1] - five, pair[0]: five - pair[1]}),
                pair[1],
            ),
        )
        return Choose(*best)

    def gives(self, view: PrrrtView, offer: Offer) -> Give:
        """Return what to give back: the smelliest, unless it may still be of use."""
        useful = view.table.lap < LAPS
        hand = sorted(
            (int(card) for card in offer.cards),
            key=lambda card: card - (KEPT_FOR.get(card, 0) if useful else 0),
            reverse=True,
        )
        return Give(tuple(hand[: offer.take]))

    def points(self, count_: Count, offer: Offer, rng: Random) -> Point:
        """Return the most likely culprit if that is likely enough to stake a card on."""
        return Point(worth_pointing(self.suspects(count_, rng), offer))

    def suspects(self, count_: Count, rng: Random) -> tuple[float, ...]:  # noqa: ARG002
        """Return how likely each seat is the culprit."""
        return count_.chances()


class Stakes:
    """What is to be paid: `now`, for owning up, and `later`, by the culprit (in Shame points)."""

    def __init__(self, count_: Count) -> None:
        table = count_.table
        self.card = mean_shame(table, count_.me)
        self.others = count_.seats - 1
        self.now = sum(table.centre.up) + self.card * count(table.centre.down)
        self.fingers = self.others * count_.suspicion()
        self.later = self.now + self.card * (LAPS - table.lap + self.fingers)
        self.answers_to_come = self.others * (LAPS - table.lap) + answers_left(table)

    def denial(self, guilty: float) -> float:
        """Return what a denial costs on average; what somebody else pays counts as a gain."""
        alone = (1 - RESCUE) ** self.answers_to_come
        return alone * self.later * (guilty - (1 - guilty) / self.others)


def answers_left(table: PrrrtTable) -> int:
    """Return how many others are still to answer in this lap."""
    if table.first is None or table.asked is None:
        return 0
    step = -1 if table.direction == "right" else 1
    return (table.first - table.asked) * step % len(table.hands)


def with_a_way_out(count_: Count, guilty: float) -> float:
    """Blend in the chance that a 7 in hand comes to light and takes the hand with it."""
    sevens, hand = count_.hand.count(7), len(count_.hand)
    denials = min(LAPS - count_.table.lap + 1, hand)
    if not sevens or not denials:
        return guilty
    comes = 1 - comb(hand - sevens, denials) / comb(hand, denials)
    others = (sum(count_.hand) - 7 * sevens) / max(hand - sevens, 1)
    left = count_.rows[count_.me] + 7 + others * (denials - 1) / 2
    out = count_.own_chance({count_.me: left - count_.total})
    return (1 - comes) * guilty + comes * out


def swap(count_: Count, player: int, number: int) -> dict[int, float]:
    """Return how points shift on average if one swaps cards with a player and gives the worst."""
    number = min(number, count(count_.table.hands[player]))
    worst = sum(sorted(count_.hand, reverse=True)[:number])
    gain = max(worst - number * count_.mean_card(player), 0.0)
    return {count_.me: -gain, player: gain}


def least_ashamed(table: PrrrtTable, players: Iterable[int]) -> int:
    """Return who has the least Shame so far: by points where they are public, else by cards."""
    scores = table.scores if isinstance(table.scores, tuple) else None
    return min(players, key=lambda s: (scores[s] if scores else 0, count(table.piles[s])))


def worth_pointing(chances: tuple[float, ...], offer: Offer) -> int | None:
    """Return the most likely of the players offered, or None where the odds don't pay a card."""
    players = [player for player in offer.players if player is not None]
    suspect = max(players, key=lambda player: chances[player])
    chance = chances[suspect]
    return suspect if chance * HURT > 1 - chance else None
