"""The lobby and the door: orders go out, refusals come back in words, phases change the screen."""

from __future__ import annotations

import asyncio

import pytest
from rich.cells import cell_len
from textual import events
from textual.widgets import Input, OptionList, Static
from textual.widgets._footer import FooterKey

from net.orders import (
    AddBot,
    EndTable,
    MoveSeat,
    OpenDoor,
    RemoveSeat,
    SetOption,
    SetPin,
    SetPlayers,
    Start,
)
from net.room import ChatLine, Notice, SeatInfo
from net.settings import TableSettings
from net.updates import Answered, Ended, Line, Words
from tui.app import PrrrtApp
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.screen import GasScreen
from tui.opening import Host, Join, Target
from tui.prrrt.result import ResultScreen
from tui.prrrt.screen import PrrrtScreen
from tui.screens.ask import AskScreen
from tui.screens.help import HelpScreen
from tui.screens.home import HomeScreen
from tui.screens.joining import JoiningScreen
from tui.screens.leaving import answers
from tui.screens.lobby import LobbyOptions, LobbyScreen
from tui.session import SitDown
from tui.words import say


def text(pilot, selector: str) -> str:
    return str(pilot.app.screen.query_one(selector, Static).content)


def rows(pilot) -> list[str]:
    seats = pilot.app.screen.query_one("#seats", OptionList)
    return [seats.get_option_at_index(n).prompt.plain for n in range(seats.option_count)]


async def test_everybody_is_shown_with_what_there_is_to_know(seated) -> None:
    async with seated() as pilot:
        assert isinstance(pilot.app.screen, LobbyScreen)
        shown = rows(pilot)
        assert len(shown) == 5
        assert "Camille" in shown[0]
        assert "you, owner" in shown[0]
        assert "away" in shown[1]
        assert "bot, medium" in shown[2]
        assert "free" in shown[3]
        assert "192.0.2.7:3278" in text(pilot, "#reach-list")
        assert "apple bridge cactus dolphin engine" in text(pilot, "#reach-list")
        assert "Bruno sat down." in text(pilot, "ChatLog Static")


async def test_the_owners_keys_become_orders(seated, lan, until) -> None:
    async with seated() as pilot:
        await pilot.press("s", "down", "d", "x")
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("1")
        await until(pilot, lambda: len(lan.client.orders) == 4)
        assert lan.client.orders == [Start(), MoveSeat(1, 2), RemoveSeat(2), AddBot("easy")]


async def test_a_person_is_removed_only_when_asked_again_and_wherever_they_sit_by_then(
    seated, lan, room, tell, until
) -> None:
    camille, bruno, bot = room().seats
    async with seated() as pilot:
        await pilot.press("down")
        for slip in ("enter", "escape"):
            await pilot.press("x")
            await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
            await pilot.press("x", slip)
            await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        assert lan.client.orders == []
        await pilot.press("x")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await tell(pilot, room(seats=(camille, bot, bruno)))
        await pilot.press("r")
        await until(pilot, lambda: lan.client.orders)
        assert lan.client.orders == [RemoveSeat(2)]


async def test_nobody_is_removed_who_has_left_meanwhile(seated, lan, room, tell, until) -> None:
    camille, _, bot = room().seats
    async with seated() as pilot:
        await pilot.press("down", "x")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await tell(pilot, room(seats=(camille, bot)))
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        assert lan.client.orders == []


async def test_it_is_said_why_a_table_closed(seated, room, tell, until) -> None:
    closing = Notice(2, "closing", {"why": "ended"})
    async with seated() as pilot:
        await tell(pilot, room(notices=(closing,)), Ended("closed"))
        await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
        assert any("owner ended" in note.message for note in pilot.app._notifications)


