"""A person at a table of Low on Gas: a turn, wilds, forced moves, refusals, a match and its end."""

from __future__ import annotations

import pytest

from core.low_on_gas.actions import Deal, Draw, PickUp, Play
from net.orders import Rematch, SeatToBot
from tui.low_on_gas.colour import ColourDialog
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.so_far import MatchSoFar
from tui.low_on_gas.standings import StandingsScreen
from tui.table.help import MomentHelp
from tui.table.log import GameLog

OURS = "r1 r2 b3 y4 M S p5"
THEIRS = "r6 r7 b8 y9 p10 b1 y1"


@pytest.fixture
def opened(gas_match):
    """Our first turn, with a red 9 to play on."""
    return lambda **options: gas_match(OURS, THEIRS, top="r9", **options)


async def test_a_card_is_chosen_and_played_by_keyboard(opened, at_table) -> None:
    async with at_table(opened()) as at:
        assert at.table.hand.has_focus
        assert at.footer["Space"] == "Play"
        await at.press("m", "r", "r", "space")
        assert at.sent == [Play("r2")]
        assert "Space" not in at.footer
        await at.press("space")
        assert len(at.sent) == 1, "once is enough"
        await at.let_it_happen()
        assert "Ada" in at.words
        assert "Space" not in at.footer


@pytest.mark.parametrize("focus", ["h", "l"])
async def test_no_key_is_named_for_a_card_that_is_on_its_way_or_lies(
    opened, at_table, focus
) -> None:
    async with at_table(opened()) as at:
        await at.press(focus)
        assert at.footer["Space"] == "Play"
        await at.press("space")
        assert "Space" not in at.footer
        await at.let_it_happen()
        assert "Space" not in at.footer, "it is Ada's turn"


@pytest.mark.parametrize("key", ["space", "enter"])
async def test_space_plays_wherever_one_looks(opened, at_table, key) -> None:
    async with at_table(opened()) as at:
        await at.press("l", key)
        assert at.sent == [Play("r1")]


@pytest.mark.parametrize(
    ("key", "colour"),
    [
        *(("b", "blue"), ("y", "yellow"), ("r", "red"), ("p", "purple")),
        *(("1", "blue"), ("2", "yellow"), ("3", "red"), ("4", "purple")),
    ],
)
async def test_a_wild_asks_for_its_colour_in_one_key(opened, at_table, key, colour) -> None:
    async with at_table(opened()) as at:
        await at.press("s", "space")
        assert isinstance(at.screen, ColourDialog)
        assert "colour" in at.words
        await at.press("space", "enter")
        assert not at.sent, "a key too many chooses nothing"
        await at.press(key)
        assert at.sent == [Play("S", colour)]


async def test_a_colour_said_twice_orders_nothing(opened, at_table) -> None:
    """Purple and blue are neither a pause nor a seat to a bot."""
    async with at_table(opened()) as at:
        await at.press("m", "space", "p", "p", "b", "l", "p", "b")
        assert at.sent == [Play("M", "purple")]
        assert not at._lan.client.orders
        assert at.screen is at.table


async def test_a_colour_is_clicked(opened, at_table) -> None:
    async with at_table(opened()) as at:
        await at.press("m", "space")
        await at.pilot.click("#purple")
        await at.press()
        assert at.sent == [Play("M", "purple")]


async def test_a_wild_is_taken_back_with_the_card_still_in_the_hand(opened, at_table) -> None:
    async with at_table(opened()) as at:
        await at.press("m", "space", "escape")
        assert not at.sent
        assert at.screen is at.table
        assert "still in your hand" in at.words
        assert at.table.hand.under_cursor == "M"
        await at.press("r", "space")
        assert at.sent == [Play("r1")]


async def test_what_is_owed_is_picked_up_by_one_key(gas_match, at_table) -> None:
    match = gas_match("r1 r2 b3 y4 p5 p6 p7", "rC r7 b8 y9 p10 b1 y1", top="r9", pile="b2")
    async with at_table(match.play_cards("r1 rC")) as at:
        assert at.footer["Space"] == "Draw"
        await at.press("space")
        assert at.sent == [PickUp()]
        await at.let_it_happen()
        assert "b2" in at.table.hand.cards


async def test_with_a_match_space_still_picks_up_and_enter_lights_it(gas_match, at_table) -> None:
    match = gas_match(OURS, "rC r7 b8 y9 p10 b1 y1", top="r9").play_cards("r1 rC")
    async with at_table(match) as at:
        assert at.table.hand.under_cursor == "M"
        await at.press("enter")
        assert isinstance(at.screen, ColourDialog)
        await at.press("escape", "space")
        assert at.sent == [PickUp()]


