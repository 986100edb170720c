"""Saying it in time, and what comes of forgetting: F-R21 to F-R23 and their readings."""

from __future__ import annotations

import pytest

from core.low_on_gas.actions import LowOnGas, Play


def test_the_window_opens_with_the_discard_that_leaves_one(play):
    """F-R21, F28: the next player's turn has come, and one may still call."""
    p = play("b1 y1", "b2 r1", "b3 r2", top="b9").plays("b1")
    assert (p.turn, p.table.windows, p.table.called) == (1, (True, False, False), (False,) * 3)
    assert p.may(0) == ("low_on_gas",)
    assert p.game.awaiting() == (0, 1)
    assert p.game.waited_for() == (1,), "nobody waits for a call"
    p.calls(0)
    assert (p.table.called, p.table.windows) == ((True, False, False), (False,) * 3)
    assert p.may(0) == ()


def test_the_call_can_come_with_the_discard(play):
    """F28, B10: also with a wild and its colour."""
    for card, colour in (("b1", None), ("M", "red"), ("S", "red")):
        p = play(f"{card} y1", "b2 r1", top="b9")
        (offer,) = p.view(0).offers
        assert offer.call
        p.plays(card, colour, call=True)
        assert (p.table.called, p.table.windows) == ((True, False), (False, False))


def test_who_called_wins_with_the_last_card(play):
    """F-R21, F-R38: said in time, either way."""
    p = play("b1 b4", "b2 b3", top="b9").plays("b1", call=True).plays("b2").plays("b4")
    assert (p.over, p.result.winner) == (True, 0)
    p = play("b1 b4", "b2 b3", top="b9").plays("b1").calls(0).plays("b2").plays("b4")
    assert (p.over, p.result.winner) == (True, 0)


def test_the_window_closes_with_anothers_discard(play):
    """F-R21, F28, F29: after it the call is too late."""
    p = play("b1 y1", "b2 r1", "b3 r2", top="b9").plays("b1").plays("b2")
    assert p.table.windows == (False, True, False)
    assert p.refused("low_on_gas", by=0) == "call_late"
    assert not p.table.called[0]


def test_drawing_closes_nobodys_window(play):
    """F28: a turn without a discard leaves it open, and so does picking up."""
    p = play("bC y1", "r3 r1", "b3 r2", top="b9", pile="r4 r5").plays("bC").picks_up()
    assert p.table.windows[0]
    p.draws()
    assert (p.turn, p.table.windows[0]) == (2, True)
    assert p.calls(0).table.called[0]


def test_with_two_it_may_reach_ones_own_turn(play):
    """F28: the other drew and couldn't discard; call, then win."""
    p = play("b1 b4", "r5 r2", top="b9", pile="r3").plays("b1").draws()
    assert (p.turn, p.may(0)) == (0, ("play", "low_on_gas"))
    p.calls(0)
    assert p.may(0) == ("play",)
    assert p.plays("b4").result.winner == 0


def test_an_open_window_is_no_call(play):
    """F28, F31: the attempt without a word fails even then."""
    p = play("b1 b4", "r5 r2", top="b9", pile="r3 p1 p2").plays("b1").draws().plays("b4")
    assert (p.over, p.hand(0)) == (False, "b4 p1 p2")


@pytest.mark.parametrize("calls", [True, False])
def test_a_call_changes_nothing_else(play, calls):
    """B9, F28: whatever is due stays due, and for whom, and answers in flight stay good."""
    p = play("M y1", "r2 r1", "b3 r4", top="b9").plays("M", "red")
    before, number = p.game.revealed(), p.game.question
    if calls:
        p.calls(0)
    after = p.game.revealed()
    assert (after.phase, after.table.turn, after.table.colour) == ("play", 1, "red")
    assert after.table.hands == before.table.hands
    assert p.game.question == number
    assert p.game.still_meant(1, Play("r2"), number)