async def test_options_and_players_are_set_in_the_lobby(seated, lan, until) -> None:
    async with seated() as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyOptions))
        await pilot.press("right", "down", "right", "escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        assert lan.client.orders == [SetPlayers(6), SetOption("smell_deck", "deodorant")]


@pytest.mark.parametrize(
    ("row", "answer", "order"),
    [
        (2, "up", MoveSeat(2, 1)),
        (0, "down", MoveSeat(0, 1)),
        (2, "remove", RemoveSeat(2)),
        (3, "1", AddBot("easy")),
    ],
)
async def test_seats_can_be_set_with_the_mouse_alone(
    seated, lan, until, row, answer, order
) -> None:
    async with seated() as pilot:
        await pilot.click("#seats", offset=(8, row))
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        answers = pilot.app.screen.query_one(OptionList)
        ids = [option.id for option in answers.options]
        at = ids.index(answer) if answer in ids else 0
        await pilot.click(OptionList, offset=(5, at))
        await until(pilot, lambda: lan.client.orders)
        assert lan.client.orders == [order]


async def test_a_seat_clicked_by_who_does_not_own_the_table_opens_nothing(seated) -> None:
    async with seated(you=1) as pilot:
        await pilot.click("#seats", offset=(8, 2))
        await pilot.pause()
        assert isinstance(pilot.app.screen, LobbyScreen)


async def test_the_footer_says_how_to_leave_the_line_that_is_typed(seated) -> None:
    async with seated() as pilot:
        await pilot.press("c", "q")
        await pilot.pause()
        active = pilot.app.screen.active_bindings
        assert active["escape"].binding.description == say("command.lobby.hush")
        assert "q" not in active or active["q"].binding.action != "leave"
        await pilot.press("escape")
        assert not isinstance(pilot.app.focused, Input)


@pytest.mark.parametrize("name", ["漢" * 24, "W" * 24, "e\u0301" * 12, "🇫🇷" * 12])
async def test_the_longest_name_leaves_a_seat_on_its_line_with_its_notes(seated, name) -> None:
    away = SeatInfo(name, here=False, bot_plays=True)
    async with seated(seats=(SeatInfo(name), *(away,) * 6), players=7) as pilot:
        seats = pilot.app.screen.query_one("#seats", OptionList)
        assert seats.virtual_size.height == 7
        assert "you, owner" in rows(pilot)[0]
        assert all("away, a bot plays" in row for row in rows(pilot)[1:])
        assert all(cell_len(row) <= seats.content_size.width for row in rows(pilot))


async def test_who_does_not_own_the_table_can_order_nothing(seated, lan, until) -> None:
    async with seated(you=1) as pilot:
        await pilot.press("s", "b", "x", "d", "u")
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyOptions))
        await pilot.press("right", "down", "right")
        assert lan.client.orders == []
        assert "Camille starts" in str(
            pilot.app.screen_stack[1].query_one("#lobby-status", Static).content
        )


@pytest.mark.parametrize("you", [0, 1])
async def test_the_help_of_the_options_names_the_key_that_changes_one(seated, until, you) -> None:
    async with seated(you=you) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyOptions))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        told = "\n".join(str(each.render()) for each in pilot.app.screen.query(Static))
        assert ("Change the setting" in told) == (you == 0), "only the owner can"


async def test_a_refused_order_is_said_in_words(seated, tell) -> None:
    async with seated() as pilot:
        await tell(pilot, Answered("order-1", "too_few", {"seats": 2, "least": 3}))
        assert "3 must be seated" in text(pilot, "#lobby-status")


async def test_one_talks_and_what_others_say_is_plain_text(seated, lan, room, tell) -> None:
    async with seated() as pilot:
        await pilot.press("c")
        await pilot.press(*"hi", "enter")
        assert lan.client.said == ["hi"]
        await pilot.press(*"so", "enter", "enter")
        assert not isinstance(pilot.app.focused, Input)
        evil = ChatLine(1, "[red]Eve\x1b[2J", 1, "[blink]x[/blink]\x07\u202e")
        await tell(pilot, room(chat=(evil,)))
        said = text(pilot, "ChatLog Static")
        assert "[red]Eve[2J: [blink]x[/blink]" in said
        assert "\x1b" not in said


async def test_what_is_said_and_what_happens_stand_in_the_order_they_came(
    seated, room, tell
) -> None:
    async with seated() as pilot:
        said = (ChatLine(1, "Bruno", 1, "first"),)
        news = (Notice(1, "joined", {"name": "Bruno"}), Notice(2, "joined", {"name": "Zoe"}))
        await tell(pilot, room(chat=(), notices=news[:1]))
        await tell(pilot, room(chat=said, notices=news[:1]))
        await tell(pilot, room(chat=said, notices=news))
        lines = text(pilot, "ChatLog Static").splitlines()
        assert [line.strip() for line in lines[-2:]] == ["Bruno: first", "Zoe sat down."]


async def test_the_footer_tells_the_key_that_says_what_was_typed(seated, until) -> None:
    def enter(app) -> list[str]:
        return [key.description for key in app.screen.query(FooterKey) if key.key == "enter"]

    async with seated() as pilot:
        assert enter(pilot.app) == []
        await pilot.press("c")
        await until(pilot, lambda: enter(pilot.app) == ["Say it"])
        await pilot.press("escape")
        await until(pilot, lambda: enter(pilot.app) == [])


async def test_names_and_titles_of_others_are_plain_text(seated) -> None:
    async with seated(title="[b]T\x1b]0;x\x07", seats=(SeatInfo("[u]N\x1b[0m"),)) as pilot:
        assert "[b]T]0;x" in text(pilot, "#lobby-head")
        assert "[u]N[0m" in rows(pilot)[0]


