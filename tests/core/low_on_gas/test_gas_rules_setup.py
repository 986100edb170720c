"""Cards, deal and start card: F-R1 to F-R9 and their readings."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from core.kernel.chance import Scripted
from core.kernel.illegal import BadChance, BadOption
from core.registry import GAMES

RULES = GAMES["low-on-gas"]


def test_the_deck(play):
    """F-R1, F2, F-TV11, B54: 40 farts, 4 Beans, 4 Cabbages, 5 Matches, 1 Silent But Deadly."""
    deck = Counter(play("", "").chance.asked["deck/1"])
    kinds = Counter({"M": 5, "S": 1})
    kinds += Counter(letter + kind for letter, kind in product("byrp", "BC"))
    farts = deck - kinds
    assert deck.total() == 54
    assert kinds <= deck
    assert farts.total() == len(farts) == 40


def test_ten_kinds_of_fart_in_four_colours(play):
    """F-R2, F2: each of the forty once."""
    deck = Counter(play("", "").chance.asked["deck/1"])
    assert all(deck[f"{letter}{kind}"] == 1 for letter in "byrp" for kind in range(1, 11))


def test_beans_and_cabbages_have_one_colour_each(play):
    """F-R3, F3: a Beans on top is matched by its colour; Match and SBD have none to match."""
    deck = Counter(play("", "").chance.asked["deck/1"])
    assert all(deck[letter + kind] == 1 for letter in "byrp" for kind in "BC")
    for card, colour in (("bB", "blue"), ("yC", "yellow"), ("rB", "red"), ("pC", "purple")):
        assert play("", "", top=card).table.colour == colour
    for card in "MS":
        assert play("", "", top=card).table.colour is None


def test_the_dealer_is_drawn_by_lot_unless_set(play):
    """F-R4, F4: `random` asks chance among all seats, a seat asks nobody."""
    drawn = play("", "", "", dealers=[1])
    assert drawn.chance.asked["dealer/1"] == (0, 1, 2)
    assert drawn.table.dealer == 1
    named = play("", "", "", dealer=1)
    assert "dealer/1" not in named.chance.asked
    assert named.table.dealer == 1
    assert len(named.table.hands[1]) == 7, "the dealer plays too"


@pytest.mark.parametrize(("seats", "dealer"), [(2, 0), (2, 1), (5, 2), (7, 6)])
def test_the_dealers_left_plays_first(play, seats, dealer):
    """F-R5: the next seat, and after the last one the first."""
    p = play(*[""] * seats, dealer=dealer)
    assert p.turn == (dealer + 1) % seats
    assert p.game.waited_for() == ((dealer + 1) % seats,)


@pytest.mark.parametrize(("wins", "dealers"), [(2, [1, 2]), (3, [0, 0, 1])])
def test_every_game_of_a_match_picks_its_dealer_anew(play, wins, dealers):
    """F5, F-R4: by lot again; who won has no right to it."""
    p = play("b1", "y1", "r1", top="b9", called=[0], dealers=[2, *dealers], wins=wins)
    p.plays("b1")
    assert p.table.wins == (1, 0, 0)
    assert p.table.dealer == dealers[0]
    assert p.game.waited_for() == (dealers[0],)
    assert p.deals().turn == dealers[0] + 1
    assert p.chance.asked["dealer/2"] == (0, 1, 2)


def test_a_dealer_who_is_set_deals_every_game(play):
    """F5: the same method means the same seat, and nothing is asked."""
    p = play("b1", "y1", top="b9", dealer=1, wins=2)
    p.plays("b1")
    assert (p.table.dealer, p.phase) == (1, "deal")
    assert "dealer/2" not in p.chance.asked


def test_seven_cards_each_and_the_rest_is_the_draw_pile(play):
    """F-R7, F-R8, F-TV12: seven players: 49 dealt, one turned, four left."""
    p = play(*[""] * 7, top="b9", pile="rC M")
    assert p.sizes == [7] * 7
    assert p.table.discard_pile == ("b9",)
    assert p.table.top == "b9"
    assert p.table.draw_pile[:2] == ("rC", "M")
    assert len(p.table.draw_pile) == 4


def test_two_to_seven_players(play):
    """F1: nobody else is let in."""
    assert RULES.seats == range(2, 8)
    for seats in (2, 3, 4, 5, 6, 7):
        assert play(*[""] * seats).sizes == [7] * seats
    for seats in (0, 1, 8, 54):
        with pytest.raises(BadOption) as refused:
            RULES.start(seats, {}, None)
        assert refused.value.code == "bad_seats"


@pytest.mark.parametrize("card", ["bC", "yC", "rB", "pB"])
def test_a_start_card_that_is_a_pick_up_does_nothing(play, card):
    """F-R9, F6: nobody owes; it is matched by its name or its colour."""
    other = card[0] + "3"
    p = play(other, "", top=card, pile="r1")
    assert (p.owed, p.phase) == (0, "play")
    assert other in p.fitting()
    assert p.plays(other).owed == 0


@pytest.mark.parametrize("card", ["M", "S"])
def test_on_a_wild_start_card_everything_fits(play, card):
    """F-R9, F7, B1: the colour is open, and nobody owes for an SBD that nobody discarded."""
    hand = "b1 y2 r3 p4 yC rB M"
    p = play(hand, "b3 y3", top=card)
    assert (p.owed, p.phase, p.table.colour) == (0, "play", None)
    assert p.fitting() == set(hand.split())
    p.refused("draw")
    p.plays("y2")
    assert p.table.colour == "yellow"
    assert p.refused("play", card="b3") == "does_not_fit"


@pytest.mark.parametrize("card", ["M", "S"])
def test_two_games_in_a_row_that_begin_with_a_wild(play, card):
    """B1: the second one begins as the first did, with nothing left of it."""
    second = "b1 b2 b3 b4 b5 b6 b7 y1 y2 y3 y4 y5 y6 y7"
    p = play("b1", "y1", wins=2, called=[0], decks={2: f"{second} {card}"}).plays("b1").deals()
    assert (p.table.game_no, p.table.top, p.table.colour) == (2, card, None)
    assert (p.table.called, p.table.windows) == ((False, False), (False, False))
    assert len(p.fitting()) == 7


def test_specials_may_be_turned_away(play):
    """B53, F6, F7: `redraw_specials` puts them to the bottom, in order, and asks no label."""
    p = play("", "", "", top="M", pile="bC S yB r1 r2", start_card="redraw_specials")
    assert p.table.top == "r1"
    assert p.table.discard_pile == ("r1",)
    assert p.table.draw_pile[0] == "r2"
    assert p.table.draw_pile[-4:] == ("M", "bC", "S", "yB")
    assert set(p.chance.asked) == {"deck/1"}


def test_a_fart_stays_whatever_the_option(play):
    """B53: there is nothing to turn away."""
    for option in ("as_is", "redraw_specials"):
        assert play("", "", top="b9", pile="M", start_card=option).table.top == "b9"


def test_if_all_are_special_the_first_one_stays(play):
    """B53: with seven players five cards are left, and they may all be special."""
    p = play(*[""] * 7, top="S", pile="bC yC M M", start_card="redraw_specials")
    assert p.table.top == "S"
    assert p.table.draw_pile == ("bC", "yC", "M", "M")
    assert p.table.colour is None


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("pass_it_on", [False, True], [0, "on", None]),
        ("discard_stands", [False, True], [1, "true"]),
        ("start_card", ["as_is", "redraw_specials"], ["effects_apply", True, 0]),
        ("dealer", ["random", 0, 2], [3, -1, "0", True]),
        ("wins", [1, 5, 9], [0, 10, "1", True, 1.0]),
    ],
)
def test_what_can_be_set(key, good, bad):
    """F4, F5, F6, F10, F31: five options, each with the values that the rules name."""
    assert len(RULES.options) == 5
    assert RULES.check_options({}, 3)[key] == good[0]
    for value in good:
        assert RULES.check_options({key: value}, 3)[key] == value
    for value in bad:
        with pytest.raises(BadOption):
            RULES.check_options({key: value}, 3)


@pytest.mark.parametrize(
    ("label", "order"),
    [
        ("deck/1", "S S"),
        ("deck/1", "b11"),
        ("deck/0", ""),
        ("dealer/1", "0"),
        ("reshuffle/1", ""),
        ("smell/1", ""),
    ],
)
def test_orders_that_the_cards_cannot_follow(label, order):
    """B54: there is one Silent But Deadly, and seats are numbers."""
    with pytest.raises(BadChance):
        Scripted({label: order.split()}, RULES.labels(3, RULES.check_options({}, 3)))
