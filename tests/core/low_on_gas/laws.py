"""What the laws of tests/core/test_laws.py must know about Low on Gas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from core.low_on_gas import actions as do
from core.low_on_gas import events as ev
from core.low_on_gas.cards import CARDS, COLOURS, DECK


class Watching:
    """A second opinion on what a viewer may see, made from the true table (F46)."""

    def note(self, seat: int, action: object) -> None:
        """The true table tells all there is."""

    def seen(self, truth: dict, viewer: int | None) -> dict:
        table = dict(truth["table"])
        table["hands"] = [
            hand if seat == viewer else len(hand) for seat, hand in enumerate(table["hands"])
        ]
        table["draw_pile"] = len(table["draw_pile"])
        table["discard_pile"] = len(table["discard_pile"])
        return table


class GasLaws:
    """F-R40 and all that depends on where the cards of Low on Gas lie."""

    values = {"wins": (1, 1, 1, 2)}
    """A match of nine games would say nothing more."""

    def likely(self, walk, offers: tuple) -> tuple:  # noqa: ARG002
        return offers

    def cards(self, game) -> list[str]:
        table = game.table
        return sorted(sum((*table.hands, table.draw_pile, table.discard_pile), ()))

    def all_cards(self, walk) -> list[str]:  # noqa: ARG002
        return sorted(DECK)

    def ended_well(self, walk) -> bool:
        """One winner, out of cards and with the games that it takes (F-R38, F-R39)."""
        table, result = walk.game.revealed().table, walk.game.revealed().result
        most = max(result.wins)
        others = [hand for seat, hand in enumerate(table.hands) if seat != result.winner]
        return (
            most == result.wins[result.winner] == walk.options["wins"]
            and result.wins.count(most) == 1
            and table.hands[result.winner] == ()
            and all(others)
        )

    def watching(self, walk) -> Watching:  # noqa: ARG002
        return Watching()

    def disguised(self, walk, viewer: int | None, events: tuple):
        """The cards that are played or drawn for all to know, or by the viewer, stay put."""
        other = walk.game.clone()
        table = other.table
        shown = {(e.seat, e.card) for e in events if isinstance(e, ev.Played | ev.LastCardRefused)}
        drawn = 0
        for event in events:
            if isinstance(event, ev.Reshuffled):
                break
            if isinstance(event, ev.Drew) and (event.seat == viewer or event.why == "unable"):
                drawn += len(event.cards)
        hands = [list(hand) for hand in table.hands]
        places = []
        for seat, hand in enumerate(hands):
            kept = next((at for at, card in enumerate(hand) if (seat, card) in shown), None)
            places += [(seat, at) for at in range(len(hand)) if seat != viewer and at != kept]
        pool = [hands[seat][at] for seat, at in places] + list(table.draw_pile[drawn:])
        walk.rng.shuffle(pool)
        for seat, at in places:
            hands[seat][at] = pool.pop()
        table.draw_pile = (*table.draw_pile[:drawn], *pool)
        table.hands = tuple(map(tuple, hands))
        return other

    def junk(self, rng) -> dict[str, object]:
        """A card and a colour that may be there, a call now and then (B7)."""
        return {
            "do": rng.choice(["play", "play", *do.READERS]),
            "card": rng.choice([*DECK, "b0", "Z", "", "bM"]),
            "colour": rng.choice([None, *COLOURS.values(), "green", 7]),
            "call": rng.random() < 0.3,
        }

    def conceivable(self, walk) -> Iterator[object]:  # noqa: ARG002
        yield from (do.PickUp(), do.Draw(), do.LowOnGas(), do.Deal())
        for card, colour, call in product(CARDS, (None, "green", *COLOURS.values()), (False, True)):
            yield do.Play(card, colour, call)

    def plainer(self, action: object) -> object:
        """Where no colour is needed, it is ignored (F20)."""
        return do.Play(action.card, None, action.call) if isinstance(action, do.Play) else action

    def beside(self, phase: str, action: object) -> bool:  # noqa: ARG002
        """A call leaves everything else as it was (B9)."""
        return isinstance(action, do.LowOnGas)


LAWS = GasLaws()
