"""Table and hand can be read with many colours, with sixteen, and with none."""

from __future__ import annotations

import pytest
from textual.app import App

from core.low_on_gas.cards import DECK
from core.low_on_gas.view import GasOffer
from tui.low_on_gas.table import draw

OWING = {"phase": "owe", "owed": 7, "sum": (1, 1, 5), "top": "S", "colour": "purple", "turn": 0}
MOMENTS = [
    {**OWING, "held": {1: 1, 2: 1, 3: 1, 5: 23}, "called": (1,), "windows": (2,), "to_win": 3},
    {**OWING, "may": (GasOffer("pick_up"), GasOffer("play", cards=("M",)))},
    {"owed": 12, "sum": (5, 5, 2), "top": "bB", "colour": "blue", "draw_pile": 0},
    {"top": "M", "colour": None, "turn": 0, "may": (GasOffer("play", cards=DECK[::3]),)},
    {"top": "yC", "colour": "yellow", "turn": 0, "may": (GasOffer("draw"),)},
    {"phase": "must_play", "turn": 0, "hand": DECK[:9], "may": (GasOffer("play", cards=("b9",)),)},
    {"turn": None, "winner": 2, "phase": "deal", "colour": None, "to_win": 2},
    {"you": None, "hand": ()},
]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("size", "height"), [((80, 24), 6), ((120, 40), 10)])
async def test_a_table_with_a_full_hand(gas_sight, laid, hard_to_read, moment, size, height):
    sight = gas_sight(**{"hand": DECK[::3], **moment})
    app: App[None] = laid(sight, height)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert hard_to_read(app.screen) == set()


@pytest.mark.parametrize("playable", [None, (), DECK])
@pytest.mark.parametrize("height", [4, 6, 16])
async def test_every_card_of_the_deck_in_a_hand(gas_sight, laid, hard_to_read, playable, height):
    may = () if playable is None else (GasOffer("play", cards=playable),)
    app = laid(gas_sight(hand=DECK, may=may, turn=0), height)
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        assert hard_to_read(app.screen) == set()


async def test_what_can_be_played_is_told_without_colour(gas_sight, laid):
    hand = ("b1", "r7", "p4", "M")
    app = laid(gas_sight(hand=hand))
    texts = set()
    async with app.run_test(size=(80, 24)) as pilot:
        app.hand.blur()
        for height in (2, 6, 9):
            app.hand.styles.height = height
            await pilot.pause()
            for playable in ((), ("b1",), ("M",), ("b1", "M"), hand):
                app.hand.hold(hand, playable)
                texts.add("\n".join(app.lines(app.hand)))
    assert len(texts) == 15


def test_what_everybody_has_to_know_is_told_without_colour(gas_sight):
    facts = [
        {},
        {"turn": 2},
        {"called": (1,), "held": {1: 1}},
        {"windows": (1,), "held": {1: 1}},
        {"held": {1: 1}},
        {"colour": "blue"},
        {"colour": None},
        {"top": "p7"},
        {"top": "M"},
        {"owed": 2, "phase": "owe", "sum": (2,)},
        {"owed": 2, "phase": "owe", "sum": (1, 1)},
        {"owed": 2, "phase": "play", "sum": (2,)},
        {"draw_pile": 0},
        {"turn": None, "winner": 1},
    ]
    texts = {"\n".join(draw(gas_sight(**each), 80, 13).text()) for each in facts}
    assert len(texts) == len(facts)
