"""What fits, what must be played, what is drawn: F-R10 to F-R20 and their readings."""

from __future__ import annotations

import pytest

COLOURS = ("blue", "yellow", "red", "purple")


def test_a_turn_is_one_discard(play):
    """F-R10, F21: then it is the next player's turn, though more would fit."""
    p = play("b1 b2 b3", "b4 b5 b6", top="b9").plays("b1")
    assert (p.turn, p.table.top, p.sizes) == (1, "b1", [2, 3])
    assert p.refused("play", by=0, card="b2") == "not_your_turn"


def test_never_two_not_after_a_penalty_either(play):
    """F21: whoever drew seven discards one."""
    p = play("b1 S", "b4 b5", top="b9").plays("S", "blue").picks_up().plays("b4")
    assert p.turn == 0
    assert p.refused("play", by=1, card="b5") == "not_your_turn"


def test_a_coloured_card_fits_by_kind_or_by_colour(play):
    """F-R11: a blue 9 takes blues and 9s."""
    p = play("b1 y9 bC bB y1 r10 yC", "", top="b9")
    assert p.fitting() == {"b1", "y9", "bC", "bB"}
    for card in ("y1", "r10", "yC"):
        assert p.refused("play", card=card) == "does_not_fit"


@pytest.mark.parametrize("top", ["b9", "rC", "yB", "p10"])
def test_wilds_fit_on_everything(play, top):
    """F-R12, F-R27, F-R37: whatever lies there."""
    p = play("M S", "", top=top)
    assert {"M", "S"} <= p.fitting()
    assert p.plays("M", "red").table.top == "M"


def test_wilds_fit_on_wilds(play):
    """F-R12, F-R27, F-R37, F19: also Match on Match, SBD on Match, Match on SBD."""
    p = play("M b2 b3", "M S b5", "M b6 b7", top="b9").plays("M", "red")
    assert {"M", "S"} <= p.fitting()
    p.plays("S", "red")
    assert p.plays("M", "blue").table.top == "M"


def test_a_wild_only_on_ones_own_turn(play):
    """F16: `at any time` means on any card."""
    p = play("b1 b2", "M S", top="b9")
    for card in "MS":
        assert p.refused("play", by=1, card=card, colour="red") == "not_your_turn"


def test_a_cabbage_fits_on_every_cabbage(play):
    """F8: Cabbage and Beans are kinds like the ten farts."""
    assert "bC" in play("bC bB", "", top="rC").fitting()
    assert "bB" in play("bC bB", "", top="rB").fitting()


@pytest.mark.parametrize(("top", "card"), [("rC", "bB"), ("rB", "bC")])
def test_beans_on_a_cabbage_need_its_colour(play, top, card):
    """F9: that both are pick-ups isn't enough; of one colour they fit like any two cards."""
    p = play(f"{card} r{card[1]}", "", top=top)
    assert p.refused("play", card=card) == "does_not_fit"
    assert f"r{card[1]}" in p.fitting()


@pytest.mark.parametrize("wild", ["M", "S"])
@pytest.mark.parametrize("colour", COLOURS)
def test_a_wild_is_played_with_any_of_four_colours(play, wild, colour):
    """F18, F-R28, F-R36: the one that lay there is as good as another."""
    p = play(f"{wild} y1", "", top="b9").plays(wild, colour)
    assert (p.table.top, p.table.colour) == (wild, colour)


@pytest.mark.parametrize("wild", ["M", "S"])
def test_what_fits_on_a_wild(play, wild):
    """F19, F-R28, F-R36: the selected colour, any kind; and wilds. Nothing is matched by name."""
    hand = "b3 bC bB y9 yC M M"
    p = play(f"{wild} y1 y2 y3 y4 y5 y6", hand, top="r9", dealer=1).plays(wild, "blue")
    if wild == "S":
        p.picks_up()
    assert {"b3", "bC", "bB", "M"} <= p.fitting()
    assert not {"y9", "yC"} & p.fitting()


