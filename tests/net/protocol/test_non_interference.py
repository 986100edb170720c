"""What somebody may not see changes nothing that reaches them: at the table, and on the wire.

Twin tables (tests/toys/twins.py) differ only in what one seat, or a spectator, may not see. They
live through the same evening in virtual time: moves, wrong moves, chat, orders, lost lines, a
crash, time that runs out. What that seat was told must be the same to the byte, what anybody sees
of the traffic (who, when, how much) and what the process prints and logs as well.
"""

from __future__ import annotations

import asyncio
import logging
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest
import twins
import virtual_time

from core.kernel.illegal import Illegal
from core.kernel.rules import Rules
from core.low_on_gas.actions import LowOnGas, Play
from core.registry import GAMES
from net import messages as m
from net import orders, table_file, views
from net.client import SeatClient
from net.dealer import Unwritten
from net.host import Host
from net.host_game import Dealt, HostGame, OldLine
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.memory import MemoryBroker
from net.saves import table_folder
from net.table import Patience, Table
from net.telling import PlainLines

TURN = 25.0
NAMES = ("Ada", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus")

HOST = HostKeys.new()
KEYS = tuple(SeatKeys.new() for _ in NAMES)
WATCHER = SeatKeys.new()

Viewer = int | None


@dataclass
class Trace:
    """What came out of a table, with the time of each."""

    letters: list[tuple[float, str, bytes]] = field(default_factory=list)
    """(when, to whom, what): plaintext, without what is drawn by lot."""
    wire: list[tuple[float, str, int]] = field(default_factory=list)
    """(when, topic, bytes): what anybody at the broker sees."""
    told: list[tuple[float, Any]] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)

    def to(self, peer: str) -> list[tuple[float, str, bytes]]:
        return [letter for letter in self.letters if letter[1] in (peer, "everybody")]


class Sniffed(MemoryBroker):
    """A broker that keeps note of everything."""

    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self._trace = trace

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        now = asyncio.get_running_loop().time()
        self._trace.wire.append((now, topic, len(payload)))
        if topic.endswith(("/table", "/public")) and payload:
            letter = msgspec.json.decode(payload[64:], type=m.PublicLetter)
            self._trace.letters.append((now, "everybody", twins.encode(letter.body)))
        super().publish(topic, payload, retain=retain)


class Scripted:
    """A bot that does what was done when the game was told, and takes its time over its cards."""

    takes: ClassVar = 0.0

    def __init__(self, moves: tuple[twins.Move, ...]) -> None:
        self._moves = moves

    def saw(self, event: Any) -> None:
        """It has its script."""

    def choose(self, view: Any, seat: int, _: Random) -> Any:
        Scripted.takes = zlib.crc32(twins.encode(view)) % 90 / 1000 + 0.001
        who, action = self._moves[view.actions]
        return action if who == seat else None


def scripted(one: twins.Told) -> Rules:
    """The rules, with bots that do what was done."""
    makers = {level: lambda: Scripted(one.moves) for level in ("easy", "medium", "hard")}
    return type("ScriptedRules", (type(one.rules),), {"bots": makers})()


