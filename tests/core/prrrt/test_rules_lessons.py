"""What went wrong in other people's card games (B1 to B54), tried on this one."""

from __future__ import annotations

import msgspec
import pytest

from core.kernel.illegal import Illegal
from core.registry import GAMES


def test_the_same_answer_twice(play):
    """B32, B33: a second denial, draw or question is refused, and the number has moved on."""
    p = play(3).turn()
    numbers = [p.game.question]
    p.ask()
    p.refused("ask", by=0)
    numbers.append(p.game.question)
    p.deny()
    p.refused("deny", by=1)
    numbers.append(p.game.question)
    p.draw(0)
    p.refused("draw", by=0, slots=[0])
    numbers.append(p.game.question)
    assert numbers == sorted(set(numbers))


def test_a_late_answer_can_be_told_from_a_new_one(play):
    """B34: the same words in the next round answer another question."""
    p = play(3).turn().ask()
    first = p.game.question
    p.own_up().turn().ask()
    assert p.game.question > first


def test_fingers_answer_one_question(plain):
    """B34: somebody else's finger doesn't make mine stale."""
    p = plain(3).turn().lap(3)
    before = p.game.question
    p.send("point", 1, player=0)
    assert p.game.question == before


def test_no_peeking(play):
    """B46: looking again changes nothing, and what was drawn stays drawn."""
    p = play(3, hands=[[], [8, 1, 2, 2, 3]]).turn().ask().deny()
    before = [p.view(v) for v in (0, 1, 2, None)]
    assert [p.view(v) for v in (0, 1, 2, None)] == before
    other = p.game.clone()
    p.draw(2)
    again = p.game.clone()
    assert [again.view(v) for v in (0, 1, 2, None)] == [p.view(v) for v in (0, 1, 2, None)]
    assert other.view(0) == before[0]
    p.refused("draw", by=0, slots=[0])


def test_the_same_actions_lay_the_same_table(play):
    """B39: hands, rows, piles and the Shame deck keep their order when a game is read back."""
    hands = [[8, 8, 8, 3, 3], [4, 8, 8, 1, 2], [5, 2, 4, 6, 6]]

    def played():
        p = play(3, hands=hands, shame=[10, 9, 8, 7]).turn().denial()
        return p.choose(2).draw(4).give(6).denial().choose(1, 4).denials(1).ask().own_up().turn()

    one, two = played(), played()
    assert one.game.revealed() == two.game.revealed()
    assert [one.view(v) for v in range(3)] == [two.view(v) for v in range(3)]


@pytest.mark.parametrize("hand", [(8, 4, 4, 6, 6), (8, 1, 2, 2, 3), (8, 6, 6, 4, 4)])
@pytest.mark.parametrize("down", [3, 10])
def test_hidden_cards_have_no_identity(play, hand, down):
    """B41, B42: tables that differ in hidden cards look the same, byte for byte."""

    def seen(third, hidden):
        hands = [[8, 8, 8, 3, 3], [8, 5, 5, 7, 7], third]
        p = play(hands=hands, shame=[1, 2, hidden, 4], locations=["work/lift"]).turn().lap()
        return [msgspec.json.encode([p.view(v), p.events(v)]) for v in (0, 1, None)]

    assert seen(hand, down) == seen((8, 4, 6, 6, 4), 5)


def test_spectators_see_no_hand(play):
    """B44: a spectator is a seat that owns nothing, and may do nothing."""
    p = play(3).turn()
    view = p.view(None)
    assert view.table.hands == (5, 5, 5)
    assert view.offers == ()
    assert all(a.may is msgspec.UNSET for a in view.awaiting)


def test_may_is_told_to_its_own_seat_only(play):
    """B41: what others may do could tell what they hold."""
    p = play(3).turn().ask()
    own = {a.seat: a.may for a in p.view(1).awaiting}
    other = {a.seat: a.may for a in p.view(0).awaiting}
    assert sorted(own[1]) == ["deny", "own_up"]
    assert other == {1: msgspec.UNSET}


@pytest.mark.parametrize(
    "line",
    [
        {"do": "wave"},
        {"do": ""},
        {"do": None},
        {},
        {"do": "point"},
        {"do": "choose"},
        {"do": "choose", "player": 1.0},
        {"do": "draw"},
        {"do": "draw", "slots": 0},
        {"do": "draw", "slots": {"0": 0}},
        {"do": "give", "cards": "44"},
        {"do": "ask", "words": 7},
    ],
)
def test_what_is_no_action(play, line):
    """B45, P22: refused at the door, before anybody asks whose turn it is."""
    with pytest.raises(Illegal):
        GAMES["prrrt"].action(line)


def test_unknown_keys_are_ignored(play):
    """B45: an action line may carry more than its action needs."""
    p = play(3).turn()
    p.send("ask", words="Hm?", time="04:00", player=7, slots=None)
    assert p.last("Asked").words == "Hm?"
