"""Starting table processes: the real one, and ones that fail in every way."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from free_ports import free_port

from net.address import Address
from net.connect import join
from net.refused import Refused
from net.settings import TableSettings
from net.spawn import SpawnedTable, spawn_table


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def started() -> Iterator[list[SpawnedTable]]:
    """Table processes to be ended after the test."""
    tables: list[SpawnedTable] = []
    yield tables
    for table in tables:
        os.killpg(table.pid, signal.SIGKILL)
        os.waitpid(table.pid, 0)


@pytest.fixture
def port() -> int:
    return free_port()


def loopback(port: int) -> TableSettings:
    return TableSettings(title="Cellar", bind="127.0.0.1", port=port, discovery=False)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`program(code)` makes a module that is started instead of the table process."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def make(code: str) -> str:
        (tmp_path / "some_program.py").write_text(code)
        return "some_program"

    return make


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_table_lives_on_without_whoever_started_it(
    home: Path, started: list[SpawnedTable], port: int
) -> None:
    async def start() -> None:
        started.append(await spawn_table(loopback(port)))

    async def visit() -> str:
        transport, ad = await join(Address("127.0.0.1", port), started[0].table)
        await transport.close()
        return ad.title

    asyncio.run(start())  # the loop that started it ends here
    table = started[0]
    assert (table.title, table.port) == ("Cellar", port)
    assert table.addresses == (f"127.0.0.1:{port}",)
    assert os.getsid(table.pid) == table.pid != os.getsid(0), "no hang-up of ours reaches it"
    assert table.log.parent == home / "logs"
    assert asyncio.run(visit()) == "Cellar"
    for number in (0, 1, 2):
        inherited = Path(f"/proc/{table.pid}/fd/{number}")
        if inherited.parent.exists() and number:
            assert inherited.readlink() == table.log, "a file and no pipe without a reader"


@pytest.fixture
def no_place_for_logs(home: Path) -> None:
    home.mkdir()
    (home / "logs").write_text("no folder")


@pytest.mark.usefixtures("no_place_for_logs")
async def test_a_table_whose_log_has_no_place_is_a_table(
    started: list[SpawnedTable], port: int
) -> None:
    started.append(await spawn_table(loopback(port)))
    transport, ad = await join(Address("127.0.0.1", port))
    await transport.close()
    assert ad.host.table_id == started[0].table


async def test_a_folder_that_happens_to_be_called_net_is_no_trap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[SpawnedTable], port: int
) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "__init__.py").write_text("raise SystemExit('trapped')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "")
    started.append(await spawn_table(loopback(port)))


async def test_what_the_table_was_refused_is_passed_on() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Refused) as refused:
            await spawn_table(loopback(port))
    assert (refused.value.code, refused.value.facts) == ("port_taken", {"port": port})


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise ValueError('boom')", "ValueError: boom"),
        ("print('hello'); print('{}'); raise SystemExit('no table today')", "no table today"),
        ("import sys; sys.stderr.write('x' * 100_000 + '\\nlast words\\n')", "last words"),
        ("pass", ""),
    ],
)
async def test_a_process_that_dies_is_quoted(program, code: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        await spawn_table(TableSettings(), module=program(code))
    assert (refused.value.code, refused.value.facts["said"]) == ("table_died", said)


async def test_a_process_that_says_nothing_is_ended(program, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    began = time.monotonic()
    with pytest.raises(Refused) as refused:
        await spawn_table(TableSettings(), module=program(code), within=1.5)
    assert refused.value.code == "table_silent"
    assert time.monotonic() - began < 10
    assert not alive(int(pid_file.read_text()))


async def test_who_stops_waiting_leaves_no_process_behind(program, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    starting = asyncio.create_task(spawn_table(TableSettings(), module=program(code)))
    async with asyncio.timeout(20):
        while not (pid_file.exists() and pid_file.read_text()):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not alive(int(pid_file.read_text()))


async def test_the_settings_arrive_whole(program, tmp_path: Path) -> None:
    copy = tmp_path / "settings.json"
    code = f"import sys; open({str(copy)!r}, 'wb').write(sys.stdin.buffer.read()); sys.exit(1)"
    with pytest.raises(Refused, match="table_died"):
        await spawn_table(TableSettings(title="🃏 x", json=True, bots=2), module=program(code))
    text = copy.read_text()
    assert '"title":"🃏 x"' in text
    assert '"json":false' in text, "its log goes to a file"