class Evening:
    """One of two twin tables: it has a game that was told in advance, up to some move."""

    def __init__(self, one: twins.Told, since: int) -> None:
        self.one = one
        self.since = since
        self.rules = scripted(one)
        self.trace = Trace()
        self.broker = Sniffed(self.trace)
        self.clients: dict[Viewer, tuple[SeatClient, asyncio.Task[None]]] = {}
        self.times = 0
        self._news = asyncio.Event()
        self.table = self._opened()
        self._let_host(None)

    # The table

    def _opened(self) -> Table:
        table = Table(
            Lobby(self.rules, self.one.seats, dict(self.one.options), founder=KEYS[0].peer_id),
            self,
            table_id=HOST.table_id,
            title="Cellar",
            level="easy",
            patience=Patience(turn=TURN, think=1.0, away=8.0, idle=0),
            now=asyncio.get_running_loop().time,
            tell=self._tell,
        )
        for name, keys in zip(NAMES[: self.one.seats], KEYS, strict=False):
            table.sit(name, "person", keys.peer_id, keys.public)
        table.play(self._game(1, self.since))
        return table

    def _game(self, number: int, moves: int) -> HostGame:
        dealt = Dealt(self.one.begun(), Unwritten())
        game = HostGame(self.rules, dealt, number, self.one.seats)
        game.replay(OldLine(seat, action, None) for seat, action in self.one.moves[:moves])
        return game

    def deal(self, *_: Any) -> Dealt:
        return Dealt(self.one.begun(), Unwritten())

    def _tell(self, happening: Any) -> None:
        self.trace.told.append((asyncio.get_running_loop().time(), twins.encode(happening)))
        self._news.set()

    def _let_host(self, kept: table_file.TableRecord | None) -> None:
        now = asyncio.get_running_loop().time
        self.host = Host(self.table, HOST, self.broker.connect(), now=now, rng=Random(1))
        if kept is not None:
            table_file.restore_answers(kept, self.host)
        letter = self.host.door.letter

        def noted(peer: Any, session: Any, body: m.Down) -> bytes:
            said = without_nonce(body)
            self.trace.letters.append((now(), peer.id, twins.encode(said)))
            return letter(peer, session, body)

        self.host.door.letter = noted  # type: ignore[method-assign]
        self._hosting = asyncio.create_task(self.host.run())

    async def crash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the process die, and another go on with what it left."""
        assert self.table.game is not None
        kept, done = table_file.record(self.host), self.table.game.actions
        kept = msgspec.structs.replace(kept, journal="game-1.jsonl")
        await ended(self._hosting)
        game = self._game(self.table.game.number, done)
        monkeypatch.setattr(table_file, "_open_game", lambda *_: (game, game.over))
        monkeypatch.setattr(table_file, "check_record", lambda *_: self.rules)
        now = asyncio.get_running_loop().time
        self.table = table_file.restore(kept, table_folder(HOST.table_id), now=now, tell=self._tell)
        self._let_host(kept)

    # The people

    def come(self, who: Viewer) -> SeatClient:
        """Let somebody come, or come back."""
        self.times += 1
        client = SeatClient(
            self.broker.connect(),
            HOST.table_id,
            keys=WATCHER if who is None else KEYS[who],
            name=None if who is None else NAMES[who],
            take_over=True,
            games={self.rules.name: self.rules},
            now=asyncio.get_running_loop().time,
        )
        client.asking._prefix = f"aid-{self.times}"
        self.clients[who] = client, asyncio.create_task(client.run())
        return client

    async def go(self, who: Viewer) -> None:
        """Let somebody's line drop without a word."""
        if who in self.clients:
            await ended(self.clients.pop(who)[1])

    @property
    def done(self) -> int:
        return 0 if self.table.game is None else self.table.game.actions

    async def move(self, *, slow: bool) -> None:
        """Let happen what happens next, by whoever's hand; `slow` is waiting for the clock."""
        at = self.done
        seat, action = self.one.moves[at]
        if seat in self.clients and not slow:
            self.clients[seat][0].act(action)
        async with asyncio.timeout(TURN + 15):
            while self.done == at:
                self._news.clear()
                await self._news.wait()

    async def close(self) -> None:
        for who in list(self.clients):
            await self.go(who)
        await ended(self._hosting)


async def ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def without_nonce(body: m.Down) -> m.Down:
    return msgspec.structs.replace(body, nonce="n") if isinstance(body, m.Welcome) else body


