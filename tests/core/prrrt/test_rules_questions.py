"""Searching for the culprit: P-R17 to P-R32 and P19 to P35."""

from __future__ import annotations

import pytest


def test_the_first_player_asks_the_neighbour(play):
    """P-R17, P19: to the left of seat 2 is seat 3; nobody else may ask or be asked."""
    p = play(4, first=2, locations=["work/lift"]).turn()
    assert (p.phase, p.table.asker, p.table.asked) == ("ask", 2, 3)
    for seat in (0, 1, 3):
        p.refused("ask", by=seat)
    p.ask()
    assert p.actor == 3


@pytest.mark.parametrize("words", [None, "", "Was it you?", "ich sage: nein! \N{ROSE}", "x" * 120])
def test_words_are_free(play, words):
    """P-R18, P22: any words or none, and everybody hears them; nothing else changes."""
    p = play(3).turn()
    before = p.table
    p.ask(words)
    assert p.table == before
    for viewer in (0, 1, 2, None):
        assert (p.last("Asked", viewer).words or "") == (words or "")


def test_too_many_words(play):
    """P22: at most 120 characters."""
    assert play(3).turn().refused("ask", words="x" * 121)


def test_only_two_answers_and_only_by_the_one_asked(play):
    """P-R19, P24, B35: own up or deny; all others wait."""
    p = play(4).turn().ask()
    assert (p.phase, p.actor) == ("answer", 1)
    assert sorted(p.may(1)) == ["deny", "own_up"]
    for seat in (0, 2, 3):
        assert p.may(seat) == ()
        p.refused("own_up", by=seat)
        p.refused("deny", by=seat)
    for do in ("ask", "turn_location"):
        p.refused(do, by=1)
    p.refused("draw", by=0, slots=[0])
    p.refused("point", by=1, player=None)


@pytest.mark.parametrize("answer", ["deny", "own_up"])
@pytest.mark.parametrize("hand", [(8, 8, 8, 8, 8), (1, 2, 2, 3, 3)])
def test_the_answer_is_free_whatever_the_cards(play, hand, answer):
    """P23: the smelliest may deny and the freshest own up."""
    p = play(3, hands=[(4, 4, 5, 5, 5), hand]).turn().ask()
    p.send(answer)
    assert p.phase == ("draw" if answer == "deny" else "turn_location")


def test_owning_up_stops_the_round(play):
    """P-R20, P-R22, P26: no vote, no hands, no card from the deck, no lap card."""
    p = play(4, hands=[[]], locations=["work/lift"], shame=[10, 9, 8]).turn().denials(2).ask()
    since = p.game.actions
    left = p.table.shame_left
    p.own_up()
    assert p.phase == "turn_location"
    assert p.table.shame_left == left
    assert p.table.reveal is None
    assert not {"HandsShown", "Verdict", "ShameCharged", "LapEnded"} & set(p.happened(since))
    assert p.view(0).table.hands[3] == 5  # still face down to others


def test_owning_up_takes_the_whole_centre(play):
    """P-R21, P27: open cards, then hidden; the owner may look, others count."""
    p = play(3, locations=["work/lift"], shame=[10, 9, 8]).turn().ask().own_up()
    assert p.table.piles == ((), (10, 9, 8), ())
    assert p.total_centre == 0
    assert p.view(1).table.piles == (0, (10, 9, 8), 0)
    assert p.view(2).table.piles == (0, 3, ())
    assert p.view(None).table.piles == (0, 3, 0)


def test_the_confessor_is_the_next_first_player(play):
    """P-R48, P28: also when somebody else had the largest total."""
    p = play(3, hands=[[8] * 5, [1, 2, 2, 3, 3], [7] * 5]).turn().ask().own_up()
    assert (p.table.first, p.actor) == (1, 1)


def test_the_asker_draws_and_the_card_lies_in_the_row(play):
    """P-R23, P-R24, P30: blind slot 3 shows what chance put there."""
    hands = [[3], [1, 2, 8, 8, 2]]
    p = play(3, hands=hands, blind={"1/1": [4, 2, 3, 0, 1]}).turn().ask().deny()
    assert (p.phase, p.actor) == ("draw", 0)
    for seat in (1, 2):
        p.refused("draw", by=seat, slots=[3])
    offer = p.offer("draw")
    assert (offer.slots, offer.take, offer.cards) == (5, 1, ())
    p.draw(3)
    assert p.table.rows[1] == (1,)
    assert p.table.hands[1] == (2, 8, 8, 2)
    assert p.chance.asked["blind/1/1"] == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("slots", [[], [5], [-1], [0, 1], [0, 0], ["0"], [True], [0.0], None, 0])
def test_a_slot_is_one_of_the_backs(play, slots):
    """P30, B45, B2: what isn't exactly one slot of the hand is refused whole."""
    p = play(3).turn().ask().deny()
    p.refused("draw", slots=slots)
    p.draw(4)


