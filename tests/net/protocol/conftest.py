# ruff: noqa: ARG002 - toys have no use for much that they are told
"""Parties that play the toy game (`tests/toys/achoo`) over memory, or over a real broker.

That it needs nothing outside its folder is part of what is tested: host, seats
and bots know games only through `core.kernel.rules`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
import virtual_time
from achoo import events as ev
from achoo.questions import Play
from achoo.rules import AchooRules, HighestFirst
from ears import Ears

from core.kernel.action import Action
from core.kernel.bot import Bot
from core.kernel.event import Event
from core.kernel.options import OptionValue
from core.kernel.rules import Rules
from core.kernel.view import Offer, View
from net.client import SeatClient
from net.guest_bot import GuestBot
from net.happenings import Happening, Ready, Stopped
from net.host import Host
from net.host_game import By, Dealt
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.memory import MemoryBroker
from net.settings import TableSettings
from net.table import Patience, Table
from net.table_process import run_table
from net.transport import Transport
from net.updates import Answered, Ended, Line, Seen, Update, Words


class Watchful(HighestFirst):
    """Sees to it that a bot is shown everything once, and no more than its seat may see."""

    def choose(self, view: View[Any, Any], seat: int, rng: Random) -> Action | None:
        dealt = [e for e in self.seen if isinstance(e, ev.Dealt) and e.seat == seat]
        assert len(dealt) == 1, "a bot is shown everything once"
        assert all(isinstance(h, int) for s, h in enumerate(view.table.hands) if s != seat)
        return super().choose(view, seat, rng)


class Broken(Watchful):
    """A bot that must not stop a table."""

    def choose(self, view: View[Any, Any], seat: int, rng: Random) -> Action:
        raise RuntimeError("a bot with a bug")


class Cheat(Watchful):
    def choose(self, view: View[Any, Any], seat: int, rng: Random) -> Action:
        return Play((99,))


class Shy(Watchful):
    """Says nothing unless it is its turn."""

    asked: ClassVar[list[tuple[int, int]]] = []
    """Every seat that was asked, and when: how many actions had happened."""

    def choose(self, view: View[Any, Any], seat: int, rng: Random) -> Action | None:
        self.asked.append((seat, view.actions))
        plays = [offer for offer in view.offers if offer.do == "play"]
        return Play((max(plays[0].cards),)) if plays else None


class Mute(Watchful):
    """Never says anything, though the game waits for it."""

    def choose(self, view: View[Any, Any], seat: int, rng: Random) -> None:
        return None


class ToyRules(AchooRules):
    """Achoo, with bots as they shouldn't be."""

    bots: ClassVar[Mapping[str, Callable[[], Bot[Any]]]] = {
        "easy": Watchful,
        "broken": Broken,
        "cheat": Cheat,
        "shy": Shy,
        "mute": Mute,
    }


