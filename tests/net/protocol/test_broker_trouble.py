"""Brokers and lines that lose, repeat, delay, cut and forget: the game comes out the same."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hostile_line import HostileTransport, Malice, SlowLine

from core.kernel.event import Event
from core.registry import GAMES
from core.replay import Replayed, replay
from net.client import SeatClient
from net.connect import join
from net.dealer import FairDealer
from net.guest_bot import GuestBot
from net.keys import SeatKeys
from net.table import Patience
from net.transport import Transport
from net.updates import Answered, Ended, Seen, Update
from net.updates import Line as LineUp
from tui.headless import _bot
from tui.opening import Target

Line = Callable[[Transport], Transport]

SHORT = {"prrrt": {}, "low-on-gas": {"wins": 1}}
"""Options that make a game of each kind a short one."""

SEEDS = range(1, 1 + int(os.environ.get("ROUGH_SEEDS", "1")))
"""`ROUGH_SEEDS=20 pytest tests/net/protocol/test_broker_trouble.py` looks harder."""

BACK_WITHIN = 8.0
"""Seconds after which a broker that is back is found by all who knew it, and the game goes on."""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))


class Witnessed:
    """A seat's client with a bot that plays its person's part, and all that they were shown."""

    def __init__(self, client: SeatClient, rng: Random) -> None:
        self.client = client
        self.story: list[Event] = []
        self.seen: list[Seen] = []
        self.lines: list[bool] = []
        self.done: set[str] = set()
        self.ended: Ended | None = None
        inner = client.updates

        async def updates() -> AsyncIterator[Update]:
            async for update in inner():
                self._note(update)
                yield update

        client.updates = updates  # type: ignore[method-assign]
        self.playing = asyncio.create_task(GuestBot(client, level="easy", think=0, rng=rng).play())

    def _note(self, update: Update) -> None:
        match update:
            case Seen():
                self.seen.append(update)
                if update.catching_up:
                    self.story.clear()
                self.story.extend(update.events)
            case Answered(aid, None):
                self.done.add(aid)
            case LineUp(up):
                self.lines.append(up)
            case Ended():
                self.ended = update


class Evening:
    """A table of real games whose journal is on disk, and guests whose every view is kept."""

    def __init__(
        self,
        party: Any,
        eventually: Any,
        game: str,
        players: int = 3,
        names: tuple[str, ...] = ("Ada", "Ben", "Cyd"),
        guest_line: Line | None = None,
        **more: Any,
    ) -> None:
        self._eventually = eventually
        self.party = party(
            GAMES[game],
            players=players,
            options=SHORT[game],
            dealer=FairDealer,
            start_when_full=True,
            **more,
        )
        self.guests: list[Witnessed] = []
        for n, name in enumerate(names):
            self.come(name, n, guest_line)
        self.watcher = self._witnessed(None, 9, guest_line)

    def come(self, name: str, seed: int, line: Line | None = None) -> Witnessed:
        """Let somebody sit down, on a line that is made of a good one."""
        self.guests.append(self._witnessed(name, seed, line))
        return self.guests[-1]

    def _witnessed(self, name: str | None, seed: int, line: Line | None) -> Witnessed:
        more = {} if line is None else {"line": line}
        return Witnessed(self.party.client(name, **more), Random(seed))

    async def ends_as_its_journal(self, seconds: float = 200) -> None:
        """Wait for the end; everybody's story is the journal's, with nothing twice or missing."""
        await self.party.over(seconds)
        everybody = (*self.guests, self.watcher)
        await self._eventually(lambda: all(w.seen and _over(w.seen[-1]) for w in everybody), 20)
        replayed = _replayed(self.party.table.game.journal.name)
        assert replayed.ended
        assert replayed.game.over
        aids = [line.aid for line in replayed.lines]
        assert len(aids) == len(set(aids)), "no action happens twice"
        for witness in everybody:
            seat = witness.seen[-1].room.you
            assert (seat is None) == (witness is self.watcher)
            assert witness.story == list(replayed.game.shown(seat, -1))
            shown = msgspec.json.encode(replayed.game.view(seat))
            assert msgspec.json.encode(witness.seen[-1].game) == shown
            assert witness.ended is None, "nobody was thrown out"
            assert witness.done <= set(aids), "what they were told is done has happened"

    async def close(self) -> None:
        for each in (*self.guests, self.watcher):
            each.playing.cancel()
        await asyncio.gather(
            *(w.playing for w in (*self.guests, self.watcher)), return_exceptions=True
        )

    @property
    def by(self) -> list[str]:
        """Who did each action of the game so far: a seat's person, or a bot."""
        return [line.body["by"] for line in _replayed(self.party.table.game.journal.name).lines]

    @property
    def noticed(self) -> set[str]:
        return {notice.code for seen in self.watcher.seen for notice in seen.room.notices}

    @property
    def actions(self) -> int:
        game = self.party.table.game
        return 0 if game is None else game.actions


def _replayed(path: str) -> Replayed:
    return replay(Path(path).read_bytes())


