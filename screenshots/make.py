"""Make the pictures in this folder from the running app: `python screenshots/make.py`.

A real table deals from a fixed seed and real bots play at it, your own seat
too; the app draws. Only what differs from machine to machine is put in: the
tables found, and the address. `camera.py` makes the pictures, `low_on_gas.py`
finds the moments of the second game.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from camera import NAME, SEED, SIZES, shoot, until
from low_on_gas import pictures

import tui.screens.home
import tui.seating
from core.registry import GAMES
from net.settings import TableSettings
from net.solo import SoloTable
from tui.app import PrrrtApp
from tui.finding import Found
from tui.opening import Host, Solo
from tui.prrrt.dialogs.answer import AnswerDialog
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import RevelationScreen
from tui.seating import Place

CELLAR = Found("a", "Cellar table", "prrrt", (("192.0.2.7", 3278),), 6, 3, "open")
TABLES = (
    CELLAR,
    replace(CELLAR, table="b", title="Kitchen, after the beans", taken=2, state="pin"),
    replace(CELLAR, table="c", title="Attic", game="low-on-gas", taken=6, state="playing"),
)
SETTINGS = TableSettings(players=5, bots=4, think=0.05, level="hard", title="Camille's table")


class SomeTables:
    """Finds the same tables on every machine."""

    async def watch(self) -> AsyncIterator[tuple[Found, ...]]:
        """Yield them once."""
        yield TABLES
        await asyncio.Event().wait()


@asynccontextmanager
async def seeded_table(opening: Solo | Host) -> AsyncIterator[Place]:
    """A table in this process: the game at once for solo, its lobby for a host."""
    async with SoloTable(opening.settings, opening.name, seed=SEED) as table:
        if isinstance(opening, Host):
            table.host.table.start_when_full = False
            table.host.table.lobby.free(table.host.table.lobby.seats[-1])
        yield Place(table.client, ("192.0.2.7:3278",))


class OurSeat:
    """Plays our own seat with a bot, except where a picture is wanted."""

    def __init__(self, app: PrrrtApp) -> None:
        self._app = app
        self._bot = GAMES["prrrt"].bots["hard"]()
        self._told = 0
        self._answered = -1
        self._rng = Random(SEED)

    def act(self) -> None:
        """Answer the open question, if it is ours."""
        session = self._app.session
        if session is None or session.latest is None or session.latest.game is None:
            return
        seen = session.latest
        for event in session.events[self._told :]:
            self._bot.saw(event)
        self._told = len(session.events)
        if seen.game is not None and seen.game.offers and seen.question != self._answered:
            self._answered = seen.question
            session.act(self._bot.choose(seen.game, 0, self._rng))


async def home(size: tuple[int, int]) -> None:
    """The home screen with tables on the network."""
    app = PrrrtApp()
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.screen.query("#tables:focus"))
        shoot(pilot, "home")


async def lobby(size: tuple[int, int]) -> None:
    """The lobby as the owner sees it."""
    app = PrrrtApp(Host(SETTINGS, NAME))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.session and app.session.latest and app.session.key_words)
        shoot(pilot, "lobby")


async def game(size: tuple[int, int]) -> None:
    """A whole game: the table, a question, the Revelation, the result."""
    app = PrrrtApp(Solo(SETTINGS, NAME))
    wanted = {"table", "question", "revelation", "result"}
    seat = OurSeat(app)
    async with app.run_test(size=size) as pilot:

        def lap() -> int:
            latest = app.session.latest if app.session else None
            return latest.game.table.lap if latest and latest.game else 0

        def now() -> str:
            """What an open question is good for: rows are long in the last lap."""
            return {2: "question", 3: "table"}.get(lap(), "")

        def played() -> bool:
            if isinstance(app.screen, AnswerDialog) and now() in wanted:
                return True
            if isinstance(app.screen, RevelationScreen | ResultScreen):
                return True
            seat.act()
            return False

        while "result" in wanted:
            await until(pilot, played, 120)
            screen = app.screen
            if isinstance(screen, AnswerDialog):
                picture = now()
                if picture == "table":
                    await pilot.press("escape")
                    await until(pilot, lambda: not isinstance(app.screen, AnswerDialog))
                shoot(pilot, picture)
                wanted -= {picture}
            elif isinstance(screen, RevelationScreen):
                if "revelation" in wanted:
                    await pilot.press("enter")
                    await until(pilot, partial(getattr, screen, "finished"))
                    shoot(pilot, "revelation")
                    wanted -= {"revelation"}
                while app.screen is screen:
                    await pilot.press("enter")
                    await pilot.pause()
            else:
                shoot(pilot, "result")
                wanted -= {"result"}


async def main() -> None:
    """Make all pictures at all sizes."""
    tui.screens.home.TableFinder = SomeTables  # type: ignore[misc,assignment]
    tui.seating.sit_down = seeded_table  # type: ignore[assignment]
    tui.screens.home.my_name = lambda: NAME
    for size in SIZES:
        await home(size)
        await lobby(size)
        await game(size)
    await pictures()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PRRRT_HOME"] = folder
        asyncio.run(main())
