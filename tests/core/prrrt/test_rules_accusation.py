"""Everybody points, and the Revelation: P-R33 to P-R46 and P5 to P7, P57 to P66."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec import UNSET

from core.prrrt.verdict import culprit_of

# Camille, Bruno, Ludovic, Sandra: the rulebook's worked example, 10, 10, 9 and 16.
EXAMPLE = [[3, 3, 3, 1, 0], [3, 2, 2, 2, 1], [2, 2, 2, 3, 0], [1, 1, 1, 7, 6]]
DEODORANT = {"smell_deck": "deodorant", "locations": ["work/lift"]}


@pytest.fixture
def example(play):
    """The worked example when all are about to point."""
    return play(hands=EXAMPLE, shame=[10, 9, 8, 7, 6, 5, 4, 3], **DEODORANT).turn().lap(3)


def vote(play, hands, points, **more):
    """Play a round of the lift without a confession, and point."""
    options = {**DEODORANT, **more}
    return play(hands=hands, **options).turn().lap(3).points(*points)


def test_everybody_is_awaited_at_once(example):
    """P-R33, P-R36, P57: all may point, in any order, the prime suspect too."""
    p = example
    assert p.phase == "point"
    assert sorted(p.game.awaiting()) == [0, 1, 2, 3]
    for seat in (3, 0, 2):
        assert p.may(seat) == ("point",)
        p.send("point", seat, player=1)
        assert p.may(seat) == ()
    assert p.game.awaiting() == (1,)


def test_no_finger_is_seen_before_all_are_fixed(example):
    """P-R33, P57, B31: others see that a finger is fixed, never where to; nor does any event."""
    p = example.send("point", 3, player=None).send("point", 1, player=0)
    for viewer in (0, 2, None):
        table = p.view(viewer).table
        assert table.pointed == (False, True, False, True)
        assert table.my_point is UNSET
        assert table.reveal is None
        for event in p.events(viewer):
            if type(event).__name__ == "Pointed":
                assert event.player is UNSET
    assert p.view(1).table.my_point == 0
    assert p.view(3).table.my_point is None


def test_views_of_a_vote_do_not_depend_on_targets(play):
    """P-R33, B41: two votes that differ in a target look the same to everybody else."""
    seen = []
    for target in (0, 2, None):
        p = play(hands=EXAMPLE, **DEODORANT).turn().lap(3).send("point", 1, player=target)
        seen.append([(p.view(v), p.events(v)) for v in (0, 2, 3, None)])
    assert seen[0] == seen[1] == seen[2]


def test_the_revelation_waits_for_every_seat(example):
    """P-R33, B29, B30: not the number of fingers counts but whose are in."""
    p = example
    for seat in (0, 1, 2):
        p.send("point", seat, player=3)
        p.refused("point", by=seat, player=3)
        assert p.phase == "point"
        assert p.table.reveal is None
    p.send("point", 3, player=0)
    assert p.table.reveal is not None


def test_nobody_points_at_themselves(example):
    """P-R34, P58, B45: nor at a seat that isn't there."""
    p = example
    assert set(p.offer("point", by=2).players) == {0, 1, 3, None}
    for player in (2, 4, -1, "1", True, 1.0):
        p.refused("point", by=2, player=player)
    p.refused("point", by=2)


def test_a_finger_that_was_sent_stays(example):
    """P58: no second thoughts once it is fixed."""
    p = example.send("point", 0, player=3)
    p.refused("point", by=0, player=1)
    p.refused("point", by=0, player=3)


def test_a_finger_in_the_air_is_free(play):
    """P-R35, P-R44: nobody points, nobody pays but the culprit, with the centre alone."""
    p = vote(play, EXAMPLE, [None] * 4)
    assert p.table.reveal.charged == (0, 0, 0, 0)
    assert [len(pile) for pile in p.table.piles] == [0, 0, 0, 5]


def test_a_player_without_a_hand_points(play):
    """P-R36, P33."""
    hands = [[0, 1, 2, 3, 6], [7, 1, 2, 3, 3], [0, 1, 2, 4, 5]]
    p = vote(play, hands, [None, 2, None])
    assert p.table.reveal.points == (None, 2, None)
    assert p.table.reveal.charged == (0, 1, 0)


def test_worked_example(example):
    """P-TV1, P-TV4, P-R38, P-R39, P-R40, P-R41, P-R42, P-R44, P62."""
    p = example.points(3, 0, 0, None)
    reveal = p.table.reveal
    assert reveal.totals == (10, 10, 9, 16)
    assert (reveal.culprit, reveal.because) == (3, "total")
    assert reveal.points == (3, 0, 0, None)
    assert reveal.charged == (0, 1, 1, 1)
    assert p.table.shame_left == 59 - 3
    assert [len(pile) for pile in p.table.piles] == [0, 1, 1, 6]
    assert (p.table.first, p.actor) == (3, 3)


