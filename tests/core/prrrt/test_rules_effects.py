"""Cards that do something: P-R56 to P-R73 and P36 to P56."""

from __future__ import annotations

from collections import Counter

import pytest

SHOWN_FIRST = (8, 8)  # what the two others show in round 2 before the 3 comes


def with_shame(play, three_hand=(3, 5, 5, 6, 6), shame=(4, 4, 9), **more):
    """Begin round 2 of a game in which seat 1 owned up to `shame`, and reveal its 3."""
    hands = [[8, 8, 8, 7, 7], three_hand, [8, 8, 1, 2, 2]]
    places = ["work/lift", "home/sunday-lunch"]
    p = play(3, rounds={2: hands}, locations=places, shame=[*shame, 1, 2, 3], **more)
    return p.confession().turn().denials(3)


def revealed(play, card, *, others=(8, 1, 2, 2, 3), target=(6, 6, 7, 8, 3), **more):
    """Seat 1 has just shown `card` as the first of a round with four players."""
    hand = [card, 8, 8, 5, 4]
    return play(4, hands=[others, hand, target], locations=["work/lift"], **more).turn().denial()


# [3]


def test_three_picks_another_player(play):
    """P-R57, P40, P37: any other player, the asker too, nobody oneself, and no way around it."""
    p = with_shame(play)
    assert (p.phase, p.actor, p.may(1)) == ("choose", 1, ("choose",))
    assert sorted(p.offer("choose").players) == [0, 2]
    for player in (1, 3, -1, None, "0", True):
        p.refused("choose", player=player)
    p.refused("choose")
    for seat in (0, 2):
        p.refused("choose", by=seat, player=1)
    p.choose(0)  # seat 0 asked and drew


@pytest.mark.parametrize(
    ("slot", "piles", "moved"),
    [
        (0, ((4, 4), (9,), ()), (4, 2)),
        (1, ((4, 4), (9,), ()), (4, 2)),
        (2, ((9,), (4, 4), ()), (9, 1)),
    ],
)
def test_three_moves_the_card_drawn_and_its_equals(play, slot, piles, moved):
    """P-R58, P-R59, P41, P42, P-TV11: a pile of 4 4 9, the other draws blind."""
    p = with_shame(play).choose(0)
    assert (p.phase, p.actor) == ("draw", 0)
    p.refused("draw", by=1, slots=[0])
    assert (p.offer("draw").slots, p.offer("draw").take) == (3, 1)
    centre = p.table.centre
    p.draw(slot)
    assert p.table.piles == piles
    now = p.table.moved
    assert (now.from_, now.to, now.value, now.count) == (1, 0, *moved)
    assert p.table.centre.up[:1] == centre.up  # nothing comes from the centre
    assert p.phase == "ask"


def test_three_is_drawn_by_chance(play):
    """P41: the slot says nothing about the card; slot 0 may show the last of the pile."""
    p = with_shame(play, blind={"2/4": [2, 0, 1]}).choose(2).draw(0)
    assert p.table.piles == ((), (4, 4), (9,))


def test_three_tells_value_and_number_and_nothing_else(play):
    """P42, P-R46: the third player knows what moved, and only how many are left."""
    p = with_shame(play).choose(0).draw(0)
    for viewer in (2, None):
        view = p.view(viewer).table
        assert view.piles == (2, 1, () if viewer == 2 else 0)
        assert (view.moved.value, view.moved.count) == (4, 2)
    assert p.view(0).table.piles == ((4, 4), 1, 0)
    assert p.view(1).table.piles == (2, (9,), 0)


def test_what_a_three_moved_is_shown_until_the_next_round(play):
    """P42: it stays in sight for the rest of the round."""
    p = with_shame(play).choose(0).draw(0).ask().own_up()
    assert p.view(None).table.moved is not None
    p.turn()
    assert p.view(None).table.moved is None


def test_three_may_take_the_whole_pile(play):
    """P-R59, P-R60: all of one value goes; a second 3 then finds nothing."""
    p = with_shame(play, three_hand=(3, 3, 5, 6, 6), shame=(4, 4, 4)).choose(2).draw(1)
    assert p.table.piles == ((), (), (4, 4, 4))
    p.denials(2).ask().deny()
    since = p.game.actions
    p.draw(0)
    assert "EffectVoid" in p.happened(since)
    assert p.phase == "ask"


def test_three_in_round_one_does_nothing(play):
    """P-R60, P43, B48: nobody has Shame yet, so nobody is asked for a target."""
    p = revealed(play, 3)
    assert (p.phase, p.actor) == ("ask", 1)
    assert p.last("EffectVoid").card == 3
    assert p.table.effect is None


# [4]


