"""What the tests of `net` share: a broker without a network, and a transport that means ill."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from free_ports import free_port
from hostile_line import HostileTransport, Malice, SlowLine
from rough_line import RoughLine, Roughness

from core.registry import GAMES
from net.address import Address
from net.broker import EmbeddedBroker
from net.dealer import FairDealer
from net.host import Host
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.memory import MemoryBroker
from net.mqtt import MqttTransport
from net.saves import table_folder
from net.table import Patience, Table
from net.table_file import TableFile
from net.transport import Transport

Item = TypeVar("Item")


@pytest.fixture
def broker() -> MemoryBroker:
    return MemoryBroker()


@pytest.fixture
def slow() -> Callable[[Transport, float], SlowLine]:
    """`slow(inner, 0.8)` is a line that takes so many seconds either way."""
    return SlowLine


Hostile = Callable[..., HostileTransport]


@pytest.fixture
async def hostile() -> AsyncIterator[Hostile]:
    """`hostile(inner, seed=1, drop=0.5, ...)` wraps a transport in malice; see `Malice`."""
    made: list[HostileTransport] = []

    def wrap(inner: Transport, seed: int = 1, **malice: float) -> HostileTransport:
        transport = HostileTransport(inner, seed, Malice(**malice))
        made.append(transport)
        return transport

    yield wrap
    for transport in made:
        await transport.close()


MOSQUITTO = """\
listener {port} 127.0.0.1
allow_anonymous true
set_tcp_nodelay true
persistence false
log_dest none
"""


class Mosquitto:
    """Debian's mosquitto without accounts, on a loopback port of its own."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/bin")
        assert program, "these tests need mosquitto: apt-get install mosquitto"
        self._program = program
        self._config = folder / "mosquitto.conf"
        self._process: Process | None = None
        self.address = Address("127.0.0.1", free_port())
        self._config.write_text(MOSQUITTO.format(port=self.address.port))

    async def start(self) -> None:
        """Start it, or start it again on the same port with nothing remembered."""
        self._process = await asyncio.create_subprocess_exec(
            self._program, "-c", str(self._config), stdout=DEVNULL, stderr=DEVNULL
        )
        async with asyncio.timeout(10):
            while not await _listens(self.address):
                assert self._process.returncode is None, "mosquitto didn't start"
                await asyncio.sleep(0.01)

    def freeze(self) -> None:
        """Let it stand still: its lines stay, and nothing is read or said any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    async def kill(self) -> None:
        """End it at once, without a word to anybody."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()


class RealBroker:
    """A broker on a loopback port, and lines to it: what `MemoryBroker` is to most tests.

    `host_line` is the table's own (with its login at the embedded broker); `connect` makes
    lines of anybody, which stand within moments. All are closed with the broker.
    """

    def __init__(self, name: str, address: Address, host_line: MqttTransport) -> None:
        self.name = name
        self.address = address
        self.host_line = host_line
        self.lines = [host_line]

    def connect(self) -> MqttTransport:
        """Return a line that connects by itself."""
        self.lines.append(MqttTransport(self.address))
        return self.lines[-1]

    async def line(self) -> MqttTransport:
        """Return a line that stands."""
        self.lines.append(await MqttTransport.open(self.address))
        return self.lines[-1]

    async def close(self) -> None:
        """Close every line."""
        await asyncio.gather(*(line.close() for line in self.lines))


@pytest.fixture
async def mosquitto(tmp_path: Path) -> AsyncIterator[Mosquitto]:
    """A mosquitto that runs; `kill` and `start` are its bad days."""
    server = Mosquitto(tmp_path)
    await server.start()
    yield server
    await server.kill()


@pytest.fixture
async def over_mosquitto(mosquitto: Mosquitto) -> AsyncIterator[RealBroker]:
    """Lines to the `mosquitto` of this test."""
    real = RealBroker("mosquitto", mosquitto.address, await MqttTransport.open(mosquitto.address))
    yield real
    await real.close()


@pytest.fixture(params=["embedded", "mosquitto"])
async def real_broker(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RealBroker]:
    """Every broker that the protocol's promises are proved with, one after the other."""
    async with contextlib.AsyncExitStack() as stack:
        if request.param == "embedded":
            embedded = EmbeddedBroker("127.0.0.1", 0, explicit=True)
            await stack.enter_async_context(embedded)
            address, login = Address("127.0.0.1", embedded.port), embedded.host_address
        else:
            server = Mosquitto(tmp_path)
            stack.push_async_callback(server.kill)
            await server.start()
            address = login = server.address
        real = RealBroker(request.param, address, await MqttTransport.open(login))
        stack.push_async_callback(real.close)
        yield real


Roughen = Callable[..., Awaitable[tuple[RoughLine, RealBroker]]]


@pytest.fixture
async def roughen() -> AsyncIterator[Roughen]:
    """Put a bad line (`RoughLine`) before a broker; tests await it with any of `Roughness`.

    All lines of that `broker` go through it, the host's own too.
    """
    async with contextlib.AsyncExitStack() as stack:

        async def begin(
            real: RealBroker, seed: int = 1, **rough: float
        ) -> tuple[RoughLine, RealBroker]:
            login = real.host_line.address
            line = RoughLine(login, seed, Roughness(**rough))
            await stack.enter_async_context(line)
            guests = replace(line.address, user=None, password=None)
            broker = RealBroker(real.name, guests, await MqttTransport.open(line.address))
            stack.push_async_callback(broker.close)
            return line, broker

        yield begin


async def _listens(address: Address) -> bool:
    try:
        _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


@pytest.fixture
def save_table() -> Callable[[int], Path]:
    """`save_table(12)`: a table in `PRRRT_HOME` that was killed after so many actions; its folder.

    Two people and a bot sit there.
    """
    return _save_table


def _save_table(actions: int) -> Path:
    keys, rules = HostKeys.new(), GAMES["prrrt"]
    table = Table(
        Lobby(rules, 3),
        FairDealer(keys),
        table_id=keys.table_id,
        title="Cellar",
        level="easy",
        patience=Patience(),
        now=time.monotonic,
    )
    for name in ("Ada", "Bob"):
        theirs = SeatKeys.new()
        table.sit(name, "person", theirs.peer_id, bytes(theirs.public))
    table.add_bot("easy")
    table.start()
    game = table.game
    assert game is not None
    for number in range(actions):
        seat = game.awaiting[0]
        offers = rules.decode_view(game.view(seat)).offers
        action = next(rules.actions(offers[-1]))
        game.happens(game.tried(seat, action, game.asked), f"aid-{number}", "seat")
    TableFile(keys.table_id, 3278).keep(Host(table, keys, MemoryBroker().connect()))
    game.journal.close()
    return table_folder(keys.table_id)