def _over(seen: Seen) -> bool:
    return seen.game is not None and seen.game.over


@pytest.fixture
async def evening(party: Any, eventually: Any) -> AsyncIterator[Callable[..., Evening]]:
    """`evening("prrrt", broker=..., ...)`: a table of that game, with three guests."""
    made: list[Evening] = []

    def make(game: str, **more: Any) -> Evening:
        made.append(Evening(party, eventually, game, **more))
        return made[-1]

    yield make
    for each in made:
        await each.close()


@pytest.fixture
def in_an_evening(in_virtual_time: Any, eventually: Any) -> Callable[..., None]:
    """`in_an_evening(does, "prrrt", ...)` awaits `does(evening)` in virtual time."""

    def spend(does: Callable[[Evening], Any], game: str, **more: Any) -> None:
        async def whole(party: Any) -> None:
            table = Evening(party, eventually, game, **more)
            try:
                await does(table)
            finally:
                await table.close()

        in_virtual_time(whole)

    return spend


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", SEEDS)
def test_a_transport_that_means_ill_changes_no_outcome(
    in_an_evening: Any, game: str, seed: int
) -> None:
    """Lost, repeated, late, replayed, misdirected, damaged and invented letters, of everybody."""
    made: list[HostileTransport] = []

    def line(inner: Transport) -> HostileTransport:
        made.append(HostileTransport(inner, seed * 100 + len(made), Malice(delay=0.5)))
        return made[-1]

    in_an_evening(lambda table: table.ends_as_its_journal(1000), game, line=line)
    assert min(sum((one.did for one in made), Counter[str]()).values()) > 10


@pytest.mark.parametrize("game", sorted(GAMES))
def test_on_a_satellite_line_everybody_plays_and_nobody_is_missed(
    in_an_evening: Any, eventually: Any, game: str
) -> None:
    """A round trip of four seconds, when five without a sign of life are to be away."""

    async def play(table: Evening) -> None:
        await eventually(lambda: table.actions >= 8, 300)
        assert {"away", "bot_takes_over"}.isdisjoint(table.noticed)
        assert all(guest.lines == [True] and guest.ended is None for guest in table.guests)

    in_an_evening(play, game, guest_line=lambda inner: SlowLine(inner, 2.0))