def test_four_swaps_one_card(play):
    """P-R61, P-R62, P36, P45: the denier takes one blind and gives one they choose."""
    p = revealed(play, 4, blind={"1/2": [4, 3, 2, 1, 0]})
    assert (p.phase, p.actor, p.may(1)) == ("choose", 1, ("choose",))
    assert sorted(p.offer("choose").players) == [0, 2, 3]
    for player in (1, 4, None):
        p.refused("choose", player=player)
    p.choose(2)
    for seat in (0, 2, 3):
        p.refused("draw", by=seat, slots=[0])
    assert (p.offer("draw").slots, p.offer("draw").take) == (5, 1)
    p.draw(1)
    assert p.table.hands[1] == (8, 8, 5, 4, 8)
    assert p.table.hands[2] == (6, 6, 7, 3)
    offer = p.offer("give")
    assert (sorted(offer.cards), offer.take) == ([4, 5, 8, 8, 8], 1)
    for cards in ([], [6], [4, 5], [3], None, 4, ["4"]):
        p.refused("give", cards=cards)
    p.give(4)
    assert p.table.hands[1] == (8, 8, 5, 8)
    assert p.table.hands[2] == (6, 6, 7, 3, 4)
    assert (p.phase, p.actor) == ("ask", 1)


def test_four_may_give_the_same_card_back(play):
    """P-R62: the 7 that was drawn goes home, and does nothing on the way (P39)."""
    p = revealed(play, 4).choose(2).draw(2).give(7)
    assert p.table.hands[1] == (8, 8, 5, 4)
    assert sorted(p.table.hands[2]) == [3, 6, 6, 7, 8]
    assert p.table.discards == ((), (), (), ())


def test_four_does_not_ask_in_vain_for_an_empty_hand(play):
    """P44, B47: a player without a hand can't be picked for a 4 or a 6."""
    for card in (4, 6):
        hands = [[8], [7, 1, 2, 2, 3], [card, 8, 8, 5, 5]]
        p = play(4, hands=hands, locations=["work/lift"]).turn().denials(2)
        assert (p.phase, p.actor) == ("choose", 2)
        assert sorted(p.offer("choose").players) == [0, 3]
        p.refused("choose", player=1)


