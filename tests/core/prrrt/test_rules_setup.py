"""Set-up and the opening of a round: P-R1 to P-R16 and their readings."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from core.kernel.illegal import BadOption
from core.registry import GAMES

RULES = GAMES["prrrt"]

# Place by place, as RULES.md has them: arrow, Shame cards open, hidden.
PLACES = {
    "work/lift": ("left", 2, 1),
    "work/office": ("right", 1, 1),
    "home/car": ("right", 2, 0),
    "home/sunday-lunch": ("left", 1, 2),
    "travelling/tent": ("left", 1, 1),
    "travelling/night-train": ("right", 3, 0),
    "public/cinema": ("right", 2, 1),
    "public/museum": ("left", 1, 2),
    "couple/duvet": ("left", 1, 1),
    "couple/dinner": ("right", 2, 1),
}


def test_ten_locations_two_of_each_of_five_contexts(play):
    """P-R1, P-R2, P10: all that is shuffled for `locations`, and B54: the census of a deck."""
    places = play(3).chance.asked["locations"]
    assert places == tuple(PLACES)
    contexts = Counter(place.split("/")[0] for place in places)
    assert contexts == dict.fromkeys(("work", "home", "travelling", "public", "couple"), 2)


@pytest.mark.parametrize("place", PLACES)
def test_a_location_has_an_arrow_and_shame_cards_open_and_hidden(play, place):
    """P-R3, P-R12, P-R16, P11: each Location as in our table, never more than three cards."""
    table = play(4, locations=[place]).turn().table
    arrow, up, down = PLACES[place]
    assert (table.location, table.direction) == (place, arrow)
    assert (len(table.centre.up), len(table.centre.down)) == (up, down)
    assert 2 <= up + down <= 3
    assert table.asked == (1 if arrow == "left" else 3)


def test_the_lift_is_the_rulebooks(plain):
    """P-R4, P-TV3: left, at work, two open, one hidden; every seat asks its left neighbour."""
    p = plain(5, locations=["work/lift"]).turn()
    assert (len(p.table.centre.up), len(p.table.centre.down)) == (2, 1)
    pairs = []
    for _ in range(5):
        pairs.append((p.table.asker, p.table.asked))
        p.denial()
    assert pairs == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]


def test_smell_deck_of_the_rulebook(play):
    """P-R5, P1: n cards of n from 1 to 8, 36 in all, eight intensities; B54."""
    deck = Counter(play(3).turn().chance.asked["smell/1"])
    assert deck == {n: n for n in range(1, 9)}
    assert deck.total() == 36


def test_smell_deck_deodorant(play):
    """P1: 8 - n cards of n from 0 to 7, 36 in all, eight intensities; B54."""
    deck = Counter(play(3, smell_deck="deodorant").turn().chance.asked["smell/1"])
    assert deck == {n: 8 - n for n in range(8)}
    assert deck.total() == 36


def test_five_zeros_exist_in_one_deck_only(play):
    """P2: `rulebook` has no 0 at all; P-TV1: no five of its cards have less than 11."""
    rulebook = play(3).turn().chance.asked["smell/1"]
    deodorant = play(3, smell_deck="deodorant").turn().chance.asked["smell/1"]
    assert 0 not in rulebook
    assert min(map(sum, combinations(sorted(rulebook)[:8], 5))) == 11
    assert deodorant.count(0) >= 5


@pytest.mark.parametrize(
    ("deck", "card"),
    [("rulebook", 1), ("rulebook", 2), ("rulebook", 8), ("deodorant", 0), ("deodorant", 1)],
)
def test_cards_without_an_effect(play, deck, card):
    """P-R6, P3: 0, 1, 2 and 8 come to light and the denier asks on at once."""
    p = play(4, hands=[[], [card]], smell_deck=deck).turn().ask().deny()
    since = p.game.actions
    p.draw(0)
    assert p.table.rows[1] == (card,)
    assert not {"EffectBegan", "EffectVoid"} & set(p.happened(since))
    assert (p.phase, p.actor) == ("ask", 1)


@pytest.mark.parametrize("card", [3, 4, 5, 6, 7])
def test_cards_with_an_effect(play, card):
    """P-R6: 3 to 7 begin an effect, or say that it can do nothing."""
    p = play(4, hands=[[], [card]]).turn().ask().deny()
    since = p.game.actions
    p.draw(0)
    assert {"EffectBegan", "EffectVoid"} & set(p.happened(since))


def test_shame_deck(play):
    """P-R7, P12: 64 values, seven each of 1 to 4 and six each of 5 to 10, 340 points; B54."""
    deck = Counter(play(3).chance.asked["shame"])
    assert deck == {n: 7 if n <= 4 else 6 for n in range(1, 11)}
    assert deck.total() == 64
    assert sum(n * m for n, m in deck.items()) == 340


def test_three_decks_are_shuffled_separately(play):
    """P-R8, P15: Locations and Shame once, Smell for every round."""
    p = play(3)
    assert {"locations", "shame"} <= set(p.chance.asked)
    p.chance.asked.clear()
    for _ in range(3):
        p.confession()
    assert sorted(p.chance.asked) == ["smell/1", "smell/2", "smell/3"]


def test_all_smell_cards_are_shuffled_for_every_round(play):
    """P-R14, P17: rows, hands, a 7's discards and the undealt all come back."""
    p = play(3, hands=[[8, 8], [7, 1, 2, 2, 3], [8, 8]]).turn().denials(2).ask().own_up()
    assert p.table.discards[1] == (1, 2, 2, 3)
    p.turn()
    assert Counter(p.chance.asked["smell/2"]) == {n: n for n in range(1, 9)}
    assert p.table.discards == ((), (), ())
    assert p.table.rows == ((), (), ())
    assert [len(hand) for hand in p.table.hands] == [5, 5, 5]


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_three_to_seven_players(play, seats):
    """P-R10, P4."""
    assert len(play(seats).turn().table.hands) == seats


