"""The screens around the table in terminals of any size: whole at 80x24, unharmed by a resize."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial

import pytest
from textual import events
from textual.widgets import Input

from core.registry import GAMES
from net.room import SeatInfo
from net.settings import TableSettings
from net.updates import Ended
from tui.app import PrrrtApp
from tui.opening import Host, Join

FROM_HOME = ["", "s", "h", "n", "?"]
FROM_LOBBY = ["", "b", "o", "q", "?", "c"]
FULL_TABLE = tuple(SeatInfo(f"Player {n} of seven, a long", level="medium") for n in range(7))


@pytest.fixture
def opened(lan, seated, until):
    """Runs the app with what some keys open, at home or in the lobby of a full table."""

    @asynccontextmanager
    async def at_home(keys):
        app = PrrrtApp()
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, keys)
            yield pilot

    @asynccontextmanager
    async def in_lobby(keys, game="prrrt"):
        options = {option.key: option.default for option in GAMES[game].options}
        table = {"game": game, "options": options, "seats": FULL_TABLE, "players": 7}
        async with seated(Host(TableSettings(pin="042042"), "Camille"), **table) as pilot:
            await press(pilot, keys)
            yield pilot

    async def press(pilot, keys):
        for key in keys:
            below = pilot.app.screen
            await pilot.press(key)
            if key != "c":
                await until(pilot, lambda below=below: pilot.app.screen is not below)
        await pilot.pause()
        await pilot.pause()

    return {"home": at_home, "lobby": in_lobby, "gas": partial(in_lobby, game="low-on-gas")}


WAYS = [
    *(("home", keys) for keys in FROM_HOME),
    *(("lobby", keys) for keys in FROM_LOBBY),
    *(("gas", keys) for keys in ("", "o")),
]


@pytest.mark.parametrize(("place", "keys"), WAYS)
async def test_a_screen_is_seen_whole_or_covered_and_comes_back_as_it_was(
    opened, resized, place, keys
):
    async with opened[place](keys) as pilot:
        if isinstance(pilot.app.screen.focused, Input):
            await pilot.press(*"half a word")
        elif keys != "q":
            await pilot.press("down")
        await resized(pilot, "x", "enter")


async def test_the_rules_are_seen_whole_or_covered(opened, two_chapters, cut_off, covered, until):
    """Text takes long to lay out: at two sizes only."""
    async with opened["home"]("r") as pilot:
        rules = pilot.app.screen
        assert cut_off(rules) == []
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: covered(rules))


PASTED = [
    "x" * 10_000,
    "漢" * 10_000,
    "word " * 2000,
    "first line\nq\ns\n",
    "e" + "\u0301" * 10_000,
]


@pytest.mark.parametrize("text", PASTED, ids=["letters", "wide", "words", "lines", "accents"])
@pytest.mark.parametrize("keys", ["n", "j"])
async def test_whatever_is_pasted_the_reason_for_a_refusal_is_seen(opened, cut_off, keys, text):
    async with opened["home"](keys) as pilot:
        prompt = pilot.app.screen
        pilot.app.post_message(events.Paste(text))
        await pilot.press("enter")
        await pilot.pause()
        if pilot.app.screen is prompt:
            assert str(prompt.query_one(".dialog-wrong").content)
            assert cut_off(prompt) == []


async def test_whatever_is_pasted_at_the_door_its_ways_out_are_seen(lan, tell, until, cut_off):
    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("bad_name", {"name": "x" * 200}))
        app.post_message(events.Paste("x" * 10_000))
        await pilot.press("enter")
        await pilot.pause()
        assert cut_off(app.screen) == []