@pytest.fixture
def logged() -> Iterator[list[str]]:
    lines: list[str] = []
    handler = logging.Handler()
    handler.setFormatter(PlainLines("%(name)s %(message)s"))
    handler.emit = lambda record: lines.append(handler.format(record))  # type: ignore[method-assign]
    root = logging.getLogger()
    root.addHandler(handler)
    yield lines
    root.removeHandler(handler)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing depends on how fast this machine is."""
    virtual_time.without_threads(monkeypatch, lambda: Scripted.takes)


@dataclass(frozen=True)
class Doing:
    """What people do before the next move: `who` what, and how long they take over it."""

    wait: float
    what: str
    who: Viewer
    action: Any = None


@dataclass(frozen=True)
class Twins:
    """Two games that `viewer` can't tell apart, and the evening that both tables have with them."""

    one: twins.Told
    other: twins.Told
    viewer: Viewer
    since: int
    doings: tuple[Doing, ...]
    """One before each move that people make."""

    @property
    def peer(self) -> str:
        return (WATCHER if self.viewer is None else KEYS[self.viewer]).peer_id


MORE = 6
"""Moves at the end of a game that was told: bots make some of them when the others rest."""

WITHOUT_BOTS = ("wrong", "wrong", "say", "pause", "again", "nothing")
WHAT = (*WITHOUT_BOTS, "again", "away", "crash", "slow")


def twins_of(game: str, seed: int, last: int) -> Twins:
    """Random twins, with an evening for their moves from some moment on."""
    w, rng = twins.walk(seed, game), Random(f"evening {seed}")
    one = twins.told(w, 8 + seed * 11 % 90, *twins.RARE[game][: 2 * (seed % 2)])
    viewer = rng.choice([None, *range(w.seats)])
    other = twins.twin(one, viewer, rng, 50)
    vote = game == "prrrt" and seed % 2 == 1  # anything more would end it
    since = max(0, len(one.moves) - last - (0 if vote else MORE))
    moments = list(zip(one.moments(), other.moments(), strict=True))[since:-1]
    calls = any(isinstance(action, LowOnGas) for _, action in one.moves[since:])
    kinds = rng.sample(WITHOUT_BOTS if vote or calls else WHAT, last)
    doings = []
    for (here, there), what in zip(moments, kinds, strict=False):
        who = rng.choice([viewer, *range(w.seats)])
        action = None
        if what == "wrong":
            action = _wrong(w, who, here, there, rng)
        doings.append(Doing(rng.choice((0.05, 0.3, 1.1)) + rng.random() / 50, what, who, action))
    assert one != other
    return Twins(one, other, viewer, since, tuple(doings))


def _wrong(w: Any, who: Viewer, here: Any, there: Any, rng: Random) -> Any:
    """Something that is illegal for somebody at both tables."""
    for _ in range(200):
        action = w.rules.action(w.laws.junk(rng))
        if who is None or all(_illegal(game, who, action) for game in (here, there)):
            return action
    return None


def _illegal(game: Any, who: int, action: Any) -> bool:
    try:
        game.clone().act(who, action)
    except Illegal:
        return True
    return False


async def live(e: Evening, doings: tuple[Doing, ...], crash: Callable[[Evening], Any]) -> Trace:
    """Let people do what they do at a table, until all moves are made."""
    for who in (None, *range(e.one.seats)):
        e.come(who)
    await asyncio.sleep(1)
    for doing in doings:
        if e.done == len(e.one.moves):
            break
        who = doing.who
        await asyncio.sleep(doing.wait)
        if doing.what in ("wrong", "say", "pause") and who not in e.clients:
            e.come(who)
            await asyncio.sleep(1)
        match doing.what:
            case "wrong" if doing.action is not None:
                e.clients[who][0].act(doing.action)
            case "say":
                e.clients[who][0].say("Hm.")
            case "pause":
                for on in (True, False):  # refused, unless they own the table
                    e.clients[who][0].order(orders.Pause(on))
                    await asyncio.sleep(0.4)
            case "again" | "away":
                await e.go(who)
            case "crash":
                await crash(e)
        if doing.what == "again":
            e.come(who)
            await asyncio.sleep(0.5)
        await e.move(slow=doing.what == "slow")
    await asyncio.sleep(0.9)
    await e.close()
    return e.trace


