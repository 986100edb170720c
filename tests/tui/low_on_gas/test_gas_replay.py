"""A saved match of Low on Gas, looked at again in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Button

from tui.app import PrrrtApp
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.so_far import MatchSoFar
from tui.opening import Replay
from tui.table.log import GameLog

FULL = Path(__file__).parents[2] / "cases" / "low-on-gas" / "random-low-on-gas-00017-full.jsonl"


@pytest.fixture
def film(home, until):
    """Look at the saved match."""

    async def look(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: pilot.app.screen.query("Reel"))

    return look


async def test_its_keys_have_the_words_of_the_game(film, until):
    app = PrrrtApp(Replay(FULL))
    async with app.run_test(size=(80, 24)) as pilot:
        await film(pilot)
        labels = {command.label for command in app.screen.KEYS}
        assert {"Game", "Game before", "Step", "Standings"} <= labels
        assert not {"Round", "Verdict"} & labels
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, MatchSoFar))
        await pilot.press("escape", "right")
        await until(pilot, lambda: app.screen.here == 1)


async def test_a_step_back_tells_the_story_as_far_as_it_went(film, until):
    app = PrrrtApp(Replay(FULL))
    async with app.run_test(size=(80, 24)) as pilot:
        await film(pilot)
        log = app.screen.query_one(GameLog)
        await pilot.press(*["right"] * 6)
        await until(pilot, lambda: app.screen.here == 6)
        await until(pilot, lambda: len(log.told) > 4)
        after_six = log.told
        await pilot.press("right", "left")
        await until(pilot, lambda: app.screen.here == 6 and log.told == after_six)


async def test_it_goes_by_games_and_ends_with_the_match(film, until):
    app = PrrrtApp(Replay(FULL))
    async with app.run_test(size=(80, 24)) as pilot:
        await film(pilot)
        screen, log = app.screen, app.screen.query_one(GameLog)
        await pilot.press("down")
        await until(pilot, lambda: screen.here == screen.film.rounds[0])
        await until(pilot, lambda: any("wins game 1" in line.text for line in log.told))
        await pilot.press("end")
        await until(pilot, lambda: isinstance(app.screen, MatchResult))
        assert [button.id for button in app.screen.query(Button)] == ["look"]
        assert any("the match!" in line.text for line in log.told)
