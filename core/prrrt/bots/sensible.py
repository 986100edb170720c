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
from core.prrrt.bots.counting import Tally, mean_shame
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

    def counted(self, view: PrrrtView, seat: int) -> Tally:
        """Return the round as this seat can count it."""
        return Tally(view.table, seat, self.memory)

    # -- one decision each

    def owns_up(self, tally: Tally, rng: Random) -> bool:  # noqa: ARG002
        """Return whether the centre now costs less than what a denial is to be feared to cost."""
        stakes = Stakes(tally)
        guilty = self.guilt(tally)
        return stakes.now < stakes.denial(guilty)

    def guilt(self, tally: Tally) -> float:
        """Return how likely one is to end up as the culprit, with a 7 in hand as a way out."""
        return with_a_way_out(tally, tally.own_chance())

    def picks(self, view: PrrrtView, seat: int, offer: Offer) -> Choose:
        """Return whom a 3, 4, 5 or 6 is to hit."""
        effect = view.table.effect
        if offer.pairs:
            return self.swaps(self.counted(view, seat), offer.pairs)
        players = [player for player in offer.players if player is not None]
        if effect is None or effect.card not in EXCHANGED:
            return Choose(least_ashamed(view.table, players))
        tally = self.counted(view, seat)
        number = EXCHANGED[effect.card]
        return Choose(
            min(players, key=lambda player: tally.own_chance(swap(tally, player, number)))
        )

    def swaps(self, tally: Tally, pairs: Iterable[tuple[int, int]]) -> Choose:
        """Return which open card to take for a 5: the one that leaves one least likely guilty."""

        def fear(pair: tuple[int, int]) -> tuple[float, int]:
            player, card = pair
            return tally.own_chance({tally.me: card - 5, player: 5 - card}), card

        return Choose(*min(pairs, key=fear))

    def gives(self, view: PrrrtView, offer: Offer) -> Give:
        """Return what to give back: the smelliest, unless it may still be of use."""
        useful = view.table.lap < LAPS
        hand = sorted(
            (int(card) for card in offer.cards),
            key=lambda card: card - (KEPT_FOR.get(card, 0) if useful else 0),
            reverse=True,
        )
        return Give(tuple(hand[: offer.take]))

    def points(self, tally: Tally, offer: Offer, rng: Random) -> Point:
        """Return the most likely culprit if that is likely enough to stake a card on."""
        return Point(worth_pointing(self.suspects(tally, rng), offer))

    def suspects(self, tally: Tally, rng: Random) -> tuple[float, ...]:  # noqa: ARG002
        """Return how likely each seat is the culprit."""
        return tally.chances()


class Stakes:
    """What is to be paid, when one is asked: `now` for owning up, `later` by the culprit.

    In Shame points; `card` is what an unseen one is worth, `fingers` how many
    are to be expected, `answers_to_come` what others still have to say.
    """

    def __init__(self, tally: Tally) -> None:
        table = tally.table
        self.card = mean_shame(table, tally.me)
        self.others = tally.seats - 1
        self.now = sum(table.centre.up) + self.card * count(table.centre.down)
        self.fingers = self.others * tally.suspicion()
        self.later = self.now + self.card * (LAPS - table.lap + self.fingers)
        left = tally.seats - 1 - tally.order.index(tally.me)
        self.answers_to_come = self.others * (LAPS - table.lap) + left

    def denial(self, guilty: float) -> float:
        """Return what a denial costs on average; what somebody else pays counts as a gain."""
        alone = (1 - RESCUE) ** self.answers_to_come
        return alone * self.later * (guilty - (1 - guilty) / self.others)


def with_a_way_out(tally: Tally, guilty: float) -> float:
    """Blend in the chance that a 7 in hand comes to light and takes the hand with it."""
    sevens, hand = tally.hand.count(7), len(tally.hand)
    denials = min(LAPS - tally.table.lap + 1, hand)
    if not sevens or not denials:
        return guilty
    comes = 1 - comb(hand - sevens, denials) / comb(hand, denials)
    others = (sum(tally.hand) - 7 * sevens) / max(hand - sevens, 1)
    left = tally.rows[tally.me] + 7 + others * (denials - 1) / 2
    out = tally.own_chance({tally.me: left - tally.total})
    return (1 - comes) * guilty + comes * out


def swap(tally: Tally, player: int, number: int) -> dict[int, float]:
    """Return how points shift on average if one swaps cards with a player and gives the worst."""
    number = min(number, count(tally.table.hands[player]))
    worst = sum(sorted(tally.hand, reverse=True)[:number])
    gain = max(worst - number * tally.mean_card(player), 0.0)
    return {tally.me: -gain, player: gain}


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
