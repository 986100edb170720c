"""It is your turn: the bell and the terminal's title, for whoever looks elsewhere."""

from __future__ import annotations

import pytest
from textual.app import App

from net.room import SeatInfo
from tui import cue
from tui.table.status_line import StatusLine


class Called:
    """What the terminal was told: how often it rang, and its title."""

    def __init__(self) -> None:
        self.rang = 0
        self.title = ""

    def ring(self) -> None:
        self.rang += 1

    def write(self, _app, text: str) -> None:
        self.title = text


@pytest.fixture
def called(home, monkeypatch) -> Called:
    heard = Called()
    monkeypatch.setattr(App, "bell", heard.ring)
    monkeypatch.setattr(cue, "write", heard.write)
    monkeypatch.setenv("TERM", "xterm-256color")
    return heard


def to_us(game):
    """Play on until the table waits for us."""
    return game.play_until(lambda each: each.game.view(0).offers)


def to_others(game):
    return game.play_until(lambda each: not each.game.view(0).offers)


async def test_it_rings_once_when_the_table_comes_to_wait_for_us(called, sitting, table_app):
    game = to_others(sitting(3))
    app = table_app(game)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        assert (called.rang, called.title) == (0, "\x1b]2;prrrt\x07")
        to_us(game)
        await app.tell(pilot)
        assert (called.rang, called.title) == (1, "\x1b]2;Your turn · prrrt\x07")
        await app.tell(pilot)
        await app.tell(pilot, catching_up=True)
        assert called.rang == 1, "the same turn is called once"
        while game.game.view(0).offers:
            game.step()
        await app.tell(pilot)
        assert (called.rang, called.title) == (1, "\x1b]2;prrrt\x07")
        to_us(game)
        await app.tell(pilot)
        assert called.rang == 2


@pytest.mark.parametrize("quiet", ["bots", "paused", "a bot plays", "switched off"])
async def test_it_does_not_ring(called, sitting, table_app, quiet):
    game = to_others(sitting(3))
    app = table_app(game)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        match quiet:
            case "bots":
                bots = (SeatInfo("Bot A", "bot"), SeatInfo("Bot B", "bot"))
                game.room["seats"] = (SeatInfo("Ada"), *bots)
            case "paused":
                game.room["paused"] = True
            case "a bot plays":
                others = game.room["seats"][1:]
                game.room["seats"] = (SeatInfo("Ada", bot_plays=True), *others)
            case "switched off":
                await pilot.press("m")
                assert "off" in app.table_screen.query_one(StatusLine).words
        to_us(game)
        await app.tell(pilot)
        assert called.rang == 0
        assert ("Your turn" in called.title) == (quiet in ("bots", "switched off"))


async def test_the_bell_stays_switched_off_and_comes_back(called, sitting, table_app):
    for rings in (0, 1):
        game = to_others(sitting(3))
        app = table_app(game)
        async with app.run_test(size=(80, 24)) as pilot:
            await app.tell(pilot, catching_up=True)
            await pilot.press("m")
        game, called.rang = to_us(sitting(3)), 0
        app = table_app(game)
        async with app.run_test(size=(80, 24)) as pilot:
            await app.tell(pilot, catching_up=True)
            assert called.rang == rings


def test_a_console_is_sent_no_title(monkeypatch):
    monkeypatch.setenv("TERM", "linux")
    assert cue.title("prrrt") == ""
