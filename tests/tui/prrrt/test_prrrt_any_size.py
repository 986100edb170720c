"""The table's dialogs in terminals of any size: seen whole at 80x24, and unharmed by a resize."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.app import PrrrtApp
from tui.opening import Replay
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import Board, RevelationScreen
from tui.screens.ask import AskScreen
from tui.table.help import MomentHelp

MOMENTS = [
    ("ask", None, 1),
    ("deny", None, 1),
    ("draw", None, 1),
    ("draw", 6, 8),
    ("choose", 4, 1),
    ("choose", 5, 1),
    ("give", 6, 2),
    ("point", None, 1),
]
"""What is asked, for which card, and a seed whose game comes to that."""


@pytest.fixture
def asked(sitting, table_app):
    """Runs the table with a question of ours open."""

    class Asked:
        def __init__(self, kind, card, seed):
            self.app = table_app(sitting(7, seed=seed).play_to(kind, card))

        async def __aenter__(self):
            self.test = self.app.run_test(size=(80, 24))
            pilot = await self.test.__aenter__()
            await self.app.tell(pilot, catching_up=True)
            await self.app.until(pilot, lambda: self.app.screen is not self.app.table_screen)
            return self.app, pilot

        async def __aexit__(self, *exc):
            await self.test.__aexit__(*exc)

    return Asked


@pytest.mark.parametrize(("kind", "card", "seed"), MOMENTS)
async def test_a_dialog_and_its_help_are_seen_whole_or_covered_and_come_back_as_they_were(
    asked, cut_off, resized, kind, card, seed
):
    async with asked(kind, card, seed) as (app, pilot):
        dialog = app.screen
        await pilot.press("?")
        await app.until(pilot, lambda: isinstance(app.screen, MomentHelp))
        await pilot.pause()
        assert cut_off(app.screen) == []
        await pilot.press("escape")
        await app.until(pilot, lambda: app.screen is dialog)
        keys = {"ask": ("w", *"half a word"), "give": ("right", "space"), "point": ("2",)}
        await pilot.press(*keys.get(kind, ("right", "down")))
        await pilot.pause()
        await resized(pilot)


FULL = Path(__file__).parents[2] / "cases" / "prrrt" / "random-prrrt-00001-full.jsonl"


async def test_the_revelation_at_any_size(sitting, table_app, resized):
    app = table_app(sitting(7).play_to("point"))
    app.sitting.step(0)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        app.sitting.play_until(lambda each: each.game.view(0).phase != "point")
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, RevelationScreen))
        await pilot.press("enter")
        await resized(pilot)
        await pilot.resize_terminal(200, 60)
        board = app.screen.query_one(Board)
        await app.until(pilot, lambda: board.region.x == 200 - board.region.right)
        assert app.screen.finished


@pytest.mark.parametrize("players", [3, 7])
async def test_the_result_at_any_size(sitting, table_app, resized, players):
    app = table_app(sitting(players).play_until(lambda each: each.game.over))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        await app.until(pilot, lambda: isinstance(app.screen, ResultScreen))
        await pilot.press("tab")
        await resized(pilot)
    assert app.client.ordered == []
    assert not app.client.left


async def test_the_owners_tools_at_any_size(sitting, table_app, resized):
    app = table_app(sitting(7).play_until(lambda each: not each.game.view(0).offers))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        await pilot.press("o")
        await app.until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("down")
        await resized(pilot)
    assert app.client.ordered == []


async def test_a_replay_at_any_size(home, until, resized):
    app = PrrrtApp(Replay(FULL))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query("Reel"))
        await pilot.press("right", "right")
        await resized(pilot)
        assert app.screen.here == 2
