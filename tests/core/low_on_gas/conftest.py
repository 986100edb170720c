"""A readable way to write positions of Low on Gas: say the cards, then play.

    p = play("bC y2", "yC y3", "S y4", top="b9")
    p.plays("bC").picks_up().plays("yC").picks_up().plays("S", "red")
    assert p.owed == 8

Hands are told by seat. All have as many cards as the fullest; a shorter one is
filled up, first with farts that don't fit. Everybody was dealt seven all the
same: what is missing was discarded before, one card a turn, until it is seat
0's turn and `top` lies on top: at once, if no hand is told or `top` is no fart.
So whoever says one card a head begins where everybody is low on gas; `called`
are the seats that said so, all of them if it isn't told. The last seat deals,
unless `dealer` names one, or `dealers` who is drawn for each game. `pile` is the
top of the draw pile. An action is sent for the seat that the game waits for,
unless `by` names another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from core.kernel.chance import Scripted
from core.kernel.illegal import Illegal
from core.low_on_gas.cards import DECK
from core.registry import GAMES

RULES = GAMES["low-on-gas"]
HAND = 7
FARTS = tuple(letter + str(number) for letter in "byrp" for number in range(1, 11))


class Noted:
    """Scripted chance that remembers what it was asked, and of which cards."""

    def __init__(self, orders: dict[str, list], seats: int, options: dict) -> None:
        self.scripted = Scripted(orders, RULES.labels(seats, options))
        self.asked: dict[str, tuple] = {}

    def order(self, label: str, canonical: Sequence) -> tuple:
        self.asked[label] = tuple(canonical)
        return self.scripted.order(label, canonical)


def alike(one: str, other: str) -> bool:
    """Whether two farts have the colour or the number in common."""
    return one[0] == other[0] or one[1:] == other[1:]


def chain(top: str, length: int, free: Iterable[str]) -> list[str]:
    """Farts of which each fits on the one before, the last being `top`."""
    tries = 0

    def longer(found: list[str], left: frozenset[str]) -> list[str] | None:
        nonlocal tries
        tries += 1
        assert tries < 2000, "no farts are left that lead to that position"
        if len(found) == length:
            return found
        ways = [card for card in left if alike(card, found[-1])]
        # First where fewest others lead: a dead end is seen early, whatever is missing.
        ways.sort(key=lambda card: (sum(alike(card, other) for other in left), card))
        return next(filter(None, (longer([*found, card], left - {card}) for card in ways)), None)

    found = longer([top], frozenset(free) - {top})
    assert found, "no farts are left that lead to that position"
    return found[::-1]


def laid_out(
    hands: Sequence[Sequence[str]], top: str, pile: Sequence[str]
) -> tuple[list[str], list[str]]:
    """A deck that deals such a position, and the cards that are discarded until it is reached."""
    seats = len(hands)
    size = max(map(len, hands)) if any(hands) and top in FARTS else HAND
    left = Counter(DECK) - Counter([card for hand in hands for card in hand])
    left -= Counter([top, *pile])
    farts = [card for card in FARTS if left[card]]
    before = chain(top, (HAND - size) * seats + 1, farts) if size < HAND else [top]
    spare = [card for card in farts if card not in before]
    spare.sort(key=lambda card: alike(card, top) if top in FARTS else False)
    spare += [card for card in left.elements() if card not in FARTS]
    held = [[*hand, *(spare.pop(0) for _ in range(size - len(hand)))] for hand in hands]
    deck: list[str] = []
    for seat, hand in enumerate(held):
        deck += [*before[1 + seat :: seats], *hand]
    return [*deck, before[0], *pile], before[1:]


class Play:
    """A game under way, with the moves of the table as methods that can be chained."""

    def __init__(
        self,
        *hands: str,
        top: str = "b9",
        pile: str = "",
        called: Iterable[int] | None = None,
        dealer: object = None,
        dealers: Sequence[int] = (),
        decks: dict[int, str] | None = None,
        reshuffles: dict[str, str] | None = None,
        **options: object,
    ) -> None:
        seats = len(hands)
        if dealer is None:
            dealer = "random" if dealers else seats - 1
        options = RULES.check_options({"dealer": dealer, **options}, seats)
        deck, before = laid_out([hand.split() for hand in hands], top, pile.split())
        orders: dict[str, list] = {"deck/1": deck}
        orders |= {f"dealer/{game}": [seat] for game, seat in enumerate(dealers, start=1)}
        orders |= {f"deck/{game}": cards.split() for game, cards in (decks or {}).items()}
        orders |= {f"reshuffle/{n}": cards.split() for n, cards in (reshuffles or {}).items()}
        self.seats = seats
        self.chance = Noted(orders, seats, options)
        self.game = RULES.start(seats, options, self.chance)
        calling = set(range(seats) if called is None else called)
        for number, card in enumerate(before):
            last = number >= len(before) - seats and len(before) == (HAND - 1) * seats
            self.plays(card, call=last and number % seats in calling)
        self.opening = self.game.actions

    # What one sees

    @property
    def table(self):
        """The true table, everything open."""
        return self.game.revealed().table

    @property
    def phase(self) -> str:
        return self.game.revealed().phase

    @property
    def turn(self) -> int | None:
        return self.table.turn

    @property
    def owed(self) -> int:
        return self.table.owed

    @property
    def over(self) -> bool:
        return self.game.over

    @property
    def result(self):
        return self.game.revealed().result

    def hand(self, seat: int) -> str:
        """A seat's cards, in their order, as one writes them."""
        return " ".join(self.table.hands[seat])

    @property
    def sizes(self) -> list[int]:
        return [len(hand) for hand in self.table.hands]

    def view(self, viewer: int | None):
        return self.game.view(viewer)

    def may(self, seat: int) -> tuple[str, ...]:
        """What a seat may do now."""
        return tuple(offer.do for offer in self.view(seat).offers)

    def fitting(self, seat: int | None = None) -> set[str]:
        """The cards that a seat may discard now."""
        seat = self.turn if seat is None else seat
        return {c for o in self.view(seat).offers if o.do == "play" for c in o.cards}

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
        (waited_for,) = self.game.waited_for() or (0,)
        self.game.act(waited_for if by is None else by, RULES.action({"do": do, **keys}))
        return self

    def refused(self, do: str, by: int | None = None, **keys: object) -> str:
        """Send what must be refused, check that it left no trace, and return the code."""
        before = (self.game.actions, self.game.question, self.game.revealed(), self.events())
        with pytest.raises(Illegal) as caught:
            self.send(do, by, **keys)
        after = (self.game.actions, self.game.question, self.game.revealed(), self.events())
        assert after == before
        return caught.value.code

    def plays(
        self, card: str, colour: str | None = None, *, call: bool = False, by: int | None = None
    ) -> Play:
        keys: dict[str, object] = {"card": card}
        keys |= {} if colour is None else {"colour": colour}
        keys |= {"call": True} if call else {}
        return self.send("play", by, **keys)

    def picks_up(self, by: int | None = None) -> Play:
        return self.send("pick_up", by)

    def draws(self, by: int | None = None) -> Play:
        return self.send("draw", by)

    def calls(self, by: int) -> Play:
        return self.send("low_on_gas", by)

    def deals(self, by: int | None = None) -> Play:
        return self.send("deal", by)


@pytest.fixture
def play() -> type[Play]:
    """The builder: `play("bC y2", "M", top="b9")` begins a game in that position."""
    return Play