@pytest.mark.parametrize("colour", [None, "green", "b", "Blue", "", 0, True, ["blue"]])
def test_a_wild_without_a_colour_is_refused_whole(play, colour):
    """F18, B2, B3, B7, B8: the card is still in hand, the turn where it was; then it works."""
    p = play("M S", "b1 b2", top="b9")
    for card in "MS":
        keys = {} if colour is None else {"colour": colour}
        assert p.refused("play", card=card, **keys) == "no_colour"
    assert (p.turn, p.phase, p.hand(0)) == (0, "play", "M S")
    assert p.plays("M", "red").table.colour == "red"


def test_no_wild_ever_waits_for_its_colour(play):
    """B3, F18: card and colour are one action, so no turn comes in between."""
    p = play("M y1", "r1 r2", top="b9").plays("M", "red")
    assert (p.turn, p.phase, p.table.colour) == (1, "play", "red")


def test_a_colour_with_a_coloured_card_is_ignored(play):
    """F-R11: it is the card's own that counts."""
    p = play("b1 b2", "", top="b9").plays("b1", "red")
    assert p.table.colour == "blue"
    assert p.last("Played").colour is None, "nobody is told of it either"


def test_who_can_discard_must(play):
    """F-R13, F22: drawing is refused, and isn't offered."""
    p = play("b1 y9 r1", "", top="b9")
    assert p.refused("draw") == "must_play"
    assert p.may(0) == ("play",)
    for card in ("b1", "y9"):
        other = p.game.clone()
        p.plays(card)
        assert p.table.top == card, "which one of them is free"
        p.game = other


@pytest.mark.parametrize("card", ["M", "S"])
def test_the_duty_includes_wilds(play, card):
    """F-R14, F22: a Match can't be saved for worse times."""
    p = play(f"{card} y1 r1", "", top="b9")
    assert p.fitting() == {card}
    assert p.refused("draw") == "must_play"


def test_nothing_is_said_and_nothing_happens(play):
    """F-R15: the noise of a card is no part of any action; what is said beside it is ignored."""
    p = play("b1 b2", "b3 b4", top="b9")
    since = p.game.actions
    p.send("play", card="b1", noise="eeeek!")
    assert p.sizes == [1, 2]
    assert p.happened(since) == ["Played", "TurnCame"]


def test_who_cannot_discard_draws_one(play):
    """F-R16: the top of the draw pile, to the end of the hand."""
    p = play("y1 r1", "b1 b2", top="b9", pile="p3 p4")
    assert p.may(0) == ("draw",)
    assert p.draws().hand(0) == "y1 r1 p3"
    assert p.table.draw_pile[0] == "p4"


@pytest.mark.parametrize("card", ["b3", "y9", "bC", "bB", "M", "S"])
def test_a_drawn_card_that_fits_must_be_played(play, card):
    """F-R17, F23: that one and nothing else, with a colour where one is needed."""
    p = play("y1 r1", "b1 b2", top="b9", pile=card).draws()
    assert (p.phase, p.turn, p.fitting()) == ("must_play", 0, {card})
    assert p.may(0) == ("play",)
    wild = card in "MS"
    if wild:
        assert p.refused("play", card=card) == "no_colour"
    assert p.refused("play", card="y1") == "play_the_drawn"
    for do in ("draw", "pick_up", "deal"):
        assert p.refused(do) == "play_the_drawn"
    p.plays(card, "yellow" if wild else None)
    assert (p.turn, p.table.top) == (1, card)


@pytest.mark.parametrize(("card", "phase"), [("p3", "must_play"), ("b3", "play")])
def test_a_drawn_card_is_held_against_the_selected_colour(play, card, phase):
    """F-R17, F19: a wild has no colour of its own."""
    p = play("M y1", "r1 r2", top="b9", pile=card).plays("M", "purple").draws()
    assert p.phase == phase


