"""PRRRT as the rest of the program knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from core.kernel.bot import Bot
from core.kernel.chance import Chance, Label
from core.kernel.event import Event
from core.kernel.options import Option, Options
from core.kernel.rules import Rules
from core.kernel.view import View
from core.prrrt.actions import PrrrtAction, read_action
from core.prrrt.bots import BOTS
from core.prrrt.cards import LOCATIONS, SHAME_DECK, SMELL_DECKS
from core.prrrt.events import PrrrtEvent
from core.prrrt.game import PrrrtGame
from core.prrrt.possible import could_be
from core.prrrt.view import PrrrtView

_VIEW = msgspec.json.Decoder(PrrrtView)
_EVENTS: msgspec.json.Decoder[list[PrrrtEvent]] = msgspec.json.Decoder(list[PrrrtEvent])


class PrrrtRules(Rules):
    """The first game of the house."""

    name: ClassVar[str] = "prrrt"
    title: ClassVar[str] = "PRRRT..."
    seats: ClassVar[range] = range(3, 8)
    """Seven times 5 cards is 35 of 36, and of two nobody can be in doubt (P-R10, P4)."""

    options: ClassVar[tuple[Option, ...]] = (
        Option("smell_deck", "choice", "rulebook", tuple(SMELL_DECKS)),
        Option("third_lap_shame", "switch", False),
        Option("open_scores", "switch", False),
        Option("first_player", "seat", "random"),
    )
    bots: ClassVar[Mapping[str, Callable[[], Bot[Any]]]] = BOTS

    def start(self, seats: int, options: Options, chance: Chance) -> PrrrtGame:
        """Begin a game. Raises `BadOption` and `BadChance`."""
        self.check_seats(seats)
        return PrrrtGame(seats, self.check_options(options, seats), chance)

    def labels(self, seats: int, options: Options) -> tuple[Label, ...]:
        """Return the labels of `journal.md`."""
        return (
            Label("first", tuple(range(seats))),
            Label("locations", tuple(LOCATIONS)),
            Label("shame", SHAME_DECK),
            Label("smell/R", SMELL_DECKS[str(options["smell_deck"])]),
            Label("blind/R/K"),
        )

    def action(self, line: Mapping[str, object]) -> PrrrtAction:
        """Read an action from a decoded journal line or message, or raise `Illegal`."""
        return read_action(line)

    def decode_view(self, data: bytes) -> PrrrtView:
        """Read a view's JSON back. Raises `msgspec.MsgspecError`."""
        return _VIEW.decode(data)

    def decode_events(self, data: bytes) -> Sequence[Event]:
        """Read a JSON list of shown events back. Raises `msgspec.MsgspecError`."""
        return _EVENTS.decode(data)

    def could_be(self, view: View[Any, Any], events: Sequence[Event], seats: int) -> bool:
        """Say whether a view is possible: seats that are there, cards and places of this game."""
        return super().could_be(view, events, seats) and could_be(view, events, seats)
