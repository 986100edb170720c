"""Low on Gas as the rest of the program knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from core.kernel.bot import Bot
from core.kernel.chance import Chance, Label
from core.kernel.event import Event
from core.kernel.options import Option, Options
from core.kernel.rules import Rules
from core.kernel.view import Offer, View
from core.low_on_gas.actions import GasAction, Play, read_action
from core.low_on_gas.bots import BOTS
from core.low_on_gas.cards import COLOURS, DECK
from core.low_on_gas.events import GasEvent
from core.low_on_gas.game import GasGame
from core.low_on_gas.possible import could_be
from core.low_on_gas.view import GasOffer, GasView

_VIEW = msgspec.json.Decoder(GasView)
_EVENTS: msgspec.json.Decoder[list[GasEvent]] = msgspec.json.Decoder(list[GasEvent])


class GasRules(Rules):
    """The second game of the house."""

    name: ClassVar[str] = "low-on-gas"
    title: ClassVar[str] = "Low on Gas"
    seats: ClassVar[range] = range(2, 8)
    """Seven times 7 cards, one turned: of 54 cards 4 are left to draw (F1)."""

    options: ClassVar[tuple[Option, ...]] = (
        Option("pass_it_on", "switch", False),
        Option("discard_stands", "switch", False),
        Option("start_card", "choice", "as_is", ("as_is", "redraw_specials")),
        Option("dealer", "seat", "random"),
        Option("wins", "number", 1, tuple(range(1, 10))),
    )
    bots: ClassVar[Mapping[str, Callable[[], Bot[Any]]]] = BOTS

    def start(self, seats: int, options: Options, chance: Chance) -> GasGame:
        """Begin a match. Raises `BadOption` and `BadChance`."""
        self.check_seats(seats)
        return GasGame(seats, self.check_options(options, seats), chance)

    def labels(self, seats: int, options: Options) -> tuple[Label, ...]:  # noqa: ARG002
        """Return the labels of `journal.md`."""
        return (
            Label("dealer/G", tuple(range(seats))),
            Label("deck/G", DECK),
            Label("reshuffle/G/K"),
        )

    def action(self, line: Mapping[str, object]) -> GasAction:
        """Read an action from a decoded journal line or message, or raise `Illegal`."""
        return read_action(line)

    def actions(self, offer: Offer) -> Iterator[GasAction]:
        """Yield every play that an offer stands for: card, colour of a wild, with a call or not."""
        if not isinstance(offer, GasOffer) or offer.do != "play":
            yield read_action({"do": offer.do})
            return
        for card in dict.fromkeys(map(str, offer.cards)):
            for colour in COLOURS.values() if card in offer.ask_colour else (None,):
                for call in (False, True) if offer.call else (False,):
                    yield Play(card, colour, call)

    def decode_view(self, data: bytes) -> GasView:
        """Read a view's JSON back. Raises `msgspec.MsgspecError`."""
        return _VIEW.decode(data)

    def decode_events(self, data: bytes) -> Sequence[Event]:
        """Read a JSON list of shown events back. Raises `msgspec.MsgspecError`."""
        return _EVENTS.decode(data)

    def could_be(self, view: View[Any, Any], events: Sequence[Event], seats: int) -> bool:
        """Say whether a view is possible: seats that are there, cards and colours of this game."""
        return super().could_be(view, events, seats) and could_be(view, events, seats)
