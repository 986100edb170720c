"""The hard bot: as the medium one, but it plays the round on in its mind before it decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.prrrt.bots.counting import Tally
from core.prrrt.bots.imagined import OWNS_UP, Round, alarming_totals, dealt
from core.prrrt.bots.sensible import SensibleBot, Stakes
from core.prrrt.verdict import culprit_of

if TYPE_CHECKING:
    from random import Random

ROUNDS = 200
"""How many rounds are imagined before an answer; what a choice may cost in time hangs on it."""


class ThoroughBot(SensibleBot):
    """Imagines hands that fit all it saw, and counts in how many of them it would pay."""

    def owns_up(self, tally: Tally, rng: Random) -> bool:
        """Return whether the centre now costs less than denials do on average."""
        stakes = Stakes(tally)
        alarm = alarming_totals(tally)
        denial = 0.0
        for _ in range(ROUNDS):
            payer, lap, owned_up = Round(tally, dealt(tally, rng), alarm).play(rng)
            price = stakes.now + stakes.card * (lap - tally.table.lap)
            if not owned_up:
                price += stakes.card * stakes.fingers
            denial += price if payer == tally.me else -price / stakes.others
        return stakes.now < denial / ROUNDS

    def suspects(self, tally: Tally, rng: Random) -> tuple[float, ...]:
        """Return how likely each seat is the culprit; who had much to fear would have owned up."""
        alarm = alarming_totals(tally)
        found = [0.0] * tally.seats
        for _ in range(ROUNDS):
            hands = dealt(tally, rng)
            cards = [(*row, *hand) for row, hand in zip(tally.table.rows, hands, strict=True)]
            culprit, _ = culprit_of(cards, tally.order)
            alarmed = culprit != tally.me and sum(cards[culprit]) >= alarm[culprit]
            found[culprit] += 1 - OWNS_UP if alarmed else 1
        whole = sum(found)
        return tuple([chance / whole for chance in found])
