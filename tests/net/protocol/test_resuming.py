"""A table that goes on after any crash: same id, seats, cards, and nothing twice."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from achoo.rules import AchooRules

from core.kernel.illegal import Refused
from core.registry import GAMES
from core.replay import Eyes, Replayed, answer, replay
from net.client import SeatClient
from net.dealer import FairDealer
from net.guest_bot import GuestBot
from net.happenings import Started
from net.host import Host
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.memory import MemoryBroker
from net.saves import table_folder, table_lock
from net.table import Patience, Table
from net.table_file import (
    TableFile,
    find_saved,
    keys_of,
    last_saved,
    read_record,
    restore,
    restore_answers,
)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))
    monkeypatch.setitem(GAMES, "achoo", AchooRules())  # the one line of a third game


class Kept:
    """A table on disk, whose host can be killed and resumed; its people stay."""

    def __init__(
        self, game: str = "prrrt", players: int = 3, options: Mapping[str, int] | None = None
    ) -> None:
        self.broker = MemoryBroker()
        keys = HostKeys.new()
        self.told: list[Any] = []
        table = Table(
            Lobby(GAMES[game], players, dict(options or {})),
            FairDealer(keys),
            table_id=keys.table_id,
            title="Cellar",
            level="easy",
            patience=Patience(think=0, away=1000),
            now=time.monotonic,
            start_when_full=True,
            tell=self.told.append,
        )
        self._run(table, keys)

    def _run(self, table: Table, keys: HostKeys) -> Host:
        self.host = Host(
            table, keys, self.broker.connect(), keep=TableFile(keys.table_id, 3278).keep
        )
        return self.host

    def go(self) -> None:
        self.running = asyncio.create_task(self.host.run())

    async def kill(self) -> None:
        """End the host without a goodbye; what isn't on disk is lost."""
        self.running.cancel()
        await asyncio.gather(self.running, return_exceptions=True)
        if self.host.table.game is not None:
            self.host.table.game.journal.close()

    def resume(self, wanted: str) -> None:
        folder = find_saved(wanted)
        kept = read_record(folder)
        self.told.clear()
        table = restore(kept, folder, now=time.monotonic, tell=self.told.append)
        restore_answers(kept, self._run(table, keys_of(kept)))
        self.go()

    def client(self, name: str, keys: SeatKeys, kind: Any = "guest_bot") -> SeatClient:
        return SeatClient(
            self.broker.connect(), self.host.keys.table_id, keys=keys, name=name, kind=kind
        )


async def _wait(what: Any) -> None:
    async with asyncio.timeout(30):
        while not what():  # noqa: ASYNC110 - nobody reports it
            await asyncio.sleep(0.002)


@pytest.mark.parametrize(
    ("kind", "game", "players", "options", "stops"),
    [
        ("guest_bot", "prrrt", 3, {}, (10, 30, 31, 60)),
        ("person", "prrrt", 3, {}, (10, 30)),
        ("guest_bot", "low-on-gas", 7, {}, (10, 30, 31, 42)),
        ("person", "low-on-gas", 2, {"wins": 2}, (5, 12, 13, 25)),
        ("guest_bot", "achoo", 3, {"sneeze": 1}, (2, 5, 6, 12)),
        ("person", "achoo", 3, {"sneeze": 1}, (2, 5, 6, 12)),
    ],
)
async def test_a_killed_host_goes_on_as_if_nothing_had_happened(
    kind: str, game: str, players: int, options: Mapping[str, int], stops: Sequence[int]
) -> None:
    kept = Kept(game, players, options)
    kept.go()
    table_id = kept.host.keys.table_id
    clients = [kept.client(f"Guest {n}", SeatKeys.new(), kind) for n in range(players)]
    bots = [GuestBot(c, level="easy", think=0.001, rng=Random(n)) for n, c in enumerate(clients)]
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    everybody = (*range(players), None)
    for stop in stops:
        table = kept.host.table
        await _wait(lambda table=table, stop=stop: table.game and table.game.actions >= stop)
        await kept.kill()
        assert table.game is not None
        before = [table.game.view(seat) for seat in everybody]
        names = [seat.name for seat in kept.host.table.lobby.seats]
        kept.resume("last")
        after = kept.host.table
        assert after.game is not None
        assert [after.game.view(seat) for seat in everybody] == before
        assert [seat.name for seat in after.lobby.seats] == names
        assert kept.host.keys.table_id == table_id
        assert any(isinstance(told, Started) and told.actions >= stop for told in kept.told)
    await _wait(lambda: kept.host.table.phase == "over")
    kept.host.stop("ended")
    assert {end.code for end in await asyncio.gather(*playing)} == {"closed"}
    path = table_folder(table_id) / "game-1.jsonl"
    replayed = _replayed(path)
    assert replayed.ended
    assert replayed.game.over
    aids = [line.aid for line in replayed.lines]
    assert len(aids) == len(set(aids))
    assert kept.host.table.game is not None
    assert kept.host.table.game.result == msgspec.json.encode(replayed.game.view(None).result)