async def test_a_card_is_drawn_by_one_key_and_one_that_fits_is_shown_and_played(
    gas_match, at_table
) -> None:
    match = gas_match("b1 b2 b3 b4 y5 y6 y7", "r6 r7 r8 y9 p10 b5 y1", top="r9", pile="r10")
    async with at_table(match) as at:
        assert "Nothing fits" in at.words
        await at.press("space")
        assert at.sent == [Draw()]
        await at.let_it_happen()
        assert at.table.hand.under_cursor == "r10"
        assert "You drew the red Creaker" in at.words
        await at.press("space")
        assert at.sent[1:] == [Play("r10")]


async def test_a_click_on_the_draw_pile_draws(gas_match, at_table) -> None:
    match = gas_match("b1 b2 b3 b4 y5 y6 y7", "r6 r7 r8 y9 p10 b5 y1", top="r9")
    async with at_table(match) as at:
        at.table.query_one("GasTable").post_message(
            type(at.table.query_one("GasTable")).DrawClicked()
        )
        await at.press()
        assert at.sent == [Draw()]


async def test_a_card_that_cannot_be_played_says_why(opened, at_table) -> None:
    async with at_table(opened()) as at:
        await at.press("y", "space")
        assert at.sent == [Play("y4")]
        await at.let_it_happen()
        assert "doesn't fit" in at.words
        assert at.footer["Space"] == "Play"
        await at.press("r")
        assert "Your turn" in at.words, "whoever looks at another card has read why"
        await at.press("space")
        assert at.sent[1:] == [Play("r1")]


async def test_a_card_tried_out_of_turn_says_whose_turn_it_is_not(opened, at_table) -> None:
    async with at_table(opened(first=1)) as at:
        assert "Space" not in at.footer
        at.table.hand.post_message(type(at.table.hand).Tried("r1"))
        await at.press()
        assert not at.sent
        assert "turn" in at.words


async def test_whose_cards_a_bot_plays_takes_them_back_by_space(opened, at_table) -> None:
    match = opened()
    match.room["seats"] = tuple(
        type(seat)(seat.name, bot_plays=number == 0)
        for number, seat in enumerate(match.room["seats"])
    )
    async with at_table(match) as at:
        await at.press("space")
        assert at.app.session is not None
        assert not at.sent
        assert at._lan.client.orders == [SeatToBot(0, on=False)]


async def test_a_table_that_is_paused_takes_nothing(opened, at_table) -> None:
    match = opened()
    match.room["paused"] = True
    async with at_table(match) as at:
        await at.press("space", "d")
        assert not at.sent
        assert "Paused" in at.words


async def test_what_happened_is_told_with_its_noise(opened, at_table) -> None:
    match = opened()
    async with at_table(match) as at:
        match.play_cards("r1 r6")
        await at.tell()
        told = [line.text for line in at.table.query_one(GameLog).told]
        assert any("rat-tat-tat" in line for line in told)


async def test_the_card_under_the_cursor_tells_what_it_does(opened, at_table) -> None:
    async with at_table(opened()) as at:
        await at.press("m")
        assert "Puts out what you owe" in str(at.table.query_one("#card").render())
        await at.press("r")
        assert "eeeek!" in str(at.table.query_one("#card").render())


async def test_help_is_of_the_moment(opened, at_table) -> None:
    async with at_table(opened()) as at:
        await at.press("question_mark")
        assert isinstance(at.screen, MomentHelp)
        words = "\n".join(str(each.render()) for each in at.screen.query("Static"))
        assert "Low on gas" in words
        await at.press("escape")
        assert at.screen is at.table


async def test_who_watches_sees_no_hand_and_can_do_nothing(opened, at_table) -> None:
    async with at_table(opened(you=None)) as at:
        assert not at.table.query_one("#mine").display
        await at.press("space", "d", "g")
        assert not at.sent
        assert "You watch" in at.words


