"""The table of Low on Gas and what each event does to it.

One table serves the truth and everybody's knowledge of it: cards that may not
be seen stand there as their number. `FOLDS` is the only code that changes one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.kernel.event import Event
from core.kernel.hidden import after, count, joined, nothing_like, put, without
from core.kernel.table import Table
from core.low_on_gas import events as ev
from core.low_on_gas import questions
from core.low_on_gas.cards import CARDS
from core.low_on_gas.view import Cards


class GasTable(Table, kw_only=True):
    """What lies on the table, in the words of `journal.md`; tuples are by seat."""

    seats: int
    game_no: int = 0
    dealer: int = 0
    turn: int | None = None
    sum: tuple[int, ...] = ()
    """The pick-ups that make up the running total, oldest first (F11)."""
    top: str = ""
    colour: str | None = None
    """The colour to be matched; None is open. Of the table, not of a card (B6)."""
    hands: tuple[Cards, ...]
    draw_pile: Cards
    discard_pile: Cards
    reshuffles: int = 0
    """New draw piles of this game."""
    called: tuple[bool, ...]
    windows: tuple[int | None, ...]
    """The question at which a window was opened, by seat; None where none is open (F28)."""
    wins: tuple[int, ...]
    winner: int | None = None
    """Who won the game that lies here."""
    pass_it_on: bool = False
    discard_stands: bool = False
    """The options that say what may be done."""

    @property
    def owed(self) -> int:
        """The running total; whether it has been drawn is what the open question says."""
        return sum(self.sum)


def blank(seats: int, own: range, *, pass_it_on: bool, discard_stands: bool) -> GasTable:
    """Return an empty table as seen by whoever owns the seats in `own`.

    The truth owns them all, a player one, a spectator none.
    """
    hands: tuple[Cards, ...] = tuple(() if seat in own else 0 for seat in range(seats))
    pile: Cards = () if len(own) == seats else 0
    return GasTable(
        seats=seats,
        hands=hands,
        draw_pile=pile,
        discard_pile=pile,
        called=(False,) * seats,
        windows=(None,) * seats,
        wins=(0,) * seats,
        pass_it_on=pass_it_on,
        discard_stands=discard_stands,
    )


def _dealer_chosen(table: GasTable, event: ev.DealerChosen) -> None:
    table.dealer = event.seat


def _deck_shuffled(table: GasTable, event: ev.DeckShuffled) -> None:
    if table.questions:
        table.close()
    table.game_no = event.game_no
    table.draw_pile = event.cards
    table.discard_pile = nothing_like(table.discard_pile)
    table.hands = tuple([nothing_like(hand) for hand in table.hands])
    table.called = (False,) * table.seats
    table.windows = (None,) * table.seats
    table.reshuffles = 0
    table.winner = None


def _dealt(table: GasTable, event: ev.Dealt) -> None:
    table.draw_pile = after(table.draw_pile, count(event.cards))
    table.hands = put(table.hands, event.seat, event.cards)


def _start_turned(table: GasTable, event: ev.StartTurned) -> None:
    table.draw_pile = after(joined(table.draw_pile, event.buried), len(event.buried) + 1)
    table.discard_pile = joined((event.card,), table.discard_pile)
    table.top = event.card
    table.colour = CARDS[event.card].colour


def _turn_came(table: GasTable, event: ev.TurnCame) -> None:
    table.turn = event.seat
    table.open(questions.Owing(event.seat) if table.sum else questions.Playing(event.seat))


def _played(table: GasTable, event: ev.Played) -> None:
    seat, face = event.seat, CARDS[event.card]
    # A call may already be on its way when the discard that opens its window is answered.
    asked = table.question
    table.close()
    table.hands = put(table.hands, seat, without(table.hands[seat], (event.card,)))
    table.discard_pile = joined((event.card,), table.discard_pile)
    table.top, table.colour = event.card, face.colour or event.colour
    table.sum = (*table.sum, face.pick_up) if face.pick_up else ()
    _count_hand(table, seat)
    low = count(table.hands[seat]) == 1
    opened = asked if low and not event.called else None
    table.windows = put((None,) * table.seats, seat, opened)
    table.called = put(table.called, seat, low and event.called)


def _called(table: GasTable, event: ev.Called) -> None:
    table.called = put(table.called, event.seat, True)
    table.windows = put(table.windows, event.seat, None)


def _last_card_refused(table: GasTable, event: ev.LastCardRefused) -> None:
    """It stays where it was."""


def _drew(table: GasTable, event: ev.Drew) -> None:
    table.draw_pile = after(table.draw_pile, count(event.cards))
    table.hands = put(table.hands, event.seat, joined(table.hands[event.seat], event.cards))
    _count_hand(table, event.seat)


def _count_hand(table: GasTable, seat: int) -> None:
    """A call lapses, and its window closes, whenever the hand isn't one card (F30)."""
    if count(table.hands[seat]) != 1:
        table.called = put(table.called, seat, False)
        table.windows = put(table.windows, seat, None)


def _waived(table: GasTable, event: ev.Waived) -> None:
    """What isn't there can't be drawn, and the table stays as it was."""


def _picked_up(table: GasTable, event: ev.PickedUp) -> None:
    table.close()
    table.open(questions.Playing(event.seat))


def _drawn_fits(table: GasTable, event: ev.DrawnFits) -> None:
    table.close()
    table.open(questions.PlayingTheDrawn(event.seat))


def _reshuffled(table: GasTable, event: ev.Reshuffled) -> None:
    table.reshuffles += 1
    table.draw_pile = event.cards
    top = nothing_like(table.discard_pile)
    table.discard_pile = joined((table.top,), top)


def _window_opened(table: GasTable, event: ev.WindowOpened) -> None:
    table.windows = put(table.windows, event.seat, table.question)


def _turn_ended(table: GasTable, event: ev.TurnEnded) -> None:  # noqa: ARG001
    if table.questions:
        table.close()
    table.sum = ()


def _game_won(table: GasTable, event: ev.GameWon) -> None:
    table.winner = event.seat
    table.wins = put(table.wins, event.seat, table.wins[event.seat] + 1)
    table.turn = None
    table.sum = ()
    table.windows = (None,) * table.seats


def _deal_due(table: GasTable, event: ev.DealDue) -> None:
    table.open(questions.Dealing(event.seat))


def _match_won(table: GasTable, event: ev.MatchWon) -> None:  # noqa: ARG001
    table.over = True


FOLDS: dict[type[Event], Callable[[GasTable, Any], None]] = {
    ev.DealerChosen: _dealer_chosen,
    ev.DeckShuffled: _deck_shuffled,
    ev.Dealt: _dealt,
    ev.StartTurned: _start_turned,
    ev.TurnCame: _turn_came,
    ev.Played: _played,
    ev.Called: _called,
    ev.LastCardRefused: _last_card_refused,
    ev.Drew: _drew,
    ev.Waived: _waived,
    ev.PickedUp: _picked_up,
    ev.DrawnFits: _drawn_fits,
    ev.Reshuffled: _reshuffled,
    ev.WindowOpened: _window_opened,
    ev.TurnEnded: _turn_ended,
    ev.GameWon: _game_won,
    ev.DealDue: _deal_due,
    ev.MatchWon: _match_won,
}
"""What each event does to a table, whoever's it is."""
