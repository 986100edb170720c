"""A table stops within a bound, whatever clients, broker, disk, readers and bots do just then."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from net import orders, table_file, table_process
from net.address import Address
from net.client import SeatClient
from net.connect import join
from net.happenings import Over
from net.keys import SeatKeys
from net.outgoing import Outgoing
from net.running import run
from net.telling import LAST_WORDS, Telling
from net.updates import Seen

WITHIN = 8.0
"""Seconds that a stop may take."""

Start = Callable[..., Any]

SLUGGISH = """
import asyncio, sys, time
from core.registry import GAMES
from net.mqtt import MqttTransport
for game in GAMES.values():
    for bot in game.bots.values():
        bot.choose = lambda *_: time.sleep(600)
close = MqttTransport.close
async def slowly(line):
    print('{"event": "closing"}', flush=True)
    await asyncio.sleep(0.5)
    await close(line)
MqttTransport.close = slowly
from net.table_process import main
sys.exit(main())
"""
"""A table process whose bots think for ever, and that says when it closes the rest, slowly."""


def _text(value: str) -> bytes:
    return struct.pack("!H", len(value)) + value.encode()


def _connect(client: str) -> bytes:
    body = _text("MQTT") + b"\x04\x02\0\x3c" + _text(client)
    return bytes([0x10, len(body)]) + body


SUBSCRIBE_ALL = b"\x82\x06\0\1" + _text("#") + b"\0"
PUBLISH = b"\x30\x83\x20" + _text("a") + b"z" * 4096


class Boors:
    """Clients of every bad habit: each is a socket that says something, and then nothing."""

    def __init__(self) -> None:
        self.sockets: list[socket.socket] = []

    def come(self, port: int) -> None:
        self._say(port, b"")  # never says CONNECT
        self._say(port, b"\x10")
        self._say(port, _connect("half")[:9])
        for number in range(3):  # wants everything and reads nothing
            self._say(port, _connect(f"deaf{number}") + SUBSCRIBE_ALL)
        self._say(port, _connect("mid-packet") + PUBLISH[:2000])
        self._say(port, _connect("half-open")).shutdown(socket.SHUT_WR)
        flood = self._say(port, _connect("flood"))
        flood.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                flood.send(PUBLISH)

    def _say(self, port: int, words: bytes) -> socket.socket:
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.connect(("127.0.0.1", port))
        one.sendall(words)
        self.sockets.append(one)
        return one


@pytest.fixture
def boors() -> Iterator[Boors]:
    them = Boors()
    yield them
    for one in them.sockets:
        one.close()


@pytest.fixture
async def sit() -> AsyncIterator[Any]:
    """`sit(port)` sits somebody down, whose line stays, but who says nothing any more."""
    async with AsyncExitStack() as stack:

        async def one(port: int, *, silent: bool = True) -> SeatClient:
            transport, ad = await join(Address("127.0.0.1", port))
            stack.push_async_callback(transport.close)
            client = SeatClient(transport, ad.host.table_id, keys=SeatKeys.new(), name="Ada")
            running = asyncio.create_task(client.run())
            stack.callback(running.cancel)
            updates = aiter(client.updates())
            while not isinstance(await anext(updates), Seen):
                pass
            if silent:
                running.cancel()
            return client

        yield one


async def end(table: Any) -> signal.Signals | None:
    """Wait until a table has ended, in time; return the signal that did it."""
    async with asyncio.timeout(WITHIN):
        caught: signal.Signals | None = await table.running
    return caught


@pytest.fixture(autouse=True)
def _survive() -> Iterator[None]:
    """Let a signal that no table takes fail a test, and not end all of them."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    yield
    signal.signal(signal.SIGTERM, before)


async def test_a_process_with_boors_and_bots_that_never_answer(
    start: Start, boors: Boors, sit: Any
) -> None:
    """Signals that come while it closes find that under way: nothing is left half closed."""
    table = await start(("-c", SLUGGISH), players=3, bots=2, start_when_full=True, discovery=True)
    port = (await table.line("ready"))["port"]
    await sit(port)
    await table.line("started")
    boors.come(port)
    began = time.monotonic()
    table.process.send_signal(signal.SIGTERM)
    await table.line("closing")
    for sent in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        table.process.send_signal(sent)
    assert await table.end() == 0
    assert time.monotonic() - began < WITHIN


