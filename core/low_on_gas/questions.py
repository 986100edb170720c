"""What Low on Gas waits for, one frame each: who may speak, what, and what it does.

Beside whatever is open, a seat whose window is open may say "low on gas" (F28).
Nobody waits for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from core.kernel.action import Action
from core.kernel.hidden import count, faces
from core.kernel.illegal import Illegal
from core.low_on_gas import events as ev
from core.low_on_gas.actions import Deal, Draw, LowOnGas, PickUp, Play
from core.low_on_gas.cards import CARDS, COLOURS, MATCH, PENALTY, fits
from core.low_on_gas.view import GasOffer

if TYPE_CHECKING:
    from core.low_on_gas.game import GasGame
    from core.low_on_gas.table import GasTable


def no_call(table: GasTable, seat: int) -> Illegal:
    """Return why a seat can't say "low on gas" now (F29)."""
    if table.called[seat]:
        return Illegal("called_already")
    cards = count(table.hands[seat])
    return Illegal("call_late") if cards == 1 else Illegal("not_low", cards=cards)


def _unfit(table: GasTable, card: str) -> Illegal | None:
    """Return why a card doesn't go on the visible one (F-R11, F-R12); None if it does."""
    if fits(card, table.top, table.colour):
        return None
    return Illegal("does_not_fit", card=card, top=table.top, colour=table.colour)


def _not_now(action: Action) -> Illegal:
    return Illegal("not_now", do=str(action.__struct_config__.tag))


