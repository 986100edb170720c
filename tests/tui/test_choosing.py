"""The game is chosen in the set-up screen: all that depends on it follows, the rest stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.widgets import Input, Static

from core.registry import GAMES
from net.orders import SetOption
from net.saves import table_folder
from net.updates import Answered
from tui import preferences
from tui.app import PrrrtApp
from tui.finding import _sorted
from tui.opening import Host, Solo
from tui.screens.lobby import LobbyOptions
from tui.screens.setup import SetupScreen
from tui.widgets.choice import Choice
from tui.widgets.game_choice import GameChoice

GAS_OPTIONS = {
    "pass_it_on": False,
    "discard_stands": False,
    "start_card": "as_is",
    "dealer": "random",
    "wins": 1,
}


def explained(app: PrrrtApp) -> str:
    return str(app.screen.query_one("#explained", Static).content)


def options(app: PrrrtApp) -> list[str]:
    ids = [choice.id or "" for choice in app.screen.query(Choice)]
    return [name.removeprefix("option-") for name in ids if name.startswith("option-")]


def setting(app: PrrrtApp, name: str) -> Choice:
    return app.screen.query_one(f"#{name}", Choice)


@pytest.fixture
def set_up(lan, until) -> Callable[..., Any]:
    """Open a set-up screen from home; `then` does something there."""

    async def run(key: str, then: Callable[..., Any]) -> PrrrtApp:
        app = PrrrtApp()
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, SetupScreen))
            await until(pilot, lambda: isinstance(app.focused, GameChoice))
            await then(app, pilot)
        return app

    return run


@pytest.mark.parametrize("key", ["s", "h"])
async def test_both_games_are_in_sight_and_explained_at_once(set_up, key) -> None:
    async def look(app, pilot) -> None:
        shown = app.focused.render().plain
        said = explained(app)
        for rules in GAMES.values():
            assert rules.title in shown
            fewest, most = rules.seats.start, rules.seats.stop - 1
            assert f"{rules.title} ({fewest} to {most} players)" in said
        assert shown.index("●") < shown.index("PRRRT...") < shown.index("○")

    await set_up(key, look)


async def test_another_game_brings_its_options_and_its_numbers_of_players(set_up, lan, until):
    async def play(app, pilot) -> None:
        await pilot.press("right")
        await until(pilot, lambda: options(app) == list(GAS_OPTIONS))
        assert [pick.value for pick in setting(app, "players").picks] == [2, 3, 4, 5, 6, 7]
        assert isinstance(app.focused, GameChoice)
        setting(app, "players").focus()
        await pilot.pause()
        assert "seven leave" in explained(app)
        await pilot.press("left", "left")
        assert [pick.label for pick in setting(app, "option-wins").picks] == list("123456789")
        await until(pilot, lambda: len(setting(app, "option-dealer").picks) == 3)
        setting(app, "option-wins").focus()
        await pilot.press("right", "right", "up", "right", "ctrl+s")
        await until(pilot, lambda: lan.openings)

    await set_up("s", play)
    (solo,) = lan.openings
    assert isinstance(solo, Solo)
    assert (solo.settings.game, solo.settings.players, solo.settings.bots) == ("low-on-gas", 2, 1)
    assert solo.settings.options == {**GAS_OPTIONS, "wins": 3, "dealer": 0}


async def test_what_has_nothing_to_do_with_the_game_stays_when_it_changes(set_up, lan, until):
    async def play(app, pilot) -> None:
        pin = setting(app, "pin")
        app.screen.query_one("#title", Input).value = "Attic"
        pin.index = 1
        setting(app, "bots").choose(2)
        setting(app, "option-smell_deck").choose("deodorant")
        setting(app, "game").focus()
        await pilot.press("right")
        await until(pilot, lambda: options(app) == list(GAS_OPTIONS))
        assert setting(app, "pin") is pin
        await pilot.press("right")
        await until(pilot, lambda: "smell_deck" in options(app))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: lan.openings)

    await set_up("h", play)
    (host,) = lan.openings
    assert isinstance(host, Host)
    assert (host.settings.game, host.settings.title, host.settings.bots) == ("prrrt", "Attic", 2)
    assert len(host.settings.pin or "") == 6
    assert host.settings.options["smell_deck"] == "deodorant"


async def test_a_number_of_players_that_a_game_lacks_becomes_the_nearest(set_up, until):
    async def play(app, pilot) -> None:
        await pilot.press("right")
        await until(pilot, lambda: options(app) == list(GAS_OPTIONS))
        setting(app, "players").choose(2)
        await pilot.press("right")
        await until(pilot, lambda: "smell_deck" in options(app))
        assert setting(app, "players").value == 3
        assert len(setting(app, "option-first_player").picks) == 4
        assert len(setting(app, "bots").picks) == 3

    await set_up("h", play)


async def test_the_game_can_be_clicked(set_up, until):
    async def play(app, pilot) -> None:
        shown = app.focused.render().plain
        for name, at in (("low-on-gas", "Low"), ("low-on-gas", "Gas"), ("prrrt", "PRRRT")):
            await pilot.click("#game", offset=(shown.index(at) + 1, 0))
            await until(pilot, lambda name=name: app.screen._game == name)

    await set_up("h", play)


async def test_the_game_of_the_last_time_is_the_first_choice(set_up, lan, until):
    async def play(app, pilot) -> None:
        await pilot.press("right")
        await until(pilot, lambda: options(app) == list(GAS_OPTIONS))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: lan.openings)

    async def look(app, pilot) -> None:
        assert setting(app, "game").value == "low-on-gas"
        assert options(app) == list(GAS_OPTIONS)

    await set_up("s", play)
    assert preferences.load().game == "low-on-gas"
    await set_up("h", look)


def test_a_game_that_is_gone_is_not_the_first_choice(home) -> None:
    preferences.remember_game("chess")
    assert preferences.my_game() == "prrrt"
    preferences.remember_name("Ada")
    assert preferences.load().game == "chess"


async def test_every_kind_of_option_is_set_in_the_lobby(seated, room, lan, tell, until) -> None:
    gas = {"game": "low-on-gas", "options": GAS_OPTIONS}
    async with seated(**gas) as pilot:
        app = pilot.app
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, LobbyOptions))
        assert [pick.value for pick in setting(app, "players").picks] == [2, 3, 4, 5, 6, 7]
        for name, keys in (("wins", "right"), ("dealer", "left"), ("pass_it_on", "space")):
            setting(app, f"option-{name}").focus()
            await pilot.press(keys)
        assert lan.client.orders == [
            SetOption("wins", 2),
            SetOption("dealer", 4),
            SetOption("pass_it_on", True),
        ]
        changed = room(game="low-on-gas", options={**GAS_OPTIONS, "dealer": 2}, players=3)
        await tell(pilot, changed, *(Answered(f"order-{n}") for n in (1, 2, 3)))
        dealer = setting(app, "option-dealer")
        assert (dealer.value, [pick.value for pick in dealer.picks]) == (2, ["random", 0, 1, 2])
        assert len(lan.client.orders) == 3


async def test_a_setting_changed_twice_goes_out_twice_and_does_not_jump_back(
    seated, room, lan, tell, until
) -> None:
    async with seated(game="low-on-gas", options=GAS_OPTIONS) as pilot:
        app = pilot.app
        await pilot.press("o")
        await until(pilot, lambda: isinstance(app.screen, LobbyOptions))
        wins = setting(app, "option-wins")
        wins.action_step(1)
        wins.action_step(1)
        await until(pilot, lambda: len(lan.client.orders) == 2)
        assert lan.client.orders == [SetOption("wins", 2), SetOption("wins", 3)]
        two = room(game="low-on-gas", options={**GAS_OPTIONS, "wins": 2})
        await tell(pilot, two, Answered("order-1"))
        assert wins.value == 3
        await tell(pilot, Answered("order-2", "not_owner"))
        assert wins.value == 2


def test_a_table_kept_on_this_account_is_ones_own(home) -> None:
    from net.announcement import FoundTable

    table_folder("mine")
    seen = [
        FoundTable(table, "T", "prrrt", "h", (), 4, 1, "lobby", False, True, 1)
        for table in ("mine", "theirs", "../tables/mine")
    ]
    assert [one.own for one in _sorted(seen)] == [True, False, False]
