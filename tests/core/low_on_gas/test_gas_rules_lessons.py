"""What went wrong in other people's card games (B1 to B54), tried on this one."""

from __future__ import annotations

import msgspec
import pytest

from core.kernel.illegal import Illegal
from core.registry import GAMES

RULES = GAMES["low-on-gas"]


def test_the_same_action_twice(play):
    """B32, B33, B35: a second discard, draw or pick-up is refused, and the number has moved on."""
    p = play("bC y1", "r1 r2", "b3 r3", top="b9", pile="p3 p4 p5")
    numbers = [p.game.question]
    p.plays("bC")
    assert p.refused("play", by=0, card="bC") == "not_your_turn"
    numbers.append(p.game.question)
    p.picks_up()
    assert p.refused("pick_up", by=1) == "nothing_owed"
    numbers.append(p.game.question)
    p.draws()
    assert p.refused("draw", by=1) == "not_your_turn"
    numbers.append(p.game.question)
    assert numbers == sorted(set(numbers))


def test_the_last_two_cards_back_to_back(play):
    """B37: the second one is out of turn, called or not."""
    p = play("b1 b2", "b3 b4", top="b9").plays("b1", call=True)
    assert p.refused("play", by=0, card="b2") == "not_your_turn"
    assert not p.over


def test_a_late_discard_is_meant_for_nothing_else(play):
    """B34: the same card on one's next turn answers another question."""
    p = play("b1 b2", "r3 r4", top="b9", pile="r6")
    first = p.game.question
    p.plays("b1").draws()
    action = RULES.action({"do": "play", "card": "b2"})
    assert p.game.question > first
    assert not p.game.still_meant(0, action, first)
    assert p.game.still_meant(0, action, p.game.question)


def test_looking_changes_nothing(play):
    """B39: hands, top and piles keep their order however often one looks, and in a clone."""
    p = play("y1 r1", "b1 b2", top="b9", pile="b3")
    viewers = (0, 1, None)
    before = [p.view(v) for v in viewers]
    assert [p.view(v) for v in viewers] == before
    other = p.game.clone()
    p.draws()
    assert [other.view(v) for v in viewers] == before
    again = p.game.clone()
    assert [again.view(v) for v in viewers] == [p.view(v) for v in viewers]


def test_the_same_actions_lay_the_same_table(play):
    """B39: top, hand order and piles stable over playing it again."""

    def played():
        p = play("bC y1", "yC r1", "S r2", "M r3", top="b9", pile="p1 p2 p3 p4")
        return p.plays("bC").picks_up().plays("yC").picks_up().plays("S", "blue").plays("M", "red")

    one, two = played(), played()
    assert one.game.revealed() == two.game.revealed()
    assert [one.view(v) for v in range(4)] == [two.view(v) for v in range(4)]


@pytest.mark.parametrize("hand", ["M r1", "S bB", "b1 b2"])
@pytest.mark.parametrize("pile", ["r4 r5", "p4 M"])
def test_hidden_cards_have_no_identity(play, hand, pile):
    """B41, B43: tables that differ in hidden cards look the same, byte for byte."""

    def seen(theirs, top_of_pile):
        deck = ["bC y1 y2 y3 y4 y5 y6", theirs, "r7 r8"]
        p = play(*deck, top="b9", pile=top_of_pile).plays("bC")
        return [msgspec.json.encode([p.view(v), p.events(v)]) for v in (0, None)]

    assert seen(hand, pile) == seen("r2 r3", "y7 y8")


def test_spectators_see_no_hand_and_may_do_nothing(play):
    """B44: a spectator is a seat that owns nothing."""
    view = play("b1 b2", "b3 b4", top="b9").view(None)
    assert view.table.hands == (2, 2)
    assert view.offers == ()


@pytest.mark.parametrize("card", ["b11", "b0", "x1", "", "m", "bM", "B", "b1 "])
def test_a_card_that_does_not_exist(play, card):
    """B45: refused by name."""
    assert play("b1 b2", "b3 b4", top="b9").refused("play", card=card) == "no_such_card"


@pytest.mark.parametrize("card", ["b3", "b9", "M", "S"])
def test_a_card_of_somebody_else_or_of_the_pile(play, card):
    """B45: one plays out of one's own hand."""
    assert play("b1 b2", "b3 b4", top="b9").refused("play", card=card) == "not_in_hand"


@pytest.mark.parametrize(
    "line",
    [
        {"do": "wave"},
        {"do": None},
        {},
        {"do": "play"},
        {"do": "play", "card": 1},
        {"do": "play", "card": ["b1"]},
        {"do": "play", "card": "b1", "call": 1},
        {"do": "play", "card": "b1", "call": "true"},
        {"do": "play", "card": "b1", "call": None},
        {"do": "ask"},
    ],
)
def test_what_is_no_action(line):
    """B45: refused at the door, before anybody asks whose turn it is."""
    with pytest.raises(Illegal):
        RULES.action(line)


def test_unknown_keys_are_ignored(play):
    """B45: an action line may carry more than its action needs."""
    p = play("b1 b2", "b3 b4", top="b9")
    p.send("play", card="b1", time="04:00", player=7, slots=None, colour=["red"])
    assert p.table.colour == "blue"


def test_a_long_game_keeps_going(walk):
    """B19, B20: reshuffle after reshuffle; the longest of these has hundreds of actions."""
    longest = reshuffled = 0
    for seed in range(5, 65, 6):
        w = walk(seed, "low-on-gas")
        for _ in w.steps():
            assert w.game.waited_for()
        longest = max(longest, w.game.actions)
        events = [type(event).__name__ for each in w.game.log for event in each]
        reshuffled += events.count("Reshuffled")
    assert longest > 100
    assert reshuffled > 10
