"""Pictures of the screens around the table at both sizes, compared cell by cell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.registry import GAMES
from net.refused import Refused
from net.room import ChatLine
from net.settings import TableSettings
from net.updates import Line, Words
from tui.app import PrrrtApp
from tui.finding import Found
from tui.opening import Host, Join, Target

CELLAR = Found("a", "Cellar table", "prrrt", (("192.0.2.7", 3278),), 6, 3, "open")
TABLES = (
    CELLAR,
    replace(CELLAR, table="b", title="Kitchen after midnight, where the beans are", state="pin"),
    replace(CELLAR, table="c", title="Attic", game="low-on-gas", taken=6, state="playing"),
    replace(CELLAR, table="e", title="Camille's table", game="low-on-gas", own=True, state="full"),
    replace(CELLAR, table="d", title="Garage", state="gone"),
)
both_sizes = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])


@both_sizes
def test_home(snap_compare, lan, until, size):
    app = PrrrtApp()

    async def look(pilot):
        await until(pilot, lambda: app.screen.query("#tables"))
        lan.announce(*TABLES)
        await until(pilot, lambda: app.screen.query_one("#tables").has_focus)
        await until(pilot, lambda: "Camille" in str(app.screen.query_one("#home-you").content))

    assert snap_compare(app, terminal_size=size, run_before=look)


@both_sizes
@pytest.mark.parametrize("keys", ["h", "s", "j", "question_mark"])
def test_what_home_opens(snap_compare, lan, until, keys, size, monkeypatch):
    monkeypatch.setattr("tui.screens.setup.any_pin", lambda: "042042")
    app = PrrrtApp()

    async def look(pilot):
        await pilot.press(keys)
        await until(pilot, lambda: len(app.screen_stack) == 2)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=look)


@both_sizes
@pytest.mark.parametrize("key", ["h", "s"])
def test_setting_up_the_other_game(snap_compare, lan, until, key, size):
    app = PrrrtApp()

    async def look(pilot):
        await pilot.press(key)
        await until(pilot, lambda: app.screen.query("#game"))
        await pilot.press("right")
        await until(pilot, lambda: app.screen.query("#option-wins"))
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=look)


@both_sizes
@pytest.mark.parametrize("keys", ["", "o"])
def test_lobby_of_the_other_game(snap_compare, lan, room, tell, until, keys, size):
    app = PrrrtApp(Host(TableSettings(pin="042042"), "Camille"))
    options = {option.key: option.default for option in GAMES["low-on-gas"].options}

    async def look(pilot):
        await until(pilot, lambda: lan.openings)
        words = Words(("apple", "bridge", "cactus", "dolphin", "engine"))
        await tell(
            pilot, words, room(pin="042042", game="low-on-gas", options={**options, "wins": 3})
        )
        await pilot.press(*keys)
        await until(pilot, lambda: len(app.screen_stack) == 2 + len(keys))
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=look)


@both_sizes
@pytest.mark.parametrize("moment", ["plain", "lost", "options", "bot", "leaving"])
def test_lobby(snap_compare, lan, room, tell, until, moment, size):
    app = PrrrtApp(Host(TableSettings(pin="042042"), "Camille"))
    chat = (ChatLine(1, "Bruno", 1, "Who brought the beans?"), ChatLine(2, "Zoe", None, "Not me"))

    async def look(pilot):
        await until(pilot, lambda: lan.openings)
        await tell(
            pilot,
            Words(("apple", "bridge", "cactus", "dolphin", "engine")),
            room(pin="042042", chat=chat, spectators=1),
        )
        if moment == "lost":
            await tell(pilot, Line(up=False))
        elif moment != "plain":
            await pilot.press({"options": "o", "bot": "b", "leaving": "q"}[moment])
            await until(pilot, lambda: len(app.screen_stack) == 3)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=look)


def test_the_door_that_stays_shut(snap_compare, lan, until):
    lan.refuse = Refused("no_connection", host="192.0.2.7", port=3278, why="refused")
    app = PrrrtApp(Join(Target("192.0.2.7")))

    async def look(pilot):
        await until(pilot, lambda: app.screen.query("#joining-ways OptionList, #joining-ways"))
        await until(pilot, lambda: app.screen.query_one("#joining-ways").has_focus)

    assert snap_compare(app, terminal_size=(80, 24), run_before=look)


def test_a_window_that_is_too_small(snap_compare, lan):
    assert snap_compare(PrrrtApp(), terminal_size=(60, 20))
