"""What holds for every game, option set and number of seats (architecture.md, "Laws").

What is a game's own stands in `laws.py` of its folder: see conftest.py. Whoever has changed an
engine or a law tries twenty times as many games:

    LAW_GAMES=20 python -m pytest -n 2 tests/core/test_laws.py
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import twins

from core.kernel.illegal import Illegal
from core.registry import GAMES

GAMES_EACH = 12
"""Games a test: `tests/bench/random_games.py` plays them by the thousand."""

TIMES = int(os.environ.get("LAW_GAMES", "1"))
"""How many times the usual number of games a law is tried with."""


def seeds(first: int, number: int) -> pytest.MarkDecorator:
    """Try a law with random games of every game of the house.

    Where they begin was looked for: in these few games happens whatever does in 300.
    """
    each = [(game, seed) for game in GAMES for seed in range(first, first + number * TIMES)]
    return pytest.mark.parametrize(("game", "seed"), each)


@seeds(0, 10)
def test_cards_are_conserved_and_somebody_may_always_act(game: str, seed: int, walk) -> None:
    """P-R74, F-R40; also: games end as they should, and always wait for somebody until then."""
    for each in range(seed * GAMES_EACH, (seed + 1) * GAMES_EACH):
        w = walk(each, game)
        for _ in w.steps():
            awaiting, waited_for = w.game.awaiting(), w.game.waited_for()
            assert waited_for
            assert set(waited_for) <= set(awaiting)
            assert w.laws.cards(w.game) == w.laws.all_cards(w)
        assert w.game.awaiting() == w.game.waited_for() == ()
        assert w.laws.cards(w.game) == w.laws.all_cards(w)
        assert w.laws.ended_well(w)


@seeds(10_900, 20)
def test_a_fold_is_the_projection_of_the_truth(game: str, seed: int, walk, encode) -> None:
    """What a seat folded from its events is what it may see of the truth, after every action."""
    w = walk(seed, game)
    watching = w.laws.watching(w)
    for _ in itertools.chain(w.steps(), ["the end"]):
        if w.done:
            watching.note(*w.done[-1])
        truth = json.loads(encode(w.game.revealed()))
        for viewer in (None, *range(w.seats)):
            view = json.loads(encode(w.game.view(viewer)))
            may = [who["may"] for who in view["awaiting"] if who["seat"] == viewer]
            assert [[offer["do"] for offer in view["offers"]]] == (may or [[]])
            awaiting = [
                who if who["seat"] == viewer else {"seat": who["seat"]} for who in truth["awaiting"]
            ]
            view["offers"] = []
            table = watching.seen(truth, viewer)
            assert view == {**truth, "table": table, "awaiting": awaiting, "offers": []}


@seeds(20_000, 40)
def test_what_a_seat_cannot_see_changes_nothing_it_is_shown(
    game: str, seed: int, walk, encode
) -> None:
    """Non-interference, in the middle of games: swap hidden cards, do the same, compare bytes."""
    w = walk(seed, game)
    compared = hidden = 0
    for seat, action in w.steps():
        viewer = w.rng.choice([None, *range(w.seats)])
        after = w.game.clone()
        after.act(seat, action)
        other = w.laws.disguised(w, viewer, after.log[-1])
        if other is None:
            continue
        hidden += 1
        if viewer is not None:
            tried = w.rules.action(w.laws.junk(w.rng))
            here, there = (refusal_of(g.clone().act, viewer, tried) for g in (w.game, other))
            assert (here and here.args) == (there and there.args)
        try:
            other.act(seat, action)
        except Illegal:
            assert seat != viewer, "what is legal for a seat depends on what it cannot see"
            continue
        since = w.game.actions
        assert encode(other.shown(viewer, since)) == encode(after.shown(viewer, since))
        assert encode(other.view(viewer)) == encode(after.view(viewer))
        compared += 1
    assert compared > 5 or not hidden


def refusal_of(function, *given) -> Illegal | None:
    """What a call is refused with, or None when it is not."""
    try:
        function(*given)
    except Illegal as refusal:
        return refusal
    return None


@seeds(30_800, 11)
def test_an_illegal_action_changes_nothing(game: str, seed: int, walk, encode) -> None:
    """Nor does it matter whether it is judged by the true table or by the seat's own fold."""
    w = walk(seed, game)
    refused = 0
    for _ in w.steps():
        for _ in range(6):
            action = w.rules.action(w.laws.junk(w.rng))
            seat = w.rng.randrange(-1, w.seats + 1)
            one = w.game.clone()
            before = (one.table.copy(), list(one.log), one.actions, encode(one.view(0)))
            refusal = refusal_of(one.act, seat, action)
            if refusal is not None:
                refused += 1
                assert (one.table, one.log, one.actions, encode(one.view(0))) == before
                assert refusal.facts["awaiting"] == one.awaiting()
                if seat in range(w.seats):
                    offers = w.game.view(seat).offers
                    assert refusal.facts["may"] == tuple(offer.do for offer in offers)
            question = w.game.table.questions[-1]
            if seat in question.seats(w.game.table):
                by_truth = refusal_of(question.check, w.game.table, seat, action)
                by_fold = refusal_of(question.check, w.game.seen(seat), seat, action)
                assert (by_truth and by_truth.code) == (by_fold and by_fold.code)
    assert refused > 20


