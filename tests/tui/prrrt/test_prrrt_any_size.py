"""The table's dialogs in terminals of any size: seen whole at 80x24, and unharmed by a resize."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from tui.app import PrrrtApp
from tui.opening import Replay
from tui.prrrt.hand import Hand
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

SIZES = ((60, 20), (1, 1), (130, 40), (300, 10), (200, 60), (80, 24))


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


def state(screen) -> tuple[object, ...]:
    """Return what a person has done in a dialog so far."""
    return (
        screen.focused,
        [each.value for each in screen.query(Input)],
        [each.highlighted for each in screen.query(OptionList)],
        [(each.cursor, each.picked) for each in screen.query(Hand)],
    )


@pytest.mark.parametrize(("kind", "card", "seed"), MOMENTS)
async def test_a_dialog_and_its_help_can_be_seen_whole(asked, cut_off, kind, card, seed):
    async with asked(kind, card, seed) as (app, pilot):
        assert cut_off(app.screen) == []
        await pilot.press("?")
        await app.until(pilot, lambda: isinstance(app.screen, MomentHelp))
        await pilot.pause()
        assert cut_off(app.screen) == []


@pytest.mark.parametrize(("kind", "card", "seed"), MOMENTS)
async def test_a_dialog_is_covered_while_too_small_and_comes_back_as_it_was(
    asked, covered, kind, card, seed
):
    async with asked(kind, card, seed) as (app, pilot):
        dialog = app.screen
        keys = {"ask": ("w", *"half a word"), "give": ("right", "space"), "point": ("2",)}
        await pilot.press(*keys.get(kind, ("right", "down")))
        await pilot.pause()
        before = state(dialog)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            small = size[0] < 80 or size[1] < 24
            await app.until(pilot, lambda small=small: covered(dialog) == small)
            assert app.screen is dialog
            assert state(dialog) == before, size


FULL = Path(__file__).parents[2] / "cases" / "prrrt" / "random-prrrt-00001-full.jsonl"


@pytest.fixture
def resized(covered, cut_off, until):
    """Drags the corner of the window about, and looks at the screen at each size."""

    async def drag(pilot):
        screen = pilot.app.screen
        before = state(screen)
        assert cut_off(screen) == []
        for size in SIZES:
            await pilot.resize_terminal(*size)
            small = size[0] < 80 or size[1] < 24
            await until(pilot, lambda small=small: covered(screen) == small)
            if not small:
                await until(pilot, lambda: cut_off(screen) == [])
            assert pilot.app.screen is screen
            assert state(screen) == before, size

    return drag


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
