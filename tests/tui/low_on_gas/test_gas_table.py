"""The table as a widget: clicks, and windows of any size."""

from __future__ import annotations

import pytest

from tui.low_on_gas.layout import on_felt, places
from tui.low_on_gas.table import GasTable

SIZES = ((60, 20), (1, 1), (130, 40), (300, 10), (10, 60), (200, 60), (80, 24))


@pytest.fixture
def clicked(laid):
    """Clicks on a block of a table, and returns what was said."""

    async def click(sight, find):
        app = laid(sight)
        async with app.run_test(size=(80, 24)) as pilot:
            rect = find(places(sight.players, *app.table.size))
            app.said.clear()
            await pilot.click(GasTable, offset=(rect.x + rect.width // 2, rect.y))
            return [type(each) for each in app.said]

    return click


@pytest.mark.parametrize("moment", [{}, {"draw_pile": 0}, {"phase": "owe", "owed": 3}])
async def test_a_click_on_the_draw_pile_draws(gas_sight, clicked, moment):
    said = await clicked(gas_sight(**moment), lambda laid: on_felt(laid.felt).pile)
    assert said == [GasTable.DrawClicked]


async def test_a_click_on_what_is_owed_draws_while_it_is_owed(gas_sight, clicked):
    owing = gas_sight(phase="owe", owed=3, sum=(1, 2))
    assert await clicked(owing, lambda laid: on_felt(laid.felt).panel) == [GasTable.DrawClicked]
    drawn = gas_sight(phase="play", owed=3, sum=(1, 2))
    assert await clicked(drawn, lambda laid: on_felt(laid.felt).panel) == []


async def test_a_click_anywhere_else_does_nothing(gas_sight, clicked):
    owing = gas_sight(phase="owe", owed=3)
    assert await clicked(owing, lambda laid: on_felt(laid.felt).top) == []
    assert await clicked(owing, lambda laid: laid.felt) == []
    assert await clicked(owing, lambda laid: laid.seats[3]) == []


@pytest.mark.parametrize("players", [2, 7])
async def test_a_window_of_any_size_is_drawn_anew(gas_sight, laid, players):
    app = laid(gas_sight(players, phase="owe", owed=7, sum=(5, 2), to_win=2))
    async with app.run_test(size=(80, 24)) as pilot:
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            if width >= 80 and height >= 20:
                assert "Ada owes" in "".join(app.lines(app.table))