@pytest.fixture
def lived(
    steady: None, logged: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Twins], tuple[Trace, Trace]]:
    """What came out of two twin tables on the same evening."""
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))

    async def one_evening(one: twins.Told, pair: Twins) -> Trace:
        trace = await live(Evening(one, pair.since), pair.doings, lambda e: e.crash(monkeypatch))
        trace.logged = list(logged)
        logged.clear()
        return trace

    def both(pair: Twins) -> tuple[Trace, Trace]:
        first, second = (virtual_time.run(one_evening(one, pair)) for one in (pair.one, pair.other))
        return first, second

    return both


def assert_alike(first: Trace, second: Trace, peer: str) -> None:
    """All that reaches a peer, and all that anybody may see, is the same."""
    assert first.to(peer) == second.to(peer)
    assert first.wire == second.wire
    assert first.told == second.told
    assert first.logged == second.logged


EVENINGS = 10 * int(os.environ.get("LAW_GAMES", "1"))
"""Twin tables of each game, as with the laws of `tests/core`."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(EVENINGS))
def test_what_nobody_may_see_changes_nothing_that_leaves_the_table(
    game: str, seed: int, lived: Callable[[Twins], tuple[Trace, Trace]]
) -> None:
    """Mid-game, after effects, wrong moves, lost lines, a crash, time that ran out."""
    pair = twins_of(game, seed, 5)
    first, second = lived(pair)
    assert first.to(pair.peer)
    assert_alike(first, second, pair.peer)


async def live_on(one: twins.Told, viewer: Viewer) -> Trace:
    """Let a game end, somebody come back to its result, and the next one begin."""
    owner, e = 0, Evening(one, len(one.moves) - 2)
    for who in (None, *range(e.one.seats)):
        e.come(who)
    await asyncio.sleep(1)
    while e.done < len(e.one.moves):
        await e.move(slow=False)
        await asyncio.sleep(0.1137)
    for order in (orders.Pause(True), orders.Rematch(), orders.Start()):
        if viewer != owner:
            e.clients[viewer][0].order(order)
        await asyncio.sleep(0.3137)
        await e.go(viewer)
        e.come(viewer)
        await asyncio.sleep(0.7123)
        e.clients[owner][0].order(order)
        await asyncio.sleep(0.3137)
    for _ in range(3):
        await e.move(slow=False)
        await asyncio.sleep(0.1137)
    await asyncio.sleep(0.9)
    assert e.table.games_played == 2
    await e.close()
    return e.trace


@pytest.mark.parametrize(
    ("game", "seed", "longest"), [("prrrt", 1, 7_000), ("low-on-gas", 0, 9_000)]
)
def test_a_result_a_rematch_and_a_history_in_pages_say_no_more(
    game: str,
    seed: int,
    longest: int,
    steady: None,
    logged: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was never shown stays hidden after the end, for who comes back to it as well."""
    monkeypatch.setattr(views, "MAX_LETTER", longest)
    one = twins.told(twins.walk(seed, game), 1000)
    for viewer in (None, 1):
        other = twins.twin(one, viewer, Random(seed), 40)
        assert other != one
        traces = []
        for each in (one, other):
            traces.append(virtual_time.run(live_on(each, viewer)))
            traces[-1].logged = list(logged)
            logged.clear()
        peer = (WATCHER if viewer is None else KEYS[viewer]).peer_id
        assert_alike(traces[0], traces[1], peer)
        sent = [msgspec.json.decode(said) for _, to, said in traces[0].letters if to == peer]
        paged = [view for view in sent if 0 < len(view.get("counts", ())) <= view["n"]]
        assert any("since" not in page for page in paged), "a history came in pages"


class Stumbling(Scripted):
    """Falls over its own cards, and says which."""

    def choose(self, *_: Any) -> Any:
        raise ValueError(f"{CARD} is not in tuple") from KeyError(CARD)


class Cheating(Scripted):
    """Wants to play a card that it hasn't got."""

    def choose(self, *_: Any) -> Any:
        return Play(CARD)


CARD = "no card"


