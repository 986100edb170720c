"""What the laws of tests/core/test_laws.py must know about PRRRT."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from msgspec import UNSET

from core.prrrt import actions as do
from core.prrrt import events as ev
from core.prrrt.cards import LOCATIONS, SHAME_DECK, SMELL_DECKS


class Watching:
    """A second opinion on what a viewer may see, made from the true table (journal.md)."""

    def __init__(self, seats: int) -> None:
        self.seats = range(seats)
        self.hands_open = False
        self.points: dict[int, object] = {}
        self.fingers = 0

    def note(self, seat: int, action: object) -> None:
        """Keep what the true table alone doesn't tell: open hands, one's own finger."""
        pointing = isinstance(action, do.Point)
        turning = isinstance(action, do.TurnLocation)
        all_in = len(self.seats)
        self.fingers = self.fingers + 1 if pointing else 0
        half_in = 0 < self.fingers < all_in
        self.points = {**self.points, seat: action.player} if pointing and half_in else {}
        self.hands_open = self.fingers == all_in or (self.hands_open and not turning)

    def seen(self, truth: dict, viewer: int | None) -> dict:
        table = dict(truth["table"])

        def others(lists: list) -> list:
            return [lists[seat] if seat == viewer else len(lists[seat]) for seat in self.seats]

        if not self.hands_open:
            table["hands"] = others(table["hands"])
        table["discards"] = others(table["discards"])
        if not truth["over"]:
            table["piles"] = others(table["piles"])
        down = len(table["centre"]["down"])
        table["centre"] = {"up": table["centre"]["up"], "down": down}
        if viewer in self.points:
            table["my_point"] = self.points[viewer]
        return table


class PrrrtLaws:
    """P-R74 and all that depends on where the cards of PRRRT lie."""

    values: dict[str, tuple] = {}

    def likely(self, walk, offers: tuple) -> tuple:
        """Some tables own up at once, others never: laps, votes and effects all come up."""
        eager_to_deny = (0.5, 0.9, 0.97, 1.0)[walk.seats % 4]
        return offers[:1] if len(offers) > 1 and walk.rng.random() < eager_to_deny else offers

    def cards(self, game) -> tuple[list, list, list]:
        """Smell, Shame and Location cards, sorted; Smell cards lie nowhere before round 1."""
        table = game.table
        dealt = (*table.hands, *table.rows, *table.discards, table.smell_deck)
        smell = sum(dealt, ()) if table.round else ()
        shame = sum(table.piles, table.shame_deck + table.up + table.down)
        here = (table.location,) * (table.location is not None)
        return sorted(smell), sorted(shame), sorted(table.location_deck + table.played + here)

    def all_cards(self, walk) -> tuple[list, list, list]:
        smell = list(SMELL_DECKS[walk.options["smell_deck"]]) if walk.game.table.round else []
        return smell, list(SHAME_DECK), sorted(LOCATIONS)

    def ended_well(self, walk) -> bool:
        """Within the rounds that P-R52 and P68 allow."""
        short = walk.options["third_lap_shame"] and walk.seats == 7
        return (4 if short else 5) <= walk.game.table.round <= 9

    def watching(self, walk) -> Watching:
        return Watching(walk.seats)

    def disguised(self, walk, viewer: int | None, events: tuple):
        """None where what happens rightly shows the viewer too much to compare."""
        frozen, too_much = _frozen_by(events, viewer)
        scored = any(isinstance(event, ev.ScoresChanged) for event in events)
        if too_much or scored:
            return None
        return _permuted(walk.game, viewer, frozen, walk.rng)

    def junk(self, rng) -> dict[str, object]:
        what = rng.choice(list(do.READERS))
        number = lambda: rng.randrange(-1, 9)  # noqa: E731
        return {
            "do": what,
            "player": rng.choice([None, number()]) if what == "point" else number(),
            "card": number(),
            "slots": [number() for _ in range(rng.randrange(4))],
            "cards": [number() for _ in range(rng.randrange(4))],
        }

    def conceivable(self, walk) -> Iterator[object]:
        """Slots and cards in one order only: in another one they mean the same."""
        seats = range(walk.seats)
        yield from (do.TurnLocation(), do.Ask(), do.Deny(), do.OwnUp())
        for take, slots in enumerate((0, len(SHAME_DECK), 6, 6)):
            yield from map(do.Draw, combinations(range(slots), take))
            yield from map(do.Give, combinations_with_replacement(range(9), take))
        yield from (do.Choose(player, card) for player in seats for card in (None, *range(9)))
        yield from (do.Point(player) for player in (None, *seats))

    def plainer(self, action: object) -> object:
        """A card is chosen for a 5 only."""
        return do.Choose(action.player) if isinstance(action, do.Choose) else action

    def beside(self, phase: str, action: object) -> bool:
        """Others pointing doesn't make a vote another one."""
        return phase == "point" and isinstance(action, do.Point)


