"""The host dies at every single call to its disk: what anybody was shown is there afterwards."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from core.registry import GAMES
from net.client import SeatClient
from net.dealer import FairDealer
from net.guest_bot import GuestBot
from net.host import Host
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.memory import MemoryBroker
from net.table import Patience, Table
from net.table_file import TableFile, find_saved, read_record, restore
from net.updates import Seen

CALLS = ("open", "write", "pwrite", "fsync", "replace", "ftruncate")
WRITES = os.O_WRONLY | os.O_RDWR
ACTIONS = 6


class Crash(BaseException):
    """The end of the process: nobody catches it, and nothing is written after it."""


class MortalDisk:
    """Counts the calls that change a disk, and is dead from number `dies_at` on."""

    def __init__(self, home: Path, dies_at: int | None) -> None:
        self.calls = 0
        self._home = str(home)
        self._dies_at = dies_at

    @property
    def dead(self) -> bool:
        return self._dies_at is not None and self.calls >= self._dies_at

    def wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(first: Any, *more: Any, **named: Any) -> Any:
            if name == "open" and not (str(first).startswith(self._home) and more[0] & WRITES):
                return real(first, *more, **named)
            self.calls += 1
            if not self.dead:
                return real(first, *more, **named)
            if name in ("write", "pwrite") and self.calls == self._dies_at:
                real(first, more[0][: len(more[0]) // 2], *more[1:])
            raise Crash

        return call


class Play:
    """A table that is kept on a mortal disk, and three guests who write down what they see."""

    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self.keys = HostKeys.new()
        self.table = Table(
            Lobby(GAMES["prrrt"], 3),
            FairDealer(self.keys),
            table_id=self.keys.table_id,
            title="Cellar",
            level="easy",
            patience=Patience(think=0),
            now=time.monotonic,
            start_when_full=True,
        )
        self.seen: list[Seen] = []

    async def until_it_dies(self) -> None:
        """Play until the disk dies, or some actions have been seen."""
        enough = asyncio.Event()
        seen = self.seen

        class Watched(SeatClient):
            def _put(self, update: Any) -> None:
                if isinstance(update, Seen):
                    seen.append(update)
                    if update.game is not None and update.game.actions >= ACTIONS:
                        enough.set()
                super()._put(update)

        host = Host(
            self.table, self.keys, self.broker.connect(), keep=TableFile(self.keys.table_id).keep
        )
        hosting = asyncio.create_task(host.run())
        bots = [
            GuestBot(
                Watched(self.broker.connect(), self.keys.table_id, keys=SeatKeys.new(), name=name),
                level="easy",
                think=0,
                rng=Random(3),
            )
            for name in ("Ada", "Bob", "Cy")
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        watching = asyncio.create_task(enough.wait())
        await asyncio.wait([hosting, watching], timeout=20, return_when=asyncio.FIRST_COMPLETED)
        assert hosting.done() or enough.is_set()
        for task in (hosting, watching, *playing):
            task.cancel()
        end, *_ = await asyncio.gather(hosting, watching, *playing, return_exceptions=True)
        assert isinstance(end, Crash | asyncio.CancelledError)


def _play(home: Path, dies_at: int | None) -> tuple[Play, int]:
    disk = MortalDisk(home, dies_at)
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, disk.wrapped(name, getattr(os, name)))
        play = Play()
        asyncio.run(play.until_it_dies())
    if play.table.game is not None:
        play.table.game.journal.close()
    return play, disk.calls


def _check(play: Play) -> None:
    """Go on with the table, and hold it to what its guests saw."""
    if not any(seen.room.seats for seen in play.seen):
        return  # nobody knows of this table
    kept = read_record(find_saved(play.keys.table_id))
    table = restore(kept, find_saved(play.keys.table_id), now=time.monotonic, tell=lambda _: None)
    seats = [seat.name for seat in table.lobby.seats]
    for seen in play.seen:
        assert {seat.name for seat in seen.room.seats} <= set(seats)
    games = [seen for seen in play.seen if seen.game is not None]
    if games:
        assert table.game is not None
        newest = max(seen.game.actions for seen in games if seen.game is not None)
        assert newest <= table.game.actions <= newest + 1
        for seen in games:
            if seen.game is not None and seen.game.actions == table.game.actions:
                assert msgspec.json.encode(seen.game) == table.game.view(seen.room.you)
    if table.game is not None:
        table.game.journal.close()


def test_whatever_the_moment_of_its_death_a_table_has_lost_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path / "alive"))
    play, calls = _play(tmp_path, None)
    assert max(seen.game.actions for seen in play.seen if seen.game is not None) >= ACTIONS
    assert calls > 3 * ACTIONS
    _check(play)
    for dies_at in range(1, calls):
        monkeypatch.setenv("PRRRT_HOME", str(tmp_path / f"dies-{dies_at}"))
        play, _ = _play(tmp_path, dies_at)
        _check(play)
