"""The real thing: a table process with its broker, and bots that come over loopback."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from free_ports import free_port

from core.replay import Replayed, begin, replay
from net.address import Address
from net.broker import EmbeddedBroker
from net.client import SeatClient
from net.connect import join
from net.guest_bot import GuestBot
from net.keys import SeatKeys
from net.updates import Answered, Ended, Seen, Update

Start = Callable[..., Any]


async def visit(ready: dict[str, Any], name: str, keys: SeatKeys | None = None) -> Ended:
    """Let a bot play at the table until it closes."""
    transport, ad = await join(Address("127.0.0.1", ready["port"]))
    client = SeatClient(
        transport,
        ad.host.table_id,
        keys=keys or SeatKeys.new(),
        name=name,
        kind="guest_bot",
        take_over=True,
    )
    return await GuestBot(client, level="easy", think=0).play()


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


def _replayed(path: str) -> Replayed:
    return replay(Path(path).read_bytes())


async def test_four_visiting_bots_play_one_game_and_all_goes_home(start: Start) -> None:
    table = await start(players=4, once=True, start_when_full=True)
    ready = await table.line("ready")
    assert table.lines == [ready]
    assert ready["addresses"] == [f"127.0.0.1:{ready['port']}"]
    assert len(ready["words"]) == 5
    visits = [asyncio.create_task(visit(ready, "Bot")) for _ in range(4)]
    started = await table.line("started")
    over = await table.line("over")
    assert (await table.line("stopped"))["why"] == "once"
    assert {ended.code for ended in await asyncio.gather(*visits)} == {"closed"}
    assert await table.end() == 0
    joined = [line["name"] for line in table.lines if line["event"] == "joined"]
    assert sorted(joined) == ["Bot", "Bot 2", "Bot 3", "Bot 4"] == sorted(started["seats"])
    replayed = _replayed(started["journal"])
    assert replayed.ended
    assert msgspec.to_builtins(replayed.game.revealed().result) == {
        key: tuple(value) for key, value in over["result"].items()
    }
    actions = [(line["seat"], line["do"]) for line in table.lines if line["event"] == "action"]
    assert actions == [(line.seat, line.do) for line in replayed.lines]
    secret = str(replayed.header.chance["secret"])
    assert secret not in json.dumps(table.lines)


class Witness(SeatClient):
    """A guest's client that remembers everything it was told, through all restarts."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.told: list[Update] = []

    async def updates(self) -> AsyncIterator[Update]:
        async for update in super().updates():
            self.told.append(update)
            yield update

    def check(self, path: Path) -> None:
        """All that it saw, and all that it was told is done, is in the journal."""
        replayed = _replayed(str(path))
        views = list(_views(replayed, self._seat()))
        for update in self.told:
            if isinstance(update, Seen) and update.game is not None:
                assert msgspec.json.encode(update.game) == views[update.game.actions]
        done = {u.aid for u in self.told if isinstance(u, Answered) and u.code is None}
        assert done
        assert done <= {line.aid for line in replayed.lines}

    def _seat(self) -> int:
        (seat,) = {u.room.you for u in self.told if isinstance(u, Seen) and u.game is not None}
        assert seat is not None
        return seat


def _views(replayed: Replayed, seat: int) -> Iterator[bytes]:
    """Yield what a seat may see, from the deal on and after each action."""
    rules, _, game = begin(replayed.header)
    yield msgspec.json.encode(game.view(seat))
    for line in replayed.lines:
        assert line.seat is not None
        game.act(line.seat, rules.action(line.body))
        yield msgspec.json.encode(game.view(seat))


@pytest.mark.parametrize(("game", "options"), [("prrrt", {}), ("low-on-gas", {"wins": 3})])
async def test_a_table_may_be_killed_at_any_time_and_nothing_is_lost(
    start: Start, game: str, options: dict[str, int]
) -> None:
    rng = Random(11)
    port = free_port()
    set_up = {"game": game, "options": options, "players": 4, "bots": 1}
    table = await start(**set_up, start_when_full=True, think=0.01, port=port)
    ready = await table.line("ready")
    guests: list[Witness] = []
    for name in ("Ada", "Bob", "Cy"):
        transport, ad = await join(Address("127.0.0.1", ready["port"]))
        keys = SeatKeys.new()
        guests.append(Witness(transport, ad.host.table_id, keys=keys, name=name, kind="guest_bot"))
    bots = [
        GuestBot(guest, level="easy", think=0.01, rng=Random(n)) for n, guest in enumerate(guests)
    ]
    visits = [asyncio.create_task(bot.play()) for bot in bots]
    before = b""
    path = Path((await table.line("started"))["journal"])
    for last in (False, False, True):
        for _ in range(rng.randint(3, 25)):  # no game of four is over after a hundred actions
            await table.line("action")
        await asyncio.sleep(rng.uniform(0, 0.02))
        table.process.kill()
        await table.end()
        kept = _bytes(path)
        assert kept.startswith(before)
        before = kept.rpartition(b"\n")[0]
        table = await start(resume=rng.choice(["last", ready["table"]]), once=last)
        again = await table.line("ready")
        assert (again["table"], again["port"]) == (ready["table"], ready["port"])
        assert (await table.line("started"))["actions"] == before.count(b"\n")
    await table.line("over")
    assert {ended.code for ended in await asyncio.gather(*visits)} == {"closed"}
    assert await table.end() == 0
    replayed = _replayed(str(path))
    assert replayed.ended
    aids = [line.aid for line in replayed.lines]
    assert len(aids) == len(set(aids))
    for guest in guests:
        guest.check(path)


