"""The home screen: tables appear by themselves, and everything begins with a key or a click."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from net.refused import Refused
from net.settings import TableSettings
from tui.app import PrrrtApp
from tui.commands import Command, Commanded
from tui.finding import Found
from tui.opening import Host, Join, Solo, Target
from tui.preferences import load
from tui.screens.ask import AskScreen
from tui.screens.help import HelpScreen
from tui.screens.home import HomeScreen, table_line
from tui.screens.joining import JoiningScreen
from tui.screens.lobby import LobbyScreen
from tui.screens.rules import RulesScreen
from tui.session import GoHome, SitDown

CELLAR = Found("cellar", "Cellar table", "prrrt", (("192.0.2.7", 3278),), 5, 3, "open")


def shown(app: PrrrtApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).content)


async def test_a_table_appears_by_itself_and_enter_sits_down(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tables = app.screen.query_one("#tables", OptionList)
        assert not tables.display
        lan.announce(CELLAR)
        await until(pilot, lambda: tables.option_count == 1 and tables.has_focus)
        await pilot.press("enter")
        await until(pilot, lambda: lan.openings)
    opening = lan.openings[0]
    assert isinstance(opening, Join)
    assert opening.target.table == "cellar"
    assert opening.target.addresses == CELLAR.addresses
    assert opening.name == "Camille"
    assert not opening.watch


async def test_the_cursor_stays_on_its_table_when_others_come_and_go(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        tables = app.screen.query_one("#tables", OptionList)
        lan.announce(CELLAR, replace(CELLAR, table="attic", title="Attic"))
        await until(pilot, lambda: tables.option_count == 2 and tables.has_focus)
        await pilot.press("down")
        lan.announce(replace(CELLAR, table="roof"), CELLAR, replace(CELLAR, table="attic"))
        await until(pilot, lambda: tables.option_count == 3)
        assert tables.highlighted_option is not None
        assert tables.highlighted_option.id == "attic"
        lan.announce()
        await until(pilot, lambda: not tables.display)


@pytest.mark.parametrize(
    ("state", "why"),
    [("playing", "has begun"), ("full", "Every chair at"), ("over", "is over")],
)
async def test_a_table_without_a_chair_can_be_watched(lan, until, state, why) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        lan.announce(replace(CELLAR, state=state))
        await until(pilot, lambda: app.screen.query_one("#tables").has_focus)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        assert any(why in str(each.render()) for each in app.screen.query(Static))
        await pilot.press("w")
        await until(pilot, lambda: lan.openings)
    assert isinstance(lan.openings[0], Join)
    assert lan.openings[0].watch


async def test_a_table_in_the_list_can_be_watched_with_the_mouse_alone(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        lan.announce(CELLAR, replace(CELLAR, table="attic", title="Attic"))
        await until(pilot, lambda: app.screen.query_one("#tables", OptionList).option_count == 2)
        await pilot.click("#menu", offset=(4, 3))
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.click(OptionList, offset=(6, 2))
        await until(pilot, lambda: lan.openings)
    assert isinstance(lan.openings[0], Join)
    assert lan.openings[0].watch
    assert lan.openings[0].target.table == "attic"


@pytest.mark.parametrize("state", ["gone", "version"])
async def test_a_table_that_cannot_be_joined_says_why(lan, until, state) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        lan.announce(replace(CELLAR, state=state))
        await until(pilot, lambda: app.screen.query_one("#tables").has_focus)
        await pilot.press("enter")
        await until(pilot, lambda: list(app._notifications))
        assert isinstance(app.screen, HomeScreen)
    assert not lan.openings


@pytest.mark.parametrize("state", ["open", "pin", "full", "playing", "over", "version", "gone"])
@pytest.mark.parametrize("title", ["Attic", "x" * 70, "[b]not bold[/b] \x1b[2Jgone\u202e"])
def test_a_table_fits_its_lines_and_its_title_is_plain(state, title) -> None:
    line = table_line(replace(CELLAR, state=state, title=title), 46)
    assert all(cell_len(row) <= 46 for row in line.plain.splitlines())
    assert "\x1b" not in line.plain
    assert "\u202e" not in line.plain
    assert "[b]" in line.plain or "[b]" not in title


@pytest.mark.parametrize(
    ("game", "own", "shown"),
    [
        ("prrrt", False, "PRRRT..."),
        ("low-on-gas", True, "Low on Gas · yours"),
        ("from\x1b[2Jthe\u202efuture", False, "from[2Jthefuture"),
        ("x" * 99, False, "x" * 42 + "…"),
    ],
)
def test_a_table_says_what_is_played_there_and_whether_it_is_ones_own(game, own, shown) -> None:
    line = table_line(replace(CELLAR, game=game, own=own), 46)
    assert line.plain.splitlines()[1].strip() == shown


async def test_solo_and_host_are_set_up_and_begin(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        await until(pilot, lambda: app.screen.query("#players"))
        await pilot.press("down", "right", "down", "right", "ctrl+s")
        await until(pilot, lambda: lan.openings)
    solo = lan.openings[0]
    assert isinstance(solo, Solo)
    assert (solo.settings.players, solo.settings.bots, solo.settings.level) == (5, 4, "hard")

    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h")
        await until(pilot, lambda: app.screen.query("#title"))
        app.screen.query_one("#title", Input).value = "Attic"
        app.screen.query_one("#option-smell_deck").focus()
        await pilot.press("space")
        await pilot.click("#begin")
        await until(pilot, lambda: len(lan.openings) == 2)
    host = lan.openings[1]
    assert isinstance(host, Host)
    assert host.settings.title == "Attic"
    assert host.settings.options["smell_deck"] == "deodorant"


async def test_fewer_players_leave_fewer_bots_and_seats_to_choose(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h")
        await until(pilot, lambda: app.screen.query("#bots"))
        bots, first = app.screen.query_one("#bots"), app.screen.query_one("#option-first_player")
        bots.choose(3)
        first.choose(3)
        app.screen.query_one("#players").focus()
        await pilot.press("left")
        await until(pilot, lambda: bots.value == 2 and first.value == 2)


@pytest.mark.parametrize(
    ("typed", "good"), [("192.0.2.9", True), ("[fd00::2]:40000", True), ("no address!", False)]
)
async def test_joining_by_address_refuses_what_is_none(lan, until, typed, good) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        await until(pilot, lambda: app.screen.query(Input))
        app.screen.query_one(Input).value = typed
        await pilot.press("enter")
        if good:
            await until(pilot, lambda: lan.openings)
            assert lan.openings[0].target.where == typed
        else:
            await until(pilot, lambda: typed in shown(app, ".dialog-wrong"))
            assert not lan.openings


async def test_the_name_is_checked_shown_and_remembered(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Camille" in shown(app, "#home-you"))
        await pilot.press("n")
        await until(pilot, lambda: app.screen.query(Input))
        app.screen.query_one(Input).value = "x" * 25
        await pilot.press("enter")
        await until(pilot, lambda: "24" in shown(app, ".dialog-wrong"))
        app.screen.query_one(Input).value = "Zoë [b]"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert "Zoë [b]" in shown(app, "#home-you")
    assert load().name == "Zoë [b]"


async def test_the_name_one_came_with_is_ones_name_afterwards(lan, until) -> None:
    lan.refuse = Refused("started")
    app = PrrrtApp(Join(name="Odile"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, JoiningScreen))
        await until(pilot, lambda: not app.screen.query_one("#joining-ways").has_class("hidden"))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await until(pilot, lambda: "Odile" in shown(app, "#home-you"))
    assert load().name == "Odile"


async def test_rules_and_help_open_and_close(lan, two_chapters, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        reader = app.screen.query_one("#rules")
        await until(pilot, lambda: reader.max_scroll_y > 10)
        await pilot.press("n")
        await until(pilot, lambda: reader.scroll_y > 0)
        await pilot.press("p")
        await until(pilot, lambda: reader.scroll_y == 0)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_refused_table_can_be_tried_again_or_left(lan, until) -> None:
    lan.refuse = Refused("no_connection", host="192.0.2.7", port=3278, why="refused")
    app = PrrrtApp(Join())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "192.0.2.7:3278" in shown(app, "#joining-text"))
        await pilot.press("a")
        await until(pilot, lambda: len(lan.openings) == 2)
        await until(pilot, lambda: "firewall" in shown(app, "#joining-text"))
        assert isinstance(app.screen, JoiningScreen)
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_too_small_says_so_lets_no_key_through_and_recovers(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(60, 20)) as pilot:
        cover = app.screen.query_one("TooSmall")
        await until(pilot, lambda: cover.display)
        assert "80x24" in str(cover.render())
        assert "60x20" in str(cover.render())
        await pilot.press("s")
        assert isinstance(app.screen, HomeScreen)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: not cover.display)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_a_key_that_comes_before_a_screen_has_its_widgets_acts_on_nothing(lan) -> None:
    acted = []

    class Dialog(Commanded, ModalScreen[None]):
        KEYS = (Command("prompt.done", "k"),)

        def compose(self) -> ComposeResult:
            yield OptionList("one")

        def action_done(self) -> None:
            acted.append(self.query_one(OptionList))

    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        key = events.Key("k", "k")
        key._set_forwarded()  # typed on the screen below, which had no use for it
        there = app.push_screen(Dialog())
        await app.on_event(key)
        assert not acted
        await there
        await pilot.press("k")
        assert acted


@pytest.mark.parametrize(("keys", "status"), [("q", 0), ("ctrl+q", 0), ("ctrl+c", 130)])
async def test_leaving_from_home_needs_no_question(lan, keys, status) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(keys)
    assert app.return_code == status


async def test_ctrl_c_leaves_from_a_field_too(lan, until) -> None:
    lan.refuse = Refused("pin_needed")
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press("4", "ctrl+c")
        await until(pilot, lambda: app.return_code == 130)


async def test_a_table_that_is_found_while_the_screen_goes_is_no_mishap(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        home = app.screen
        await until(pilot, lambda: lan.looking)
        await home.remove_children()
        lan.announce(CELLAR)
        await until(pilot, lambda: home._tables)


async def test_a_screen_with_a_field_is_as_quiet_as_any_other(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        await until(pilot, lambda: isinstance(app.focused, Input))
        assert isinstance(app.focused, Input)
        assert not app.focused.cursor_blink


async def test_nobody_looks_for_tables_while_they_sit_at_one(lan, tell, room, until) -> None:
    """Looking opens a port, and whoever plays with bots opens none."""
    alone = Solo(TableSettings(), name="Camille")
    app = PrrrtApp(alone)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, room())
        assert isinstance(app.screen, LobbyScreen)
        assert lan.looked == 0
        app.screen.post_message(GoHome())
        await until(pilot, lambda: lan.looking == 1)
        assert isinstance(app.screen, HomeScreen)
        app.post_message(SitDown(alone))
        await until(pilot, lambda: lan.looking == 0)
        await tell(pilot, room())
        assert isinstance(app.screen, LobbyScreen)
        assert (lan.looking, lan.looked) == (0, 1)
