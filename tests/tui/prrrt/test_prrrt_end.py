"""The end of a game, as each of its players, a spectator and a replay sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Button

from tui.app import PrrrtApp
from tui.opening import Replay
from tui.prrrt.result import ResultScreen, ranking
from tui.prrrt.sight import PrrrtSight

FULL = Path(__file__).parents[2] / "cases" / "prrrt" / "random-prrrt-00001-full.jsonl"


@pytest.mark.parametrize("you", [0, 1, 2, None])
def test_everybody_reads_who_won(sitting, you):
    game = sitting(3, seed=2, you=you)
    while not game.game.over:
        game.step()
    sight = PrrrtSight.of(game.seen())
    result = ResultScreen(sight)
    winners = [seat for place, seat in ranking(sight.view.result.points) if place == 1]
    line = result.winner_line()
    if winners == [you]:
        assert line.startswith("You win ")
    else:
        assert all(sight.name(seat) in line for seat in winners)
    assert ("of 3" in result.you_line()) == (
        you is not None and you not in (*winners, *sight.view.result.masters)
    )


async def test_nobody_is_asked_to_leave_a_saved_game(until):
    app = PrrrtApp(Replay(FULL))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query("Reel"))
        await pilot.press("end")
        await until(pilot, lambda: isinstance(app.screen, ResultScreen))
        assert [button.id for button in app.screen.query(Button)] == ["look"]
        assert str(app.screen.query_one("#wait").render()) == ""
        await pilot.press("q", "escape")
        await until(pilot, lambda: app.screen.query("Reel"))