@pytest.mark.parametrize("seats", [0, 1, 2, 8, 9])
def test_other_numbers_of_players_are_refused(seats):
    """P-R10, P4: two could not point at anybody in doubt, eight would need 40 cards."""
    with pytest.raises(BadOption):
        RULES.check_seats(seats)


@pytest.mark.parametrize(
    "given",
    [
        {"smell_deck": "perfume"},
        {"third_lap_shame": 1},
        {"third_lap_shame": "true"},
        {"open_scores": None},
        {"first_player": 4},
        {"first_player": -1},
        {"first_player": True},
        {"first_player": "youngest"},
        {"tie_break": "smelliest_card"},
    ],
)
def test_options_that_the_game_lacks_are_refused(given):
    """P1, P8: only the four options exist, with values of their own types; B45."""
    with pytest.raises(BadOption):
        RULES.check_options(given, 4)


def test_options_left_out_have_their_defaults():
    """P1, P8, P32, P76: the rulebook's game is what one gets without asking."""
    assert RULES.check_options({}, 4) == {
        "smell_deck": "rulebook",
        "third_lap_shame": False,
        "open_scores": False,
        "first_player": "random",
    }


def test_who_opens_round_one(play):
    """P8: drawn by lot, or the seat that the option names, and then no lot is drawn."""
    drawn = play(4, first=2)
    assert (drawn.table.first, drawn.actor) == (2, 2)
    named = play(4, first_player=3)
    assert (named.table.first, named.actor) == (3, 3)
    assert "first" not in named.chance.asked


def test_the_first_player_turns_the_location(play):
    """P-R11, P18: nobody else can; it's the top one, and the whole opening is theirs."""
    p = play(3, first=1, locations=["public/museum", "work/lift"])
    assert p.phase == "turn_location"
    p.refused("turn_location", by=0)
    p.refused("turn_location", by=2)
    p.turn(by=1)
    assert (p.table.location, p.table.round, p.table.lap) == ("public/museum", 1, 1)
    p.refused("turn_location", by=1)


