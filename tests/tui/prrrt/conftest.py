"""A real game behind a screen: the engine deals, `Sitting` plays, a client records us."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

import tui
from core.kernel.action import Action
from core.kernel.illegal import Illegal
from core.prrrt import actions as do
from core.registry import GAMES
from net.room import Room, SeatInfo
from net.updates import Answered, Ended, Seen, Update
from tui.app import PrrrtApp
from tui.prrrt.screen import PrrrtScreen
from tui.session import Session, TableUpdate
from tui.theme import PRRRT

NAMES = ("Ada", "Bruno", "Camille", "Ludovic", "Sandra", "Zoë-with-a-long-name", "Bot Quiet")


class Dealt:
    """Chance from a seed; `first` says how the order of a label begins."""

    def __init__(self, seed: int, first: dict[str, Sequence[Any]] | None = None) -> None:
        self.seed = seed
        self.first = first or {}

    def order(self, label: str, canonical: Sequence[Any]) -> tuple[Any, ...]:
        rest = list(canonical)
        beginning = list(self.first.get(label, ()))
        for card in beginning:
            rest.remove(card)
        random.Random(f"{self.seed} {label}").shuffle(rest)
        return (*beginning, *rest)


class Sitting:
    """A game of PRRRT and the room around it, seen from one seat."""

    def __init__(
        self,
        players: int = 7,
        seed: int = 1,
        you: int | None = 0,
        first: dict[str, Sequence[Any]] | None = None,
        **options: Any,
    ) -> None:
        rules = GAMES["prrrt"]
        chosen = rules.check_options({"first_player": 0, **options}, players)
        self.game = rules.start(players, chosen, Dealt(seed, first))
        self.you = you
        self.rng = random.Random(seed)
        self.told = -1
        self.rev = 0
        self.room: dict[str, Any] = {
            "table": "TABLE",
            "title": "Ada's table",
            "game": "prrrt",
            "phase": "playing",
            "players": players,
            "options": chosen,
            "seats": tuple(
                SeatInfo(name, "bot" if name.startswith("Bot") else "person")
                for name in NAMES[:players]
            ),
            "you": you,
            "owner": 0,
        }

    def seen(self, *, catching_up: bool = False) -> Seen:
        """Return the view of our seat, with the events since the last one."""
        events = self.game.shown(self.you, -1 if catching_up else self.told)
        self.told = self.game.actions
        self.rev += 1
        if self.game.over:
            self.room["phase"] = "over"
        room = Room(**self.room, waits_for=self.game.waited_for())
        view = self.game.view(self.you)
        return Seen(self.rev, self.game.question, view, room, tuple(events), catching_up)

    def offer(self, seat: int, kind: str) -> Any:
        return next((o for o in self.game.view(seat).offers if o.do == kind), None)

    def any_action(self, seat: int, avoid: Sequence[str] = ("own_up",)) -> Action:
        """Return some legal action of a seat."""
        offers = [o for o in self.game.view(seat).offers if o.do not in avoid]
        offer = self.rng.choice(offers)
        match offer.do:
            case "turn_location":
                return do.TurnLocation()
            case "ask":
                return do.Ask(self.rng.choice((None, "Was it you?", "I smell you from here.")))
            case "deny":
                return do.Deny()
            case "own_up":
                return do.OwnUp()
            case "draw":
                return do.Draw(tuple(self.rng.sample(range(offer.slots), offer.take)))
            case "choose" if offer.pairs:
                return do.Choose(*self.rng.choice(offer.pairs))
            case "choose":
                return do.Choose(self.rng.choice(offer.players))
            case "give":
                return do.Give(tuple(self.rng.sample(offer.cards, offer.take)))
            case "point":
                return do.Point(self.rng.choice(offer.players))
        raise AssertionError(offer)

    def step(self, seat: int | None = None) -> None:
        """Let somebody (or one of those awaited) do something legal."""
        if seat is None:
            seat = self.game.awaiting()[0]
        self.game.act(seat, self.any_action(seat))

    def play_until(self, there: Callable[[Sitting], bool], steps: int = 5000) -> Sitting:
        """Play on until a moment is reached."""
        for _ in range(steps):
            if there(self):
                return self
            assert not self.game.over, "the game ended before that moment"
            self.step()
        raise AssertionError("that moment never came")

    def play_to(self, kind: str, card: int | None = None, lap: int | None = None) -> Sitting:
        """Play on until our seat may do something (for a card's effect, in a lap)."""

        def there(sitting: Sitting) -> bool:
            table = sitting.game.view(sitting.you).table
            effect = table.effect.card if table.effect else None
            return (
                sitting.offer(sitting.you or 0, kind) is not None
                and (card is None or effect == card)
                and (lap is None or table.lap == lap)
            )

        return self.play_until(there)


class FakeClient:
    """The client of the tests: it records what the screen sends, and says what we tell it to."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.said: list[str] = []
        self.ordered: list[Any] = []
        self.left = False
        self._updates: asyncio.Queue[Update] = asyncio.Queue()

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def updates(self) -> AsyncIterator[Update]:
        while True:
            update = await self._updates.get()
            yield update
            if isinstance(update, Ended):
                return

    def tell(self, update: Update) -> None:
        self._updates.put_nowait(update)

    def act(self, action: Action) -> str:
        self.sent.append(action)
        return f"aid{len(self.sent)}"

    def order(self, order: Any) -> str:
        self.ordered.append(order)
        return f"order{len(self.ordered)}"

    def say(self, text: str) -> str:
        self.said.append(text)
        return f"chat{len(self.said)}"

    def leave(self) -> None:
        self.left = True

    def refresh(self) -> None:
        pass


class TableApp(App[None]):
    """As much of the app as a table needs: theme, styles, breakpoints, updates to all screens."""

    CSS_PATH = Path(tui.__file__).parent / "app.tcss"
    HORIZONTAL_BREAKPOINTS = PrrrtApp.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = PrrrtApp.VERTICAL_BREAKPOINTS

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.register_theme(PRRRT)
        self.theme = PRRRT.name
        self.sitting = sitting
        self.client = FakeClient()
        self.session = Session(self.client, self.post_message)
        self.table_screen = PrrrtScreen(self.session)

    async def on_mount(self) -> None:
        self.run_worker(self.session.run())
        await self.push_screen(self.table_screen)

    def on_table_update(self, message: TableUpdate) -> None:
        for screen in reversed(self.screen_stack):
            screen.post_message(TableUpdate(message.update))

    def let_us_act(self) -> None:
        """Let the last action that the screen sent happen, or refuse it as the engine does."""
        aid = f"aid{len(self.client.sent)}"
        assert self.sitting.you is not None
        try:
            self.sitting.game.act(self.sitting.you, self.client.sent[-1])
        except Illegal as refused:
            self.client.tell(Answered(aid, refused.code, refused.facts))
        else:
            self.client.tell(Answered(aid))

    async def tell(self, pilot: Pilot[None], *, catching_up: bool = False) -> None:
        """Let the screen see the game as it is, and wait until it has."""
        self.client.tell(self.sitting.seen(catching_up=catching_up))
        await self.until(pilot, lambda: self.shown_rev() == self.sitting.rev)
        await pilot.pause()
        await pilot.pause()

    def shown_rev(self) -> int:
        """Return which view the table screen shows."""
        return self.table_screen.sight.rev if self.table_screen.sight else 0

    async def until(self, pilot: Pilot[None], there: Callable[[], object]) -> None:
        """Wait until something is so; at most some seconds."""
        for _ in range(250):
            if there():
                return
            await pilot.pause(0.02)
        raise AssertionError("that never came")

    def action_help(self) -> None:
        help_screen = self.screen.help_screen()  # type: ignore[attr-defined]
        if help_screen is not None:
            self.push_screen(help_screen)

    def action_leave(self) -> None:
        self.client.left = True

    def action_rules(self) -> None:
        pass


@pytest.fixture
def sitting() -> type[Sitting]:
    """Makes games at a chosen moment."""
    return Sitting


@pytest.fixture
def table_app() -> type[TableApp]:
    """Makes an app that shows a sitting."""
    return TableApp