def test_worked_example_before_the_vote(example):
    """P-TV2: Camille shows 9 and hides 1."""
    table = example.table
    assert sum(table.rows[0]) == 9
    assert sum(table.hands[0]) == 1
    assert len(table.hands[0]) == 2


def test_all_hands_are_revealed(example):
    """P-R37, P-R38: to everybody, until the next Location is turned."""
    p = example
    assert p.view(None).table.hands == (2, 2, 2, 2)
    p.points(None, None, None, None)
    hands = ((1, 0), (2, 1), (3, 0), (7, 6))
    for viewer in (0, 1, 2, 3, None):
        assert p.last("HandsShown", viewer).hands == hands
        assert p.view(viewer).table.hands == hands
    p.turn()
    assert p.view(None).table.hands == (5, 5, 5, 5)


def test_the_culprits_own_finger_costs_a_card(play):
    """P-R43, P59: it is wrong by definition; P-TV13: 3 + 2 + 1 + 1 = 7."""
    p = vote(play, EXAMPLE, [3, None, None, 0])
    assert p.table.reveal.charged == (0, 0, 0, 2)
    assert len(p.table.piles[3]) == 7


def test_the_bill_with_a_third_lap_card(play):
    """P-TV13, P32: with the option it is 8."""
    p = vote(play, EXAMPLE, [3, None, None, 0], third_lap_shame=True)
    assert len(p.table.piles[3]) == 8


def test_who_pays_nothing(play):
    """P-R44, P62: right fingers, raised fingers, and an innocent that all others point at."""
    p = vote(play, EXAMPLE, [3, 0, 0, 0])
    assert p.table.reveal.charged == (0, 1, 1, 2)
    q = vote(play, EXAMPLE, [None, 3, 3, None])
    assert q.table.reveal.charged == (0, 0, 0, 2)


def test_where_cards_come_from_and_in_which_order(play):
    """P60, P61: culprit first, one for each finger; then wrong fingers as questions went."""
    hands = [EXAMPLE[3], *EXAMPLE[:3]]  # seat 0 is the culprit, seat 2 opens the round
    p = play(hands=hands, first=2, shame=[10, 9, 8, 7, 6, 5, 4, 3, 2], **DEODORANT)
    p.turn().lap(3).points(1, 2, 0, 1)  # questions went 3, 0, 1, 2
    assert p.table.piles[0] == (10, 9, 7, 6, 8, 5, 3)  # open, hidden, accuser's, own finger's
    assert p.table.piles[3] == (4,)
    assert p.table.piles[1] == (2,)
    assert p.table.piles[2] == ()


def test_the_first_players_wrong_finger_is_charged_last(play):
    """P61: the first player was asked last."""
    hands = [EXAMPLE[3], *EXAMPLE[:3]]
    p = play(hands=hands, first=2, shame=[10, 9, 8, 7, 6, 5, 4], **DEODORANT)
    p.turn().lap(3).points(None, 2, 1, None)
    assert (p.table.piles[1], p.table.piles[2]) == ((5,), (4,))


def test_cards_taken_lie_face_down(example):
    """P-R46, P60, P76: the owner may look, the others count."""
    p = example.points(3, 0, 0, None)
    assert p.view(1).table.piles == (0, (4,), 1, 6)
    assert p.view(0).table.piles == ((), 1, 1, 6)
    assert p.last("ShameCharged", 0).cards == 1
    assert p.last("CentreTaken", 0).down == 1
    assert p.last("CentreTaken", 3).down == (8,)


# Ties


@pytest.mark.parametrize("seats", permutations(range(3)))
def test_smelliest_card_decides_a_tie(play, seats):
    """P5, P7, P-TV6, B49, B50: 7 1 0 0 0 beats 2 2 2 2 0, wherever they sit."""
    given = ([0, 1, 0, 0, 7], [2, 2, 2, 2, 0], [0, 1, 1, 1, 1])
    hands = [given[seats.index(s)] for s in range(3)]
    guilty, tied, third = (seats[k] for k in range(3))
    points: list[int | None] = [None] * 3
    points[third] = tied  # a finger at the one who loses the tie was wrong
    p = vote(play, hands, points)
    reveal = p.table.reveal
    assert reveal.totals[guilty] == reveal.totals[tied] == 8
    assert (reveal.culprit, reveal.because) == (guilty, "smelliest_card")
    assert reveal.charged[third] == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_next_card_decides_if_the_first_is_equal(play, swapped):
    """P5, P-TV6: 8 8 5 3 2 beats 8 7 6 3 2; both 26."""
    a, b = [8, 2, 3, 8, 5], [8, 2, 3, 7, 6]
    hands = [[8, 8, 1, 4, 4], a, b] if not swapped else [[8, 8, 1, 4, 4], b, a]
    p = vote(play, hands, [None] * 3, smell_deck="rulebook")
    assert p.table.reveal.totals == (25, 26, 26)
    assert p.table.reveal.culprit == (2 if swapped else 1)
    assert p.table.reveal.because == "smelliest_card"