class Shuffled:
    """Chance for tests: seeded."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def order(self, label: str, canonical: Sequence[Any]) -> tuple[Any, ...]:
        items = list(canonical)
        Random(f"{self.seed} {label}").shuffle(items)
        return tuple(items)


class MemoryJournal:
    """A journal that is only a list; `broken` is a disk that is full."""

    def __init__(self) -> None:
        self.name = "memory"
        self.lines: list[tuple[int, Action, str, By]] = []
        self.result: bytes | None = None
        self.closed = False
        self.broken = False

    def append(self, seat: int, action: Action, aid: str, by: By) -> None:
        self.try_disk()
        self.lines.append((seat, action, aid, by))

    def finish(self, result: bytes) -> None:
        self.try_disk()
        self.result = result

    def try_disk(self) -> None:
        if self.broken:
            raise OSError(28, "No space left on device")

    def close(self) -> None:
        self.closed = True


class ToyDealer:
    """Deals from seeded chance into memory journals."""

    def __init__(self) -> None:
        self.journals: list[MemoryJournal] = []
        self.broken = False

    def deal(self, rules: Rules, options: dict[str, OptionValue], names: tuple[str, ...]) -> Dealt:
        if self.broken:
            raise OSError(28, "No space left on device")
        self.journals.append(MemoryJournal())
        game = rules.start(len(names), options, Shuffled(len(self.journals)))
        return Dealt(game, self.journals[-1])


class Guest:
    """A client at a party, and everything it learned."""

    def __init__(self, client: SeatClient, keys: SeatKeys) -> None:
        self.client = client
        self.keys = keys
        self.updates: list[Update] = []
        self.running = asyncio.create_task(client.run())
        self._news = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @property
    def seen(self) -> Seen:
        """The newest view."""
        return self.views[-1]

    @property
    def views(self) -> list[Seen]:
        return [update for update in self.updates if isinstance(update, Seen)]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the newest connection."""
        events: tuple[Event, ...] = ()
        for view in self.views:
            events = view.events if view.catching_up else events + view.events
        return events

    @property
    def ended(self) -> Ended | None:
        return next((u for u in self.updates if isinstance(u, Ended)), None)

    async def end(self) -> str:
        """Wait until the client is done; return why."""
        await self.until(lambda: self.ended is not None)
        assert self.ended is not None
        return self.ended.code

    @property
    def lines(self) -> list[bool]:
        return [update.up for update in self.updates if isinstance(update, Line)]

    @property
    def words(self) -> tuple[str, ...]:
        return next(u.words for u in self.updates if isinstance(u, Words))

    @property
    def notices(self) -> list[str]:
        codes = {n.number: n.code for view in self.views for n in view.room.notices}
        return [codes[number] for number in sorted(codes)]

    def answer(self, aid: str) -> Answered | None:
        answers = [u for u in self.updates if isinstance(u, Answered) and u.aid == aid]
        assert len(answers) <= 1, "an aid is answered once"
        return answers[0] if answers else None

    async def answered(self, aid: str) -> str | None:
        """Wait for the answer to an aid; return its code."""
        await self.until(lambda: self.answer(aid) is not None)
        answer = self.answer(aid)
        assert answer is not None
        return answer.code

    async def until(self, what: Callable[[], bool], seconds: float = 30) -> None:
        """Wait until something holds, looking after every update."""
        try:
            async with asyncio.timeout(seconds):
                while not (self.updates and _holds(what)):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"never came: {self.updates[-3:]}") from None

    async def sees(self, what: Callable[[Seen], bool], seconds: float = 30) -> Seen:
        """Wait for a view of which something holds; return the newest."""
        await self.until(lambda: what(self.seen), seconds)
        return self.seen

    async def play(self, steps: int = 1000) -> None:
        """Play plainly until the game is over, or for some actions."""
        for _ in range(steps):
            seen = await self.sees(lambda s: s.game is not None and (s.game.over or _plays(s)))
            assert seen.game is not None
            if seen.game.over:
                return
            aid = self.client.act(Play((int(_plays(seen)[0].cards[0]),)))
            assert await self.answered(aid) is None

    async def drop(self) -> None:
        """Lose the line without a word."""
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        async for update in self.client.updates():
            self.updates.append(update)
            self._news.set()


def _plays(seen: Seen) -> list[Offer]:
    return [] if seen.game is None else [each for each in seen.game.offers if each.do == "play"]


def _holds(what: Callable[[], bool]) -> bool:
    try:
        return what()
    except IndexError:  # no view yet
        return False