def test_the_effect_comes_before_the_next_question(play):
    """P-R25, P35, B3: while a choice is due nobody asks, and the lap's card isn't laid."""
    hands = [[4, 8, 8, 8, 8], [1, 2, 2, 3, 3], [8, 3, 6, 6, 6]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().denials(2).ask().deny().draw(0)
    assert (p.phase, p.actor) == ("choose", 0)
    assert (p.table.lap, p.total_centre) == (1, 3)
    for seat in range(3):
        p.refused("ask", by=seat)
        p.refused("point", by=seat, player=None)
    p.choose(1)
    p.refused("ask", by=0)
    p.draw(0)
    p.refused("ask", by=0)
    p.give(8)
    assert (p.phase, p.table.lap, p.total_centre) == ("ask", 2, 4)


def test_after_a_denial_the_denier_asks_on(play):
    """P-R26: seat 1 denied, so seat 1 asks seat 2."""
    p = play(4, hands=[[], [8]], locations=["work/lift"]).turn().denial()
    assert (p.actor, p.table.asker, p.table.asked) == (1, 1, 2)
    p.refused("ask", by=0)


@pytest.mark.parametrize("seats", [3, 5, 7])
def test_a_lap_is_over_when_all_have_been_asked(plain, seats):
    """P-R27, P19, P20, P21: n questions, the first player last, then the same circle again."""
    p = plain(seats, first=1, locations=["work/lift"]).turn()
    laps = []
    for _ in range(3):
        asked = []
        for _ in range(seats):
            asked.append((p.table.lap, p.table.asked))
            p.denial()
        laps.append(asked)
    circle = [(1 + k) % seats for k in range(1, seats + 1)]
    assert laps == [[(lap, seat) for seat in circle] for lap in (1, 2, 3)]
    assert circle[-1] == 1
    assert (p.phase, p.table.first) == ("point", 1)


def test_shame_cards_of_the_laps(plain):
    """P-R28, P-R29, P-R30, P31, P32, P-TV4: 3, then 4, then 5 cards, and 5 at the vote."""
    p = plain(4, locations=["work/lift"], shame=[10, 9, 8, 7, 6, 5]).turn()
    assert p.total_centre == 3
    p.lap()
    assert (p.table.centre.up, p.table.centre.down) == ((10, 9, 7), (8,))
    assert p.last("LapEnded").shame == 7
    p.lap()
    assert (p.table.centre.up, p.table.centre.down) == ((10, 9, 7, 6), (8,))
    p.lap()
    assert (p.phase, p.total_centre, p.table.shame_left) == ("point", 5, 59)
    assert p.table.lap == 3


def test_third_lap_shame(plain):
    """P32: with the option a further open card is laid before the vote."""
    p = plain(4, locations=["work/lift"], shame=[10, 9, 8, 7, 6, 5], third_lap_shame=True)
    p.turn().lap(3)
    assert p.table.centre.up == (10, 9, 7, 6, 5)
    assert (p.phase, p.table.shame_left) == ("point", 58)


@pytest.mark.parametrize("denied", [0, 2, 3, 5, 6, 8])
def test_owning_up_at_every_question(plain, denied):
    """P-R31, P25: the last of the third lap included; the price is the centre."""
    p = plain(3, locations=["work/lift"]).turn().denials(denied)
    asked, centre = p.table.asked, p.total_centre
    p.ask().own_up()
    assert [len(pile) for pile in p.table.piles] == [centre if s == asked else 0 for s in range(3)]
    assert centre == 3 + min(denied // 3, 2)


def test_cards_open_and_in_hand(plain):
    """P-R32, P46: two open after lap 2; three open and two in hand after lap 3."""
    p = plain(5).turn().lap(2)
    assert [len(row) for row in p.table.rows] == [2] * 5
    p.lap()
    assert [len(row) for row in p.table.rows] == [3] * 5
    assert [len(hand) for hand in p.table.hands] == [2] * 5


def test_a_round_that_was_owned_up_counts(play):
    """P29, P-R47: its Location lies with the played ones."""
    p = play(3, locations=["work/lift", "home/car"]).confession()
    assert p.table.played == ("work/lift",)
    assert p.table.location is None


def test_without_a_hand(play):
    """P33, P-R71, P-R72, P-R36: asked, denies without a draw, asks on, points."""
    hands = [[8, 8, 8, 1, 2], [7, 6, 6, 6, 6], [8, 8, 8, 2, 3]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().lap()
    p.ask()
    assert sorted(p.may(1)) == ["deny", "own_up"]
    blind = [label for label in p.chance.asked if label.startswith("blind")]
    p.deny()
    assert p.last("Denied").shows is False
    assert [label for label in p.chance.asked if label.startswith("blind")] == blind
    assert (p.phase, p.actor, p.table.asked) == ("ask", 1, 2)
    p.denials(2).lap()
    assert p.phase == "point"
    assert "point" in p.may(1)
