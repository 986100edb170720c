"""Pictures of Low on Gas: bots play matches until one comes to what a picture is wanted of."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

from camera import NAME, SIZES, App, shoot, until

import tui.seating
from core.kernel.fair1 import Fair1
from core.kernel.rules import Game
from core.kernel.view import View
from core.registry import GAMES
from net.room import Room, SeatInfo
from net.updates import Seen, Update, Words
from tui.app import PrrrtApp
from tui.opening import Join, Target
from tui.screens.home import HomeScreen
from tui.screens.joining import JoiningScreen
from tui.screens.replay import Still
from tui.seating import Place
from tui.session import Client

RULES = GAMES["low-on-gas"]
OTHERS = ("Bruno", "Zoe", "Ludovic", "Odile", "Bot A", "Bot B")
WORDS = ("shield", "moment", "until", "share", "rule")

Wanted = Callable[[View[Any, Any], int], bool]


@dataclass(frozen=True)
class Moment:
    """A game that has come to what was wanted, and from whose chair it is seen."""

    game: Game
    you: int
    seats: int
    options: dict[str, object]

    def seen(self) -> Seen:
        """Return what whoever sits there sees."""
        names = [*OTHERS[: self.seats - 1]]
        names.insert(self.you, NAME)
        room = Room(
            table="",
            title=f"{NAME}'s table",
            game=RULES.name,
            phase="over" if self.game.over else "playing",
            players=self.seats,
            options=RULES.check_options(self.options, self.seats),
            seats=tuple(
                SeatInfo(name, "bot", "hard") if name.startswith("Bot ") else SeatInfo(name)
                for name in names
            ),
            you=self.you,
            owner=self.you,
            waits_for=self.game.waited_for(),
        )
        events = tuple(self.game.shown(self.you, -1))
        view = self.game.view(self.you)
        return Seen(1, self.game.question, view, room, events, catching_up=True)


def find(wanted: Wanted, seats: int, **options: object) -> Moment:
    """Return the first moment of that kind: the same one every time."""
    for seed in count():
        for game in _match(seed, seats, options):
            truth = game.revealed()
            for you in range(seats):
                if wanted(truth, you):
                    return Moment(game, you, seats, options)
    raise AssertionError("seeds have no end")


def _match(seed: int, seats: int, options: dict[str, object]) -> Iterator[Game]:
    """Let bots play a match by lot, which comes to everything; yield it after each action."""
    checked = RULES.check_options(options, seats)
    game = RULES.start(seats, checked, Fair1(b"picture %d" % seed))
    rng = Random(seed)
    bots = [RULES.bots["easy"]() for _ in range(seats)]
    told = [-1] * seats
    while not game.over:
        yield game
        for seat in game.awaiting():
            for event in game.shown(seat, told[seat]):
                bots[seat].saw(event)
            told[seat] = game.actions
            action = bots[seat].choose(game.view(seat), seat, rng)
            if action is not None:
                game.act(seat, action)
                break


class Look(Still):
    """A client whose table stands still at one moment."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    async def run(self) -> None:
        """Nothing ever changes."""
        await asyncio.Event().wait()

    async def updates(self) -> AsyncIterator[Update]:
        """Tell what is seen, once."""
        yield Words(WORDS)
        yield self._moment.seen()
        await asyncio.Event().wait()


def _turn(truth: View[Any, Any], you: int, *phases: str) -> bool:
    return truth.phase in phases and truth.table.turn == you


def _owes_much(truth: View[Any, Any], you: int) -> bool:
    """A total that three made, before somebody who can burn it, and somebody low on gas."""
    table = truth.table
    much = len(table.sum) > 2 and table.owed > 6 and any(table.called)
    return much and _turn(truth, you, "owe") and "M" in table.hands[you] and _some(table.hands[you])


def _has_a_wild(truth: View[Any, Any], you: int) -> bool:
    hand = truth.table.hands[you]
    return _turn(truth, you, "play") and "M" in hand and _some(hand)


def _holds_many(truth: View[Any, Any], you: int) -> bool:
    return _turn(truth, you, "play") and len(truth.table.hands[you]) > 20


def _may_call(truth: View[Any, Any], you: int) -> bool:
    table = truth.table
    return table.windows[you] and table.turn not in (None, you)


def _between_games(truth: View[Any, Any], you: int) -> bool:
    return truth.phase == "deal" and truth.table.dealer == you and sum(truth.table.wins) > 2


def _some(hand: tuple[str, ...]) -> bool:
    return 4 < len(hand) < 12


async def pictures() -> None:
    """Make all pictures of this game at all sizes."""
    much = find(_owes_much, 5)
    wild = find(_has_a_wild, 4)
    many = find(_holds_many, 7)
    low = find(_may_call, 4)
    between = find(_between_games, 5, wins=3)
    for size in SIZES:
        await _shoot(much, "gas-table", size)
        await _shoot(wild, "gas-colour", size, _play_the_wild)
        await _shoot(many, "gas-hand", size)
        await _shoot(low, "gas-window", size)
        await _shoot(between, "gas-standings", size, _see_the_standings)
    os.environ["NO_COLOR"] = "1"
    try:
        await _shoot(much, "gas-no-color", SIZES[0])
    finally:
        del os.environ["NO_COLOR"]


async def _nothing(pilot: App) -> None:
    """Show what is there."""


async def _play_the_wild(pilot: App) -> None:
    """Press the keys that ask for the colour."""
    from tui.low_on_gas.colour import ColourDialog
    from tui.low_on_gas.hand import GasHand

    hand = pilot.app.screen.query_one(GasHand)
    hand.focus()
    while hand.under_cursor not in ("M", "S"):
        await pilot.press("right")
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ColourDialog))


async def _see_the_standings(pilot: App) -> None:
    """Wait until they lie on the table."""
    from tui.low_on_gas.standings import StandingsScreen

    await until(pilot, lambda: isinstance(pilot.app.screen, StandingsScreen))


async def _shoot(
    moment: Moment,
    name: str,
    size: tuple[int, int],
    then: Callable[[App], object] = _nothing,
) -> None:
    @asynccontextmanager
    async def sit_down(opening: object) -> AsyncIterator[Place]:  # noqa: ARG001
        client: Client = Look(moment)
        yield Place(client)

    tui.seating.sit_down = sit_down  # type: ignore[assignment]
    app = PrrrtApp(Join(Target("192.0.2.7"), name=NAME))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: not isinstance(app.screen, HomeScreen | JoiningScreen))
        await then(pilot)  # type: ignore[misc]
        shoot(pilot, name)