class Party:
    """A host, and guests that come and go."""

    def __init__(
        self,
        rules: Rules,
        *,
        players: int = 2,
        bots: int = 0,
        level: str = "easy",
        pin: str | None = None,
        patience: Patience | None = None,
        speed: float = 1.0,
        keys: HostKeys | None = None,
        broker: Any = None,  # a `MemoryBroker`, or a `RealBroker` with its `host_line`
        host_line: Transport | None = None,
        line: Callable[[Transport], Transport] = lambda transport: transport,
        start_when_full: bool = False,
        think: float = 0.0,
        founder: str | None = None,
        options: dict[str, OptionValue] | None = None,
        dealer: Callable[[HostKeys], Any] = lambda _: ToyDealer(),  # or `FairDealer`: on disk
    ) -> None:
        self.rules = rules
        self.broker: Any = broker or MemoryBroker()
        self.keys = keys or HostKeys.new()
        self.dealer = dealer(self.keys)
        self.told: list[Any] = []
        self.guests: list[Guest] = []
        self.bots: list[asyncio.Task[Ended]] = []
        self.line = line
        clock = asyncio.get_running_loop().time
        self.now = lambda: clock() * speed
        self.table = Table(
            Lobby(rules, players, dict(options or {}), founder=founder),
            self.dealer,
            table_id=self.keys.table_id,
            title="Cellar",
            level=level,
            patience=patience or Patience(think=think),
            now=self.now,
            starts=1 if keys is None else 2,  # whoever brings keys goes on with a table
            start_when_full=start_when_full,
            tell=self.told.append,
        )
        for _ in range(bots):
            self.table.add_bot(level)
        self.host = Host(
            self.table,
            self.keys,
            line(host_line or self.broker.connect()),
            pin=pin,
            now=self.now,
            rng=Random(1),
        )
        self.running = asyncio.create_task(self.host.run())

    def client(self, name: str | None, keys: SeatKeys | None = None, **more: Any) -> SeatClient:
        """Make a client of this table that nobody runs yet."""
        return SeatClient(
            more.pop("line", self.line)(self.broker.connect()),
            self.keys.table_id,
            keys=keys or SeatKeys.new(),
            name=name,
            games={self.rules.name: self.rules},
            now=self.now,
            **more,
        )

    def guest_bot(self, name: str, level: str, kind: str = "guest_bot") -> asyncio.Task[Ended]:
        """Let a bot come over the network, or play a person's part."""
        client = self.client(name, kind=kind)
        games = {self.rules.name: self.rules}
        bot = GuestBot(client, level=level, think=0, games=games, rng=Random(len(self.bots)))
        self.bots.append(asyncio.create_task(bot.play()))
        return self.bots[-1]

    def guest(self, name: str | None, keys: SeatKeys | None = None, **more: Any) -> Guest:
        """Let a client come, without waiting for anything."""
        keys = keys or SeatKeys.new()
        self.guests.append(Guest(self.client(name, keys, **more), keys))
        return self.guests[-1]

    async def seat(self, name: str | None, keys: SeatKeys | None = None, **more: Any) -> Guest:
        """Let a client come, and wait until it sees the table."""
        guest = self.guest(name, keys, **more)
        await guest.until(lambda: bool(guest.views))
        return guest

    @property
    def journal(self) -> MemoryJournal:
        return self.dealer.journals[-1]

    async def over(self, seconds: float = 60) -> None:
        """Wait until the game is over."""
        await eventually(lambda: self.table.phase == "over", seconds)

    async def close(self) -> None:
        for guest in self.guests:
            await guest.drop()
        for task in (*self.bots, self.running):
            task.cancel()
        await asyncio.gather(*self.bots, self.running, return_exceptions=True)


Start = Callable[..., Any]

TABLE_PROCESS = ("-m", "net.table_process")