def test_a_call_with_more_cards_than_one(play):
    """F29, B13: too early costs nothing and counts for nothing."""
    p = play("b1 y1 y2", "b2 r1 r2", top="b9")
    for seat in (0, 1):
        assert p.refused("low_on_gas", by=seat) == "not_low"
    assert p.refused("play", card="b1", call=True) == "call_not_last"
    assert p.table.called == (False, False)


def test_a_call_with_the_very_last_card(play):
    """F29, B13: it can't be made up for with the attempt itself."""
    p = play("b1", "b2", top="b9", called=[])
    assert p.refused("play", card="b1", call=True) == "call_not_last"


def test_a_second_call(play):
    """F29, B13: who has called can't call again."""
    p = play("b1 y1", "b2 r1", top="b9").plays("b1", call=True)
    assert p.refused("low_on_gas", by=0) == "called_already"


def test_a_refused_discard_makes_no_call(play):
    """B2, F29: the call that came with a wild without a colour wasn't made."""
    p = play("M y1", "b2 r1", top="b9")
    assert p.refused("play", card="M", call=True) == "no_colour"
    assert p.table.called == (False, False)


def test_forgotten(play):
    """F-TV7, F-R22, F31: the card stays where it is, two are drawn, the turn ends with three."""
    p = play("b1", "y1", top="b9", called=[], pile="p1 p2 p3")
    since = p.game.actions
    p.plays("b1")
    assert p.happened(since) == ["LastCardRefused", "Drew", "TurnEnded", "TurnCame"]
    assert p.hand(0) == "b1 p1 p2"
    assert (p.turn, p.table.top, p.over, p.owed) == (1, "b9", False, 0)
    assert p.last("LastCardRefused", 1).card == "b1"


def test_nobody_has_to_catch_anybody(play):
    """F31, B11: without an attempt forgetting costs nothing, however long it lasts."""
    p = play("y1 b1", "b2 b3", "b4 b5", top="b9", pile="p1")
    p.plays("b1").plays("b2").plays("b4")
    assert (p.sizes, p.table.called) == ([1, 1, 1], (False,) * 3)


def test_a_forgotten_pick_up_harms_nobody(play):
    """F31, F35: it is no discard; and the two cards add to no total."""
    p = play("bC", "b2", top="b9", called=[]).plays("bC")
    assert (p.owed, p.phase, p.turn) == (0, "play", 1)


def test_a_refused_attempt_closes_nobodys_window(play):
    """F28, F31: nothing was discarded."""
    p = play("b1", "b2", "b3", top="b9", called=[0, 1])
    assert p.table.windows == (False, False, True)
    p = play("b1", "b2", "b3", top="b9", called=[1])
    p.plays("b1")
    assert (p.turn, p.table.windows) == (1, (False, False, True))
    assert p.calls(2).table.called[2]


def test_every_single_card_needs_a_call_of_its_own(play):
    """F-R23, F30, B12: one, then two, then one again, within one turn."""
    p = play("y1", "r1", top="b9", pile="b5 r2").draws()
    assert (p.phase, p.table.called) == ("must_play", (False, True))
    assert p.refused("low_on_gas", by=0) == "not_low"
    p.plays("b5")
    assert (p.table.called, p.table.windows) == ((False, True), (True, False))
    p.calls(0)
    assert p.table.called == (True, True)


def test_the_old_call_does_not_count(play):
    """F-R23, F30: one, two, one again, and no new call: the attempt fails."""
    p = play("y1", "r1", top="b9", pile="b5 y5 p1 p2").draws().plays("b5").draws().plays("y5")
    p.plays("y1")
    assert (p.over, p.hand(0)) == (False, "y1 p1 p2")


def test_a_call_lapses_with_the_second_card(play):
    """F30, F32: drawn and not fitting; and forgetting is wiped by it as well."""
    p = play("y1", "r1", top="b9", pile="p5 p6").draws()
    assert (p.table.called, p.sizes) == ((False, True), [2, 1])
    p = play("y1", "r1", top="b9", pile="p5 p6", called=[]).draws()
    assert (p.table.called, p.sizes, p.over) == ((False, False), [2, 1], False)