async def test_a_lost_line_is_shown_and_goes_by_itself(seated, tell) -> None:
    async with seated() as pilot:
        await tell(pilot, Line(up=False))
        assert pilot.app.screen.query("LineLost")
        await tell(pilot, Line(up=True))
        assert not pilot.app.screen.query("LineLost")


@pytest.fixture
def drawn(monkeypatch):
    """Say which screens an app draws, on a machine that is too busy to go from one to the next."""

    def watch(app: PrrrtApp) -> list[type]:
        kinds, draw, pop = [], app._display, app.pop_screen

        def drawing(screen, what) -> None:
            if what is not None and not app._batch_count:
                kinds.append(type(screen))
            draw(screen, what)

        async def slowly() -> None:
            await pop()
            await asyncio.sleep(0.2)  # time enough to draw what lies below

        monkeypatch.setattr(app, "_display", drawing)
        monkeypatch.setattr(app, "pop_screen", slowly)
        return kinds

    return watch


async def test_the_home_screen_does_not_flash_up_on_the_way_to_the_table(
    lan, room, tell, until, drawn
) -> None:
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        kinds = drawn(app)
        await tell(pilot, room())
        await until(pilot, lambda: LobbyScreen in kinds)
        assert HomeScreen not in kinds


async def test_the_home_screen_does_not_flash_up_when_the_door_is_tried_again(
    lan, tell, until, drawn
) -> None:
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("wrong_pin"))
        kinds = drawn(app)
        await pilot.press(*"042042", "enter")
        await until(pilot, lambda: len(lan.openings) == 2)
        await until(pilot, lambda: isinstance(app.screen, JoiningScreen))
        assert HomeScreen not in kinds


async def test_the_home_screen_does_not_flash_up_when_the_seat_is_lost(
    seated, tell, until, drawn
) -> None:
    async with seated() as pilot:
        kinds = drawn(pilot.app)
        await tell(pilot, Ended("removed"))
        await until(pilot, lambda: JoiningScreen in kinds)
        assert HomeScreen not in kinds


async def test_leaving_the_lobby_frees_the_seat(seated, lan, until) -> None:
    async with seated() as pilot:
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
        assert lan.client.left


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_boxes_of_the_lobby_end_alike(seated, size) -> None:
    async with seated(size=size) as pilot:
        boxes = ("#lobby-options", "#lobby-reach", "#lobby-chat")
        assert {pilot.app.screen.query_one(box).region.right for box in boxes} == {size[0]}


def test_leaving_is_one_key_everywhere() -> None:
    around = (HomeScreen, JoiningScreen, LobbyScreen)
    screens = (*around, PrrrtScreen, ResultScreen, GasScreen, MatchResult)
    ways = {"lobby.leave", "table.leave", "table.home", "home.quit", "joining.home"}
    leaving = [command for screen in screens for command in screen.KEYS if command.id in ways]
    assert len(leaving) == len(screens)
    assert {command.key or command.keys for command in leaving} == {"q"}
    assert not any("l" in command.keys.split(",") for command in leaving)


@pytest.mark.parametrize("code", ["closed", "taken_over"])
async def test_the_end_of_a_table_leads_home(seated, tell, until, code) -> None:
    async with seated() as pilot:
        await tell(pilot, Ended(code))
        await until(pilot, lambda: isinstance(pilot.app.screen, HomeScreen))
        assert pilot.app.session is None


async def test_who_is_removed_is_told_so_and_can_watch_that_very_table(
    seated, lan, tell, until
) -> None:
    async with seated() as pilot:
        await tell(pilot, Ended("removed"))
        await until(pilot, lambda: isinstance(pilot.app.screen, JoiningScreen))
        assert "removed you" in text(pilot, "#joining-text")
        assert pilot.app.session is None
        await pilot.press("w")
        await until(pilot, lambda: len(lan.openings) == 2)
        assert lan.openings[1].watch
        assert lan.openings[1].target == Target("192.0.2.7", table="abc")


async def test_the_host_is_asked_how_to_leave(seated, lan, until, tell) -> None:
    opening = Host(TableSettings(pin="042042"), "Camille")
    async with seated(opening, pin="042042") as pilot:
        assert "042042" in text(pilot, "#reach-list")
        await pilot.press("q")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press("e")
        await until(pilot, lambda: lan.client.orders)
        assert lan.client.orders == [EndTable()]
        await tell(pilot, Ended("closed"))
    assert pilot.app.return_code == 0