def test_a_drawn_card_that_does_not_fit_ends_the_turn(play):
    """F-R18: by itself, to the left."""
    p = play("y1 r1", "b1 b2", "b3 b4", top="b9", pile="p3").draws()
    assert (p.turn, p.phase, p.sizes) == (1, "play", [3, 2, 2])


def test_nobody_draws_twice_in_a_turn(play):
    """B14, B15, F23: neither when the card fits nor when it doesn't."""
    p = play("y1 r1", "b1 b2", top="b9", pile="b3").draws()
    assert p.refused("draw") == "play_the_drawn"
    p = play("y1 r1", "b1 b2", top="b9", pile="p3").draws()
    assert p.refused("draw", by=0) == "not_your_turn"


def test_it_always_goes_to_the_left(play):
    """F-R6, F39: after discards, wilds, pick-ups and draws; nobody is ever skipped."""
    hands = ("b1 y1 y2", "bB y3 y4", "r1 r2 r3", "M y5 y6", "S y7 y8")
    p = play(*hands, top="b9", pile="p1 p3 p4")
    order = [p.turn]
    for move in (
        lambda: p.plays("b1"),
        lambda: p.plays("bB"),
        lambda: p.picks_up().draws(),
        lambda: p.plays("M", "red"),
        lambda: p.plays("S", "yellow"),
    ):
        move()
        order.append(p.turn)
    assert order == [0, 1, 2, 3, 4, 0]
    assert p.phase == "owe", "owing doesn't cost the turn"


def test_with_two_players_left_is_the_other(play):
    """F41, F39: back and forth, whoever draws or plays what."""
    p = play("b1 bC y2", "b3 b4 b5", top="b9", pile="y1 p2 p3")
    turns = [p.turn, p.plays("bC").turn, p.picks_up().turn, p.plays("b3").turn]
    assert turns == [0, 1, 1, 0]


def nothing_left(play, **more):
    """Seat 1 has drawn all there is, and holds neither red nor a wild."""
    six = ["S", "b5 b6 b7 b8 b10 y1 y2", "M", "M", "M", "M", "M"]
    p = play(*six, top="b9", pile="b1 b2 b3 b4", **more).plays("S", "red").picks_up()
    assert (p.table.draw_pile, p.table.discard_pile) == ((), ("S",))
    return p


def test_the_discard_pile_is_shuffled_into_a_new_draw_pile(play):
    """F-R19, F25, B19: all but the top, as soon as the draw pile is empty."""
    hands = ["b1", "b2", "S", "y1 y2 y3 y4 y5 y6 y7", "", "", ""]
    p = play(*hands, top="b9", pile="y8 y9 y10 r1", reshuffles={"1/1": "b9 b2"})
    p.plays("b1").plays("b2").plays("S", "purple")
    since = p.game.actions
    p.picks_up()
    assert p.happened(since) == ["Drew", "Reshuffled", "Drew", "PickedUp"]
    assert p.chance.asked["reshuffle/1/1"] == ("b1", "b2", "b9"), "in canonical order"
    assert p.table.hands[3][-5:] == ("y8", "y9", "y10", "r1", "b9")
    assert (p.table.draw_pile, p.table.discard_pile) == (("b2", "b1"), ("S",))


def test_a_new_draw_pile_is_made_at_once_and_never_by_a_discard(play):
    """F25, B22: right after the last card was drawn, if anything lies under the top."""
    hands = ["S", "r1 b5 b6 b7 b8 b10 y1", "M", "M", "M", "M", "M"]
    p = play(*hands, top="b9", pile="b1 b2 b3 b4").plays("S", "red")
    since = p.game.actions
    p.picks_up()
    assert p.happened(since) == ["Drew", "Reshuffled", "Drew", "PickedUp"]
    assert (p.table.draw_pile, p.table.discard_pile) == ((), ("S",))
    p.plays("r1")
    assert (p.table.draw_pile, p.table.discard_pile) == ((), ("r1", "S"))


