"""What floods and stalls cost those who play: `python tests/bench/slow_and_loud.py [SECONDS]`.

No part of the tests. A table process and three seats, each a process of its own, play one game
after the other over loopback: over the embedded broker first, then over a mosquitto without
accounts. Meanwhile others flood, stop reading, or both. For each the time from a seat's action to
the view that shows it, its median and its 99th percentile, beside the same without anybody in the
same run, and what the table process holds in memory. A flood comes from this machine, too, and
takes its share of the processors; so it is bounded by `--rate` (messages a second), and the row
"elsewhere" is a flood at a topic that nobody of the table hears.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import runpy
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "toys")]

from net import orders  # noqa: E402
from net.address import parse_address  # noqa: E402
from net.client import SeatClient  # noqa: E402
from net.connect import join  # noqa: E402
from net.guest_bot import GuestBot  # noqa: E402
from net.keys import SeatKeys  # noqa: E402
from net.messages import Hello, UpLetter  # noqa: E402
from net.seal import Counters, PeerSeal  # noqa: E402
from net.topics import down_topic, table_topic, up_topic  # noqa: E402

SEATS = 3
THINK = 0.03
"""Seconds before a seat acts: three that never think say all that a broker's limit lets through."""

SETTLE = 1.0
"""Seconds of each condition that don't count yet."""

FLOODS = ("elsewhere", "garbage", "hellos", "replays", "down", "retained")


class Timed(GuestBot):
    """A visiting bot that says how long each of its actions took until it saw the outcome."""

    async def _took(self, aid: str) -> bool:
        began = time.perf_counter()
        took = await super()._took(aid)
        print(time.perf_counter() - began, flush=True)
        return took


async def sit(where: str, name: str) -> None:
    """Be one seat; the first one lets the table play again and again."""
    transport, ad = await join(parse_address(where))
    keys = SeatKeys.new()
    print(keys.peer_id, flush=True)
    client = SeatClient(transport, ad.host.table_id, keys=keys, name=name, kind="person")
    bot = Timed(client, level="easy", think=THINK, rng=random.Random(name))
    playing = asyncio.create_task(bot.play())
    while not playing.done():
        await asyncio.sleep(0.02)
        seen = bot._seen
        if seen is not None and seen.room.owner == seen.room.you and not client.asking.pending:
            if seen.room.phase == "over":
                client.order(orders.Rematch())
            elif seen.room.phase == "lobby" and len(seen.room.seats) == SEATS:
                client.order(orders.Start())


# Those who mean ill


def _publish(topic: str, payload: bytes, *, retain: bool = False) -> bytes:
    body = len(topic.encode()).to_bytes(2, "big") + topic.encode() + payload
    size, head = len(body), bytes([0x30 | retain])
    while size > 127:
        head, size = head + bytes([size & 127 | 128]), size >> 7
    return head + bytes([size]) + body


async def _packets(kind: str, where: str, peer: str) -> Iterator[bytes]:
    """Return the packets of a flood, without end."""
    transport, ad = await join(parse_address(where))
    await transport.close()
    here, noise = ad.host.table_id, random.Random(1).randbytes
    match kind:
        case "elsewhere":
            return cycle([_publish("elsewhere", noise(1000))])
        case "garbage":
            peers = [SeatKeys.new().peer_id for _ in range(50)]
            return cycle([_publish(up_topic(here, one), noise(1000)) for one in (*peers, peer)])
        case "hellos" | "replays":
            return cycle(list(_hellos(here, ad.host, 1000 if kind == "hellos" else 1)))
        case "down":
            sealed = [noise(40 + 512 * steps) for steps in (1, 2, 7, 20)]
            return cycle([_publish(down_topic(here, peer), one) for one in sealed])
        case _:
            topics = [table_topic(here), *(f"prrrt/1/{n}/table" for n in range(500))]
            return cycle([_publish(topic, noise(1000), retain=True) for topic in topics])


def _hellos(here: str, host: Any, number: int) -> Iterator[bytes]:
    for _ in range(number):
        keys = SeatKeys.new()
        envelope = {"table": here, "peer": keys.peer_id, "epoch": "", "session": "s", "counter": 1}
        letter = UpLetter(**envelope, body=Hello(1, "0", "Mallory"))  # type: ignore[arg-type]
        yield _publish(up_topic(here, keys.peer_id), PeerSeal(keys, host, Counters()).seal(letter))


async def flood(kind: str, where: str, peer: str, rate: float) -> None:
    """Say one thing and another, so many a second or as fast as the broker reads."""
    packets = await _packets(kind, where, peer)
    writer = (await _connected(where))[1]
    began, said = time.perf_counter(), 0
    while True:
        batch = max(1, int(rate * (time.perf_counter() - began)) - said)
        writer.write(b"".join(next(packets) for _ in range(min(batch, 200))))
        said += min(batch, 200)
        await writer.drain()
        await asyncio.sleep(0.005)
        if said % 1000 < 200:
            writer.write(b"\xc0\x00")