@pytest.mark.parametrize(
    ("key", "order"), [("o", OpenDoor()), ("p", SetPin("111111")), ("x", SetPin(None))]
)
async def test_the_owner_opens_the_door_or_changes_the_pin(
    seated, lan, until, key, order, monkeypatch
) -> None:
    """Also after the table has another PIN than it was opened with."""
    monkeypatch.setattr("tui.screens.lobby.any_pin", lambda: "111111")
    async with seated(Host(TableSettings(pin="042042"), "Camille"), pin="654321") as pilot:
        assert "654321" in text(pilot, "#reach-list")
        assert "042042" not in text(pilot, "#reach-list")
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskScreen))
        await pilot.press(key)
        await until(pilot, lambda: lan.client.orders)
        assert lan.client.orders == [order]


@pytest.mark.parametrize(
    "opening", [Host(TableSettings(pin="042042"), "Camille"), Join(Target("192.0.2.7"))]
)
async def test_host_and_guest_see_the_five_words_to_compare_on_the_smallest_terminal(
    seated, tell, opening
) -> None:
    """Whole, in the lobby, before anybody plays, the longest ones too."""
    async with seated(opening, pin="042042", you=0, owner=int(isinstance(opening, Join))) as pilot:
        words = ("abstract", "activity", "accident", "announce", "umbrella")
        await tell(pilot, Words(words))
        found = pilot.app.screen.query_one("#reach-list", Static)
        shown = "\n".join(
            "".join(segment.text for segment in pilot.app.screen._compositor.render_strips()[y])
            for y in range(24)
        )
        assert found.region.height
        for word in words:
            assert word in shown


async def test_what_was_said_on_leaving_lies_over_no_table(lan, until) -> None:
    there = Join(Target("192.0.2.7"), name="Camille")
    app = PrrrtApp()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("The game goes on without you.", timeout=600)
        await until(pilot, lambda: app.screen.query("Toast"))
        app.post_message(SitDown(there))
        await until(pilot, lambda: isinstance(app.screen, JoiningScreen))
        await until(pilot, lambda: not app.screen.query("Toast"))


@pytest.mark.parametrize("code", ["full", "playing"])
async def test_who_is_refused_a_seat_can_watch(lan, tell, until, code) -> None:
    from tui.app import PrrrtApp

    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended(code, {"watch": True}))
        assert isinstance(app.screen, JoiningScreen)
        await pilot.press("w")
        await until(pilot, lambda: len(lan.openings) == 2)
        assert lan.openings[1].watch


async def test_a_pin_is_asked_for_and_tried_again(lan, tell, until) -> None:
    from tui.app import PrrrtApp

    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("pin_needed"))
        await until(pilot, lambda: isinstance(app.focused, Input))
        assert "PIN" in str(app.screen.query_one(".dialog").border_title)
        await pilot.press(*"q0x42", *"0427", "enter")  # six digits, and nothing else, are a PIN
        await until(pilot, lambda: len(lan.openings) == 2)
        assert lan.openings[1].pin == "042042"


async def test_an_enter_that_comes_at_once_ends_all_that_was_typed(lan, tell, until) -> None:
    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("pin_needed"))
        await until(pilot, lambda: isinstance(app.focused, Input))
        for digit in "042042":
            app.post_message(events.Key(digit, digit))
        app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: len(lan.openings) == 2)
        assert lan.openings[1].pin == "042042"


async def test_a_shut_door_is_tried_again_by_itself(lan, tell, until) -> None:
    """Whoever knows the PIN waits no longer than the door is shut, and knows for what."""
    app = PrrrtApp(Join(name="Camille", pin="042042"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("locked", {"seconds": 1}))
        assert "shut to newcomers for 1 more second" in text(pilot, "#joining-text")
        await until(pilot, lambda: len(lan.openings) == 2)
        assert lan.openings[1] == lan.openings[0]


async def test_a_seat_that_is_open_elsewhere_is_taken_over_only_when_asked(
    lan, tell, until
) -> None:
    from tui.app import PrrrtApp

    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        assert not lan.openings[0].take_over
        await tell(pilot, Ended("name_taken"))
        await pilot.press("tab", "t")
        await until(pilot, lambda: len(lan.openings) == 2)
        assert lan.openings[1].take_over


async def test_a_dialog_that_closes_itself_leaves_the_one_on_top_alone(seated, tell, until) -> None:
    async with seated() as pilot:
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyOptions))
        below = pilot.app.screen
        await pilot.press("question_mark")
        await until(pilot, lambda: pilot.app.screen is not below)
        below.dismiss(None)
        await tell(pilot)
        assert below in pilot.app.screen_stack
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, LobbyScreen))


@pytest.mark.parametrize(("phase", "a_bot"), [("lobby", False), ("playing", True)])
def test_a_bot_takes_over_from_who_leaves_only_in_a_game(room, phase, a_bot):
    leave = answers(Host(TableSettings(), "Camille"), room(phase=phase))[0]
    assert ("bot" in leave.explained.lower()) == a_bot