def test_who_forgot_must_try_all_the_same(play):
    """F34: drawing is refused; the offer says what it will cost."""
    p = play("b1", "b2", top="b9", called=[])
    assert p.refused("draw") == "must_play"
    (offer,) = p.view(0).offers
    assert (offer.do, offer.cards, offer.costs, offer.call) == ("play", ("b1",), 2, False)
    called = play("b1", "b2", top="b9")
    assert called.view(0).offers[0].costs == 0


def low_and_owing(play, card, **more):
    """Seat 0 has one card left and owes 1 that is still to be drawn."""
    return play(f"b1 {card}", "bC r1", top="b9", pile="p1 p2 p3 p4", **more)


def test_a_forgotten_match_while_owing(play):
    """F33, F35: what was owed and two more are drawn, and the total is over."""
    p = low_and_owing(play, "M").plays("b1").plays("bC")
    assert (p.turn, p.phase, p.view(0).offers[0].costs) == (0, "owe", 3)
    p.plays("M")
    assert (p.hand(0), p.owed, p.turn, p.phase) == ("M p1 p2 p3", 0, 1, "play")
    assert [e.why for e in p.events() if type(e).__name__ == "Drew"] == ["owed", "penalty"]


def test_a_called_match_while_owing_wins(play):
    """F42, F20, F36: at once, without a colour, and nothing is drawn."""
    p = low_and_owing(play, "M").plays("b1", call=True).plays("bC").plays("M")
    assert (p.over, p.result.winner, p.sizes) == (True, 0, [0, 1])
    assert p.table.colour is None


def test_a_colour_with_the_winning_wild_is_ignored(play):
    """F20, B8: the table is the same with it and without."""
    with_one = play("M", "b2", top="b9").plays("M", "red")
    without = play("M", "b2", top="b9").plays("M")
    assert with_one.table == without.table
    assert without.over
    assert without.table.colour is None


def test_a_refused_last_wild_needs_no_colour(play):
    """F20, F31: it isn't discarded, so the colour stays what it was."""
    p = play("M", "b2", top="b9", called=[]).plays("M")
    assert (p.turn, p.table.colour, p.sizes[0]) == (1, "blue", 3)


def test_a_called_pick_up_instead_of_drawing_wins(play):
    """F42, F36, F10: with `pass_it_on`."""
    p = low_and_owing(play, "bB", pass_it_on=True).plays("b1", call=True).plays("bC").plays("bB")
    assert (p.over, p.result.winner) == (True, 0)


def test_a_forgotten_pick_up_instead_of_drawing(play):
    """F33: with `pass_it_on` it fails like the Match."""
    p = low_and_owing(play, "bB", pass_it_on=True).plays("b1").plays("bC").plays("bB")
    assert (p.hand(0), p.owed, p.turn, p.phase) == ("bB p1 p2 p3", 0, 1, "play")


def test_who_owes_draws_and_has_more_than_one(play):
    """F42, F30: after the draw the call is gone."""
    p = low_and_owing(play, "b2").plays("b1", call=True).plays("bC").picks_up()
    assert (p.sizes[0], p.table.called[0]) == (2, False)


@pytest.mark.parametrize(("card", "owed"), [("b1", 0), ("bC", 1), ("bB", 2)])
def test_discard_stands(play, card, owed):
    """F31: with the option the card goes with all it does, and two are drawn."""
    p = play(card, "b2", top="b9", called=[], pile="p1 p2", discard_stands=True)
    assert p.view(0).offers[0].costs == 2
    p.plays(card)
    assert (p.table.top, p.hand(0), p.owed, p.turn) == (card, "p1 p2", owed, 1)
    assert p.table.windows == (False, False)