async def stall(where: str) -> None:
    """Ask for everything, and read nothing."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await _connected(where)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(b"\x82\x06\x00\x01\x00\x01#\x00")
            while not writer.is_closing():
                writer.write(b"\xc0\x00")
                await writer.drain()
                await asyncio.sleep(0.2)
        await asyncio.sleep(0.5)


async def _connected(where: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    address = parse_address(where)
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00")
    await reader.readexactly(4)
    return reader, writer


# The run


class Seat:
    """A seat's process, and how long its actions took since it was last asked."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.peer = ""
        self.times: list[float] = []
        self.listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            if self.peer:
                self.times.append(float(line))
            else:
                self.peer = line.decode().strip()


async def _start(*command: str, stdin: bytes | None = None) -> Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdin=PIPE, stdout=PIPE, cwd=ROOT
    )
    assert process.stdin is not None
    if stdin is not None:
        process.stdin.write(stdin)
    process.stdin.close()
    return process


@contextlib.asynccontextmanager
async def _meaning_ill(*commands: tuple[str, ...]) -> AsyncIterator[None]:
    processes = [await _start(__file__, *command) for command in commands]
    yield
    for process in processes:
        process.kill()
        await process.wait()


def _memory(process: Process) -> float:
    """Return what a process holds, in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def _processor(process: Process) -> float:
    """Return the seconds of processor time that a process has had."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    name: str, broker: str | None, seconds: float, rate: float, floods: Sequence[str]
) -> None:
    """Measure each condition in turn at one table."""
    settings = {"players": SEATS, "think": 0, "discovery": False, "bind": "127.0.0.1", "json": True}
    settings |= {"broker": f"mqtt://{broker}"} if broker else {}
    table = await _start("-m", "net.table_process", stdin=json.dumps(settings).encode())
    assert table.stdout is not None
    ready = json.loads(await table.stdout.readline())
    reading = asyncio.create_task(table.stdout.read())
    where = broker or f"127.0.0.1:{ready['port']}"
    seats = [
        Seat(await _start(__file__, "--sit", where, "--name", who)) for who in ("Ada", "Ben", "Cyd")
    ]
    while not all(len(seat.times) > 5 for seat in seats):  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.1)
    loud = {kind: ("--flood", kind, where, "--rate", f"{rate}") for kind in FLOODS}
    rows: list[tuple[str, tuple[tuple[str, ...], ...]]] = [("nobody else", ())]
    rows += [
        (f"floods {kind}", ((*command, "--peer", seats[0].peer),))
        for kind, command in loud.items()
        if kind in floods
    ]
    rows += [("stops reading", (("--stall", where),))]
    rows += [("both", ((*loud["down"], "--peer", seats[0].peer), ("--stall", where)))]
    rows += [("nobody else, again", ())]
    columns = "actions    p50 ms    p99 ms   worst ms   the flooded seat's p99   MB  CPU %"
    print(f"\n{name}\n{'':20} {columns}")
    for label, commands in rows:
        async with _meaning_ill(*commands):
            await asyncio.sleep(SETTLE)
            for seat in seats:
                seat.times.clear()
            busy = _processor(table)
            await asyncio.sleep(seconds)
            busy = 100 * (_processor(table) - busy) / seconds
            others = [t for seat in seats[1:] for t in seat.times]
            row = "".join(f"{1000 * t:10.1f}" for t in (*_percentiles(others), max(others or [0])))
            theirs = 1000 * _percentiles(seats[0].times)[1]
            print(
                f"{label:20} {len(others):7}{row}{theirs:25.1f}{_memory(table):5.0f}{busy:7.0f}",
                flush=True,
            )
    for process in (table, *(seat.process for seat in seats)):
        with contextlib.suppress(ProcessLookupError):  # seats go home with their table
            process.terminate()
        await process.wait()
    reading.cancel()


def _percentiles(times: list[float]) -> tuple[float, float]:
    if len(times) < 2:
        return float("nan"), float("nan")
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


async def main() -> None:
    """Measure both brokers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=10.0, help="for each condition")
    parser.add_argument("--rate", type=float, default=2000.0, help="messages a second of a flood")
    parser.add_argument("--floods", nargs="*", choices=FLOODS, default=FLOODS, help="all of them")
    parser.add_argument("--only", choices=("embedded", "mosquitto"))
    for hidden, count in (("--sit", None), ("--name", None), ("--flood", 2), ("--stall", None)):
        parser.add_argument(hidden, nargs=count, help=argparse.SUPPRESS)
    parser.add_argument("--peer", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.sit:
        await sit(asked.sit, asked.name)
    elif asked.flood:
        await flood(*asked.flood, asked.peer, asked.rate)
    elif asked.stall:
        await stall(asked.stall)
    else:
        with tempfile.TemporaryDirectory() as home:
            os.environ["PRRRT_HOME"] = home
            if asked.only != "mosquitto":
                await measure("the embedded broker", None, asked.seconds, asked.rate, asked.floods)
            if asked.only != "embedded":
                fixtures = runpy.run_path(str(ROOT / "tests/net/conftest.py"))
                mosquitto = fixtures["Mosquitto"](Path(home))
                await mosquitto.start()
                await measure(
                    "mosquitto", str(mosquitto.address), asked.seconds, asked.rate, asked.floods
                )
                await mosquitto.kill()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
