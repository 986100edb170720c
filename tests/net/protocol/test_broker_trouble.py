"""Brokers and lines that lose, repeat, delay, cut and forget: the game comes out the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from core.kernel.event import Event
from core.registry import GAMES
from core.replay import Replayed, replay
from net.client import SeatClient
from net.connect import join
from net.dealer import FairDealer
from net.guest_bot import GuestBot
from net.keys import SeatKeys
from net.table import Patience
from net.updates import Answered, Ended, Line, Seen, Update

SHORT = {"prrrt": {}, "low-on-gas": {"wins": 1}}
"""Options that make a game of each kind a short one."""

BACK_WITHIN = 4.0
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
            case Line(up):
                self.lines.append(up)
            case Ended():
                self.ended = update


class Evening:
    """A table of real games whose journal is on disk, and guests whose every view is kept."""

    def __init__(
        self, party: Any, eventually: Any, game: str, players: int = 3, **more: Any
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
        self.guests = [
            self.come(name, n) for n, name in enumerate(("Ada", "Ben", "Cyd", "Dot")[:players])
        ]
        self.watcher = self.come(None, 9)

    def come(self, name: str | None, seed: int) -> Witnessed:
        return Witnessed(self.party.client(name), Random(seed))

    async def ends_as_its_journal(self, seconds: float = 60) -> None:
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


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_line_that_loses_repeats_and_reorders_before_a_real_broker_changes_no_outcome(
    evening: Any, real_broker: Any, roughen: Any, game: str
) -> None:
    """Everything published, by host and seats, is at risk twice: on its way in and out."""
    line, broker = await roughen(
        real_broker, drop=0.05, repeat=0.1, delay=0.2, longest=0.05, torn=0.1
    )
    table = evening(game, broker=broker, host_line=broker.host_line, speed=8)
    await table.ends_as_its_journal()
    assert min(line.did[what] for what in ("drop", "repeat", "delay", "torn")) > 10


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_broker_that_is_killed_twice_and_forgets_everything_is_survived(
    evening: Any, mosquitto: Any, over_mosquitto: Any, eventually: Any, game: str
) -> None:
    """Host and seats go on by themselves; a newcomer finds the table at once."""
    table = evening(game, broker=over_mosquitto, host_line=over_mosquitto.host_line)
    for played in (10, 25):
        await eventually(lambda played=played: table.actions >= played)
        await mosquitto.kill()
        at = table.actions
        await mosquitto.start()
        began = time.monotonic()
        line, ad = await join(mosquitto.address, table.party.keys.table_id)
        assert time.monotonic() - began < BACK_WITHIN
        await line.close()
        assert ad.phase == "playing"
        await eventually(lambda at=at: table.actions > at, BACK_WITHIN)
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
