"""Achoo as the rest of the program knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import msgspec

from achoo.events import AchooEvent
from achoo.game import DECK, AchooGame, Drawn, Result
from achoo.questions import Play, Sorry
from core.kernel.action import Action
from core.kernel.bot import Bot
from core.kernel.chance import Chance, Label
from core.kernel.event import Event
from core.kernel.illegal import Illegal
from core.kernel.options import Option, Options
from core.kernel.rules import Rules
from core.kernel.view import View


class HighestFirst:
    """A bot: says sorry when it has to, and plays its highest card."""

    def __init__(self) -> None:
        self.seen: list[Event] = []

    def saw(self, event: Event) -> None:
        self.seen.append(event)

    def choose(self, view: View[Any, Any], seat: int, rng: Random) -> Action | None:
        offers = {offer.do: offer for offer in view.offers}
        return Sorry() if "sorry" in offers else Play((max(offers["play"].cards),))


class AchooRules(Rules):
    """A game for two to five."""

    name: ClassVar[str] = "achoo"
    title: ClassVar[str] = "Achoo"
    seats: ClassVar[range] = range(2, 6)
    options: ClassVar[tuple[Option, ...]] = (
        Option("sneeze", "number", 0, (0, 1, 5)),
        Option("first", "seat", 0),
    )
    bots: ClassVar[Mapping[str, Callable[[], Bot[Any]]]] = {"easy": HighestFirst}

    def start(self, seats: int, options: Options, chance: Chance) -> AchooGame:
        self.check_seats(seats)
        return AchooGame(seats, self.check_options(options, seats), chance)

    def labels(self, seats: int, options: Options) -> tuple[Label, ...]:
        return (Label("first", tuple(range(seats))), Label("deck", DECK))

    def action(self, line: Mapping[str, object]) -> Action:
        try:
            return msgspec.convert(dict(line), Play | Sorry)
        except msgspec.ValidationError:
            raise Illegal("no_action") from None

    def decode_view(self, data: bytes) -> View[Any, Any]:
        return msgspec.json.decode(data, type=View[Drawn, Result])

    def decode_events(self, data: bytes) -> Sequence[Event]:
        return msgspec.json.decode(data, type=list[AchooEvent])