async def test_hands_of_twenty_five_can_be_read_and_played_at_80x24(gas_match, at_table) -> None:
    match = gas_match("b1 b2 b3 b4 y5 y6 y7", "r6 r7 r8 y9 p10 b5 y1", top="r9")
    table = match.game.table
    hand = (*table.hands[0], *(f"p{n}" for n in range(1, 10)), *(f"y{n}" for n in range(1, 5)))
    hand = (*hand, "yC", "pC", "bB", "M", "S")
    assert len(hand) == 25
    async with at_table(match) as at:
        view = match.seen(catching_up=True)
        assert view.game is not None
        hands = (hand, *view.game.table.hands[1:])
        offer = view.game.offers[0]
        changed = type(offer)("play", cards=("M", "S"), take=1)
        view.game.offers, view.game.table.hands = (changed,), hands
        await at._settle(at.pilot, view)
        assert len(at.table.hand.cards) == 25
        shown = "\n".join(
            at.table.hand.render_line(y).text for y in range(at.table.hand.size.height)
        )
        for mark in ("B1■", "Y+1", "P9◆", "M=0", "S+5"):
            assert mark in shown, shown
        assert at.table.hand.under_cursor == "M"
        await at.press("end", "space")
        assert at.sent == [Play("S")]


# A match of several games


@pytest.fixture
def won(gas_match):
    """A match in which we have just won the first game, our last card called."""

    def make(**options):
        match = gas_match("r1 r2 r3 r4 r5 y9 y8", "r6 r7 r8 r10 y5 p1 y2", top="r9", **options)
        match.play_cards("r1 r6 r2 r7 r3 r8 r4 r10 r5 y5")
        return match.play((0, Play("y9", call=True)), (1, Play("y2")), (0, Play("y8")))

    return make


async def test_between_two_games_all_see_the_standings_and_the_dealer_deals(won, at_table) -> None:
    match = won(wins=2)
    async with at_table(match) as at:
        assert isinstance(at.screen, StandingsScreen)
        assert match.game.waited_for() == (1,), "the other one deals"
        await at.press("space", "d")
        assert not at.sent
        match.play((1, Deal()))
        await at.tell()
        assert isinstance(at.screen, StandingsScreen), "a bot would be too quick for a reader"
        assert at.footer["Space"] == "Go on"
        assert "Your turn" in at.words
        await at.press("space")
        assert at.screen is at.table
        assert not at.sent
        assert "Your turn" in at.words
        told = [line.text for line in at.table.query_one(GameLog).told]
        assert not any("settled" in line for line in told), "nothing was asked of us"


async def test_behind_the_standings_lies_the_next_game_as_it_is(won, at_table) -> None:
    match = won(wins=2, second="r1 M b3 b4 S y6 p8 b9")
    async with at_table(match) as at:
        match.play((1, Deal()))
        await at.tell()
        assert isinstance(at.screen, StandingsScreen)
        assert "M" in at.table.hand.cards
        assert "Your turn" in at.words, "no colour is asked for yet"


async def test_in_a_hand_that_was_just_dealt_no_card_is_marked_as_new(won, at_table) -> None:
    match = won(wins=2, you=1, second="r1 M b3 b4 S y6 p8 p1")
    async with at_table(match) as at:
        assert at.table.hand.cards == ("p1",)
        match.play((1, Deal()))
        await at.tell()
        hand = at.table.hand
        assert "p1" in hand.cards, "the same card once more"
        assert not any("new" in hand.render_line(y).text for y in range(hand.size.height))


async def test_the_dealer_deals_by_space_at_once_or_after_a_look_at_the_table(
    won, at_table
) -> None:
    async with at_table(won(wins=2, you=1)) as at:
        assert isinstance(at.screen, StandingsScreen)
        await at.press("escape")
        assert at.screen is at.table
        await at.press("space")
        assert isinstance(at.screen, StandingsScreen)
        await at.press("space")
        assert at.sent == [Deal()]


async def test_how_the_match_stands_can_be_seen_at_any_time(at_table, opened) -> None:
    async with at_table(opened(wins=2)) as at:
        await at.press("v")
        assert isinstance(at.screen, MatchSoFar)
        await at.press("escape")
        assert at.screen is at.table
    async with at_table(opened()) as at:
        await at.press("v")
        assert at.screen is at.table, "a single game has no standings"


async def test_a_match_ends_with_its_result_and_begins_again(won, at_table, gas_match) -> None:
    async with at_table(won()) as at:
        assert isinstance(at.screen, MatchResult)
        await at.press("escape")
        assert at.screen is at.table
        await at.press("space")
        assert isinstance(at.screen, MatchResult)
        await at.press("a")
        assert at._lan.client.orders == [Rematch()]
        again = gas_match(OURS, THEIRS, top="r9")
        again.revs = at.match.revs
        at.match = again
        await at.tell()
        assert at.screen is at.table
        await at.press("space")
        assert at.sent == [Play("r1")]
