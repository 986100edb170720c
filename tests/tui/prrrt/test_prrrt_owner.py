"""At the table: what its owner can order, and how a seat comes back from its bot."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList
from textual.widgets._footer import FooterKey

from net.orders import Pause, RemoveSeat, SeatToBot
from net.room import SeatInfo
from net.updates import Answered
from tui.app import PrrrtApp
from tui.commands import FOOTER_ROOM
from tui.opening import Join, Target
from tui.prrrt.dialogs.answer import AnswerDialog
from tui.prrrt.screen import PrrrtScreen
from tui.screens.ask import AskScreen
from tui.screens.home import HomeScreen
from tui.table.status_line import StatusLine


@pytest.fixture
async def table(sitting, table_app):
    """Shows a table of three at which somebody else is asked something."""
    game = sitting(3).play_until(lambda each: not each.game.view(0).offers)
    game.room["seats"] = (
        SeatInfo("Ada"),
        SeatInfo("Bruno", bot_plays=True),
        SeatInfo("Bot Quiet", "bot"),
    )
    app = table_app(game)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        yield app, pilot


async def asked(app, pilot, *keys: str) -> None:
    for key in keys:
        before = app.screen
        await pilot.press(key)
        await app.until(pilot, lambda before=before: app.screen is not before)


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        ("op", Pause()),
        ("o1b", SeatToBot(0)),
        ("o2b", SeatToBot(1, on=False)),
        ("o2xr", RemoveSeat(1)),
        ("bb", SeatToBot(0)),
    ],
)
async def test_the_owner_orders_by_key(table, keys, order):
    app, pilot = table
    await asked(app, pilot, *keys)
    await app.until(pilot, lambda: app.client.ordered)
    assert app.client.ordered == [order]


async def click(app, pilot, answer: str) -> None:
    """Click an answer of the dialog that is open."""
    before, answers = app.screen, app.screen.query_one(OptionList)
    await app.until(pilot, lambda: answers.size.height)
    lines = [str(answers.get_option_at_index(n).prompt) for n in range(answers.option_count)]
    at = next(n for n, line in enumerate(lines) if answer in line)
    above = sum(line.count("\n") + 1 for line in lines[:at])
    await pilot.click(answers, offset=(6, above))
    await app.until(pilot, lambda: app.screen is not before)


async def test_the_owner_orders_with_the_mouse_alone(table):
    app, pilot = table
    footer = next(key for key in app.screen.query(FooterKey) if key.action.endswith("owner"))
    await pilot.click(footer)
    await app.until(pilot, lambda: isinstance(app.screen, AskScreen))
    for answer in ("Bruno", "Remove them", "Remove them"):
        await click(app, pilot, answer)
    await app.until(pilot, lambda: app.client.ordered)
    assert app.client.ordered == [RemoveSeat(1)]


@pytest.mark.parametrize("last", ["enter", "s", "escape", "x"])
async def test_nobody_is_removed_by_a_slip(table, last):
    app, pilot = table
    await asked(app, pilot, "o", "2", "x")
    await pilot.press(last)
    await pilot.pause()
    assert app.client.ordered == []


async def test_who_is_away_or_a_bots_is_marked(table):
    app, pilot = table
    bruno = SeatInfo("Bruno", here=False, bot_plays=True)
    app.sitting.room["seats"] = (SeatInfo("Ada"), bruno, SeatInfo("Bot Quiet", "bot"))
    await app.tell(pilot)
    await asked(app, pilot, "o")
    answers = app.screen.query_one(OptionList)
    lines = [str(answers.get_option_at_index(n).prompt) for n in range(answers.option_count)]
    assert [line[3:].strip() for line in lines[1:3]] == [
        "Ada (you)",
        "Bruno (away, a bot plays)",
    ]
    assert not any("Quiet" in line for line in lines), "there is nothing to order of a bot"


async def test_who_is_away_cannot_be_given_their_cards(table):
    app, pilot = table
    bruno = SeatInfo("Bruno", here=False, bot_plays=True)
    app.sitting.room["seats"] = (SeatInfo("Ada"), bruno, SeatInfo("Bot Quiet", "bot"))
    await app.tell(pilot)
    await asked(app, pilot, "o", "2")
    await pilot.press("b")
    await pilot.pause()
    assert app.client.ordered == []


async def test_ending_is_asked_like_leaving(table):
    app, pilot = table
    await asked(app, pilot, "o", "q")
    await app.until(pilot, lambda: app.client.left)
    assert app.client.ordered == []


async def test_the_footer_of_an_owner_has_room(table):
    app, _ = table
    shown = [each for each in app.table_screen.possible() if each.footer]
    assert len(shown) <= FOOTER_ROOM
    assert "table.owner" in [each.id for each in shown]


@pytest.mark.parametrize("how", ["space", "b", "click"])
async def test_a_seat_comes_back_from_its_bot(table, how):
    app, pilot = table
    app.sitting.room["owner"] = 1
    app.sitting.room["seats"] = (SeatInfo("Ada", bot_plays=True), *app.sitting.room["seats"][1:])
    await app.tell(pilot)
    assert "takes your cards back" in app.table_screen.query_one(StatusLine).words
    if how == "click":
        await pilot.click(StatusLine)
    else:
        await pilot.press(how)
    await app.until(pilot, lambda: app.client.ordered)
    assert app.client.ordered == [SeatToBot(0, on=False)]


async def test_a_bot_that_plays_for_us_is_not_interrupted(sitting, table_app):
    game = sitting(3).play_to("deny")
    seats = game.room["seats"]
    game.room["seats"] = (SeatInfo("Ada", bot_plays=True), *seats[1:])
    app = table_app(game)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        assert isinstance(app.screen, PrrrtScreen)
        await pilot.press("space")
        await app.until(pilot, lambda: app.client.ordered)
        assert app.client.ordered == [SeatToBot(0, on=False)]
        game.room["seats"] = seats
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))


async def test_a_paused_table_tells_its_owner_how_to_go_on(table):
    app, pilot = table
    app.sitting.room["paused"] = True
    await app.tell(pilot)
    assert "p goes on" in app.table_screen.query_one(StatusLine).words
    app.sitting.room["owner"] = 1
    await app.tell(pilot)
    assert "p goes on" not in app.table_screen.query_one(StatusLine).words


async def test_a_game_that_is_over_has_nothing_to_order(sitting, table_app):
    app = table_app(sitting(3).play_until(lambda each: each.game.over))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        possible = {each.id for each in app.table_screen.possible()}
        assert not possible & {"table.owner", "table.pause", "table.bot"}


async def test_a_refused_order_is_said(table):
    app, pilot = table
    await asked(app, pilot, "o", "p")
    await app.until(pilot, lambda: app.client.ordered)
    app.client.tell(Answered("order1", "not_owner", {}))
    line = app.table_screen.query_one(StatusLine)
    await app.until(pilot, lambda: "Only the owner" in line.words)


async def test_only_the_owner_has_the_owners_tools(table):
    app, pilot = table
    app.sitting.room["owner"] = 1
    await app.tell(pilot)
    await pilot.press("o", "p")
    await pilot.pause()
    assert isinstance(app.screen, PrrrtScreen)
    assert not isinstance(app.screen, AskScreen)
    assert app.client.ordered == []


async def test_who_asks_to_leave_can_let_a_bot_play_and_stay(lan, sitting, until):
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Ada"))
    game = sitting(3).play_until(lambda each: not each.game.view(0).offers)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        lan.client.told.put_nowait(game.seen(catching_up=True))
        await until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("b")
        await until(pilot, lambda: lan.client.orders)
        assert lan.client.orders == [SeatToBot(0)]
        await until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        assert not lan.client.left


async def test_of_a_table_that_is_taken_away_the_line_of_keys_asks_nothing(lan, sitting, until):
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Ada"))
    game = sitting(3).play_until(lambda each: not each.game.view(0).offers)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        lan.client.told.put_nowait(game.seen(catching_up=True))
        await until(pilot, lambda: isinstance(app.screen, PrrrtScreen) and app.screen.query("Hand"))
        screen = app.screen
        await screen.remove_children()
        assert not screen.check_action("back", ())
        assert screen.active_bindings


async def test_who_leaves_a_game_tells_the_table_and_hears_how_to_come_back(lan, sitting, until):
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Ada"))
    game = sitting(3).play_until(lambda each: not each.game.view(0).offers)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until(pilot, lambda: lan.openings)
        lan.client.told.put_nowait(game.seen(catching_up=True))
        await until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, AskScreen))
        await pilot.press("l")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert lan.client.left
        assert any("prrrt join 192.0.2.7:3278" in note.message for note in app._notifications)