def test_what_a_line_loses_twice_in_a_row_is_still_said_within_a_second(
    in_virtual_time: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a call is lost that was made at once: others' moment to call is one and a half."""
    monkeypatch.setattr("net.asking.AGAIN", 60.0)
    said: list[float] = []

    async def evening(party: Any) -> None:
        table = party(players=2)
        ada = await table.seat("Ada")
        publish = ada.client._transport.publish

        async def lose_two(topic: str, payload: bytes, *, retain: bool = False) -> None:
            said.append(asyncio.get_running_loop().time())
            if len(said) > 2:
                await publish(topic, payload, retain=retain)

        ada.client._soon("beat")
        await eventually(lambda: ada.client._due["beat"] > 0)  # and for a while no other is due
        monkeypatch.setattr(ada.client._transport, "publish", lose_two)
        assert await ada.answered(ada.client.say("low on gas!")) is None

    in_virtual_time(evening)
    assert said[2] - said[0] < 1


async def test_a_bot_whose_table_is_never_heard_again_gives_up(party: Any, hostile: Any) -> None:
    """No person is there to end it."""
    made: list[Any] = []

    def line(inner: Transport) -> Any:
        made.append(hostile(inner, drop=0))
        return made[-1]

    table = party()
    client = table.client("Bot", line=line, kind="guest_bot", give_up=1.0)
    bot = asyncio.create_task(GuestBot(client, level="easy").play())
    await table.seat("Ada")
    made[0].cut()
    async with asyncio.timeout(10):
        assert (await bot).code == "no_answer"


async def test_a_visiting_bot_takes_a_table_that_left_only_its_advertisement_for_closed(
    party: Any, over_mosquitto: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its host was killed, and the broker keeps what it last said of itself."""
    monkeypatch.setattr("net.clocks.DEFAULT_IDLE", 1.0)
    monkeypatch.setattr("net.client.NO_ANSWER", 0.5)
    monkeypatch.setattr("tui.headless.GIVE_UP", 0.5)
    real = {"broker": over_mosquitto, "host_line": over_mosquitto.host_line}
    table = party(GAMES["prrrt"], players=3, **real)
    target = Target(broker=f"mqtt://{over_mosquitto.address}")
    bot = asyncio.create_task(_bot(target, None, "easy", 0.0, None))
    await eventually(lambda: table.table.lobby.seats)
    table.running.cancel()
    async with asyncio.timeout(15):
        assert await bot is None


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_line_that_loses_repeats_and_reorders_before_a_real_broker_changes_no_outcome(
    evening: Any, real_broker: Any, roughen: Any, game: str
) -> None:
    """Everything published, by host and seats, is at risk twice: on its way in and out."""
    line, broker = await roughen(
        real_broker, drop=0.05, repeat=0.1, delay=0.2, longest=0.05, torn=0.1
    )
    table = evening(game, broker=broker, host_line=broker.host_line, speed=5)
    await table.ends_as_its_journal()
    assert min(line.did[what] for what in ("drop", "repeat", "delay", "torn")) > 10


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_broker_that_is_killed_twice_and_forgets_everything_is_survived(
    evening: Any, mosquitto: Any, over_mosquitto: Any, eventually: Any, game: str
) -> None:
    """Host and seats go on by themselves; a newcomer finds the table at once."""
    table = evening(game, broker=over_mosquitto, host_line=over_mosquitto.host_line)
    for played in (10, 25):
        await eventually(lambda played=played: table.actions >= played, 30)
        await mosquitto.kill()
        at = table.actions
        await mosquitto.start()
        began = time.monotonic()
        line, ad = await join(mosquitto.address, table.party.keys.table_id)
        assert time.monotonic() - began < BACK_WITHIN
        await line.close()
        assert ad.phase == "playing"
        await eventually(lambda: all(one.lines[-1] for one in table.guests), BACK_WITHIN)
        await eventually(lambda at=at: table.actions > at, 20)  # after others' fair moment
    await table.ends_as_its_journal()
    assert all(guest.lines == [True, False, True, False, True] for guest in table.guests)
    assert {"away", "bot_takes_over"}.isdisjoint(table.noticed), "nobody was missed"


async def test_no_time_passes_at_a_table_whose_broker_is_gone(
    start: Any, mosquitto: Any, eventually: Any
) -> None:
    """Nobody could play meanwhile: nobody's decision runs out, and nobody has been away."""
    url = f"mqtt://{mosquitto.address}"
    table = await start(broker=url, players=3, turn_time=2.0, start_when_full=True, once=True)
    ready = await table.line("ready")
    guests = []
    for n, name in enumerate(("Ada", "Ben", "Cyd")):
        line, ad = await join(mosquitto.address, ready["table"])
        client = SeatClient(line, ad.host.table_id, keys=SeatKeys.new(), name=name)
        guests.append(Witnessed(client, Random(n)))
    journal = (await table.line("started"))["journal"]
    for _ in range(20):
        await table.line("action")
    await mosquitto.kill()
    await asyncio.sleep(3)  # longer than anybody may think
    await mosquitto.start()
    await eventually(lambda: all(guest.lines[-1] for guest in guests), BACK_WITHIN)
    await table.line("over")
    assert await table.end() == 0
    assert {line["event"] for line in table.lines}.isdisjoint({"left", "back"})
    assert {line.body["by"] for line in _replayed(journal).lines} == {"seat"}
    assert [(await guest.playing).code for guest in guests] == ["closed"] * 3


async def test_a_table_whose_broker_stays_away_closes_when_it_would_without_people(
    party: Any, hostile: Any, broker: Any
) -> None:
    """Time stands still for everybody at it, but it doesn't stay open for ever."""
    line = hostile(broker.connect())
    table = party(broker=broker, host_line=line, patience=Patience(idle=0.3))
    await table.seat("Ada")
    line.cut()
    async with asyncio.timeout(10):
        await table.running
    assert table.table.closed_why == "idle"


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "rough",
    [
        {"cut": 0.01, "torn": 0.3, "stall": 0.01, "stalled": 0.3, "bandwidth": 400_000},
        {"damage": 0.02, "torn": 0.1},
    ],
    ids=["cut, stalled and slow", "damaged"],
)
async def test_a_stream_that_is_not_what_it_was_changes_no_outcome(
    evening: Any, real_broker: Any, roughen: Any, rough: dict[str, float]
) -> None:
    """Cut in the middle of a packet, or no MQTT at all any more: a line comes back and goes on."""
    line, broker = await roughen(real_broker, **rough)
    table = evening("low-on-gas", broker=broker, host_line=broker.host_line, speed=4)
    await table.ends_as_its_journal()
    assert sum(line.did[what] for what in ("cut", "stall", "damage")), "the line was bad"


async def test_a_seat_whose_line_is_dead_is_played_by_a_bot_until_it_is_back(
    evening: Any, real_broker: Any, roughen: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cable that was pulled out tells nobody: neither broker nor client hears anything."""
    monkeypatch.setattr("net.mqtt.KEEPALIVE", 1)
    line, behind_it = await roughen(real_broker)
    table = evening(
        "prrrt",
        names=("Ben", "Cyd"),
        broker=real_broker,
        host_line=real_broker.host_line,
        speed=5,
        patience=Patience(think=0.02, away=2),
    )
    ada = table.come("Ada", 1, lambda _: behind_it.connect())
    await eventually(lambda: table.actions > 5)
    line.silent = True
    await eventually(lambda: "bot" in table.by)
    assert ada.lines[-1] is False, "it knows itself"
    table.party.table.pause(True)
    line.silent = False
    await eventually(lambda: ada.lines[-1], 15)
    before = len(table.by)
    table.party.table.pause(False)
    await table.ends_as_its_journal()
    assert "bot" not in table.by[before:], "they play for themselves again"
