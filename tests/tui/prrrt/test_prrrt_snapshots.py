"""Pictures of the table at both sizes, few and many players, compared cell by cell."""

from __future__ import annotations

import pytest

from tui.screens.ask import AskScreen

SIZES = [(80, 24), (120, 40)]
MOMENTS = {
    "ask": lambda game: game.play_to("ask", lap=2),
    "answer": lambda game: game.play_to("deny", lap=2),
    "draw": lambda game: game.play_to("draw"),
    "choose": lambda game: game.play_to("choose", card=5),
    "point": lambda game: game.play_to("point"),
    "wait": lambda game: game.play_until(
        lambda each: each.game.view(0).table.lap == 3 and not each.game.view(0).offers
    ),
    "over": lambda game: game.play_until(lambda each: each.game.over),
}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
@pytest.mark.parametrize("players", [3, 7])
@pytest.mark.parametrize("moment", MOMENTS)
def test_table(snap_compare, sitting, table_app, moment, players, size):
    app = table_app(MOMENTS[moment](sitting(players, seed=1)))

    async def look(pilot):
        await app.tell(pilot, catching_up=True)

    assert snap_compare(app, terminal_size=size, run_before=look)


def test_the_owners_tools(snap_compare, sitting, table_app):
    app = table_app(MOMENTS["wait"](sitting(7, seed=1)))

    async def look(pilot):
        await app.tell(pilot, catching_up=True)
        await pilot.press("o")
        await app.until(pilot, lambda: isinstance(app.screen, AskScreen))

    assert snap_compare(app, terminal_size=(80, 24), run_before=look)
