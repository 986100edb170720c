"""The hand: its cursor, its keys, its clicks, and what it looks like without colours."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from core.low_on_gas.cards import DECK
from core.low_on_gas.view import GasOffer
from tui.low_on_gas.hand import GasHand
from tui.low_on_gas.hand_layout import lay

HELD = ("r7", "r10", "p4", "b3", "b1", "yC", "M", "S")
LIE = ("b1", "b3", "yC", "r7", "r10", "p4", "M", "S")


@pytest.fixture
def shown(gas_sight, laid):
    """Runs a hand of ours; our turn, with these cards playable, if there are any."""

    def run(hand=HELD, playable=None, phase="play", height=6, size=(80, 24)):
        may = () if playable is None else (GasOffer("play", cards=tuple(playable)),)
        app = laid(gas_sight(hand=hand, may=may, phase=phase, turn=0), height)
        return app, app.run_test(size=size)

    return run


def told(app, kind):
    return [message.card for message in app.said if isinstance(message, kind)]


async def test_the_cards_lie_by_colour_and_type_and_the_arrows_go_round(shown):
    app, test = shown()
    async with test as pilot:
        assert app.hand.cards == LIE
        assert told(app, GasHand.Looked)[-1] == "b1"
        app.said.clear()
        await pilot.press("right", "right", "end", "right", "left", "home")
        assert told(app, GasHand.Looked) == ["b3", "yC", "S", "b1", "S", "b1"]


@pytest.mark.parametrize(
    ("keys", "card"),
    [
        (("r",), "r7"),
        (("r", "r"), "r10"),
        (("r", "r", "r"), "r7"),
        (("p",), "p4"),
        (("m",), "M"),
        (("s",), "S"),
        (("7",), "r7"),
        (("0",), "r10"),
        (("1",), "b1"),
        (("plus",), "yC"),
        (("plus", "plus"), "S"),
        (("9",), "b1"),
    ],
)
async def test_what_stands_on_a_card_leads_to_it(shown, keys, card):
    app, test = shown()
    async with test as pilot:
        await pilot.press(*keys)
        assert app.hand.under_cursor == card


async def test_capitals_are_left_to_the_screen(shown):
    app, test = shown()
    async with test as pilot:
        await pilot.press("P", "r", "7")
        assert app.left_over == ["P"]


@pytest.mark.parametrize("key", ["space", "enter"])
async def test_a_card_is_played_or_it_is_asked_why_not(shown, key):
    app, test = shown(playable=("p4", "M", "S"))
    async with test as pilot:
        await pilot.press(key, "left", key)
        assert told(app, GasHand.Played) == ["p4"]
        assert told(app, GasHand.Tried) == ["r10"]


async def test_on_somebody_elses_turn_nothing_is_played(shown):
    app, test = shown()
    async with test as pilot:
        await pilot.press("space", "enter")
        assert told(app, GasHand.Played) + told(app, GasHand.Tried) == []
        assert app.left_over == ["space", "enter"]


async def test_space_is_left_to_the_screen_while_cards_may_be_drawn(shown):
    app, test = shown(playable=("M",))
    async with test as pilot:
        app.hand.hold(HELD, ("M",), draws=True)
        await pilot.press("space")
        assert app.left_over == ["space"]
        await pilot.press("enter")
        assert told(app, GasHand.Played) == ["M"]
        app.hand.hold(HELD, ("M",))
        await pilot.press("space")
        assert told(app, GasHand.Played) == ["M", "M"]


async def test_the_cursor_begins_on_a_card_that_can_be_played(shown):
    app, test = shown(playable=("p4", "M"))
    async with test:
        assert app.hand.under_cursor == "p4"


async def test_it_waits_where_it_is_until_our_turn_and_goes_on_if_that_cant_be_played(shown):
    app, test = shown()
    async with test as pilot:
        await pilot.press("7")
        app.hand.hold(HELD, ("r7", "M"))
        assert app.hand.under_cursor == "r7"
        app.hand.hold(HELD)
        app.hand.hold(HELD, ("p4", "M"))
        assert app.hand.under_cursor == "p4"


async def test_the_cursor_stays_with_its_card(shown):
    app, test = shown(hand=("b1", "M", "M", "M", "r7", "r8"))
    async with test as pilot:
        await pilot.press("8")
        app.hand.hold(("b1", "M", "M", "r8", "b2", "y4"))
        assert app.hand.under_cursor == "r8"
        await pilot.press("end")
        app.hand.hold(("b1", "M", "b2", "y4"))
        assert app.hand.under_cursor == "M"
        app.hand.hold(("b1", "b2"))
        assert app.hand.under_cursor == "b2"
        app.hand.hold(())
        assert app.hand.under_cursor is None
        await pilot.press("space", "left", "up", "home", "R")
        assert told(app, GasHand.Tried) == []


async def test_cards_that_just_came_are_marked_until_the_hand_changes_again(shown):
    app, test = shown(hand=("b1", "r7", "M"))
    async with test:
        assert "new" not in "".join(app.lines(app.hand))
        app.hand.hold(("b1", "r7", "M", "b3", "M"))
        line = app.lines(app.hand)[0]
        assert [x for x in range(80) if line[x : x + 3] == "new"] == [6, 24]
        app.hand.hold(("b1", "r7", "M", "b3", "M"), ("b1",))
        assert "".join(app.lines(app.hand)).count("new") == 2
        app.hand.hold(("r7", "M", "b3", "M"))
        assert "new" not in "".join(app.lines(app.hand))
        app.hand.hold(("y1", "y2", "y3"))
        assert "new" not in "".join(app.lines(app.hand))


async def test_cards_keep_their_order_when_one_leaves(shown):
    app, test = shown()
    async with test:
        app.hand.hold([card for card in HELD if card != "yC"])
        assert app.hand.cards == tuple(card for card in LIE if card != "yC")


async def test_a_drawn_card_that_must_be_played_lies_first_with_the_cursor(shown):
    app, test = shown(hand=("b1", "r7", "r10", "p4"), playable=("p4",), phase="must_play")
    async with test as pilot:
        assert app.hand.cards == ("p4", "b1", "r7", "r10")
        await pilot.press("space")
        assert told(app, GasHand.Played) == ["p4"]
        app.hand.hold(("b1", "r7", "r10"))
        assert app.hand.cards == ("b1", "r7", "r10")


async def test_a_click_chooses_and_another_plays(shown):
    app, test = shown(playable=("p4", "M", "S"))
    async with test as pilot:
        edges = lay(len(LIE), 80, 6).at
        for card, times in (("M", 1), ("M", 1), ("b3", 2), ("p4", 1)):
            x, y = edges[LIE.index(card)]
            for _ in range(times):
                await pilot.click(GasHand, offset=(x + 1, y + 1))
        assert told(app, GasHand.Played) == ["M"]
        assert told(app, GasHand.Tried) == ["b3"]
        assert app.hand.under_cursor == "p4"


async def test_where_the_hand_put_the_cursor_one_click_plays_nothing(shown):
    app, test = shown(playable=("p4", "M", "S"))
    async with test as pilot:
        x, y = lay(len(LIE), 80, 6).at[LIE.index("p4")]
        await pilot.click(GasHand, offset=(x + 1, y + 1))
        assert told(app, GasHand.Played) == []
        await pilot.click(GasHand, offset=(x + 1, y + 1))
        assert told(app, GasHand.Played) == ["p4"]


async def test_what_can_be_played_is_lifted(shown):
    app, test = shown(playable=("p4", "S"))
    async with test:
        top = app.lines(app.hand)[0]
        assert top.split() == ["▏4", "▏+5"]
        assert "P◆" in app.lines(app.hand)[1]
        assert "10" in app.lines(app.hand)[1]


async def test_nothing_of_a_flat_card_peeps_out_under_a_lifted_one(shown):
    hand = tuple(DECK[20:40])
    app, test = shown(hand=hand, playable=hand[10:], height=8, size=(80, 24))
    async with test:
        assert app.hand.laid().size.height == 7
        assert set(app.lines(app.hand)[7]) == {" ", "▏", "↑"}


async def test_on_somebody_elses_turn_all_lie_flat_and_bright(shown):
    app, test = shown()
    async with test as pilot:
        await pilot.press("end")
        assert set(app.lines(app.hand)[0]) == {" ", "↓"}
        papers = {segment.style.bgcolor for segment in app.hand.render_line(1)}
        assert len(papers) > 4


async def test_small_cards_have_a_mark_where_they_can_be_played(shown):
    app, test = shown(hand=DECK[:45], playable=("b2", "y2", "r2", "p2"), height=5, size=(80, 24))
    async with test as pilot:
        lines = "\n".join(app.lines(app.hand))
        assert "▶B2■" in lines
        for card in ("»Y2▲", "»R2●", "»P2◆", " R3●", " P10"):
            assert card in lines
        await pilot.press("right")
        assert "»B2■▷B3■" in "\n".join(app.lines(app.hand))


@pytest.mark.parametrize("count", [1, 2, 7, 15, 26, 45, 54])
async def test_every_card_of_a_hand_of_any_size_can_be_read_and_reached(shown, count):
    app, test = shown(hand=DECK[:count], playable=(), size=(48, 24))
    async with test as pilot:
        for height in (1, 3, 5, 8, 10):
            app.hand.styles.height = height
            await pilot.pause()
            app.hand.cursor = 0
            for card in app.hand.cards:
                assert app.hand.under_cursor == card
                lines = app.lines(app.hand)
                assert {cell_len(line) for line in lines} == {48}
                assert any(sign in "".join(lines) for sign in "▷↓")
                app.hand.action_move(1)


async def test_no_room_at_all_breaks_nothing(shown):
    app, test = shown(hand=DECK[:20], playable=())
    async with test as pilot:
        for size in ((1, 1), (200, 60), (3, 24), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert app.hand.under_cursor == "b1"