@seeds(40_100, 12)
def test_every_offer_is_legal(game: str, seed: int, walk) -> None:
    """All that a view offers its seat can be done."""
    w = walk(seed, game)
    for _ in w.steps():
        for seat in w.game.awaiting():
            for offer in w.game.view(seat).offers:
                for action in w.rules.actions(offer):
                    w.game.clone().act(seat, action)


@seeds(50_400, 12)
def test_every_legal_action_is_offered(game: str, seed: int, walk) -> None:
    """Whatever anybody might think of, now and then in a game: it is offered or refused."""
    w = walk(seed, game)
    for _ in w.steps():
        if w.rng.random() > 0.04:
            continue
        for seat in range(w.seats):
            offers = w.game.view(seat).offers
            offered = [action for offer in offers for action in w.rules.actions(offer)]
            assert len(set(offered)) == len(offered)
            legal = {action for action in w.laws.conceivable(w) if may(w.game, seat, action)}
            plain = {
                action
                for action in legal
                if w.laws.plainer(action) == action or w.laws.plainer(action) not in legal
            }
            assert plain == set(offered)


def may(game, seat: int, action) -> bool:
    """Whether an action is legal, by the question that is open."""
    question = game.table.questions[-1]
    if seat not in question.seats(game.table):
        return False
    return refusal_of(question.check, game.table, seat, action) is None


@seeds(60_000, 20)
def test_a_clone_plays_on_alike_and_alone(game: str, seed: int, walk, encode) -> None:
    w = walk(seed, game)
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


@seeds(70_200, 12)
def test_question_numbers_grow_and_stay_while_a_question_is_open(
    game: str, seed: int, walk
) -> None:
    """B34: an action names the question it answers; one beside it doesn't make it stale."""
    w = walk(seed, game)
    last = w.game.question
    for seat, _ in w.steps():
        assert all(w.game.seen(viewer).question == w.game.question for viewer in (None, seat))
        assert w.game.question >= last
        if w.done and not w.laws.beside(w.game.table.questions[-1].phase, w.done[-1][1]):
            assert w.game.question > last
        last = w.game.question


@pytest.mark.parametrize("game", GAMES)
def test_the_same_bytes_under_other_hash_seeds(game: str) -> None:
    script = (
        "import hashlib, sys, runpy, msgspec\n"
        "walk = runpy.run_path(sys.argv[1])['walk']\n"
        "digest = hashlib.sha256()\n"
        "for seed in range(7):\n"
        "    w = walk(seed, sys.argv[2])\n"
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
            [sys.executable, "-c", script, str(conftest), game],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        said.add(run.stdout)
    assert len(said) == 1


HIDDEN = {
    "prrrt": {"hands", "piles", "discards", "down", "targets"}
    | {"location_deck", "shame_deck", "smell_deck"},
    "low-on-gas": {"hands", "draw_pile"},
}
"""Where cards lie that somebody may not see, and whom others point at."""


@pytest.mark.parametrize("game", GAMES)
def test_games_that_were_shown_alike_are_alike_in_all_that_can_be_tried(game: str, encode) -> None:
    """Whole games with other cards where somebody can't see them: refusals are no way to look."""
    hidden: set[str] = set()
    for seed in range(7000, 7000 + 10 * TIMES):
        w, rng = twins.walk(seed, game), Random(seed)
        one = twins.told(w, rng.randrange(100), *twins.RARE[game][: 2 * (seed % 2)])
        viewer = rng.choice([None, *range(w.seats)])
        other = twins.twin(one, viewer, rng, 60)
        assert [type(action) for _, action in one.moves] == [type(a) for _, a in other.moves]
        moments = list(zip(one.moments(), other.moments(), strict=True))
        for here, there in moments[-1::-3]:
            assert encode(here.view(viewer)) == encode(there.view(viewer))
            assert here.question == there.question
            assert (here.awaiting(), here.waited_for()) == (there.awaiting(), there.waited_for())
            fields = here.table.__struct_fields__
            hidden |= {f for f in fields if getattr(here.table, f) != getattr(there.table, f)}
            if viewer is not None:
                _tried_alike(w, here, there, viewer, rng)
    assert hidden == HIDDEN[game]


def _tried_alike(w, here, there, viewer: int, rng: Random) -> None:
    for _ in range(2):
        action = w.rules.action(w.laws.junk(rng))
        question = here.question - rng.randrange(3)
        answers = []
        for each in (here, there):
            refusal = refusal_of(each.clone().act, viewer, action)
            meant = each.still_meant(viewer, action, question)
            silenced = None if refusal else each.silences(viewer, action)
            answers.append((refusal and (refusal.code, refusal.facts), meant, silenced))
        assert answers[0] == answers[1]