def test_a_discard_pile_of_two_gives_one_card(play):
    """B22, F25, F19: the wild under the top is drawn, and has lost its colour."""
    p = nothing_left(play).draws()
    p.plays("M", "blue")
    assert (p.table.draw_pile, p.table.discard_pile) == ((), ("M", "S"))
    p = nothing_left(play, pass_it_on=True)
    assert p.draws().turn == 2


def test_a_pick_up_can_straddle_a_reshuffle(play):
    """F-TV8, F25, B6, B19: 3 drawn, 9 shuffled, 4 drawn; top and selected colour stay.

    With `pass_it_on`, so that nobody has drawn for the 7 before.
    """
    hands = ("y1 y2 y3 y4 y5 y6 y7", "b1 yB", "b2 S", "b3", "b4", "b5", "b6")
    p = play(*hands, top="b9", pile="r1 r2 r3 r4", pass_it_on=True, reshuffles={"1/1": "b6 b1 y6"})
    p.draws()
    for number in range(1, 7):
        p.plays(f"b{number}")
    p.plays("y6").plays("yB").plays("S", "purple")
    assert (p.owed, len(p.table.draw_pile), len(p.table.discard_pile)) == (7, 3, 10)
    held = p.sizes[3]
    since = p.game.actions
    p.picks_up()
    assert p.happened(since) == ["Drew", "Reshuffled", "Drew", "PickedUp"]
    assert " ".join(p.chance.asked["reshuffle/1/1"]) == "b1 b2 b3 b4 b5 b6 b9 y6 yB"
    assert p.sizes[3] == held + 7
    assert p.table.hands[3][-7:] == ("r2", "r3", "r4", "b6", "b1", "y6", "b2")
    assert p.table.discard_pile == ("S",)
    assert (p.table.top, p.table.colour) == ("S", "purple")
    assert len(p.table.draw_pile) == 5


def test_wilds_that_are_shuffled_back_lose_their_colour(play):
    """F25, B5, B6: a Match that is drawn again asks for a colour again; the top keeps its own."""
    hands = ["M", "S", "y1 y2 y3 y4 y5 y6 y7", "", "", "", ""]
    p = play(*hands, top="b9", pile="r1 r2 r3 r4", reshuffles={"1/1": "M"})
    p.plays("M", "blue").plays("S", "purple").picks_up()
    assert p.table.hands[2][-1] == "M"
    assert p.table.colour == "purple"
    assert p.refused("play", card="M") == "no_colour"
    assert p.plays("M", "yellow").table.colour == "yellow"


def test_nothing_to_draw_nothing_happens(play):
    """F-TV9, F-R20, F26, B20, B22: no card, no error, the next one plays, nothing is owed."""
    p = nothing_left(play)
    assert (p.may(1), p.sizes[1]) == (("draw",), 12)
    since = p.game.actions
    p.draws()
    assert p.happened(since) == ["Waived", "TurnEnded", "TurnCame"]
    assert (p.turn, p.owed, p.sizes[1]) == (2, 0, 12)
    assert p.last("Waived").count == 1
    assert p.may(2) == ("play",), "somebody can always play: the wilds are in hands"


def test_one_draws_what_there_is_and_is_let_off_the_rest(play):
    """F26, F-R20, B21: of 9 owed 7 can be drawn; 9 count, and the next owes 10."""
    hands = ("S y1 y2 y3 y4 y5 y6", "yB", "bB", "bC", "M", "M", "M")
    p = play(*hands, top="y9", pile="r1 r2 r3 r4", pass_it_on=True)
    p.plays("S", "yellow").plays("yB").plays("bB")
    assert (p.owed, p.phase) == (9, "owe")
    since = p.game.actions
    held = p.sizes[3]
    p.picks_up()
    assert p.happened(since) == ["Drew", "Reshuffled", "Drew", "Waived", "PickedUp"]
    assert p.last("Waived").count == 2
    assert p.sizes[3] == held + 7
    assert (p.owed, p.phase, p.turn) == (9, "play", 3)
    assert p.plays("bC").owed == 10
