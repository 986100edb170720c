"""What lies on the table of Achoo, and what each event changes there."""

from __future__ import annotations

from achoo.events import Apologised, Cards, Dealt, Ended, Played, TurnCame
from achoo.questions import Turn
from core.kernel.game import Folds
from core.kernel.hidden import put, without
from core.kernel.table import Table


class AchooTable(Table):
    """Lists are by seat. `sneezer` is who may say sorry, for a card played at question `since`."""

    hands: tuple[Cards, ...] = ()
    points: tuple[int, ...] = ()
    played: tuple[tuple[int, int], ...] = ()
    turn: int | None = None
    sneezer: int | None = None
    since: int = 0


def _dealt(table: AchooTable, event: Dealt) -> None:
    table.hands = put(table.hands, event.seat, event.cards)


def _turn_came(table: AchooTable, event: TurnCame) -> None:
    table.turn = event.seat
    table.open(Turn(event.seat))


def _played(table: AchooTable, event: Played) -> None:
    hand = table.hands[event.seat]
    gone = 1 if isinstance(hand, int) else (event.card,)
    table.hands = put(table.hands, event.seat, without(hand, gone))
    table.played += ((event.seat, event.card),)
    if event.sneezed:
        table.sneezer, table.since = event.seat, table.question
    else:
        _count(table, event.seat, event.card)
    table.close()


def _apologised(table: AchooTable, event: Apologised) -> None:
    card = [card for seat, card in table.played if seat == event.seat][-1]
    table.sneezer = None
    _count(table, event.seat, card)


def _ended(table: AchooTable, event: Ended) -> None:
    table.over, table.turn, table.sneezer = True, None, None


def _count(table: AchooTable, seat: int, card: int) -> None:
    table.points = put(table.points, seat, table.points[seat] + card)


FOLDS: Folds = {
    Dealt: _dealt,
    TurnCame: _turn_came,
    Played: _played,
    Apologised: _apologised,
    Ended: _ended,
}