@pytest.mark.parametrize(("card", "owed"), [("M", 0), ("S", 5)])
def test_discard_stands_with_a_wild(play, card, owed):
    """F31, F18, F20: it lies there, so its colour is needed."""
    p = play(card, "b2", top="b9", called=[], discard_stands=True)
    assert p.refused("play", card=card) == "no_colour"
    p.plays(card, "red")
    assert (p.table.top, p.table.colour, p.owed, p.sizes) == (card, "red", owed, [2, 1])


def test_discard_stands_with_a_match_while_owing(play):
    """F31, F33: the Match burns what was owed, and the two are drawn all the same."""
    p = low_and_owing(play, "M", discard_stands=True).plays("b1").plays("bC")
    assert p.view(0).offers[0].costs == 2
    p.plays("M", "red")
    assert (p.hand(0), p.owed, p.turn, p.table.top) == ("p1 p2", 0, 1, "M")


def test_discard_stands_with_a_pick_up_while_owing(play):
    """F31, F11: with `pass_it_on` the total goes on, grown, and two are drawn for the call."""
    p = low_and_owing(play, "bB", discard_stands=True, pass_it_on=True).plays("b1").plays("bC")
    p.plays("bB")
    assert (p.hand(0), p.owed, p.phase, p.turn) == ("p1 p2", 3, "owe", 1)


def test_discard_stands_changes_nothing_for_a_caller(play):
    """F31: who called has won."""
    p = play("M", "b2", top="b9", discard_stands=True).plays("M")
    assert (p.over, p.result.winner) == (True, 0)


def test_discard_stands_closes_windows(play):
    """F28, F31: unlike an attempt that fails, it is a discard."""
    p = play("b1", "b2", "b3", top="b9", called=[1], discard_stands=True)
    assert p.table.windows == (False, False, True)
    assert p.game.silences(0, Play("b1")) == (2,)
    p.plays("b1")
    assert p.table.windows == (False, False, False)
    assert p.refused("low_on_gas", by=2) == "call_late"


def test_the_order_at_the_host_decides(play):
    """F44, B11: call before discard counts, discard before call doesn't."""
    p = play("b1 y1", "b2 r1", top="b9").plays("b1")
    first = p.game.clone()
    p.calls(0).plays("b2")
    assert p.table.called == (True, False)
    p.game = first
    p.plays("b2")
    assert p.refused("low_on_gas", by=0) == "call_late"


def test_whom_a_discard_would_silence(play):
    """F44: the host asks, and gives a person a moment; nobody for what closes no window."""
    p = play("b1 y1", "b2 r1", "b3 r2", top="b9").plays("b1")
    assert p.game.silences(1, Play("b2")) == (0,)
    assert p.game.silences(0, LowOnGas()) == ()
    p.calls(0)
    assert p.game.silences(1, Play("b2")) == ()
    refused = play("b1", "b2", "b3", top="b9", called=[1])
    assert refused.game.silences(0, Play("b1")) == ()
    wins = play("b1", "b2", "b3", top="b9", called=[0, 1])
    assert wins.game.silences(0, Play("b1")) == ()
    own = play("b1 b4", "r5 r2", top="b9", pile="r3", discard_stands=True).plays("b1").draws()
    assert own.table.windows == (True, False)
    assert own.game.silences(0, Play("b4")) == (), "nobody waits for oneself"


@pytest.mark.parametrize("seed", range(12))
def test_silences_are_the_windows_that_close(seed, walk):
    """F44, F28: in whole games, by what is open before and after."""
    w = walk(seed, "low-on-gas")
    for seat, action in w.steps():
        before = w.game.table.windows
        said = w.game.silences(seat, action)
        after = w.game.clone()
        after.act(seat, action)
        gone = [
            other
            for other, opened in enumerate(before)
            if opened is not None and other != seat and after.table.windows[other] is None
        ]
        assert list(said) == (gone if after.table.winner is None else [])