def test_shame_cards_come_from_the_top_open_ones_first(play):
    """P-R12: the lift takes 10, 9 open and 8 hidden; P77: the hidden one is a number to all."""
    p = play(3, locations=["work/lift"], shame=[10, 9, 8]).turn()
    assert (p.table.centre.up, p.table.centre.down) == ((10, 9), (8,))
    assert p.table.shame_left == 61
    for viewer in (0, 1, 2, None):
        centre = p.view(viewer).table.centre
        assert (centre.up, centre.down) == ((10, 9), 1)


def test_five_secret_cards_each(play):
    """P-R13: seat 0 gets the first five, seat 1 the next; only the owner sees faces."""
    hands = ((8, 1, 2, 3, 4), (8, 2, 3, 4, 5), (8, 3, 4, 5, 6))
    p = play(3, hands=hands).turn()
    assert p.table.hands == hands
    for viewer in range(3):
        seen = p.view(viewer).table.hands
        assert seen == tuple(hands[s] if s == viewer else 5 for s in range(3))
    assert p.view(None).table.hands == (5, 5, 5)


def test_opening_in_order(play):
    """P16, P-R49: Location, Shame cards, deal."""
    p = play(3)
    since = p.game.actions
    p.turn()
    steps = ["LocationTurned", "ShameLaid", "SmellShuffled", "Dealt"]
    names = [name for name in p.happened(since) if name in steps]
    assert names == [*steps, "Dealt", "Dealt"]


def test_undealt_smell_cards_stay_unseen(play):
    """P17: at three seats 21 cards lie aside; no view and no event names them."""
    p = play(3, hands=[[8] * 5, [7] * 5, [6] * 5]).turn()
    seen = [card for e in p.events(0) if type(e).__name__ == "Dealt" for card in _faces(e.cards)]
    assert seen == [8] * 5
    assert not any(hasattr(p.view(0).table, name) for name in ("undealt", "smell", "smell_left"))


def _faces(cards):
    return cards if isinstance(cards, tuple) else ()


def test_the_culprit_is_a_fact_but_hidden(plain):
    """P-R15: nothing shown before the Revelation says who it is."""
    p = plain(3).turn().lap(3)
    assert p.table.reveal is None
    names = {type(e).__name__ for viewer in (0, 1, 2, None) for e in p.events(viewer)}
    assert not names & {"Verdict", "HandsShown"}
    p.points(None, None, None)
    assert p.table.reveal.culprit == 0


@pytest.mark.parametrize(
    ("place", "expected"),
    [("travelling/tent", [1, 2, 3, 0]), ("home/car", [3, 2, 1, 0])],
)
def test_direction_for_the_whole_round(plain, place, expected):
    """P-R16, P9: left is the next seat, right the one before, in all three laps."""
    p = plain(4, locations=[place]).turn()
    asked = []
    for _ in range(12):
        asked.append(p.table.asked)
        p.denial()
    assert asked == expected * 3


def test_depth_of_the_marker(plain):
    """P-R9, P13, P-TV5: nothing at 51 drawn cards, the 52nd is it, and 12 are left."""
    places = ["work/lift", "home/sunday-lunch", "public/cinema", "public/museum"]
    p = plain(7, locations=[*places, "travelling/night-train"])
    for _ in range(4):  # 3 + 2 + 7 cards a round
        p.turn().lap(3).points(1, 0, 0, 0, 0, 0, 0)
    p.turn()
    assert (64 - p.table.shame_left, p.table.last_round) == (51, False)
    assert p.view(3).table.shame_left == 13  # how deep it lies is public
    p.lap()
    assert (p.table.shame_left, p.table.last_round) == (12, True)
    p.last("MarkerDrawn", None)
