"""How a match of Low on Gas goes: deal, turns clockwise, the win, the next deal.

The questions (`core.low_on_gas.questions`) say what is waited for, the events
(`core.low_on_gas.table`) what changes; this is what follows from what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from core.kernel.action import Action
from core.kernel.chance import Chance
from core.kernel.event import Viewer
from core.kernel.game import EventGame, Folds
from core.kernel.hidden import count, faces
from core.kernel.illegal import Illegal
from core.kernel.options import OptionValue
from core.low_on_gas import events as ev
from core.low_on_gas.actions import LowOnGas, Play
from core.low_on_gas.cards import CARDS, DECK, HAND, PENALTY, fits
from core.low_on_gas.piles import Piles
from core.low_on_gas.questions import no_call
from core.low_on_gas.table import FOLDS, GasTable, blank
from core.low_on_gas.view import GasResult
from core.low_on_gas.view import GasTable as TableView


class GasGame(EventGame[GasTable]):
    """A match of Low on Gas under way, for two to seven players."""

    name: ClassVar[str] = "low-on-gas"
    folds: ClassVar[Folds] = FOLDS

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        """Choose the dealer of the first game and deal it."""
        self.pass_it_on = options["pass_it_on"] is True
        self.discard_stands = options["discard_stands"] is True
        self.redraw_specials = options["start_card"] == "redraw_specials"
        self.dealer = options["dealer"]
        self.to_win = int(options["wins"])
        super().__init__(seats, self._blank(seats, range(seats)), chance)
        self.emit(ev.DealerChosen(1, self.choose_dealer(1)))
        self.deal()
        self.flow()
        self.close_log()

    # -- a game of the match

    def choose_dealer(self, game_no: int) -> int:
        """Return who deals a game: whom the option names, or by lot each time (F-R4, F5)."""
        if isinstance(self.dealer, int):
            return self.dealer
        return self.chance.order(f"dealer/{game_no}", range(self.seats))[0]

    def deal(self) -> None:
        """Shuffle, deal seven each (F-R7) and turn the start card (F-R8)."""
        game_no = self.table.game_no + 1
        deck = self.chance.order(f"deck/{game_no}", DECK)
        self.emit(ev.DeckShuffled(game_no, deck))
        for seat in range(self.seats):
            self.emit(ev.Dealt(seat, deck[seat * HAND : (seat + 1) * HAND]))
        self._turn_start_card(deck[self.seats * HAND :])

    def _turn_start_card(self, pile: tuple[str, ...]) -> None:
        """It has no effect (F-R9), and a wild one leaves the colour open (F7).

        With `redraw_specials` specials go to the bottom until a fart comes; if none does, the
        first one turned stays.
        """
        at = 0
        if self.redraw_specials:
            farts = (i for i, card in enumerate(pile) if _is_fart(card))
            at = next(farts, 0)
        self.emit(ev.StartTurned(pile[at], pile[:at]))

    def flow(self) -> None:
        """Play moves clockwise, always (F-R6), from the dealer's left (F-R5)."""
        table = self.table
        if table.winner is None:
            last = table.dealer if table.turn is None else table.turn
            self.emit(ev.TurnCame((last + 1) % self.seats))

    # -- what an answer leads to

    def discard(self, seat: int, action: Play, *, undrawn: bool) -> None:
        """Discard a card. A last one wins if it was called (F-R38), and else is refused (F-R22).

        `undrawn` is whether the running total is still to be drawn.
        """
        table = self.table
        last = count(table.hands[seat]) == 1
        if last and table.called[seat]:
            self._win(seat, action.card)
        elif not last:
            self._lay(seat, action)
        elif table.discard_stands:
            self._stand(seat, action)
        else:
            self._refuse_last(seat, action.card, owed=table.owed if undrawn else 0)

    def _lay(self, seat: int, action: Play) -> None:
        colour = action.colour if CARDS[action.card].wild else None
        self.emit(ev.Played(seat, action.card, colour, action.call))

    def _win(self, seat: int, card: str) -> None:
        """End the game at once, whatever the last card (F-R38, F36); nobody draws (F42)."""
        table = self.table
        game_no = table.game_no
        over = table.wins[seat] + 1 == self.to_win
        dealer = table.dealer if over else self.choose_dealer(game_no + 1)
        self.emit(ev.Played(seat, card))
        self.emit(ev.GameWon(game_no, seat))
        if over:
            self.emit(ev.MatchWon(seat))
        else:
            self.emit(ev.DealerChosen(game_no + 1, dealer))
            self.emit(ev.DealDue(dealer))

    def _refuse_last(self, seat: int, card: str, *, owed: int) -> None:
        """The card stays, two are drawn after what is owed, the turn ends (F31, F33, F35)."""
        piles = self._piles()
        if owed:
            piles.draw(seat, owed, "owed")
        piles.draw(seat, PENALTY, "penalty")
        self.emit(ev.LastCardRefused(seat, card))
        self._draw_from(piles)
        self.emit(ev.TurnEnded(seat))

    def _stand(self, seat: int, action: Play) -> None:
        """With `discard_stands` the card goes with all its effects, then two are drawn (F31)."""
        piles = self._piles(action.card)
        drawn = piles.draw(seat, PENALTY, "penalty")
        self._lay(seat, action)
        self._draw_from(piles)
        if len(drawn) == 1:
            self.emit(ev.WindowOpened(seat))

    def pick_up(self, seat: int) -> None:
        """Draw the whole total, then play a normal turn (F10, F-R31)."""
        total = self.table.owed
        piles = self._piles()
        piles.draw(seat, total, "owed")
        self._draw_from(piles)
        self.emit(ev.PickedUp(seat, total))

    def draw_one(self, seat: int) -> None:
        """Draw one card; it must be played if it fits (F-R17), else the turn ends (F-R18, F12)."""
        table = self.table
        piles = self._piles()
        drawn = piles.draw(seat, 1, "unable")
        self._draw_from(piles)
        if drawn and fits(drawn[0], table.top, table.colour):
            self.emit(ev.DrawnFits(seat))
        else:
            self.emit(ev.TurnEnded(seat))

    def _piles(self, *discarded: str) -> Piles:
        """Return the piles to draw from, with a card on top that is about to be discarded."""
        table = self.table
        label = f"reshuffle/{table.game_no}"
        return Piles(
            faces(table.draw_pile),
            (*discarded, *faces(table.discard_pile)),
            table.reshuffles,
            lambda number, cards: self.chance.order(f"{label}/{number}", cards),
        )

    def _draw_from(self, piles: Piles) -> None:
        """Let the draws happen that were planned, shuffles between them included."""
        for event in piles.events:
            self.emit(event)

    # -- speaking up beside the turn

    def not_asked(self, seat: int, action: Action) -> Illegal:
        """Say why a seat can't call, rather than that it isn't its turn."""
        refusal = super().not_asked(seat, action)
        if refusal.code == "not_your_turn" and isinstance(action, LowOnGas):
            return no_call(self.table, seat)
        return refusal

    def still_meant(self, seat: int, action: Action, question: int) -> bool:
        """Say whether an action is in time: a call is, since its window was opened (F28, F44)."""
        if not isinstance(action, LowOnGas):
            return super().still_meant(seat, action, question)
        opened = self.table.windows[seat]
        return opened is None or opened <= question <= self.table.question

    def silences(self, seat: int, action: Action) -> tuple[int, ...]:
        """Return whose window a discard closes (F28).

        One that is refused closes none, and one that wins leaves nothing to call for.
        """
        table = self.table
        last = count(table.hands[seat]) == 1
        lays = isinstance(action, Play) and (
            not last or (table.discard_stands and not table.called[seat])
        )
        return tuple(
            [
                other
                for other, opened in enumerate(table.windows)
                if lays and opened is not None and other != seat
            ]
        )

    # -- what one sees

    def blank(self, viewer: Viewer) -> GasTable:
        """Return the table as `viewer` sees it before anything happened."""
        return self._blank(self.seats, range(0) if viewer is None else range(viewer, viewer + 1))

    def _blank(self, seats: int, own: range) -> GasTable:
        return blank(seats, own, pass_it_on=self.pass_it_on, discard_stands=self.discard_stands)

    def drawn(self, table: GasTable, viewer: Viewer) -> TableView:  # noqa: ARG002
        """Return a table as JSON has it (`journal.md`, "`table`, Low on Gas")."""
        # In the order of the fields: msgspec takes five times as long over so many names.
        return TableView(
            table.game_no,
            table.turn,
            table.owed,
            table.colour,
            table.top,
            table.hands,
            table.draw_pile,
            table.discard_pile,
            table.called,
            table.dealer,
            table.wins,
            table.sum,
            tuple([opened is not None for opened in table.windows]),
            table.winner,
            self.to_win,
        )

    def result(self, table: GasTable) -> GasResult | None:
        """Return who won the match, once it is over (F-R38, F-R39)."""
        if not table.over or table.winner is None:
            return None
        return GasResult(table.winner, table.wins)

    def clone(self) -> GasGame:
        """Return a copy that plays on alike and shares nothing that changes."""
        copy = super().clone()
        copy.pass_it_on = self.pass_it_on
        copy.discard_stands = self.discard_stands
        copy.redraw_specials = self.redraw_specials
        copy.dealer = self.dealer
        copy.to_win = self.to_win
        return copy


def _is_fart(card: str) -> bool:
    face = CARDS[card]
    return not face.wild and not face.pick_up