@pytest.mark.parametrize(("bot", "says"), [(Stumbling, "ValueError"), (Cheating, "play")])
def test_no_bots_mistake_names_a_card_in_the_log(
    bot: type[Scripted], says: str, steady: None, logged: list[str]
) -> None:
    """Where it happened, and what kind of mistake it was."""
    one = twins.told(twins.walk(2, "low-on-gas"), 20)

    async def play() -> None:
        e = Evening(one, 10)
        e.rules.bots = {"easy": lambda: bot(one.moves)}  # type: ignore[misc]
        e.table.seat_to_bot(e.table.lobby.at(one.moves[10][0]), True, "owner")
        await asyncio.sleep(3)
        await e.close()

    virtual_time.run(play())
    assert any(says in line for line in logged)
    assert not any(CARD in line for line in logged)


def test_no_view_that_fails_names_a_card_in_the_log(steady: None, logged: list[str]) -> None:
    """Nor does anything else that nobody foresaw at a table."""
    one = twins.told(twins.walk(2, "low-on-gas"), 20)

    def broken(viewer: Viewer) -> bytes:
        raise LookupError(CARD)

    async def look() -> None:
        e = Evening(one, 10)
        e.come(0)
        await asyncio.sleep(1)
        assert e.table.game is not None
        e.table.game.view = broken  # type: ignore[method-assign]
        e.clients[0][0].refresh()
        await asyncio.sleep(1)
        assert e.host.mishaps.count
        await e.close()

    virtual_time.run(look())
    assert any("LookupError" in line and "broken" in line for line in logged)
    assert not any(CARD in line for line in logged)


def _before_a_silencing(seats: int) -> tuple[twins.Told, int, Any]:
    """A game in which somebody could speak up; whose turn it is, and a discard that ends that."""
    for seed in count(seats - 2, 6):
        w = twins.walk(seed, "low-on-gas")
        one = twins.told(w, 10, *twins.RARE["low-on-gas"][:1])
        game = one.moments()[-1]
        for seat in game.waited_for():
            for offer in game.view(seat).offers:
                for action in one.rules.actions(offer):
                    if game.silences(seat, action):
                        return one, seat, action
    raise AssertionError


@pytest.mark.parametrize("seats", [2, 5])
def test_that_somebodys_action_waits_is_told_to_nobody_else(steady: None, seats: int) -> None:
    """F44: all that others are told is the same, to the byte and the microsecond.

    Whoever watches the traffic sees that somebody asked for something and was answered alone: as
    they are when they are refused.
    """
    one, actor, action = _before_a_silencing(seats)
    key = KEYS[actor].peer_id
    others = [keys.peer_id for keys in (WATCHER, *KEYS[:seats]) if keys.peer_id != key]
    tries = KEYS.index(next(keys for keys in KEYS if keys.peer_id in others))

    async def within_the_moment(does: Any) -> Trace:
        e = Evening(one, len(one.moves) - 1)
        for who in (None, *range(seats)):
            e.come(who)
        await asyncio.sleep(1)
        await e.move(slow=False)
        await asyncio.sleep(0.3137)
        if does is not None:
            e.clients[actor][0].act(does)
        await asyncio.sleep(0.2211)
        e.clients[tries][0].act(action)
        e.clients[tries][0].order(orders.SeatToBot(actor, on=False))
        e.clients[None][0].say("Well?")
        await asyncio.sleep(0.9)  # long enough to be said again
        assert bool(e.table.fair.waiting) is (does is action)
        trace = replace(e.trace, letters=list(e.trace.letters), wire=list(e.trace.wire))
        await e.close()
        return trace

    waits, thinks, refused = (
        virtual_time.run(within_the_moment(does)) for does in (action, None, Play(CARD))
    )
    for peer in others:
        assert waits.to(peer) == thinks.to(peer) == refused.to(peer)
    assert waits.told == thinks.told == refused.told
    assert waits.wire == refused.wire
    only_there = Counter(waits.wire) - Counter(thinks.wire)
    assert not Counter(thinks.wire) - Counter(waits.wire)
    assert {topic.split("/")[-2] for _, topic, _ in only_there} == {key}