LAWS = PrrrtLaws()


def _frozen_by(events, viewer) -> tuple[set, bool]:
    """The hidden cards that an action rightly shows to `viewer`; True when it shows too many."""
    hands: set[tuple[int, int]] = set()
    for event in events:
        match event:
            case ev.CardRevealed():
                hands.add((event.seat, event.position))
            case ev.HandTaken() if viewer == event.seat:
                hands |= {(event.player, at) for at in event.positions}
            case ev.HandGiven() if viewer == event.player:
                return set(), True
            case ev.HandsShown() | ev.PilesOpened() | ev.ShameMoved() | ev.LocationTurned():
                return set(), True
            case ev.CentreTaken() if viewer == event.seat:
                return set(), True
    return hands, False


def _permuted(game, viewer, frozen, rng):
    """The same game with the cards that `viewer` can't see in other places, others' fingers too."""
    other = game.clone()
    table = other.table
    others = [seat for seat in range(table.seats) if seat != viewer]
    if table.lap:  # between rounds hands may lie open
        places = [
            (seat, at)
            for seat in others
            for at in range(len(table.hands[seat]))
            if (seat, at) not in frozen
        ]
        hands = [list(hand) for hand in table.hands]
        discards = [list(cards) for cards in table.discards]
        pool = [hands[seat][at] for seat, at in places] + list(table.smell_deck)
        pool += [card for seat in others for card in discards[seat]]
        rng.shuffle(pool)
        for seat, at in places:
            hands[seat][at] = pool.pop()
        for seat in others:
            discards[seat] = [pool.pop() for _ in discards[seat]]
        table.smell_deck = tuple(pool)
        table.hands = tuple(map(tuple, hands))
        table.discards = tuple(map(tuple, discards))
    piles = [list(pile) for pile in table.piles]
    top, deck = table.shame_deck[:1], table.shame_deck[1:]  # the next lap card is shown
    moved = others if table.scores is None else []  # what a pile comes to may be public (P76)
    shame = [card for seat in moved for card in piles[seat]] + [*table.down, *deck]
    rng.shuffle(shame)
    if table.scores is not None:
        for seat in others:
            _exchange_pair(piles[seat], shame)
    for seat in moved:
        piles[seat] = [shame.pop() for _ in piles[seat]]
    table.down = tuple(shame.pop() for _ in table.down)
    table.shame_deck = (*top, *shame)
    table.piles = tuple(map(tuple, piles))
    seats = range(table.seats)
    table.targets = tuple(
        rng.choice([None, *seats[:seat], *seats[seat + 1 :]])
        if seat != viewer and target is not UNSET
        else target
        for seat, target in enumerate(table.targets)
    )
    places_left = list(table.location_deck)
    rng.shuffle(places_left)
    table.location_deck = tuple(places_left)
    return other


def _exchange_pair(pile: list[int], shame: list[int]) -> None:
    """Give a pile two other cards that come to as much, if there are any."""
    for (a, b), (c, d) in product(
        combinations(range(len(pile)), 2), combinations(range(min(len(shame), 12)), 2)
    ):
        alike = pile[a] + pile[b] == shame[c] + shame[d]
        if alike and pile[a] not in (shame[c], shame[d]):
            pile[a], pile[b], shame[c], shame[d] = shame[c], shame[d], pile[a], pile[b]
            return
