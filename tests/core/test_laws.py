"""What holds for every game, option set and number of seats (architecture.md, "Laws")."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.kernel.illegal import Illegal
from core.prrrt import events as ev
from core.prrrt.cards import LOCATIONS, SHAME_DECK, SMELL_DECKS

GAMES_EACH = 25


def cards_of(table) -> tuple[list, list, list]:
    """Every Smell, Shame and Location card on a true table, wherever it lies, sorted."""
    smell = sum((*table.hands, *table.rows, *table.discards), table.smell_deck)
    shame = sum(table.piles, table.shame_deck + table.up + table.down)
    places = table.location_deck + table.played + (table.location,) * (table.location is not None)
    return sorted(smell), sorted(shame), sorted(places)


@pytest.mark.parametrize("block", range(40))
def test_cards_are_conserved_and_somebody_may_always_act(block: int, walk) -> None:
    """P-R74; also: games end, within the rounds that P-R52 and P68 allow."""
    for seed in range(block * GAMES_EACH, (block + 1) * GAMES_EACH):
        w = walk(seed)
        smell = list(SMELL_DECKS[w.options["smell_deck"]])
        for _ in w.steps():
            assert w.game.awaiting()
            if w.game.table.round:
                assert cards_of(w.game.table) == (smell, list(SHAME_DECK), sorted(LOCATIONS))
        assert w.game.awaiting() == ()
        short = w.options["third_lap_shame"] and w.seats == 7
        assert (4 if short else 5) <= w.game.table.round <= 9


def projection(truth: dict, viewer: int | None, *, hands_open: bool, my_point: object) -> dict:
    """A second opinion on what `viewer` may see, made from the true table (journal.md)."""
    table = dict(truth["table"])
    seats = range(len(table["rows"]))

    def others(lists: list) -> list:
        return [lists[seat] if seat == viewer else len(lists[seat]) for seat in seats]

    if not hands_open:
        table["hands"] = others(table["hands"])
    table["discards"] = others(table["discards"])
    if not truth["over"]:
        table["piles"] = others(table["piles"])
    down = len(table["centre"]["down"])
    table["centre"] = {"up": table["centre"]["up"], "down": down}
    if my_point != "none":
        table["my_point"] = my_point
    awaiting = [
        who if who["seat"] == viewer else {"seat": who["seat"]} for who in truth["awaiting"]
    ]
    return {**truth, "table": table, "awaiting": awaiting, "offers": []}


@pytest.mark.parametrize("seed", range(1000, 1060))
def test_a_fold_is_the_projection_of_the_truth(seed: int, walk, encode) -> None:
    """What a seat folded from its events is what it may see of the truth, after every action."""
    w = walk(seed)
    hands_open = False
    points: dict[int, object] = {}
    fingers = 0
    for _ in itertools.chain(w.steps(), ["the end"]):
        if w.done:
            seat, action = w.done[-1]
            do = type(action).__name__
            fingers = fingers + 1 if do == "Point" else 0
            points = {**points, seat: action.player} if 0 < fingers < w.seats else {}
            hands_open = fingers == w.seats or (hands_open and do != "TurnLocation")
        truth = json.loads(encode(w.game.revealed()))
        for viewer in (None, *range(w.seats)):
            view = json.loads(encode(w.game.view(viewer)))
            may = [who["may"] for who in view["awaiting"] if who["seat"] == viewer]
            assert [[offer["do"] for offer in view["offers"]]] == (may or [[]])
            view["offers"] = []
            point = points.get(viewer, "none")
            assert view == projection(truth, viewer, hands_open=hands_open, my_point=point)


def frozen_by(events, viewer) -> tuple[set, bool]:
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


def permuted(game, viewer, frozen, rng):
    """The same game with the cards that `viewer` cannot see in other places."""
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
    shame = [card for seat in others for card in piles[seat]] + [*table.down, *deck]
    rng.shuffle(shame)
    for seat in others:
        piles[seat] = [shame.pop() for _ in piles[seat]]
    table.down = tuple(shame.pop() for _ in table.down)
    table.shame_deck = (*top, *shame)
    table.piles = tuple(map(tuple, piles))
    places_left = list(table.location_deck)
    rng.shuffle(places_left)
    table.location_deck = tuple(places_left)
    return other


@pytest.mark.parametrize("seed", range(2000, 2120))
def test_what_a_seat_cannot_see_changes_nothing_it_is_shown(seed: int, walk, encode) -> None:
    """Non-interference, in the middle of games: swap hidden cards, do the same, compare bytes."""
    w = walk(seed)
    if w.options["open_scores"]:
        w = walk(seed + 10_000)
    compared = 0
    for seat, action in w.steps():
        viewer = w.rng.choice([None, *range(w.seats)])
        after = w.game.clone()
        after.act(seat, action)
        frozen, too_much = frozen_by(after.log[-1], viewer)
        if too_much or w.options["open_scores"]:
            continue
        other = permuted(w.game, viewer, frozen, w.rng)
        try:
            other.act(seat, action)
        except Illegal:
            assert seat != viewer, "what is legal for a seat depends on what it cannot see"
            continue
        since = w.game.actions
        assert encode(other.shown(viewer, since)) == encode(after.shown(viewer, since))
        assert encode(other.view(viewer)) == encode(after.view(viewer))
        compared += 1
    assert compared > 5 or w.options["open_scores"]


def refusal_of(function, *given) -> Illegal | None:
    """What a call is refused with, or None when it is not."""
    try:
        function(*given)
    except Illegal as refusal:
        return refusal
    return None


def junk(rng, w) -> dict[str, object]:
    """An action that may be anything: mostly wrong, now and then right."""
    do = rng.choice(["turn_location", "ask", "deny", "own_up", "draw", "choose", "give", "point"])
    number = lambda: rng.randrange(-1, 9)  # noqa: E731
    return {
        "do": do,
        "player": rng.choice([None, number()]) if do == "point" else number(),
        "card": number(),
        "slots": [number() for _ in range(rng.randrange(4))],
        "cards": [number() for _ in range(rng.randrange(4))],
    }


@pytest.mark.parametrize("seed", range(3000, 3060))
def test_an_illegal_action_changes_nothing(seed: int, walk, encode) -> None:
    """Nor does it matter whether it is judged by the true table or by the seat's own fold."""
    w = walk(seed)
    refused = 0
    for _ in w.steps():
        for _ in range(6):
            action = w.rules.action(junk(w.rng, w))
            seat = w.rng.randrange(-1, w.seats + 1)
            game = w.game.clone()
            before = (game.table.copy(), list(game.log), game.actions, encode(game.view(0)))
            refusal = refusal_of(game.act, seat, action)
            if refusal is not None:
                refused += 1
                assert (game.table, game.log, game.actions, encode(game.view(0))) == before
                assert refusal.facts["awaiting"] == game.awaiting()
                if seat in range(w.seats):
                    offers = w.game.view(seat).offers
                    assert refusal.facts["may"] == tuple(offer.do for offer in offers)
            question = w.game.table.questions[-1]
            if seat in question.seats(w.game.table):
                by_truth = refusal_of(question.check, w.game.table, seat, action)
                by_fold = refusal_of(question.check, w.game.seen(seat), seat, action)
                assert (by_truth and by_truth.code) == (by_fold and by_fold.code)
    assert refused > 20