async def test_what_was_accepted_before_a_crash_is_answered_done_after_it() -> None:
    kept = Kept()
    kept.go()
    keys = [SeatKeys.new() for _ in range(3)]
    clients = [kept.client(name, key) for name, key in zip("ABC", keys, strict=True)]
    running = [asyncio.create_task(client.run()) for client in clients]
    await _wait(lambda: kept.host.table.game is not None)
    game = kept.host.table.game
    assert game is not None
    first = game.awaiting[0]
    await _wait(lambda: clients[first]._question == game.question)
    action = GAMES["prrrt"].action({"do": "turn_location"})
    said = list(kept.host.door.peers)
    publish = kept.host._transport.publish

    async def mute(topic: str, payload: bytes, *, retain: bool = False) -> None:
        """The host crashes between its disk and its first word."""

    kept.host._transport.publish = mute  # type: ignore[method-assign]
    aid = clients[first].act(action)
    await _wait(lambda: game.actions == 1)
    kept.host._transport.publish = publish  # type: ignore[method-assign]
    await kept.kill()
    kept.resume(kept.host.keys.table_id)
    await _wait(lambda: aid not in clients[first].asking.pending)
    assert kept.host.table.game is not None
    assert kept.host.table.game.actions == 1
    await _wait(lambda: set(said) == set(kept.host.door.peers))
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await kept.kill()


async def test_a_torn_last_line_is_as_if_it_had_not_been_said() -> None:
    kept = Kept()
    kept.host.table.start_when_full = False
    for _ in range(3):
        kept.host.table.add_bot("easy")
    kept.host.table.start()
    kept.go()
    game = kept.host.table.game
    assert game is not None
    await _wait(lambda: game.actions >= 20)
    await kept.kill()
    actions = game.actions
    path = Path(str(game.journal.name))
    _tear(path)
    kept.resume(str(path))
    assert kept.host.table.game is not None
    assert kept.host.table.game.actions == actions - 1
    await _wait(lambda: kept.host.table.phase == "over")
    await kept.kill()
    assert _replayed(path).ended


