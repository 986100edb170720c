"""The easy bot: anything that is allowed, by lot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.kernel.action import Action
from core.kernel.event import Event
from core.kernel.view import Offer
from core.prrrt.actions import (
    Ask,
    Choose,
    Deny,
    Draw,
    Give,
    OwnUp,
    Point,
    TurnLocation,
)
from core.prrrt.bots.small_talk import question
from core.prrrt.view import PrrrtView

if TYPE_CHECKING:
    from random import Random

CONFESSES_ONE_IN = 16
"""How often it owns up when asked: rarely, or no round would ever reach its Revelation."""


class EasyBot:
    """Plays at random. It remembers nothing and counts nothing."""

    def saw(self, event: Event) -> None:
        """Shrug."""

    def choose(self, view: PrrrtView, seat: int, rng: Random) -> Action:  # noqa: ARG002
        """Return some legal action."""
        offers = {offer.do: offer for offer in view.offers}
        if "own_up" in offers:
            return OwnUp() if rng.randrange(CONFESSES_ONE_IN) == 0 else Deny()
        return at_random(rng.choice(view.offers), view, rng)


def at_random(offer: Offer, view: PrrrtView, rng: Random) -> Action:
    """Return one of the actions of an offer, each value as likely as the others."""
    match offer.do:
        case "turn_location":
            return TurnLocation()
        case "ask":
            return Ask(question(view.table, rng))
        case "deny":
            return Deny()
        case "own_up":
            return OwnUp()
        case "draw":
            return Draw(tuple(rng.sample(range(offer.slots), offer.take)))
        case "choose" if offer.pairs:
            return Choose(*rng.choice(offer.pairs))
        case "choose":
            return Choose(rng.choice([player for player in offer.players if player is not None]))
        case "give":
            return Give(tuple(rng.sample([int(card) for card in offer.cards], offer.take)))
        case "point":
            return Point(rng.choice(offer.players))
        case _:
            raise ValueError(f"no bot knows how to {offer.do}")
