"""The easy bot: anything that is allowed, by lot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.kernel.action import Action
from core.kernel.event import Event
from core.low_on_gas.actions import Deal, Draw, PickUp, Play
from core.low_on_gas.cards import COLOURS
from core.low_on_gas.view import GasOffer, GasView

if TYPE_CHECKING:
    from random import Random

FORGETS_ONE_IN = 4
"""How often it discards its last card but one without a word."""


class EasyBot:
    """Plays at random. It remembers nothing, not even a call that it forgot."""

    def saw(self, event: Event) -> None:
        """Shrug."""

    def choose(self, view: GasView, seat: int, rng: Random) -> Action | None:  # noqa: ARG002
        """Return some legal action; none where it could only make up for a forgotten call."""
        offers = [offer for offer in view.offers if offer.do != "low_on_gas"]
        return at_random(rng.choice(offers), rng) if offers else None


def at_random(offer: GasOffer, rng: Random) -> Action:
    """Return one of the actions of an offer, each value as likely as the others."""
    match offer.do:
        case "play":
            card = str(rng.choice(offer.cards))
            colour = rng.choice(tuple(COLOURS.values())) if card in offer.ask_colour else None
            return Play(card, colour, offer.call and rng.randrange(FORGETS_ONE_IN) > 0)
        case "pick_up":
            return PickUp()
        case "draw":
            return Draw()
        case "deal":
            return Deal()
        case _:
            raise ValueError(f"no bot knows how to {offer.do}")