async def test_a_table_killed_after_its_one_game_shows_the_result_and_closes(
    start: Start,
) -> None:
    table = await start(players=3, bots=2, start_when_full=True, port=free_port())
    ready = await table.line("ready")
    guest = asyncio.create_task(visit(ready, "Bot"))
    over = await table.line("over")
    table.process.kill()
    await table.end()
    again = await start(resume="last", once=True)
    assert await again.line("over") == over
    assert (await guest).code == "closed"
    assert (await again.line("stopped"))["why"] == "once"
    assert await again.end() == 0


async def test_a_table_that_stood_still_does_not_take_that_for_nobody_being_there(
    start: Start,
) -> None:
    table = await start(players=3, idle=5.0)
    ready = await table.line("ready")
    transport, ad = await join(Address("127.0.0.1", ready["port"]))
    client = SeatClient(transport, ad.host.table_id, keys=SeatKeys.new(), name="Ada")
    running = asyncio.create_task(client.run())
    await table.line("joined")
    table.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(6)
    table.process.send_signal(signal.SIGCONT)
    aid = client.say("still here")
    async with asyncio.timeout(20):
        async for update in client.updates():
            assert not isinstance(update, Ended)
            if isinstance(update, Answered) and update.aid == aid:
                break
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_a_table_in_good_order(start: Start, sent: signal.Signals) -> None:
    table = await start(players=3)
    ready = await table.line("ready")
    guest = asyncio.create_task(visit(ready, "Bot"))
    await table.line("joined")
    table.process.send_signal(sent)
    assert (await table.line("stopped"))["why"] == "signal"
    assert (await guest).code == "closed"
    assert await table.end() == 0


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"game": "chess"}, "unknown_game"),
        ({"players": 2}, "bad_seats"),
        ({"level": "genius"}, "no_such_level"),
        ({"options": {"smell_deck": "roses"}}, "bad_option"),
        ({"resume": "last"}, "nothing_saved"),
        ({"bots": 5}, "full"),
        ({"bind": "192.0.2.250"}, "bad_bind"),
    ],
)
async def test_what_cannot_be_opened_is_said_in_one_line_and_leaves_nothing(
    start: Start, settings: dict[str, Any], code: str, tmp_path: Path
) -> None:
    table = await start(**settings)
    assert (await table.line("failed"))["code"] == code
    assert await table.end() == 1
    assert not _tables(tmp_path)


async def test_a_taken_port_is_refused_and_else_the_next_is_free(start: Start) -> None:
    table = await start()
    port = (await table.line("ready"))["port"]
    other = await start()
    assert (await other.line("ready"))["port"] != port
    third = await start(port=port)
    failed = await third.line("failed")
    assert (failed["code"], failed["facts"]) == ("port_taken", {"port": port})


async def test_a_table_without_a_log_goes_on(start: Start, tmp_path: Path) -> None:
    _put_in_the_way(tmp_path / "logs")
    table = await start(json=False, players=3)
    ready = await table.line("ready")
    guest = asyncio.create_task(visit(ready, "Bot"))
    journal = tmp_path / "tables" / ready["table"] / "table.json"
    async with asyncio.timeout(20):
        while b'"Bot"' not in _bytes(journal):
            assert not guest.done()
            await asyncio.sleep(0.05)
    table.process.terminate()
    assert (await guest).code == "closed"
    assert await table.end() == 0


def _tables(home: Path) -> list[Path]:
    return list(home.glob("tables/*"))


def _put_in_the_way(path: Path) -> None:
    path.write_text("no folder")


async def test_the_port_of_somebody_elses_broker_is_not_taken_for_ours_later(
    start: Start, tmp_path: Path
) -> None:
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True) as broker:
        login = f"host:{broker.host_address.password}"
        table = await start(broker=f"mqtt://{login}@127.0.0.1:{broker.port}")
        ready = await table.line("ready")
        assert ready["port"] == broker.port
        table.process.kill()
        await table.end()
    again = await start(resume=ready["table"])
    assert (await again.line("ready"))["port"] != broker.port


async def test_a_pin_that_is_given_to_go_on_keeps_strangers_out(
    start: Start, tmp_path: Path
) -> None:
    table = await start()
    ready = await table.line("ready")
    visitor = asyncio.create_task(visit(ready, "Bot"))
    file = tmp_path / "tables" / ready["table"] / "table.json"
    async with asyncio.timeout(20):
        while not file.exists() or b'"Bot"' not in _bytes(file):
            assert not visitor.done()
            await asyncio.sleep(0.05)
    table.process.kill()
    await table.end()
    visitor.cancel()
    for settings in ({"pin": "042042"}, {}):  # and it is kept from then on
        again = await start(resume=ready["table"], **settings)
        opened = await again.line("ready")
        async with asyncio.timeout(20):
            assert (await visit(opened, "Stranger")).code == "pin_needed"
        again.process.terminate()
        assert await again.end() == 0


async def test_the_broker_of_another_table_is_refused_with_what_to_do(
    start: Start, tmp_path: Path
) -> None:
    async with EmbeddedBroker("127.0.0.1", 0, explicit=True) as broker:
        table = await start(broker=f"mqtt://127.0.0.1:{broker.port}")
        failed = await table.line("failed")
    assert (failed["code"], failed["facts"]["port"]) == ("tables_broker", broker.port)
    assert await table.end() == 1
    assert not _tables(tmp_path)


async def test_settings_that_are_none(start: Start, tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "net.table_process", stdin=PIPE, stdout=PIPE
    )
    out, _ = await process.communicate(b"{nonsense")
    assert json.loads(out)["code"] == "bad_settings"
    assert process.returncode == 2