@pytest.mark.parametrize("seed", range(4000, 4040))
def test_every_offer_is_legal(seed: int, walk) -> None:
    """All that a view offers its seat can be done."""
    w = walk(seed)
    for _ in w.steps():
        for seat in w.game.awaiting():
            for offer in w.game.view(seat).offers:
                for action in w.rules.actions(offer):
                    w.game.clone().act(seat, action)


@pytest.mark.parametrize("seed", range(5000, 5060))
def test_a_clone_plays_on_alike_and_alone(seed: int, walk, encode) -> None:
    w = walk(seed)
    clone = w.game.clone()
    cut = w.rng.randrange(1, 60)
    for _ in w.steps():
        if len(w.done) == cut:
            w.game.view(w.rng.choice([None, 0, 1]))
            clone = w.game.clone()
    before = [encode(clone.view(viewer)) for viewer in (None, *range(w.seats))]
    twin = clone.clone()
    twin.act(*w.done[clone.actions])
    assert [encode(clone.view(viewer)) for viewer in (None, *range(w.seats))] == before
    for seat, action in w.done[clone.actions :]:
        clone.act(seat, action)
    assert clone.log == w.game.log
    assert clone.table == w.game.table
    for viewer in (None, *range(w.seats)):
        assert encode(clone.view(viewer)) == encode(w.game.view(viewer))


@pytest.mark.parametrize("seed", range(6000, 6030))
def test_question_numbers_grow_and_stay_while_a_question_is_open(seed: int, walk) -> None:
    """B34: an action names the question it answers; others pointing doesn't make it stale."""
    w = walk(seed)
    last = w.game.question
    for seat, _ in w.steps():
        assert all(w.game.seen(viewer).question == w.game.question for viewer in (None, seat))
        assert w.game.question >= last
        if w.game.table.questions[-1].phase != "point":
            assert w.game.question > last or not w.done
        last = w.game.question


def test_the_same_bytes_under_other_hash_seeds() -> None:
    script = (
        "import hashlib, sys, runpy, msgspec\n"
        "walk = runpy.run_path(sys.argv[1])['walk']\n"
        "digest = hashlib.sha256()\n"
        "for seed in range(12):\n"
        "    w = walk(seed)\n"
        "    for _ in w.steps():\n"
        "        for viewer in (None, *range(w.seats)):\n"
        "            digest.update(msgspec.json.encode(w.game.view(viewer)))\n"
        "    digest.update(msgspec.json.encode(w.game.shown(0, -1)))\n"
        "print(digest.hexdigest())\n"
    )
    conftest = Path(__file__).with_name("conftest.py")
    root = Path(__file__).parents[2]
    said = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
        run = subprocess.run(
            [sys.executable, "-c", script, str(conftest)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(run.stdout)
    assert len(said) == 1