def test_a_missing_card_is_less_than_any_card(play):
    """P5, P-TV6: 8 7 without a hand is guiltier than 1 2 3 4 5."""
    hands = [[8, 7, 3, 3, 4], [1, 2, 3, 4, 5], [7, 2, 4, 4, 5]]
    p = vote(play, hands, [None] * 3, smell_deck="rulebook")
    assert p.table.reveal.totals == (15, 15, 7)
    assert (p.table.reveal.culprit, p.table.reveal.because) == (0, "smelliest_card")


@pytest.mark.parametrize(
    ("place", "first", "culprit"),
    [("work/lift", 0, 1), ("work/lift", 2, 0), ("home/car", 0, 2), ("home/car", 2, 1)],
)
def test_the_same_cards_asked_earliest(play, place, first, culprit):
    """P5, P66, P-TV6: all hold 0 1 1 2 2; the first one asked in a lap is to blame."""
    hands = [[0, 1, 2, 1, 2], [1, 2, 0, 2, 1], [2, 1, 1, 0, 2]]
    p = vote(play, hands, [None] * 3, locations=[place], first=first)
    assert p.table.reveal.totals == (6, 6, 6)
    assert (p.table.reveal.culprit, p.table.reveal.because) == (culprit, "asked_earlier")


def test_asked_earliest_among_the_tied_only(play):
    """P5: the earliest asked of all has less and is no part of the tie."""
    hands = [[0, 1, 2, 3, 3], [0, 1, 0, 1, 0], [1, 2, 0, 3, 3]]
    p = vote(play, hands, [None] * 3)
    assert (p.table.reveal.culprit, p.table.reveal.because) == (2, "asked_earlier")


# Five zeros


def test_five_zeros(play):
    """P-R45, P2, P6, P65, P-TV7: guilty with a total of 0; fingers at the 20 pay."""
    hands = [[0, 0, 0, 0, 0], [2, 2, 2, 3, 3], [3, 3, 1, 7, 6]]
    p = vote(play, hands, [2, 2, 0])
    reveal = p.table.reveal
    assert reveal.totals == (0, 12, 20)
    assert (reveal.culprit, reveal.because) == (0, "five_zeros")
    assert reveal.charged == (2, 1, 0)


def test_five_zeros_come_before_a_tie(play):
    """P6: two others tie for the largest total, and it doesn't matter."""
    hands = [[2, 2, 1, 3, 3], [0, 0, 0, 0, 0], [2, 1, 2, 3, 3]]
    p = vote(play, hands, [None] * 3)
    assert p.table.reveal.totals == (11, 0, 11)
    assert (p.table.reveal.culprit, p.table.reveal.because) == (1, "five_zeros")


def test_four_zeros_are_no_crime(play):
    """P64, P-R45: exactly five, so neither four zeros and a 1 nor a player without a hand."""
    hands = [[0, 0, 0, 0, 1], [2, 2, 2, 3, 3], [0, 0, 7, 1, 1]]
    p = vote(play, hands, [None] * 3)
    assert p.table.reveal.totals == (1, 12, 7)
    assert (p.table.reveal.culprit, p.table.reveal.because) == (1, "total")


def test_fewer_than_five_zeros_are_no_crime():
    """P64: no way of play leads there today, but all zeros of a short hand are innocent."""
    assert culprit_of([(0, 0, 0), (1, 0, 0, 0, 0), (1,)], (1, 2, 0)) == (1, "smelliest_card")


def test_five_zeros_matter_at_the_revelation_only(play):
    """P64, P28: when somebody else owns up, the five zeros go unpunished."""
    hands = [[0, 0, 0, 0, 0], [2, 2, 2, 3, 3], [3, 3, 1, 7, 6]]
    p = play(hands=hands, **DEODORANT).turn().lap(2).denial().ask().own_up()
    assert p.table.first == 2
    assert p.table.piles[0] == ()


def test_a_sevens_discards_do_not_count(play):
    """P63, P-R38: a hand thrown away is worth nothing, however bad it was."""
    hands = [[7, 6, 6, 5, 5], [0, 1, 2, 3, 3], [0, 1, 2, 0, 1]]
    p = vote(play, hands, [None] * 3)
    assert p.table.reveal.totals == (7, 9, 4)
    assert p.table.reveal.culprit == 1
