"""Cabbage, Beans, Silent But Deadly, and the Match that burns them: F-R24 to F-R37."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("card", "owed"), [("bC", 1), ("bB", 2), ("S", 5)])
def test_each_pick_up_and_its_number(play, card, owed):
    """F-R24, F-R25, F-R26, B16: the player to the left draws 1, 2 or 5 before playing."""
    p = play(f"{card} y1", "b1 r1", "b2 r2", top="b9")
    p.plays(card, "blue" if card == "S" else None)
    assert (p.turn, p.phase, p.owed, p.table.sum) == (1, "owe", owed, (owed,))
    assert p.may(1) == ("pick_up",)
    p.picks_up()
    assert p.sizes == [1, 2 + owed, 2]
    assert (p.turn, p.phase) == (1, "play")
    assert p.last("PickedUp").total == owed


def test_the_drawn_cards_are_the_top_of_the_draw_pile(play):
    """F-R25: in the order in which they lay, at the end of the hand."""
    p = play("bB y1", "b1 r1", top="b9", pile="p1 p2 p3").plays("bB").picks_up()
    assert p.hand(1) == "b1 r1 p1 p2"
    assert p.table.draw_pile[0] == "p3"


def test_the_rulebooks_example(play):
    """F-TV1, F-R29, F11: 1, then 2, then 7, each having drawn their share."""
    p = play("bC y1", "yC r1", "S r2", "b3 r3", top="b9")
    p.plays("bC").picks_up().plays("yC")
    assert (p.turn, p.owed, p.sizes[1]) == (2, 2, 2)
    p.picks_up().plays("S", "blue")
    assert (p.turn, p.owed, p.sizes[2]) == (3, 7, 3)
    assert p.table.sum == (1, 1, 5)


def test_a_match_burns_all_of_it(play):
    """F-TV2, F-R34, F-R35, F-R36, F13, F14: of 7 nothing is drawn, the next owes nothing."""
    p = play("bC y1", "yC r1", "S r2", "M r3", top="b9")
    p.plays("bC").picks_up().plays("yC").picks_up().plays("S", "blue")
    assert p.may(3) == ("play", "pick_up")
    assert p.fitting(3) == {"M"}
    p.plays("M", "red")
    assert (p.sizes[3], p.owed, p.table.sum) == (1, 0, ())
    assert (p.turn, p.phase, p.table.colour) == (0, "play", "red")


def test_seven_drawn_and_a_fart(play):
    """F-TV3, F-R31, F-R33, F11: seven more in hand, the fart ends the total."""
    p = play("bC y1", "yC r1", "S r2", "b3 r3", top="b9")
    p.plays("bC").picks_up().plays("yC").picks_up().plays("S", "blue").picks_up()
    assert p.sizes[3] == 9
    p.plays("b3")
    assert (p.turn, p.phase, p.owed) == (0, "play", 0)


def test_two_four_five(play):
    """F-TV4, F-R29: Beans, Beans, Cabbage."""
    p = play("bB y1", "yB r1", "yC r2", "b3 r3", top="b9", pile="p1 p2 p3 p4 p5 p6")
    owed = [p.plays("bB").owed, p.picks_up().plays("yB").owed, p.picks_up().plays("yC").owed]
    assert owed == [2, 4, 5]
    assert p.table.sum == (2, 2, 1)


def test_one_more_and_it_fits(play):
    """F-TV5, F-R32, F24: 3 drawn in all, and the third must be played."""
    p = play("bB y1", "r1 r2", "b3 b4", top="b9", pile="p1 p2 b5").plays("bB").picks_up()
    assert p.may(1) == ("draw",)
    p.draws()
    assert (p.phase, p.fitting(), p.sizes[1]) == ("must_play", {"b5"}, 5)
    assert p.refused("draw") == "play_the_drawn"
    p.plays("b5")
    assert (p.turn, p.owed, p.sizes[1]) == (2, 0, 4)


def test_one_more_and_it_is_a_pick_up(play):
    """F-R29, F11, F24: the one card more passes the served total on, grown."""
    p = play("bB y1", "r1 r2", "b3 b4", top="b9", pile="p1 p2 yB")
    p.plays("bB").picks_up().draws().plays("yB")
    assert (p.turn, p.phase, p.owed) == (2, "owe", 4)


def test_one_more_and_it_does_not_fit(play):
    """F-TV6, F-R32, F12, F24: the turn is over and so is the total; the Beans still lie there."""
    p = play("bB y1", "r1 r2", "b3 b4", top="b9", pile="p1 p2 p3").plays("bB").picks_up().draws()
    assert (p.turn, p.phase, p.owed, p.table.top) == (2, "play", 0, "bB")
    assert p.table.sum == ()
    assert p.plays("b3").owed == 0


def test_a_total_that_was_ended_does_not_come_back(play):
    """F12, F-R33, B16: a pick-up after a fart, or after a turn without discard, starts anew."""
    p = play("bB b1", "b2 r1", "bC r2", top="b9").plays("bB").picks_up().plays("b2").plays("bC")
    assert p.owed == 1
    p = play("bB y1", "r1 r2", "bC b4", top="b9", pile="p1 p2 p3").plays("bB").picks_up().draws()
    assert p.plays("bC").owed == 1


def test_while_owing_nothing_but_the_draw_or_a_match(play):
    """F10, F13, F17, B17, B18: no single card, no fart that fits, no pick-up, no SBD."""
    hand = "b1 bB S M r1"
    p = play("bC y1 y2 y3 y4", hand, top="b9").plays("bC")
    assert p.may(1) == ("play", "pick_up")
    assert p.fitting() == {"M"}
    for card in ("b1", "bB", "S", "r1"):
        assert p.refused("play", card=card, colour="red") == "pick_up_first"
    assert p.refused("draw") == "pick_up_first"
    p.picks_up()
    assert {"b1", "bB", "S", "M"} <= p.fitting()


def test_nothing_can_be_picked_up_twice_or_for_nothing(play):
    """B15, F10: the total is drawn once."""
    p = play("bC y1", "b1 b2", top="b9")
    assert p.refused("pick_up") == "nothing_owed"
    p.plays("bC").picks_up()
    assert p.refused("pick_up") == "nothing_owed"


def test_silent_but_deadly_waits_until_all_is_drawn(play):
    """F17, F-R27: then it goes on top, and the total grows by five."""
    p = play("bC y1", "S r1", "b2 b3", top="b9").plays("bC")
    assert p.refused("play", card="S", colour="red") == "pick_up_first"
    assert p.picks_up().plays("S", "red").owed == 6


def test_a_match_may_be_kept_while_owing(play):
    """F15: it is never forced before the draw."""
    p = play("bC y1", "M b1", "b2 b3", top="b9").plays("bC").picks_up()
    assert p.sizes[1] == 3
    p.plays("b1")
    assert "M" in p.table.hands[1]


def test_after_the_draw_a_match_is_a_card_like_any_other(play):
    """F15, F13, F-R14: if nothing else fits it must go; nothing goes back, the total is over."""
    p = play("bB y1", "M r1", "b2 b3", top="b9", pile="p1 p2").plays("bB").picks_up()
    assert p.fitting() == {"M"}
    assert p.refused("draw") == "must_play"
    p.plays("M", "blue")
    assert (p.sizes[1], p.hand(1)) == (3, "r1 p1 p2")
    assert (p.owed, p.phase, p.turn) == (0, "play", 2)


def test_a_match_with_nothing_to_burn(play):
    """F-R36, F-R37: it changes the colour, and needs one."""
    p = play("M y1", "r1 b2", top="b9")
    assert p.refused("play", card="M") == "no_colour"
    p.plays("M", "red")
    assert (p.owed, p.phase, p.fitting()) == (0, "play", {"r1"})


def test_there_is_no_limit(play):
    """F-R30, F27: 11 in one breath, and a Match is as good for that as for 1."""
    hands = ["S y1 b3 b4 b5 b6 b7", "bB y2", "yB y3", "yC y4", "rC y5", "M b2"]
    p = play(*hands, top="b9", pile="p1 p2 p3", pass_it_on=True)
    p.plays("S", "blue").plays("bB").plays("yB").plays("yC").plays("rC")
    assert (p.owed, p.table.sum) == (11, (5, 2, 2, 1, 1))
    p.picks_up()
    assert p.sizes[5] == 18
    assert p.plays("M", "blue").owed == 0


def test_totals_beyond_all_there_is_to_draw(play):
    """F27, F26: with seven at the table 14 are owed and 10 can be drawn; 14 count."""
    hands = ("S y1 y2 y3 y4 y5 y6", "bB", "yB", "rB", "pB", "pC", "M")
    p = play(*hands, top="b9", pass_it_on=True).plays("S", "blue")
    for card in hands[1:6]:
        p.plays(card)
    assert p.owed == 14
    held = p.sizes[6]
    p.picks_up()
    assert p.sizes[6] - held == 4 + 6
    assert (p.last("Waived").count, p.owed) == (4, 14)


def test_pass_it_on(play):
    """F10, B18: with the option a fitting pick-up may go instead, and nobody has drawn."""
    p = play("bC y1", "bB b1", "b2 b3", top="b9", pass_it_on=True).plays("bC")
    assert (p.fitting(), p.may(1)) == ({"bB"}, ("play", "pick_up"))
    assert p.refused("play", card="b1") == "pick_up_first"
    p.plays("bB")
    assert (p.turn, p.phase, p.owed, p.sizes) == (2, "owe", 3, [1, 1, 2])


def test_pass_it_on_takes_a_card_that_fits(play):
    """F10, F9: red Beans don't go on a blue Cabbage; SBD goes on all, with its colour."""
    p = play("bC y1", "rB S", "b2 b3", top="b9", pass_it_on=True).plays("bC")
    assert p.refused("play", card="rB") == "does_not_fit"
    assert p.refused("play", card="S") == "no_colour"
    assert p.plays("S", "red").owed == 6


def test_pass_it_on_forces_nobody(play):
    """F10, F15: drawing stays open, and is followed by a turn like any other."""
    p = play("bC y1", "bB b1", "b2 b3", top="b9", pass_it_on=True).plays("bC").picks_up()
    assert p.sizes[1] == 3
    assert p.plays("bB").owed == 3
