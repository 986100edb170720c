"""Winning, matches, and who may see what: F-R38 to F-R40 and their readings."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from core.kernel.chance import Fair1
from core.registry import GAMES

RULES = GAMES["low-on-gas"]


@pytest.mark.parametrize("card", ["b1", "y9", "bC", "bB", "M", "S"])
def test_the_last_card_wins_whatever_it_is(play, card):
    """F-R38, F-TV10, F36: at once; nobody draws for a pick-up."""
    p = play(card, "b2", "b3", top="b9").plays(card)
    assert (p.over, p.phase, p.result.winner, p.result.wins) == (True, "over", 0, (1, 0, 0))
    assert (p.table.top, p.table.owed, p.table.turn) == (card, 0, None)
    assert p.sizes == [0, 1, 1]
    assert p.game.awaiting() == ()


@pytest.mark.parametrize("do", ["play", "draw", "pick_up", "low_on_gas", "deal"])
def test_after_the_end_nothing_goes(play, do):
    """B25, F37: whoever tries whatever."""
    p = play("b1", "b2", top="b9").plays("b1")
    for seat in (0, 1):
        assert p.refused(do, by=seat, card="b2") == "game_over"


def test_all_others_lose_alike(play):
    """F-R39, F37: one winner, nobody second, nothing counted."""
    p = play("b1", "b2", "b3", top="b9").plays("b1")
    assert msgspec.to_builtins(p.result) == {"winner": 0, "wins": (1, 0, 0)}
    assert [type(e).__name__ for e in p.events()[-2:]] == ["GameWon", "MatchWon"]


@pytest.mark.parametrize("seed", range(7))
def test_54_cards_at_every_moment(seed, walk):
    """F-R40: hands, draw pile and discard pile; the laws try it a thousand times more."""
    w = walk(seed, "low-on-gas")
    deck = Counter(w.laws.all_cards(w))
    assert deck.total() == 54
    for _ in w.steps():
        table = w.game.revealed().table
        held = Counter(card for hand in table.hands for card in hand)
        assert held + Counter(table.draw_pile) + Counter(table.discard_pile) == deck
        assert table.top == table.discard_pile[0]


SECOND = "b1 b2 b3 b4 b5 b6 b7 y1 y2 y3 y4 y5 y6 y7 b9"


def match(play, **more):
    """Seat 0 has won the first of two games, of two players."""
    p = play("b1", "y1", top="b9", wins=2, decks={2: SECOND}, **more)
    return p.plays("b1")


def test_between_two_games(play):
    """F5, F37: all stays as it lay until the next dealer deals."""
    p = match(play, dealers=[1, 0])
    assert (p.over, p.phase, p.result) == (False, "deal", None)
    assert (p.table.game_no, p.table.turn, p.table.owed) == (1, None, 0)
    assert (p.table.wins, p.table.dealer, p.table.winner) == ((1, 0), 0, 0)
    assert (p.table.top, p.sizes, p.table.called) == ("b1", [0, 1], (False, True))
    assert p.may(0) == ("deal",)
    assert p.may(1) == ()
    for do in ("play", "draw", "pick_up"):
        assert p.refused(do, by=0, card="b1") == "not_now"
        assert p.refused(do, by=1, card="y1") == "not_your_turn"
    assert p.refused("deal", by=1) == "not_your_turn"


def test_no_call_between_two_games(play):
    """F29, F37: the window went with the game."""
    p = match(play)
    assert p.table.windows == (False, False)
    assert p.refused("low_on_gas", by=1) == "called_already"


def test_the_next_game_begins_as_the_first_did(play):
    """F5, F-R5, F-R7, B1: new cards, no call, nothing owed; the wins stay."""
    p = match(play, dealers=[1, 0]).deals()
    assert (p.table.game_no, p.turn, p.sizes) == (2, 1, [7, 7])
    assert p.hand(0) == "b1 b2 b3 b4 b5 b6 b7"
    assert (p.table.called, p.table.windows, p.table.winner) == ((False,) * 2, (False,) * 2, None)
    assert (p.table.wins, p.owed) == ((1, 0), 0)
    assert len(p.table.draw_pile) == 54 - 15


def test_deal_only_when_a_deal_is_due(play):
    """F5: not in the middle of a game."""
    p = play("b1 b2", "b3 b4", top="b9", wins=2)
    assert p.refused("deal") == "not_now"
    assert p.refused("deal", by=1) == "not_your_turn"


@pytest.mark.parametrize("wins", range(1, 4))
def test_who_first_won_so_many_games_won_the_match(wins):
    """F37, F-R39: and nobody plays on."""
    for seed in range(3):
        rng = Random(seed)
        chance = Fair1(b"match %d" % seed)
        game = RULES.start(3, RULES.check_options({"wins": wins}, 3), chance)
        while not game.over:
            seat = rng.choice(game.awaiting())
            offer = rng.choice(game.view(seat).offers)
            game.act(seat, rng.choice(list(RULES.actions(offer))))
        result = game.revealed().result
        assert result.wins[result.winner] == wins
        assert sorted(result.wins)[-2] < wins
        assert game.revealed().table.game_no == sum(result.wins)


def test_what_is_public_and_what_is_not(play):
    """F46, B41, B43, B44: own hand only; counts, top, colour, total and calls for all."""
    p = play("bC y1", "M r1", "b3 r2", top="b9", pile="p1 p2 p3").plays("bC", call=True)
    truth = p.table
    for viewer in (0, 1, 2, None):
        table = p.view(viewer).table
        for seat in range(3):
            own = seat == viewer
            assert table.hands[seat] == (truth.hands[seat] if own else len(truth.hands[seat]))
        assert table.draw_pile == len(truth.draw_pile)
        assert table.discard_pile == len(truth.discard_pile)
        for field in ("top", "colour", "owed", "sum", "called", "windows", "turn", "wins"):
            assert getattr(table, field) == getattr(truth, field)


def test_drawn_cards_are_seen_by_their_owner_only(play):
    """F46, B43: of all draws others are told the number."""
    p = play("bB y1", "r1 r2", "b3 r3", top="b9", pile="p1 p2 p3").plays("bB").picks_up()
    assert p.last("Drew", 1).cards == ("p1", "p2")
    for viewer in (0, 2, None):
        assert p.last("Drew", viewer).cards == 2
    p.draws()
    assert p.last("Drew", 1).cards == ("p3",)
    assert p.last("Drew", 0).cards == 1
    deal = [e for e in p.events(1) if type(e).__name__ == "Dealt"]
    assert [isinstance(e.cards, tuple) for e in deal] == [False, True, False]
    assert p.last("DeckShuffled", 1).cards == 54


def test_a_new_draw_pile_is_seen_by_nobody(play):
    """F46: its number is told."""
    hands = ["b1", "b2", "S", "y1 y2 y3 y4 y5 y6 y7", "", "", ""]
    p = play(*hands, top="b9", pile="y8 y9 y10 r1")
    p.plays("b1").plays("b2").plays("S", "purple").picks_up()
    for viewer in (0, 3, None):
        assert p.last("Reshuffled", viewer).cards == 3


def test_what_others_may_do_is_their_business(play):
    """F46, B41: it would tell who holds a Match, or can play nothing."""
    p = play("bC y1", "M r1", "b3 r2", top="b9").plays("bC")
    own = {who.seat: who.may for who in p.view(1).awaiting}
    assert own == {0: msgspec.UNSET, 1: ("play", "pick_up")}
    assert all(who.may is msgspec.UNSET for who in p.view(None).awaiting)
    assert p.view(2).offers == ()


def test_other_hands_stay_closed_when_the_game_is_over(play):
    """F46: nobody lays open what they were left with."""
    p = play("b1", "M", top="b9").plays("b1")
    assert p.view(0).table.hands == ((), 1)
    assert p.view(None).table.hands == (0, 1)
