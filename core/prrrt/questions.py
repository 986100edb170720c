"""What a game of PRRRT waits for, one frame each: who may speak, what, and what it does.

Nobody else may act meanwhile (P-R19), and an effect is settled before anything
else happens (P-R25): its frames lie on top of the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import msgspec

from core.kernel.action import Action
from core.kernel.hidden import count, faces
from core.kernel.illegal import Illegal
from core.kernel.view import Offer
from core.prrrt import events as ev
from core.prrrt.actions import Ask, Choose, Deny, Draw, Give, OwnUp, Point, TurnLocation
from core.prrrt.view import Cards, Effect

if TYPE_CHECKING:
    from core.prrrt.game import PrrrtGame
    from core.prrrt.table import PrrrtTable


class Question(msgspec.Struct, frozen=True, gc=False):
    """A question of PRRRT; see `core.kernel.question`. Most are for one seat."""

    phase: ClassVar[str]

    @property
    def effect(self) -> Effect | None:
        """The effect that is under way while this is open."""
        return None

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return who may speak."""
        raise NotImplementedError

    def waits_for(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return the same: nobody speaks in PRRRT unless the game waits for it."""
        return self.seats(table)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:
        """Return what they may say."""
        raise NotImplementedError

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:
        """Raise `Illegal` unless they may say this."""
        raise NotImplementedError

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Do it."""
        raise NotImplementedError


def _not_now(action: Action) -> Illegal:
    return Illegal("not_now", do=str(action.__struct_config__.tag))


def _check_slots(slots: tuple[int, ...], of: int, take: int) -> None:
    if len(slots) != take:
        raise Illegal("wrong_number", key="slots", given=len(slots), take=take)
    for slot in slots:
        if not 0 <= slot < of:
            raise Illegal("no_such_slot", slot=slot, slots=of)
    if take > 1 and len(set(slots)) < take:
        raise Illegal("slot_twice", slots=slots)


class TurningLocation(Question, frozen=True):
    """The first player opens the round (P-R11, P-R49)."""

    seat: int
    phase: ClassVar = "turn_location"

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return the first player."""
        return (self.seat,)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:  # noqa: ARG002
        """There is one thing to do."""
        return (Offer("turn_location"),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:  # noqa: ARG002
        """Raise `Illegal` for anything else."""
        if not isinstance(action, TurnLocation):
            raise _not_now(action)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:  # noqa: ARG002
        """Turn the Location, lay the Shame cards, deal, in that order (P-R49, P16)."""
        game.open_round()


class Asking(Question, frozen=True):
    """Somebody is to question the next player, in whatever words (P-R17, P-R18)."""

    asker: int
    asked: int
    phase: ClassVar = "ask"

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return the asker."""
        return (self.asker,)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:  # noqa: ARG002
        """There is one thing to do."""
        return (Offer("ask"),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:  # noqa: ARG002
        """Raise `Illegal` for anything else: what a question says is free (P22)."""
        if not isinstance(action, Ask):
            raise _not_now(action)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Put the question."""
        assert isinstance(action, Ask)
        game.emit(ev.Asked(seat, self.asked, action.words))


class Answering(Question, frozen=True):
    """The one asked owns up or denies; nothing else is possible (P-R19, P-R31, P24).

    The choice is free whatever the cards (P23), without a hand too (P-R72).
    """

    asker: int
    asked: int
    phase: ClassVar = "answer"

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return the one asked."""
        return (self.asked,)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:  # noqa: ARG002
        """Both, always."""
        return (Offer("deny"), Offer("own_up"))

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:  # noqa: ARG002
        """Raise `Illegal` for anything else."""
        if not isinstance(action, Deny | OwnUp):
            raise _not_now(action)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Stop the round, or let the asker draw if there is a hand (P-R23, P-R71, P33)."""
        if isinstance(action, OwnUp):
            game.own_up(seat)
        else:
            game.emit(ev.Denied(seat, shows=count(game.table.hands[seat]) > 0))


class Drawing(Question, frozen=True):
    """A blind draw, whatever for: different slots of a hand or a pile, all at once (P30, P41)."""

    phase: ClassVar = "draw"

    @property
    def drawer(self) -> int:
        """Who draws."""
        raise NotImplementedError

    @property
    def take(self) -> int:
        """How many cards are drawn."""
        return 1

    def source(self, table: PrrrtTable) -> Cards:
        """Return the hand or pile that is drawn from."""
        raise NotImplementedError

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return the drawer."""
        return (self.drawer,)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:  # noqa: ARG002
        """Return as many slots of the source as are drawn."""
        return (Offer("draw", slots=count(self.source(table)), take=self.take),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:  # noqa: ARG002
        """Raise `Illegal` unless it is so many different slots of the source."""
        if not isinstance(action, Draw):
            raise _not_now(action)
        _check_slots(action.slots, count(self.source(table)), self.take)


class DrawingFromDenier(Drawing, frozen=True):
    """The asker draws one card blind from the denier's hand (P-R23, P30)."""

    asker: int
    denier: int

    @property
    def drawer(self) -> int:
        """The asker draws."""
        return self.asker

    def source(self, table: PrrrtTable) -> Cards:
        """Return the denier's hand."""
        return table.hands[self.denier]

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Lay the card face up before the denier and play its effect at once (P-R24, P-R25)."""
        assert isinstance(action, Draw)
        hand = faces(self.source(game.table))
        (position,) = game.draw_blind(hand, action.slots)
        card = hand[position]
        game.emit(ev.CardRevealed(self.denier, seat, card, position))
        game.play_effect(card, self.denier)


class Choosing(Question, frozen=True):
    """The denier, and nobody else, picks an opponent for a revealed card (P36, P40, P49)."""

    card: int
    by: int
    phase: ClassVar = "choose"

    @property
    def effect(self) -> Effect | None:
        """The card and the denier; the rest is being chosen."""
        return Effect(self.card, self.by)

    def targets(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return the opponents that this effect can fall on; none means that it is void."""
        raise NotImplementedError

    def void(self, table: PrrrtTable) -> bool:
        """Return whether the effect can do nothing, so that nothing is asked."""
        return not self.targets(table)

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return the denier."""
        return (self.by,)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:  # noqa: ARG002
        """Return one of the targets; there is no way out (P37)."""
        return (Offer("choose", players=self.targets(table)),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:
        """Raise `Illegal` unless it is one of the targets."""
        if not isinstance(action, Choose):
            raise _not_now(action)
        if action.player == seat:
            raise Illegal("yourself", do="choose")
        targets = self.targets(table)
        if action.player not in targets:
            player, card = action.player, self.card
            raise Illegal("no_such_player", player=player, card=card, players=targets)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Go on with the one chosen."""
        assert isinstance(action, Choose)
        game.emit(ev.Chosen(self.card, seat, action.player))


def _others(table: PrrrtTable, seat: int) -> list[int]:
    return [other for other in range(table.seats) if other != seat]


class ChoosingForThree(Choosing, frozen=True):
    """[3] Whoever has Shame cards picks any other player, the asker too (P-R57, P40)."""

    def targets(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return everybody else; nobody without Shame cards of one's own (P-R60, P43)."""
        return tuple(_others(table, self.by)) if count(table.piles[self.by]) else ()


class ChoosingForExchange(Choosing, frozen=True):
    """[4, 6] The denier picks an opponent who holds a card at least (P-R61, P-R68, P44)."""

    def targets(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return the opponents with a hand."""
        return tuple([seat for seat in _others(table, self.by) if count(table.hands[seat])])


class ChoosingForFive(Choosing, frozen=True):
    """[5] The denier picks one visible card of an opponent, even a higher one (P-R63 to P-R66)."""

    def targets(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return the opponents with a visible card, hand or no hand (P-R67, P48)."""
        return tuple([seat for seat in _others(table, self.by) if table.rows[seat]])

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:  # noqa: ARG002
        """Return one visible card of one opponent; equal ones are one choice (P51)."""
        pairs = [
            (player, card)
            for player in self.targets(table)
            for card in dict.fromkeys(table.rows[player])
        ]
        return (Offer("choose", pairs=tuple(pairs)),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:
        """Raise `Illegal` unless that card lies before that opponent."""
        super().check(table, seat, action)
        assert isinstance(action, Choose)
        if action.card is None:
            raise Illegal("missing", key="card")
        row = table.rows[action.player]
        if action.card not in row:
            raise Illegal("no_such_card", card=action.card, player=action.player, row=row)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """The five that was just revealed changes places with it (P50); nothing triggers (P53)."""
        assert isinstance(action, Choose)
        assert action.card is not None
        game.emit(ev.Chosen(5, seat, action.player, action.card))
        game.emit(ev.FiveSwapped(seat, action.player, action.card))


CHOOSING: dict[int, Callable[[int, int], Choosing]] = {
    3: ChoosingForThree,
    4: ChoosingForExchange,
    5: ChoosingForFive,
    6: ChoosingForExchange,
}
"""The choice that a card's effect begins with. A 7 asks nothing; other cards do nothing."""


class DrawingShame(Drawing, frozen=True):
    """[3] The player chosen draws one card blind from the denier's pile (P-R58, P41)."""

    by: int
    player: int

    @property
    def effect(self) -> Effect | None:
        """How many will move is known only when the card is drawn."""
        return Effect(3, self.by, self.player)

    @property
    def drawer(self) -> int:
        """The player chosen draws."""
        return self.player

    def source(self, table: PrrrtTable) -> Cards:
        """Return the denier's pile."""
        return table.piles[self.by]

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Move the card drawn and all its equals to the drawer's pile (P-R59, P42)."""
        assert isinstance(action, Draw)
        pile = faces(self.source(game.table))
        (position,) = game.draw_blind(pile, action.slots)
        value = pile[position]
        game.emit(ev.ShameMoved(self.by, seat, value, pile.count(value)))
        game.tell_scores()


class Exchange(msgspec.Struct, frozen=True, gc=False):
    """[4, 6] Who exchanges hand cards with whom, and how many."""

    card: int
    by: int
    player: int
    count: int

    @property
    def effect(self) -> Effect:
        """The effect under way: all of it is known."""
        return Effect(self.card, self.by, self.player, self.count)


class DrawingFromHand(Drawing, frozen=True):
    """[4, 6] The denier draws blind from the opponent's hand, all at once (P-R61, P-R68, P45)."""

    exchange: Exchange

    @property
    def effect(self) -> Effect | None:
        """The exchange."""
        return self.exchange.effect

    @property
    def drawer(self) -> int:
        """The denier draws."""
        return self.exchange.by

    @property
    def take(self) -> int:
        """As many as are exchanged: all there are if fewer than three (P-R69)."""
        return self.exchange.count

    def source(self, table: PrrrtTable) -> Cards:
        """Return the opponent's hand."""
        return table.hands[self.exchange.player]

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Take them into the hand."""
        assert isinstance(action, Draw)
        hand = faces(self.source(game.table))
        positions = game.draw_blind(hand, action.slots)
        taken = tuple([hand[position] for position in positions])
        game.emit(ev.HandTaken(seat, self.exchange.player, taken, positions))


class Giving(Question, frozen=True):
    """[4, 6] The denier gives as many cards back, just drawn ones too (P-R62, P-R68, P46)."""

    exchange: Exchange
    phase: ClassVar = "give"

    @property
    def effect(self) -> Effect | None:
        """The exchange."""
        return self.exchange.effect

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:  # noqa: ARG002
        """Return the denier."""
        return (self.exchange.by,)

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:
        """Return their own hand to choose from."""
        hand = faces(table.hands[seat])
        return (Offer("give", cards=hand, take=self.exchange.count),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:
        """Raise `Illegal` unless they hold all of these, and it is the right number."""
        if not isinstance(action, Give):
            raise _not_now(action)
        if len(action.cards) != self.exchange.count:
            given, take = len(action.cards), self.exchange.count
            raise Illegal("wrong_number", key="cards", given=given, take=take)
        hand = faces(table.hands[seat])
        left = list(hand)
        for card in action.cards:
            if card not in left:
                raise Illegal("not_in_hand", card=card, cards=action.cards, hand=hand)
            left.remove(card)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Put them into the opponent's hand; no card triggers anything (P39)."""
        assert isinstance(action, Give)
        game.emit(ev.HandGiven(seat, self.exchange.player, action.cards))


class Pointing(Question, frozen=True):
    """Everybody points, or not, all at once (P-R33, P57); nobody is left out (P-R36).

    One frame collects the answers in any order; the Revelation comes with the last.
    """

    phase: ClassVar = "point"

    def seats(self, table: PrrrtTable) -> tuple[int, ...]:
        """Return those whose finger is not fixed yet: each points once (P58)."""
        return tuple([seat for seat, done in enumerate(table.pointed) if not done])

    def offers(self, table: PrrrtTable, seat: int) -> tuple[Offer, ...]:
        """Return all others, and the air (P-R34, P-R35)."""
        return (Offer("point", players=(*_others(table, seat), None)),)

    def check(self, table: PrrrtTable, seat: int, action: Action) -> None:
        """Raise `Illegal` for oneself (P-R34) and for nobody at the table."""
        if not isinstance(action, Point):
            raise _not_now(action)
        if action.player == seat:
            raise Illegal("yourself", do="point")
        if action.player is not None and not 0 <= action.player < table.seats:
            others = tuple(_others(table, seat))
            raise Illegal("no_such_player", player=action.player, card=None, players=others)

    def answer(self, game: PrrrtGame, seat: int, action: Action) -> None:
        """Fix the finger; with the last one, reveal."""
        assert isinstance(action, Point)
        game.emit(ev.Pointed(seat, action.player))
        if all(game.table.pointed):
            game.reveal()
