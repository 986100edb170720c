"""A third game needs its own folder (`tests/toys/achoo`), its widgets and one line: this one.

Here it goes the whole way that a game of the house goes, without widgets: host and protocol
(the other tests of this folder do so with every kind of line), table bots, guest bots and
people, a table process that is killed, a resume, a replay, and `prrrt replay --json`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from achoo.rules import AchooRules

from core.registry import GAMES
from core.replay import answer, replay
from net.address import Address
from net.client import SeatClient
from net.connect import join
from net.guest_bot import GuestBot
from net.keys import SeatKeys
from net.updates import Ended

ONE_LINE = "from achoo.rules import AchooRules; from core.registry import GAMES; " + (
    "GAMES['achoo'] = AchooRules()"
)
"""What a newcomer adds to `core/registry.py`."""

PROGRAM = ("-c", f"{ONE_LINE}\nfrom net.table_process import main\nraise SystemExit(main())")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "achoo", AchooRules())
    toys = Path(__file__).parents[2] / "toys"
    monkeypatch.setenv("PYTHONPATH", str(toys))


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


def visit(port: int, name: str, kind: Any) -> asyncio.Task[Ended]:
    async def come() -> Ended:
        transport, ad = await join(Address("127.0.0.1", port))
        keys = SeatKeys.new()
        client = SeatClient(transport, ad.host.table_id, keys=keys, name=name, kind=kind)
        return await GuestBot(client, level="easy", think=0.02, rng=Random(name)).play()

    return asyncio.create_task(come())


async def test_it_is_played_in_a_process_that_is_killed_and_goes_on(
    start: Callable[..., Any],
) -> None:
    table = await start(
        PROGRAM,
        game="achoo",
        players=4,
        bots=1,
        level="easy",
        options={"sneeze": 1, "first": 2},
        start_when_full=True,
        think=0.02,
    )
    ready = await table.line("ready")
    assert ready["game"] == "achoo"
    kinds = {"Ada": "person", "Bob": "person", "Robot": "guest_bot"}
    visits = [visit(ready["port"], name, kind) for name, kind in kinds.items()]
    started = await table.line("started")
    path, names = Path(started["journal"]), started["seats"]
    for _ in range(9):
        await table.line("action")
    table.process.kill()
    await table.end()
    again = await start(PROGRAM, resume="last", once=True)
    assert (await again.line("started"))["actions"] >= 9
    over = await again.line("over")
    assert {ended.code for ended in await asyncio.gather(*visits)} == {"closed"}
    assert await again.end() == 0
    data = _bytes(path)
    replayed = replay(data)
    assert replayed.ended
    lines = [(line.seat, line.do) for line in replayed.lines]
    assert [do for _, do in lines].count("play") == 16
    assert len({line.aid for line in replayed.lines}) == len(lines)
    assert lines[0] == (2, "play")
    people = [number for number, name in enumerate(names) if name in ("Ada", "Bob")]
    for line, following in pairwise(lines[:9]):
        if line[0] in people and line[1] == "play":
            assert following == (line[0], "sorry"), "nobody silences people"
    printed = answer(data, 2, reveal=False, words=lambda code, _: code)
    assert printed.status == 0
    shown = msgspec.json.decode(printed.json)
    assert shown["result"] == over["result"]
    assert shown["table"]["hands"] == [0, 0, [], 0]
