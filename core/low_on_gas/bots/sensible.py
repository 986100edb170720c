"""The medium bot: forgets no call, wastes no Match, and minds who is nearly out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.kernel.action import Action
from core.kernel.event import Event
from core.low_on_gas.actions import Deal, Draw, LowOnGas, PickUp, Play
from core.low_on_gas.bots.weighing import Weighing
from core.low_on_gas.view import GasOffer, GasView

if TYPE_CHECKING:
    from random import Random


class SensibleBot:
    """Weighs what it sees. It remembers nothing."""

    def saw(self, event: Event) -> None:
        """Look at the table later."""

    def choose(self, view: GasView, seat: int, rng: Random) -> Action | None:  # noqa: ARG002
        """Return a call before all else, then the best discard; None if there is nothing to do."""
        offers = {offer.do: offer for offer in view.offers}
        if "low_on_gas" in offers:
            return LowOnGas()
        if "play" in offers and (play := self.discards(view, seat, offers)):
            return play
        if "pick_up" in offers:
            return PickUp()
        if "draw" in offers:
            return Draw()
        return Deal() if "deal" in offers else None

    def discards(self, view: GasView, seat: int, offers: dict[str, GasOffer]) -> Play | None:
        """Return the best discard; None where drawing what is owed is better."""
        offer, weighing = offers["play"], self.weighing(view, seat)
        cards = [str(card) for card in offer.cards]
        if "pick_up" in offers:
            cards = weighing.instead_of_drawing(cards, offer.costs)
        if not cards:
            return None
        card = weighing.best(cards)
        colour = weighing.best_colour(card) if card in offer.ask_colour else None
        return Play(card, colour, offer.call)

    def weighing(self, view: GasView, seat: int) -> Weighing:
        """Return the table as this seat weighs it."""
        return Weighing(view.table, seat)