@pytest.mark.parametrize("card", [4, 6])
def test_four_and_six_with_nobody_to_draw_from(play, card):
    """P44, B47: all opponents have thrown their hands away; nothing happens, play goes on."""
    hands = [[card, 8, 8, 8, 8], [7, 1, 2, 2, 3], [7, 3, 3, 5, 5]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().lap()
    assert (p.phase, p.actor, p.table.lap) == ("ask", 0, 2)
    assert p.last("EffectVoid").card == card
    assert p.table.hands[0] == (8, 8, 8, 8)


# [5]


def test_five_takes_an_open_card(play):
    """P-R63, P-R64, P-R65, P38, P49: the denier picks it; the 5 moves to the opponent's row."""
    hands = [[8], [2, 8, 8, 1, 3], [1], [5, 8, 8, 8, 6]]
    p = play(4, hands=[hands[0], hands[1], [8, 2, 3, 3, 4], hands[3]], locations=["work/lift"])
    p.turn().denials(3)
    assert (p.phase, p.actor, p.may(3)) == ("choose", 3, ("choose",))
    assert set(p.offer("choose").pairs) == {(1, 2), (2, 8)}
    p.refused("choose", by=2, player=2, card=8)
    p.refused("choose", player=1, card=8)
    p.refused("choose", player=0, card=8)
    p.refused("choose", player=3, card=5)
    p.refused("choose", player=1)
    p.choose(1, 2)
    assert p.table.rows == ((), (5,), (8,), (2,))
    assert p.last("FiveSwapped", None).card == 2
    assert (p.phase, p.actor) == ("ask", 3)


def test_five_is_compulsory(play):
    """P-R66, P51, P37: only an 8 lies open, so the 8 it is."""
    p = play(3, hands=[[], [8], [5]], locations=["work/lift"]).turn().denials(2)
    assert p.offer("choose").pairs == ((1, 8),)
    p.refused("ask")
    p.refused("choose", player=None, card=None)
    p.choose(1, 8)
    assert p.table.rows == ((), (5,), (8,))


def test_five_for_five(play):
    """P51: where only a 5 lies open, it is taken and nothing changes."""
    p = play(3, hands=[[], [5], [5]], locations=["work/lift"]).turn().denials(2).choose(1, 5)
    assert p.table.rows == ((), (5,), (5,))
    assert p.phase == "ask"


def test_five_before_anybody_shows_a_card(play):
    """P-R67, P52, B48: the first denier's 5 stays for good, and nobody is asked for a choice."""
    p = play(3, hands=[[8], [5], [8]], locations=["work/lift"]).turn().denial()
    assert (p.phase, p.table.rows[1]) == ("ask", (5,))
    p.denials(2)
    assert p.table.rows == ((8,), (5,), (8,))


def test_five_that_leaves_is_the_one_just_shown(play):
    """P50: of two 5s in a row the last one goes."""
    hands = [[8, 8, 8, 4, 4], [5, 8, 5, 3, 3], [2, 2, 1, 6, 6]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().lap(2).denial()
    assert p.table.rows[1] == (5, 8, 5)
    p.choose(2, 2)
    assert p.table.rows[1] == (5, 8, 2)
    assert p.table.rows[2] == (2, 5)


@pytest.mark.parametrize("card", [3, 4, 6])
def test_five_brings_a_card_that_does_nothing(play, card):
    """P53, P39, P-R56, P-R73: the card taken was shown before; it sets nothing off."""
    hands = [[8, 8, 8, 8, 8], [card, 1, 2, 2, 7], [5, 3, 7, 7, 7]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().denial()
    if p.phase == "choose":
        taken = 1 if card == 4 else 3
        p.choose(0).draw(*range(taken)).give(*[8] * taken)
    p.denial()
    since = p.game.actions
    p.choose(1, card)
    assert p.table.rows[2] == (card,)
    assert not {"EffectBegan", "EffectVoid"} & set(p.happened(since))
    assert (p.phase, p.actor) == ("ask", 2)


def test_five_takes_a_seven_from_a_player_without_a_hand(play):
    """P48, P56, P-TV9: the 7 only smells now; both rows stay as long as they were."""
    hands = [[8, 8, 8, 3, 3], [7, 2, 4, 4, 5], [5, 8, 8, 1, 6]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().denials(2).choose(1, 7)
    assert p.table.rows == ((), (5,), (7,))
    assert p.table.hands[2] == (8, 8, 1, 6)
    assert p.table.discards == ((), (2, 4, 4, 5), ())


# [6]


def test_six_swaps_three(play):
    """P-R68, P45, P46: three slots in the order named; any three of the whole hand back."""
    p = revealed(play, 6).choose(2)
    assert (p.offer("draw").slots, p.offer("draw").take) == (5, 3)
    for slots in ([0], [0, 1], [0, 1, 1], [0, 1, 5], [0, 1, 2, 3], [-1, 0, 1]):
        p.refused("draw", slots=slots)
    p.draw(4, 0, 2)
    assert p.table.hands[1] == (8, 8, 5, 4, 3, 6, 7)
    assert p.table.hands[2] == (6, 8)
    assert p.table.effect.count == 3
    for cards in ([6], [6, 7], [6, 6, 7], [1, 6, 7], [3, 4, 5, 6]):
        p.refused("give", cards=cards)
    p.give(7, 8, 6)
    assert p.table.hands[1] == (8, 5, 4, 3)
    assert p.table.hands[2] == (6, 8, 7, 8, 6)
    assert p.phase == "ask"


def test_six_is_one_blind_draw(play):
    """P45: three slots, one shuffle of the backs."""
    p = revealed(play, 6, blind={"1/2": [4, 3, 2, 1, 0]}).choose(2).draw(0, 1, 2)
    assert p.table.hands[1][-3:] == (3, 8, 7)
    assert [label for label in p.chance.asked if label.startswith("blind")] == [
        "blind/1/1",
        "blind/1/2",
    ]


def test_six_against_two_cards(play):
    """P-R69, P46, P-TV10: both are taken, and two given."""
    hands = [[8, 2, 3, 6, 7], [8, 8, 8, 4, 5], [8, 1, 6, 2, 3]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().lap(2).denials(2)
    assert (p.phase, p.actor) == ("choose", 2)
    p.choose(1)
    assert (p.offer("draw").slots, p.offer("draw").take) == (2, 2)
    p.refused("draw", slots=[0])
    p.refused("draw", slots=[0, 1, 2])
    p.draw(1, 0)
    assert p.table.hands[1] == ()
    p.refused("give", cards=[5])
    p.give(3, 5)
    assert p.table.hands == ((3, 6, 7), (3, 5), (2, 4))


# [7]


def test_seven_throws_the_hand_away(play):
    """P-R70, P-R71, P-TV8: four cards gone, nothing to show in laps 2 and 3, a total of 7."""
    hands = [[8, 8, 8, 3, 3], [7, 2, 4, 4, 5], [8, 8, 8, 1, 5]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().denial()
    assert (p.table.hands[1], p.table.rows[1]) == ((), (7,))
    assert p.table.discards[1] == (2, 4, 4, 5)
    assert (p.phase, p.actor) == ("ask", 1)
    p.denials(8)
    assert p.phase == "point"
    assert p.table.rows[1] == (7,)
    p.points(None, None, None)
    assert p.table.reveal.totals[1] == 7


def test_seven_in_the_third_lap(play):
    """P55, P63: two cards thrown away; only the row counts."""
    hands = [[8, 8, 8, 3, 3], [8, 2, 7, 6, 6], [8, 8, 1, 5, 5]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().lap(3).points(None, None, None)
    assert p.table.discards[1] == (6, 6)
    assert p.table.reveal.totals[1] == 17


def test_seven_discards_stay_hidden(play):
    """P54: face down, the owner knows them, and the Revelation doesn't show them."""
    hands = [[8, 8, 8, 3, 3], [7, 2, 4, 4, 5], [8, 8, 8, 1, 5]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().denial()
    assert p.view(1).table.discards[1] == (2, 4, 4, 5)
    assert p.view(0).table.discards[1] == 4
    assert p.view(None).table.discards[1] == 4
    assert p.last("HandDiscarded", 2).cards == 4
    p.denials(8).points(None, None, None)
    assert p.last("HandsShown").hands[1] == ()
    assert p.view(0).table.discards[1] == 4


def test_seven_and_then_owning_up(play):
    """P-R72: no hand is no excuse."""
    hands = [[8, 8, 8, 3, 3], [7, 2, 4, 4, 5], [8, 8, 8, 1, 5]]
    p = play(3, hands=hands, locations=["work/lift"]).turn().lap().ask().own_up()
    assert len(p.table.piles[1]) == 4


# All of them


@pytest.mark.parametrize("card", [3, 4, 6, 7])
def test_the_card_stays_in_the_row(play, card):
    """P38: what was shown lies there, before and after its effect."""
    p = revealed(play, card)
    assert p.table.rows[1] == (card,)
    if p.phase == "choose":
        taken = 1 if card == 4 else 3
        p.choose(3).draw(*range(taken)).give(*p.table.hands[1][:taken])
    assert p.table.rows[1] == (card,)


@pytest.mark.parametrize("card", [4, 6])
def test_sizes_do_not_change(play, card):
    """P-R73, P46: four cards in hand before, four after, five at the opponent's."""
    p = revealed(play, card)
    before = [len(hand) for hand in p.table.hands]
    taken = 1 if card == 4 else 3
    p.choose(2).draw(*range(taken))
    assert [len(hand) for hand in p.table.hands] == [5, 4 + taken, 5 - taken, 5]
    p.give(*p.table.hands[1][:taken])
    assert [len(hand) for hand in p.table.hands] == before == [5, 4, 5, 5]


def test_cards_that_change_hands_set_nothing_off(play):
    """P-R56, P39: a 7, a 6 and a 3 in other hands are just cards there."""
    p = revealed(play, 6, target=(7, 6, 3, 8, 8)).choose(2).draw(0, 1, 2)
    since = p.game.actions
    p.give(7, 6, 3)
    assert not {"EffectBegan", "EffectVoid"} & set(p.happened(since))
    assert p.table.discards == ((), (), (), ())


def test_the_revelation_sets_nothing_off(plain):
    """P-R56, P39: a 7 and a 6 in hand come to light and do nothing."""
    p = plain(3).turn().lap(3)
    since = p.game.actions
    p.points(None, None, None)
    assert p.table.hands[0] == (7, 6)
    assert not {"EffectBegan", "EffectVoid", "HandDiscarded"} & set(p.happened(since))


@pytest.mark.parametrize("card", [4, 6])
def test_who_knows_what_moved(play, card):
    """P47, B43: the two of them see faces, everybody else a number, in views and in events."""
    p = revealed(play, card).choose(2)
    taken = 1 if card == 4 else 3
    p.draw(*range(taken))
    faces = Counter((6, 6, 7)[:taken])
    for viewer in (1, 2):
        assert Counter(p.last("HandTaken", viewer).cards) == faces
    for viewer in (0, 3, None):
        assert p.last("HandTaken", viewer).cards == taken
        assert p.last("HandTaken", viewer).positions == ()
    p.give(*p.table.hands[1][:taken])
    for viewer in (1, 2):
        assert Counter(p.last("HandGiven", viewer).cards) == Counter((8, 8, 5)[:taken])
    for viewer in (0, 3, None):
        assert p.last("HandGiven", viewer).cards == taken
        hands = p.view(viewer).table.hands
        assert hands[1:3] == (4, 5)


def test_what_is_under_way_is_public(play):
    """P-R25: card, denier, whom they picked and how many, for everybody to follow."""
    p = revealed(play, 6)
    effect = p.view(None).table.effect
    assert (effect.card, effect.by, effect.player) == (6, 1, None)
    p.choose(2).draw(0, 1, 2)
    effect = p.view(0).table.effect
    assert (effect.card, effect.by, effect.player, effect.count) == (6, 1, 2, 3)
    p.give(8, 8, 5)
    assert p.view(0).table.effect is None
