"""A readable way to write positions of PRRRT: say the cards, then play.

    p = play(hands=[[8, 8, 8, 3, 3], [4, 8, 8, 1, 2], [2, 2, 6, 6, 7]])
    p.turn().ask().deny().draw(0)

Chance is scripted as in a rule case: slot s of a blind draw shows position s
unless `blind` says otherwise. An action is sent for the one seat that is
awaited, unless `by` names another. Hands may be given in part, or not at all:
they are filled with cards that have no effect as long as there are any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from core.kernel.chance import Scripted
from core.kernel.illegal import Illegal
from core.prrrt.cards import SMELL_DECKS
from core.registry import GAMES

RULES = GAMES["prrrt"]

PLAIN = (
    (0, 1, 2, 7, 6),
    (0, 1, 2, 6, 5),
    (0, 1, 2, 5, 5),
    (0, 1, 2, 4, 4),
    (0, 1, 2, 4, 4),
    (0, 1, 2, 3, 3),
    (0, 1, 0, 3, 3),
)
"""Hands of the deodorant deck whose first three cards do nothing; seat 0 is the culprit."""


class Noted:
    """Scripted chance that remembers what it was asked, and of which cards."""

    def __init__(self, orders: dict[str, list], seats: int, options: dict) -> None:
        self.scripted = Scripted(orders, RULES.labels(seats, options))
        self.asked: dict[str, tuple] = {}

    def order(self, label: str, canonical: Sequence) -> tuple:
        self.asked[label] = tuple(canonical)
        return self.scripted.order(label, canonical)


def filled(hands: Sequence[Sequence[int]], seats: int, deck: Sequence[int]) -> list[int]:
    """Lay hands out as a deck, short ones filled up with what does the least."""
    left = Counter(deck) - Counter(card for hand in hands for card in hand)
    spare = sorted(left.elements(), key=lambda card: (3 <= card <= 7, card))
    order: list[int] = []
    for seat in range(seats):
        hand = list(hands[seat]) if seat < len(hands) else []
        short = 5 - len(hand)
        order += [*hand, *spare[:short]]
        del spare[:short]
    return order


class Play:
    """A game under way, with the moves of the table as methods that can be chained."""

    def __init__(
        self,
        seats: int = 0,
        *,
        hands: Sequence[Sequence[int]] = (),
        rounds: dict[int, Sequence[Sequence[int]]] | None = None,
        shame: Sequence[int] = (),
        locations: Sequence[str] = (),
        first: int | None = None,
        blind: dict[str, list[int]] | None = None,
        **options: object,
    ) -> None:
        dealt = {1: hands, **(rounds or {})} if hands else dict(rounds or {})
        seats = seats or max(len(h) for h in dealt.values())
        options = RULES.check_options(options, seats)
        orders: dict[str, list] = {
            f"smell/{n}": filled(given, seats, SMELL_DECKS[options["smell_deck"]])
            for n, given in dealt.items()
        }
        orders |= {f"blind/{where}": order for where, order in (blind or {}).items()}
        orders |= {"shame": list(shame)} if shame else {}
        orders |= {"locations": list(locations)} if locations else {}
        orders |= {"first": [first]} if first is not None else {}
        self.seats = seats
        self.chance = Noted(orders, seats, options)
        self.game = RULES.start(seats, options, self.chance)

    # What one sees

    @property
    def table(self):
        """The true table, everything open."""
        return self.game.revealed().table

    @property
    def phase(self) -> str:
        return self.game.revealed().phase

    @property
    def actor(self) -> int:
        """The one seat that is awaited."""
        (seat,) = self.game.awaiting()
        return seat

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def result(self):
        return self.game.revealed().result

    @property
    def total_centre(self) -> int:
        centre = self.table.centre
        return len(centre.up) + len(centre.down)

    def view(self, viewer: int | None):
        return self.game.view(viewer)

    def may(self, seat: int) -> tuple[str, ...]:
        """What a seat may do now."""
        return tuple(offer.do for offer in self.view(seat).offers)

    def offer(self, do: str, by: int | None = None):
        """The one offer of that kind at a seat."""
        offers = self.view(self.actor if by is None else by).offers
        (offer,) = (offer for offer in offers if offer.do == do)
        return offer

    def events(self, viewer: int | None = 0) -> list:
        """All events as a viewer was shown them, the set-up's first."""
        return list(self.game.shown(viewer, -1))

    def last(self, kind: str, viewer: int | None = 0):
        """The latest event of that kind, named as its class, that a viewer was shown."""
        return next(e for e in reversed(self.events(viewer)) if type(e).__name__ == kind)

    def happened(self, since: int, viewer: int | None = 0) -> list[str]:
        """The names of the events after the first `since` actions."""
        return [type(e).__name__ for e in self.game.shown(viewer, since)]

    # What one does

    def send(self, do: str, by: int | None = None, **keys: object) -> Play:
        seat = self.actor if by is None else by
        self.game.act(seat, RULES.action({"do": do, **keys}))
        return self

    def refused(self, do: str, by: int | None = None, **keys: object) -> str:
        """Send what must be refused, check that it left no trace, and return the code."""
        before = (self.game.actions, self.game.question, self.game.revealed(), self.events())
        with pytest.raises(Illegal) as caught:
            self.send(do, by, **keys)
        after = (self.game.actions, self.game.question, self.game.revealed(), self.events())
        assert after == before
        return caught.value.code

    def turn(self, by: int | None = None) -> Play:
        return self.send("turn_location", by)

    def ask(self, words: str | None = None, by: int | None = None) -> Play:
        return self.send("ask", by, **({} if words is None else {"words": words}))

    def deny(self, by: int | None = None) -> Play:
        return self.send("deny", by)

    def own_up(self, by: int | None = None) -> Play:
        return self.send("own_up", by)

    def draw(self, *slots: int, by: int | None = None) -> Play:
        return self.send("draw", by, slots=list(slots))

    def choose(self, player: int, card: int | None = None, by: int | None = None) -> Play:
        return self.send("choose", by, player=player, **({} if card is None else {"card": card}))

    def give(self, *cards: int, by: int | None = None) -> Play:
        return self.send("give", by, cards=list(cards))

    def points(self, *targets: int | None) -> Play:
        """All fingers, by seat."""
        for seat, target in enumerate(targets):
            self.send("point", seat, player=target)
        return self

    def denial(self, slot: int = 0) -> Play:
        """One question, denied; the card in `slot` comes to light if there is a hand."""
        self.ask().deny()
        return self.draw(slot) if self.phase == "draw" else self

    def denials(self, number: int) -> Play:
        for _ in range(number):
            self.denial()
        return self

    def lap(self, number: int = 1) -> Play:
        """Whole laps of denials without a choice in them."""
        return self.denials(self.seats * number)

    def confession(self) -> Play:
        """A whole round: the Location, one question, owned up."""
        return self.turn().ask().own_up()


@pytest.fixture
def play() -> type[Play]:
    """The builder: `play(hands=[...])` begins a game in that position."""
    return Play


@pytest.fixture
def plain():
    """Begin a game whose first three rounds of denials need no choices (deodorant deck)."""

    def begin(seats: int = 4, rounds: int = 9, **more: object) -> Play:
        hands = dict.fromkeys(range(1, rounds + 1), PLAIN[:seats])
        return Play(seats, rounds=hands, smell_deck="deodorant", **more)

    return begin