async def test_its_broker_stands_still(hold: Any, mosquitto: Any, sit: Any) -> None:
    table = hold(broker=f"mqtt://{mosquitto.address}", discovery=True)
    await table.port()
    await sit(mosquitto.address.port)
    mosquitto.freeze()
    os.kill(os.getpid(), signal.SIGINT)
    assert await end(table) == signal.SIGINT
    assert table.why == "signal"


async def test_a_signal_while_a_table_opens_leaves_nothing_behind(
    hold: Any, tmp_path: Path
) -> None:
    """Its broker takes the connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        table = hold(broker=f"mqtt://127.0.0.1:{mute.getsockname()[1]}")
        await asyncio.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        assert await end(table) == signal.SIGTERM
    assert table.told == []
    assert not _tables(tmp_path)


def _tables(home: Path) -> list[Path]:
    return list(home.glob("tables/*"))


async def test_nobody_is_there(hold: Any, boors: Boors) -> None:
    table = hold(idle=0.3)
    boors.come(await table.port())
    assert await end(table) is None
    assert table.why == "idle"


async def test_its_owner_ends_it(hold: Any, boors: Boors, sit: Any) -> None:
    table = hold()
    port = await table.port()
    boors.come(port)
    (await sit(port, silent=False)).order(orders.EndTable())
    assert await end(table) is None
    assert table.why == "ended"


async def test_its_disk_is_full(hold: Any, sit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = hold()

    def full(path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    await sit(await table.port())
    monkeypatch.setattr(table_file, "write_private", full)
    os.kill(os.getpid(), signal.SIGINT)
    assert await end(table) == signal.SIGINT
    assert table.why == "signal"


async def test_people_have_a_last_look_just_then(
    hold: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its one game a table waits until all know the result; it hears a signal all along."""

    async def never(_: Outgoing) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr(Outgoing, "everybody_knows", never)
    monkeypatch.setattr(table_process, "LAST_LOOK", 600.0)
    table = hold(game="low-on-gas", players=2, bots=2, start_when_full=True, once=True)
    async with asyncio.timeout(20):
        assert await table.running == signal.SIGTERM
    assert any(isinstance(one, Over) for one in table.told)
    assert table.why == "signal"


def test_a_thread_that_never_comes_back_is_not_waited_for() -> None:
    """A name server that is silent keeps a look-up, and its thread, for half a minute and more."""
    answers = threading.Event()

    async def work() -> str:
        asyncio.get_running_loop().run_in_executor(None, answers.wait, 60)
        await asyncio.sleep(0.01)
        return "done"

    began = time.monotonic()
    assert run(work()) == "done"
    assert time.monotonic() - began < WITHIN
    answers.set()


def test_what_a_thread_says_is_heard() -> None:
    async def work() -> int:
        loop = asyncio.get_running_loop()
        with pytest.raises(ZeroDivisionError):
            await loop.run_in_executor(None, lambda: 1 // 0)
        return await loop.run_in_executor(None, lambda: 2 // 1)

    assert run(work()) == 2


@pytest.mark.parametrize("reader", ["slow", "gone", "full"])
def test_nobody_reads_what_it_says(reader: str) -> None:
    """A pipe that nobody reads, one whose reader is gone, a disk that is full."""
    ours, theirs = os.pipe()
    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
    if reader != "slow":
        os.close(ours)
    with open("/dev/full" if reader == "full" else theirs, "w") as stream:  # noqa: PTH123
        began = time.monotonic()
        with Telling() as telling:
            for _ in range(100):
                telling.say("x" * 1000, stream)
        assert time.monotonic() - began < LAST_WORDS + 1
        if reader == "slow":
            os.close(ours)  # the write under way ends, before its descriptor becomes another's
        assert _ends(telling)
    if reader == "full":
        os.close(theirs)


def _ends(telling: Telling) -> bool:
    telling._thread.join(5)
    return not telling._thread.is_alive()