class Turn(msgspec.Struct, frozen=True, gc=False):
    """Something that one seat is to do; see `core.kernel.question`."""

    seat: int
    phase: ClassVar[str]

    def seats(self, table: GasTable) -> tuple[int, ...]:
        """Return whose turn it is, and who may call (F28)."""
        return tuple(
            [
                seat
                for seat, opened in enumerate(table.windows)
                if opened is not None or seat == self.seat
            ]
        )

    def waits_for(self, table: GasTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return whose turn it is: a call is never waited for."""
        return (self.seat,)

    def offers(self, table: GasTable, seat: int) -> tuple[GasOffer, ...]:
        """Return what the one whose turn it is may do, and the call inside a window."""
        offers = self.turn_offers(table) if seat == self.seat else ()
        return offers if table.windows[seat] is None else (*offers, GasOffer("low_on_gas"))

    def check(self, table: GasTable, seat: int, action: Action) -> None:
        """Raise `Illegal` unless it is a call inside the window, or what this turn allows."""
        if isinstance(action, LowOnGas):
            if table.windows[seat] is None:
                raise no_call(table, seat)
        elif seat != self.seat:
            raise Illegal("not_your_turn", seat=seat)
        else:
            self.check_turn(table, action)

    def answer(self, game: GasGame, seat: int, action: Action) -> None:
        """Note a call; otherwise go on with the turn."""
        if isinstance(action, LowOnGas):
            game.emit(ev.Called(seat))
        else:
            self.take_turn(game, action)

    def turn_offers(self, table: GasTable) -> tuple[GasOffer, ...]:
        """Return what the turn allows."""
        raise NotImplementedError

    def check_turn(self, table: GasTable, action: Action) -> None:
        """Raise `Illegal` unless the turn allows this."""
        raise NotImplementedError

    def take_turn(self, game: GasGame, action: Action) -> None:
        """Do it."""
        raise NotImplementedError


class Discarding(Turn, frozen=True):
    """A turn in which cards can be played: which ones is what its kinds differ in."""

    undrawn: ClassVar = False
    """Whether the running total is still to be drawn."""

    def why_not(self, table: GasTable, card: str) -> Illegal | None:
        """Return why a card of the hand can't be played; None if it can."""
        raise NotImplementedError

    def playable(self, table: GasTable) -> tuple[str, ...]:
        """Return the cards of the hand that can be played; which one goes is free (F22)."""
        hand = faces(table.hands[self.seat])
        return tuple([card for card in hand if self.why_not(table, card) is None])

    def turn_offers(self, table: GasTable) -> tuple[GasOffer, ...]:
        """Return a play if any card can go, an attempt at an uncalled last one included (F34)."""
        cards = self.playable(table)
        if not cards:
            return ()
        last = self._last(table)
        colours = () if last and not self._stands(table) else cards
        costs = 0
        if last and not table.called[self.seat]:
            costs = PENALTY + (table.owed if self.undrawn and not table.discard_stands else 0)
        wild = tuple(dict.fromkeys(card for card in colours if CARDS[card].wild))
        call = count(table.hands[self.seat]) == 2
        return (GasOffer("play", cards=cards, take=1, ask_colour=wild, call=call, costs=costs),)

    def check_play(self, table: GasTable, action: Play) -> None:
        """Raise `Illegal` unless this card can be played in this way."""
        hand = faces(table.hands[self.seat])
        card = action.card
        if card not in CARDS:
            raise Illegal("no_such_card", card=card)
        if card not in hand:
            raise Illegal("not_in_hand", card=card)
        refusal = self.why_not(table, card)
        if refusal is not None:
            raise refusal
        needs = CARDS[card].wild and (not self._last(table) or self._stands(table))
        if needs and action.colour not in COLOURS.values():
            raise Illegal("no_colour", card=card, wants=tuple(COLOURS.values()))
        if action.call and len(hand) != 2:
            raise Illegal("call_not_last", left=len(hand) - 1)

    def take_turn(self, game: GasGame, action: Action) -> None:
        """Discard the card."""
        assert isinstance(action, Play)
        game.discard(self.seat, action, undrawn=self.undrawn)

    def _last(self, table: GasTable) -> bool:
        return count(table.hands[self.seat]) == 1

    def _stands(self, table: GasTable) -> bool:
        """Whether an uncalled last card will be discarded, so that its colour matters."""
        return table.discard_stands and not table.called[self.seat]


class Owing(Discarding, frozen=True):
    """A total is owed and not yet drawn: all of it, or a Match instead (F10, F13, F15).

    With the option `pass_it_on` a pick-up card that fits passes the grown total on.
    """

    phase: ClassVar = "owe"
    undrawn: ClassVar = True

    def why_not(self, table: GasTable, card: str) -> Illegal | None:
        """Only a Match comes before the draw, SBD too waits until after it (F17)."""
        if card == MATCH:
            return None
        if not (table.pass_it_on and CARDS[card].pick_up):
            return Illegal("pick_up_first", owed=table.owed, card=card)
        return _unfit(table, card)

    def turn_offers(self, table: GasTable) -> tuple[GasOffer, ...]:
        """Return what can be played instead, and the draw."""
        return (*super().turn_offers(table), GasOffer("pick_up"))

    def check_turn(self, table: GasTable, action: Action) -> None:
        """Raise `Illegal` for a single draw: the whole total comes first (B17)."""
        if isinstance(action, Play):
            self.check_play(table, action)
        elif isinstance(action, Draw):
            raise Illegal("pick_up_first", owed=table.owed, card=None)
        elif not isinstance(action, PickUp):
            raise _not_now(action)

    def take_turn(self, game: GasGame, action: Action) -> None:
        """Draw the total, or discard a card."""
        if isinstance(action, PickUp):
            game.pick_up(self.seat)
        else:
            super().take_turn(game, action)


class Playing(Discarding, frozen=True):
    """An ordinary turn, also after a total was drawn (F-R10, F-R31, F24)."""

    phase: ClassVar = "play"

    def why_not(self, table: GasTable, card: str) -> Illegal | None:
        """It has to fit by type or colour, unless it is wild (F-R11, F-R12)."""
        return _unfit(table, card)

    def turn_offers(self, table: GasTable) -> tuple[GasOffer, ...]:
        """Return a play, or else the draw of one card (F-R13, F-R16)."""
        return super().turn_offers(table) or (GasOffer("draw"),)

    def check_turn(self, table: GasTable, action: Action) -> None:
        """Raise `Illegal` for a draw with a playable card: no hoarding (F-R13, F-R14)."""
        if isinstance(action, Play):
            self.check_play(table, action)
        elif isinstance(action, Draw):
            cards = self.playable(table)
            if cards:
                raise Illegal("must_play", cards=cards)
        elif isinstance(action, PickUp):
            raise Illegal("nothing_owed")
        else:
            raise _not_now(action)

    def take_turn(self, game: GasGame, action: Action) -> None:
        """Draw a card, or discard one."""
        if isinstance(action, Draw):
            game.draw_one(self.seat)
        else:
            super().take_turn(game, action)


class PlayingTheDrawn(Discarding, frozen=True):
    """The card just drawn, the last of the hand, fits and must be played (F-R17, F23)."""

    phase: ClassVar = "must_play"

    def why_not(self, table: GasTable, card: str) -> Illegal | None:
        """Nothing else could be played before, so nothing else can now."""
        drawn = faces(table.hands[self.seat])[-1]
        return None if card == drawn else Illegal("play_the_drawn", card=drawn)

    def playable(self, table: GasTable) -> tuple[str, ...]:
        """Return the card drawn."""
        return (faces(table.hands[self.seat])[-1],)

    def check_turn(self, table: GasTable, action: Action) -> None:
        """Raise `Illegal` for anything but playing it: nobody draws twice (B14, B15)."""
        if not isinstance(action, Play):
            drawn = faces(table.hands[self.seat])[-1]
            raise Illegal("play_the_drawn", card=drawn)
        self.check_play(table, action)


class Dealing(Turn, frozen=True):
    """The dealer of the next game of the match is to deal (F5)."""

    phase: ClassVar = "deal"

    def turn_offers(self, table: GasTable) -> tuple[GasOffer, ...]:  # noqa: ARG002
        """There is one thing to do."""
        return (GasOffer("deal"),)

    def check_turn(self, table: GasTable, action: Action) -> None:  # noqa: ARG002
        """Raise `Illegal` for anything else."""
        if not isinstance(action, Deal):
            raise _not_now(action)

    def take_turn(self, game: GasGame, action: Action) -> None:  # noqa: ARG002
        """Deal."""
        game.deal()
