"""Starting a table process that outlives whoever started it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from core.kernel.illegal import Fact
from net import saves
from net.happenings import AnyHappening, Failed, Ready
from net.refused import Refused
from net.settings import TableSettings

READY_WITHIN = 20.0
"""Seconds that a table process may take until it is ready; two are usual on a slow machine."""

MODULE = "net.table_process"

_SAID = 2000
"""Characters of what a failed process said that are worth repeating."""

_children: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True)
class SpawnedTable:
    """A table process that is ready. `log` is where it says from now on what goes wrong."""

    table: str
    title: str
    addresses: tuple[str, ...]
    port: int
    words: tuple[str, ...]
    broker: str | None
    pid: int
    log: Path


async def spawn_table(
    settings: TableSettings, *, within: float = READY_WITHIN, module: str = MODULE
) -> SpawnedTable:
    """Start a table process in a session of its own, and return once it is ready.

    No hang-up of our terminal reaches it, and our end neither ends it nor leaves
    it a pipe to choke on. Raises `Refused`: what it was refused itself
    (`port_taken`, say), `table_died` with what it said, `table_silent`.
    """
    _children[:] = [child for child in _children if child.poll() is None]
    process = _start(module, msgspec.json.encode(msgspec.structs.replace(settings, json=False)))
    try:
        async with _reading(process.stdout) as out, _reading(process.stderr) as err:
            said = bytearray()
            saying = asyncio.create_task(_collect(err, said))
            try:
                async with asyncio.timeout(within):  # `wait_for` may swallow that we are cancelled
                    ready = await _until_ready(out)
                if ready is None:
                    await asyncio.wait({saying}, timeout=1)
                    raise Refused("table_died", said=_last_words(said), log=str(_logs()))
            except TimeoutError:
                raise Refused("table_silent", seconds=round(within), log=str(_logs())) from None
            finally:
                saying.cancel()
                await asyncio.gather(saying, return_exceptions=True)
    except BaseException:
        _end(process)
        raise
    _children.append(process)
    return SpawnedTable(
        table=ready.table,
        title=ready.title,
        addresses=ready.addresses,
        port=ready.port,
        words=ready.words,
        broker=ready.broker,
        pid=process.pid,
        log=saves.log_path(ready.table),
    )


def _start(module: str, settings: bytes) -> subprocess.Popen[bytes]:
    # asyncio's own subprocesses are killed when their loop ends: this one must not be.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=_environment(),
    )
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.write(settings)
            process.stdin.close()
    return process


def _environment() -> dict[str, str]:
    """Return ours, with this very code first: -P keeps a stray `net` folder of the user's out."""
    code = str(Path(__file__).resolve().parent.parent)
    further = os.environ.get("PYTHONPATH")
    path = code if not further else os.pathsep.join((code, further))
    return {**os.environ, "PYTHONPATH": path, "PRRRT_HOME": str(saves.home())}


@asynccontextmanager
async def _reading(pipe: IO[bytes] | None) -> AsyncIterator[asyncio.StreamReader]:
    if pipe is None:
        raise RuntimeError("a process without pipes")
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    try:
        yield reader
    finally:
        transport.close()


async def _until_ready(out: asyncio.StreamReader) -> Ready | None:
    """Return the ready line, None if the process ends without; raise what it was refused."""
    with contextlib.suppress(ValueError):  # a line without end
        while line := await out.readline():
            try:
                said = msgspec.json.decode(line, type=AnyHappening)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            if isinstance(said, Failed):
                raise Refused(said.code, **_facts(said))
            if isinstance(said, Ready):
                return said
    return None


def _facts(failed: Failed) -> dict[str, Fact]:
    return {
        key: tuple(str(one) for one in value) if isinstance(value, tuple) else value
        for key, value in failed.facts.items()
    }


async def _collect(err: asyncio.StreamReader, said: bytearray) -> None:
    while data := await err.read(4096):
        said += data
        del said[:-_SAID]


def _last_words(said: bytearray) -> str:
    """Return the last line that a process left: of a traceback, what went wrong."""
    lines = said.decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _logs() -> Path:
    return saves.home() / "logs"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that didn't become a table, with whatever it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
