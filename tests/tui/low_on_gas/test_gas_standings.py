"""Between the games of a match, and at its end, as players, spectators and replays see it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from rich.cells import cell_len
from textual.app import App
from textual.widgets import Button, Static

import tui
from core.low_on_gas.actions import Deal
from core.low_on_gas.view import GasOffer, GasResult, GasTable, GasView
from net.room import Room, SeatInfo
from net.updates import Ended, Seen
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.so_far import MatchSoFar
from tui.low_on_gas.standings import StandingsScreen, rows, won_line
from tui.session import TableUpdate
from tui.theme import PRRRT

LONG = tuple(f"{'W' * 23}{seat}" for seat in range(7))


def between(you: int | None = 0, *, players: int = 7, over: bool = False, **table: Any) -> GasSight:
    """Return a match of three wins: seat 1 has just won game 4, and seat 2 deals the next."""
    facts: dict[str, Any] = {
        "game_no": 4,
        "turn": None,
        "owed": 0,
        "colour": "red",
        "top": "r7",
        "hands": tuple(0 if seat == 1 else 3 + seat for seat in range(players)),
        "draw_pile": 9,
        "discard_pile": 12,
        "called": (False,) * players,
        "dealer": 2,
        "wins": (1, 2, *(0,) * (players - 2)),
        "windows": (False,) * players,
        "winner": 1,
        "to_win": 3,
    }
    offers = (GasOffer("deal"),) if you == 2 and not over else ()
    phase = "over" if over else "deal"
    lies = GasTable(**{**facts, **table})
    result = GasResult(1, lies.wins) if over else None
    room = Room(
        table="T",
        title="",
        game="low-on-gas",
        phase="over" if over else "playing",
        players=players,
        options={},
        seats=tuple(SeatInfo(name) for name in LONG[:players]),
        you=you,
        owner=0,
    )
    return GasSight(GasView("low-on-gas", over, 90, phase, (), lies, result, offers), room, 5, 1)


class Stage(App[None]):
    """As much of the app as one screen needs."""

    CSS_PATH = Path(tui.__file__).parent / "app.tcss"

    def __init__(self, shown: Any) -> None:
        super().__init__()
        self.register_theme(PRRRT)
        self.theme = PRRRT.name
        self.shown = shown
        self.returned: list[Any] = []

    async def on_mount(self) -> None:
        await self.push_screen(self.shown, self.returned.append)

    def see(self, sight: GasSight) -> None:
        seen = Seen(sight.rev + 1, sight.question, sight.view, sight.room, ())
        self.shown.post_message(TableUpdate(seen))


def text(screen: Any, selector: str) -> str:
    return str(screen.query_one(selector, Static).render())


@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize("to_win", [3, 9])
def test_everybodys_wins_are_figures_and_bars_and_no_hand_is_shown(players, to_win):
    sight = between(players=players, to_win=to_win)
    shown = rows(sight).plain.split("\n")
    assert all(cell_len(row) <= 72 for row in shown)
    assert "●" * 2 + "○" * (to_win - 2) + " 2 wins" in shown[1]
    assert "●" + "○" * (to_win - 1) + " 1 win " in shown[0]
    assert shown[1].startswith("★ ")
    assert shown[1].endswith("out of gas")
    assert shown[0].endswith("3 cards left")
    assert won_line(sight) == f"{LONG[1]} wins game 4!"
    assert won_line(between(you=1)) == "You win game 4!"


def test_a_single_game_has_no_wins_to_compare():
    shown = rows(between(over=True, to_win=1)).plain.split("\n")
    assert not any("win" in row or "●" in row for row in shown)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_dealer_deals_with_space(size, hard_to_read, cut_off):
    app = Stage(StandingsScreen(between(you=2)))
    async with app.run_test(size=size) as pilot:
        assert "You deal" in text(app.shown, "#next")
        assert [button.id for button in app.shown.query(Button)] == ["deal", "look"]
        assert cut_off(app.screen) == []
        assert hard_to_read(app.screen) == set()
        await pilot.press("space")
        assert app.returned == [Deal()]


async def test_the_others_wait_for_the_dealer_and_can_look_at_the_table(hard_to_read):
    app = Stage(StandingsScreen(between(you=0)))
    async with app.run_test(size=(80, 24)) as pilot:
        assert f"{LONG[2]} deals the next game." in text(app.shown, "#next")
        await pilot.press("space", "d")
        assert app.returned == []
        assert hard_to_read(app.screen) == set()
        away = between(you=0)
        seats = (*away.room.seats[:2], SeatInfo(LONG[2], here=False), *away.room.seats[3:])
        app.see(replace(away, room=structs.replace(away.room, seats=seats)))
        await pilot.pause()
        assert "away" in text(app.shown, "#next")
        await pilot.press("escape")
        assert app.returned == [None]


@pytest.mark.parametrize("you", [0, None])
async def test_who_reads_the_standings_reads_on_when_the_next_game_is_dealt(you):
    app = Stage(StandingsScreen(between(you=you)))
    async with app.run_test(size=(80, 24)) as pilot:
        sight = between(you=you, turn=3, game_no=5, winner=None)
        app.see(replace(sight, view=structs.replace(sight.view, phase="play"), question=6))
        await pilot.pause()
        assert app.returned == []
        assert "next game is dealt" in text(app.shown, "#next")
        assert "wins game 4" in text(app.shown, "#winner")
        await pilot.press("space")
        assert app.returned == [None]


async def test_the_dealers_standings_close_when_a_bot_has_dealt_for_them():
    app = Stage(StandingsScreen(between(you=2)))
    async with app.run_test(size=(80, 24)) as pilot:
        sight = between(you=2, turn=3, game_no=5, winner=None)
        app.see(replace(sight, view=structs.replace(sight.view, phase="play"), question=6))
        await pilot.pause()
        assert app.returned == [None]


async def test_the_standings_close_with_the_table():
    app = Stage(StandingsScreen(between()))
    async with app.run_test(size=(80, 24)) as pilot:
        app.shown.post_message(TableUpdate(Ended("closed")))
        await pilot.pause()
        assert app.returned == [None]


async def test_the_match_so_far_is_kept_up_while_the_game_goes_on(hard_to_read, cut_off):
    playing = between(turn=0, winner=None, game_no=5)
    playing = replace(playing, view=structs.replace(playing.view, phase="play"))
    app = Stage(MatchSoFar(playing))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "3 wins make the match." in text(app.shown, "#next")
        assert text(app.shown, "#standings").count("★") == 0
        assert cut_off(app.screen) == []
        assert hard_to_read(app.screen) == set()
        drawn = structs.replace(playing.view.table, hands=(9, 8, *playing.view.table.hands[2:]))
        app.see(replace(playing, view=structs.replace(playing.view, table=drawn)))
        await pilot.pause()
        assert "8 cards left" in text(app.shown, "#standings")
        await pilot.press("v")
        assert app.returned == [None]


async def test_the_match_so_far_gives_way_to_the_end():
    app = Stage(MatchSoFar(between(turn=0)))
    async with app.run_test(size=(80, 24)) as pilot:
        app.see(between(over=True))
        await pilot.pause()
        assert app.returned == [None]


@pytest.mark.parametrize(
    ("you", "winner", "own"),
    [
        (0, f"{LONG[1]} wins the match!", "Still in you: 3 cards. There is no second place."),
        (1, "You win the match!", "Not a whiff left in you. Take a deep breath."),
        (None, f"{LONG[1]} wins the match!", "There is no second place."),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_end_names_the_one_winner(you, winner, own, size, hard_to_read, cut_off):
    app = Stage(MatchResult(between(you=you, over=True, wins=(1, 3, 0, 0, 0, 0, 0))))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert text(app.shown, "#winner") == winner
        assert own in [str(each.render()) for each in app.shown.query(Static)]
        assert cut_off(app.screen) == []
        assert hard_to_read(app.screen) == set()
        if you != 0:
            assert ("Stay seated for it." in text(app.shown, "#wait")) == (you is not None)
        again = ["again"] if you == 0 else []
        assert [button.id for button in app.shown.query(Button)] == [*again, "home", "look"]
        await pilot.press("escape")
        assert app.returned == [None]


async def test_a_saved_match_can_only_be_looked_at():
    app = Stage(MatchResult(between(you=1, over=True, to_win=1), saved=True))
    async with app.run_test(size=(80, 24)) as pilot:
        assert text(app.shown, "#winner") == "You have let it all go and win!"
        assert [button.id for button in app.shown.query(Button)] == ["look"]
        assert text(app.shown, "#wait") == ""
        await pilot.press("t")
        assert app.returned == [None]