async def test_no_game_goes_on_that_a_resume_would_not_find(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its journal is on disk, but `table.json`, which says that there is a game, isn't."""
    kept = Kept()
    for _ in range(3):
        kept.host.table.add_bot("easy")

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("net.table_file.write_private", full)
    kept.go()
    await _wait(lambda: kept.host.table.game is not None)
    game = kept.host.table.game
    assert game is not None
    await _wait(lambda: kept.host.table.paused)
    assert game.actions == 0
    told = [notice for notice in kept.host.table.notices.newest if notice.code == "disk"]
    assert [notice.facts["why"] for notice in told] == ["No space left on device"]
    monkeypatch.undo()
    monkeypatch.setenv("PRRRT_HOME", str(Path(str(game.journal.name)).parents[2]))
    await _wait(lambda: game.actions >= 5)
    await kept.kill()
    actions = game.actions
    kept.resume("last")
    assert kept.host.table.game is not None
    assert kept.host.table.game.actions == actions
    await kept.kill()


def _tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def _replayed(path: Path) -> Replayed:
    return replay(path.read_bytes())


async def test_what_goes_out_is_what_replay_prints() -> None:
    kept = Kept()
    for _ in range(3):
        kept.host.table.add_bot("easy")
    kept.host.table.start()
    kept.go()
    game = kept.host.table.game
    assert game is not None
    path = Path(str(game.journal.name))
    for actions in (15, 40, 10_000):
        await _wait(lambda actions=actions: game.over or game.actions >= actions)
        if not game.over:
            kept.host.table.pause(True)
        for seat in range(3):
            assert game.view(seat) == _printed(path, seat)
        assert game.view(None) == _printed(path, "spectator")
        if not game.over:
            kept.host.table.pause(False)
            kept.host.out.news.set()
    await kept.kill()


def _printed(path: Path, eyes: Eyes) -> bytes:
    printed = answer(path.read_bytes(), eyes, reveal=True, words=lambda code, _: code)
    assert printed.status == 0
    return printed.json


async def test_a_finished_game_is_still_over() -> None:
    kept = Kept()
    for _ in range(3):
        kept.host.table.add_bot("easy")
    kept.go()
    await _wait(lambda: kept.host.table.phase == "over")
    await _wait(lambda: read_record(find_saved("last")).phase == "over")
    await kept.kill()
    kept.resume("last")
    assert kept.host.table.phase == "over"
    await kept.kill()


async def test_two_processes_never_hold_one_game() -> None:
    kept = Kept()
    for _ in range(3):
        kept.host.table.add_bot("easy")
    kept.host.table.start()
    kept.go()
    await _wait(lambda: (table_folder(kept.host.keys.table_id) / "table.json").exists())
    with pytest.raises(Refused) as refused:
        restore(
            read_record(find_saved("last")),
            find_saved("last"),
            now=time.monotonic,
            tell=lambda _: None,
        )
    assert refused.value.code == "table_open"
    await kept.kill()


async def test_keys_are_for_nobody_else() -> None:
    kept = Kept()
    kept.host.table.add_bot("easy")
    kept.go()
    path = table_folder(kept.host.keys.table_id) / "table.json"
    await _wait(path.exists)
    await kept.kill()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("last", "nothing_saved"),
        ("nowhere", "no_saved_table"),
        ("", "no_saved_table"),
        ("./table.json", "no_table_file"),
        ("game-1.jsonl", "no_table_file"),
        (__file__, "no_table_file"),
        ("~nobody-/game-1.jsonl", "no_table_file"),
        (f"{'x' * 5000}.jsonl", "no_table_file"),
    ],
)
def test_nothing_to_resume_is_said(wanted: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        find_saved(wanted)
    assert refused.value.code == code


async def _left_over(games: int = 1) -> Path:
    """Leave a table behind whose bots have begun so many games; return its folder."""
    kept = Kept()
    for _ in range(3 if games else 1):
        kept.host.table.add_bot("easy")
    if games:
        kept.host.table.start()
    kept.go()
    folder = table_folder(kept.host.keys.table_id)
    await _wait((folder / "table.json").exists)
    await kept.kill()
    return folder


def _age(folder: Path, seconds: float) -> None:
    then = time.time() - seconds
    for file in folder.iterdir():
        os.utime(file, (then, then))


def _spoil_record(folder: Path) -> None:
    record = msgspec.json.decode((folder / "table.json").read_bytes())
    (folder / "table.json").write_bytes(msgspec.json.encode({**record, "think": None}))


def _spoil_journal(folder: Path) -> None:
    (folder / "game-1.jsonl").write_bytes(b"no journal\n")


def _lose_journal(folder: Path) -> None:
    (folder / "game-1.jsonl").unlink()


def _rubbish(folder: Path) -> None:
    (folder / "table.json").write_bytes(b"{")


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_spoil_record, "bad_table_file"),
        (_rubbish, "bad_table_file"),
        (_spoil_journal, "bad_journal"),
        (_lose_journal, "bad_table_file"),
    ],
)
async def test_the_last_table_is_the_newest_that_can_go_on(
    spoil: Callable[[Path], None], code: str
) -> None:
    good, bad = await _left_over(), await _left_over()
    _age(good, 100)
    spoil(bad)
    folder, passed = last_saved()
    assert folder == find_saved("last") == good
    assert [(one.table, one.why.code) for one in passed] == [(bad.name, code)]


async def test_a_table_at_which_nobody_ever_sat_is_passed_over() -> None:
    good, empty = await _left_over(), await _left_over(games=0)
    _age(good, 100)
    folder, passed = last_saved()
    assert folder == good
    assert [one.why.code for one in passed] == ["nobody_came"]
    assert find_saved(empty.name) == empty  # by its id it opens all the same


async def test_a_table_that_is_open_elsewhere_is_passed_over() -> None:
    good, running = await _left_over(), await _left_over()
    _age(good, 100)
    with table_lock(running.name):
        folder, passed = last_saved()
        assert folder == good
        assert [one.why.code for one in passed] == ["table_open"]
    assert last_saved() == (running, ())


async def test_where_no_table_can_go_on_each_is_named() -> None:
    bad = [await _left_over(), await _left_over()]
    for folder in bad:
        _rubbish(folder)
    folder, passed = last_saved()
    assert folder is None
    assert {one.table for one in passed} == {one.name for one in bad}


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"format": 2}'])
async def test_a_damaged_table_file_is_said(damage: bytes) -> None:
    kept = Kept()
    kept.host.table.add_bot("easy")
    kept.go()
    folder = table_folder(kept.host.keys.table_id)
    await _wait((folder / "table.json").exists)
    await kept.kill()
    (folder / "table.json").write_bytes(damage)
    with pytest.raises(Refused) as refused:
        read_record(folder)
    assert refused.value.code == "bad_table_file"
    shutil.rmtree(folder)
    with pytest.raises(Refused):
        read_record(folder)
