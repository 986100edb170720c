"""How a game of Achoo goes, how it looks from a seat, and until when one may speak up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from achoo.events import Cards, Dealt, Ended, TurnCame
from achoo.questions import Play, Sorry
from achoo.table import FOLDS, AchooTable
from core.kernel.action import Action
from core.kernel.chance import Chance
from core.kernel.event import Viewer
from core.kernel.game import EventGame, Folds
from core.kernel.hidden import count
from core.kernel.illegal import Illegal
from core.kernel.options import OptionValue

DECK = tuple(range(10, 50))
HAND = 4


class Drawn(msgspec.Struct, frozen=True):
    """A table as JSON."""

    hands: tuple[Cards, ...]
    points: tuple[int, ...]
    played: tuple[tuple[int, int], ...]
    turn: int | None
    sneezer: int | None


class Result(msgspec.Struct, frozen=True):
    """How it ended."""

    points: tuple[int, ...]


class AchooGame(EventGame[AchooTable]):
    """A game of Achoo under way."""

    name: ClassVar[str] = "achoo"
    folds: ClassVar[Folds] = FOLDS

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        self.sneeze = options["sneeze"]
        self.first = options["first"]
        super().__init__(seats, _blank(seats, range(seats)), chance)
        if self.first == "random":
            self.first = chance.order("first", range(seats))[0]
        deck = chance.order("deck", DECK)
        for seat in range(seats):
            self.emit(Dealt(seat, deck[HAND * seat : HAND * seat + HAND]))
        self.flow()
        self.close_log()

    def sneezes(self, card: int) -> bool:
        return bool(self.sneeze) and card % self.sneeze == 0

    def flow(self) -> None:
        """Let the next one play, until nobody has a card left."""
        played = len(self.table.played)
        if played < HAND * self.seats:
            self.emit(TurnCame((self.first + played) % self.seats))
        else:
            self.emit(Ended())

    def blank(self, viewer: Viewer) -> AchooTable:
        return _blank(self.seats, () if viewer is None else (viewer,))

    def drawn(self, table: AchooTable, viewer: Viewer) -> Drawn:
        return Drawn(table.hands, table.points, table.played, table.turn, table.sneezer)

    def result(self, table: AchooTable) -> Result | None:
        return Result(table.points) if table.over else None

    def clone(self) -> AchooGame:
        copy = super().clone()
        copy.sneeze, copy.first = self.sneeze, self.first
        return copy

    def not_asked(self, seat: int, action: Action) -> Illegal:
        """Say why somebody may not speak: it isn't their turn, or they haven't sneezed."""
        refusal = super().not_asked(seat, action)
        late = isinstance(action, Sorry) and refusal.code == "not_your_turn"
        return Illegal("not_sneezed") if late else refusal

    def still_meant(self, seat: int, action: Action, question: int) -> bool:
        """A sorry counts that was said since the sneeze, whatever was played meanwhile."""
        if isinstance(action, Sorry):
            return self.table.since <= question <= self.table.question
        return super().still_meant(seat, action, question)

    def silences(self, seat: int, action: Action) -> tuple[int, ...]:
        """Return who can't say sorry any more when the next one sneezes, or all is over."""
        table = self.table
        if table.sneezer is None or not isinstance(action, Play):
            return ()
        last = sum(map(count, table.hands)) == 1
        return (table.sneezer,) if last or self.sneezes(action.cards[0]) else ()


def _blank(seats: int, known: Any) -> AchooTable:
    hands = tuple(() if seat in known else 0 for seat in range(seats))
    return AchooTable(hands=hands, points=(0,) * seats)