def test_a_call_is_still_meant_while_its_window_is_open(play):
    """F44, B34: sent at any question since the discard, by whoever saw that one."""
    p = play("b1 y1", "r2 r5", "b3 r4", top="b9", pile="p3")
    asked = p.game.question
    p.plays("b1")
    opened = p.game.question
    assert p.game.still_meant(0, LowOnGas(), opened)
    assert p.game.still_meant(0, LowOnGas(), asked), "sent while the discard was on its way"
    assert not p.game.still_meant(0, LowOnGas(), asked - 1)
    p.draws()
    assert p.game.still_meant(0, LowOnGas(), opened)
    assert p.game.still_meant(1, LowOnGas(), asked), "without a window the reason is another one"
    assert not p.game.still_meant(2, Play("b3"), opened), "a discard answers one question only"
    assert p.game.still_meant(2, Play("b3"), p.game.question)


def test_a_waived_draw_keeps_the_call(play):
    """F26, F30: still one card, so what was said stands."""
    p = waived(play, called=range(4))
    assert (p.sizes[1], p.table.called[1]) == (1, True)


def test_a_waived_draw_opens_no_window(play):
    """F26, F28: who never called can't begin to now."""
    p = waived(play, called=[0, 2, 3])
    assert (p.sizes[1], p.table.called[1]) == (1, False)
    assert p.refused("low_on_gas", by=1) == "call_late"


def waived(play, called):
    """Seat 1 can play nothing, and there is nothing to draw."""
    p = exhausted(play("b1", "y2", "b3", "b4", top="b9", called=called))
    table = p.game.table
    table.turn, table.questions = 1, (type(table.questions[-1])(1),)
    return p.draws(by=1)


def exhausted(p):
    """The true table, with both piles emptied by hand except for the top.

    No honest game of few players comes here within a test's patience; that of seven in the
    cases does.
    """
    p.game.table.draw_pile, p.game.table.discard_pile = (), p.game.table.discard_pile[:1]
    return p


def test_discard_stands_with_one_card_to_draw(play):
    """F31, F26, F28: the card below is drawn, the other one waived, and a window opens."""
    p = exhausted(play("b1", "y2", top="b9", called=[], discard_stands=True))
    since = p.game.actions
    p.plays("b1")
    assert p.happened(since)[-4:] == ["Drew", "Waived", "WindowOpened", "TurnCame"]
    assert (p.hand(0), p.table.top, p.table.windows) == ("b9", "b1", (True, False))
    assert p.calls(0).table.called == (True, False)


def test_a_discard_after_the_last_card_was_drawn_leaves_one_to_draw(play):
    """F25: the piles are looked at before a draw as well."""
    p = exhausted(play("b1 y5", "y2 y3", top="b9", pile="p1")).plays("b1")
    since = p.game.actions
    p.draws()
    assert p.happened(since) == ["Reshuffled", "Drew", "DrawnFits"]
    assert p.hand(1) == "y2 y3 b9"


def test_what_was_waived_is_not_drawn_later(play):
    """F26, F33: a total that counts as drawn is no part of the penalty."""
    p = exhausted(play("b1 b2", "bC r1", top="b9").plays("b1").plays("bC")).picks_up()
    assert (p.phase, p.sizes[0]) == ("play", 1)
    since = p.game.actions
    p.plays("b2")
    waived = [event for event in p.game.shown(0, since) if type(event).__name__ == "Waived"]
    assert [(event.count, event.why) for event in waived] == [(2, "penalty")]


def test_new_draw_piles_are_counted_anew_in_every_game(play):
    """F-R19, F5: by their labels, so that no game's chance depends on the one before."""
    second = "b1 b2 b3 b4 b5 b6 b7 y2 y3 y4 y5 y6 y7 r8 b9"
    p = exhausted(play("b1 b2", "y2 y3", top="b9", wins=2, decks={2: second}))
    p.plays("b1", call=True).draws().plays("b9").plays("b2").deals()
    exhausted(p).plays("b1").draws()
    assert {"reshuffle/1/1", "reshuffle/2/1"} <= set(p.chance.asked)