class TableProcess:
    """A table process, and the lines that it printed."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []

    async def line(self, event: str) -> dict[str, Any]:
        """Read until it prints such a line."""
        assert self.process.stdout is not None
        async with asyncio.timeout(60):
            while True:
                raw = await self.process.stdout.readline()
                assert raw, f"it ended: {self.lines[-3:]}"
                self.lines.append(json.loads(raw))
                if self.lines[-1]["event"] == event:
                    return self.lines[-1]

    async def end(self) -> int:
        async with asyncio.timeout(15):
            return await self.process.wait()


@pytest.fixture
async def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Start]:
    """Run a table process (or another program that holds a table) on loopback."""
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))
    started: list[Process] = []

    async def begin(program: Sequence[str] = TABLE_PROCESS, **settings: Any) -> TableProcess:
        wanted = {"bind": "127.0.0.1", "discovery": False, "json": True, "think": 0.0}
        process = await asyncio.create_subprocess_exec(
            sys.executable, *program, stdin=PIPE, stdout=PIPE, env=dict(os.environ)
        )
        started.append(process)
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(TableSettings(**{**wanted, **settings})))
        process.stdin.close()
        return TableProcess(process)

    yield begin
    for process in started:
        if process.returncode is None:
            process.kill()
            await process.wait()


class HeldTable:
    """A table with all that belongs to it, held in this process, and what it said."""

    def __init__(self, settings: TableSettings) -> None:
        self.told: list[Happening] = []
        self._ready = asyncio.Event()
        self.running = asyncio.create_task(run_table(settings, self._hear))

    def _hear(self, happening: Happening) -> None:
        self.told.append(happening)
        if isinstance(happening, Ready):
            self._ready.set()

    async def port(self) -> int:
        """Wait until it stands; return where."""
        async with asyncio.timeout(10):
            await self._ready.wait()
        return next(one.port for one in self.told if isinstance(one, Ready))

    @property
    def why(self) -> str | None:
        """Why it stopped, as it said."""
        return next((one.why for one in self.told if isinstance(one, Stopped)), None)

    async def close(self) -> None:
        """End it without a word."""
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)


@pytest.fixture
async def hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """`hold(players=3, ...)` holds a table in this process, as a table process does."""
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))
    held: list[HeldTable] = []

    def begin(**settings: Any) -> HeldTable:
        wanted = {"bind": "127.0.0.1", "discovery": False, "think": 0.0, **settings}
        held.append(HeldTable(TableSettings(**wanted)))
        return held[-1]

    yield begin
    for each in held:
        await each.close()


MakeParty = Callable[..., Party]
Evening = Callable[[MakeParty], Coroutine[Any, Any, None]]


@pytest.fixture
def toy() -> ToyRules:
    return ToyRules()


@pytest.fixture
def dealer() -> ToyDealer:
    return ToyDealer()


@contextlib.asynccontextmanager
async def _parties(toy: ToyRules) -> AsyncIterator[MakeParty]:
    made: list[Party] = []

    def make(rules: Rules | None = None, **more: Any) -> Party:
        made.append(Party(rules or toy, **more))
        return made[-1]

    try:
        yield make
    finally:
        for each in made:
            await each.close()


@pytest.fixture
async def party(toy: ToyRules) -> AsyncIterator[MakeParty]:
    """`party(players=3, bots=1, ...)` opens a table of the toy game in memory."""
    async with _parties(toy) as make:
        yield make


@pytest.fixture
def in_virtual_time(toy: ToyRules, monkeypatch: pytest.MonkeyPatch) -> Callable[[Evening], None]:
    """`in_virtual_time(evening)` awaits `evening(party)` on a clock that no busy machine hurries.

    All happens in the same order each time: on a line with a seed the same letters are lost.
    """
    virtual_time.without_threads(monkeypatch, lambda: 0.001)

    def run(evening: Evening) -> None:
        async def whole() -> None:
            async with _parties(toy) as make:
                await evening(make)

        virtual_time.run(whole())

    return run


@pytest.fixture
async def listens() -> AsyncIterator[Callable[[Ears], Awaitable[Ears]]]:
    """Let somebody's ears hear all that is said, from now on to the end of the test."""
    made: list[Ears] = []

    async def begin(ears: Ears) -> Ears:
        made.append(ears)
        return await ears.listen()

    yield begin
    for each in made:
        await each.close()


async def eventually(what: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until something holds that nobody reports."""
    async with asyncio.timeout(seconds):
        while not what():  # noqa: ASYNC110 - nothing to wait on: that is the point
            await asyncio.sleep(0.01)


@pytest.fixture(name="eventually")
def _eventually() -> Callable[..., Awaitable[None]]:
    return eventually


@pytest.fixture
def play() -> Callable[[int], Play]:
    """`play(12)` is the action of the toy game."""
    return lambda card: Play((card,))
