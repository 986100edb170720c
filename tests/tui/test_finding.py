"""Which table somebody means, when strangers may call theirs whatever they like."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

import net.connect
from net.address import Address
from net.keys import HostKeys
from net.messages import TableAd
from net.refused import Refused
from tui import finding
from tui.finding import Found, find_table
from tui.headless import list_tables
from tui.opening import Target
from tui.refusals import refused_text
from tui.screens.home import table_line

CELLAR = Found("cellar", "Cellar table", "prrrt", (("192.0.2.7", 3278),), 5, 3, "open")
TWIN = replace(CELLAR, table="twin", title="Cellar\u034f  TABLE", addresses=(("192.0.2.8", 1),))


def announced(monkeypatch: pytest.MonkeyPatch, *tables: Found) -> list[tuple[Any, str | None]]:
    """Let these tables turn up, one at first and then all; return where somebody goes."""
    gone: list[tuple[Any, str | None]] = []

    @asynccontextmanager
    async def looking() -> AsyncIterator[tuple[Callable[[], tuple[Found, ...]], asyncio.Event]]:
        began, changed = time.monotonic(), asyncio.Event()
        changed.set()
        yield lambda: tables if time.monotonic() > began + 0.05 else tables[:1], changed

    async def join_first(addresses: list[Address], table: str | None) -> tuple[Any, None]:
        gone.append((addresses, table))
        return SimpleNamespace(address=addresses[-1]), None

    monkeypatch.setattr(finding, "_looking", looking)
    monkeypatch.setattr(finding, "SETTLE", 0.1)
    monkeypatch.setattr(finding, "LOOK_FOR", 0.2)
    monkeypatch.setattr(net.connect, "join_first", join_first)
    return gone


async def test_a_title_is_found_as_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = announced(monkeypatch, TWIN, replace(CELLAR, title="Attic", table="attic"))
    await find_table(Target(where=" cellar table"))
    assert [table for _, table in gone] == ["twin"]


async def test_the_address_that_is_told_is_the_one_that_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = ("192.0.2.7", 3278), ("198.51.100.7", 3278)
    announced(monkeypatch, replace(CELLAR, addresses=both))
    for target in (Target(where=CELLAR.title), Target(table=CELLAR.table, addresses=both)):
        _, _, address = await find_table(target)
        assert address == "198.51.100.7:3278"


async def test_twins_are_named_by_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = announced(monkeypatch, CELLAR, TWIN)
    with pytest.raises(Refused) as refused:
        await find_table(Target(where="Cellar table"))
    assert (refused.value.code, refused.value.facts) == (
        "several_tables",
        {"tables": ("cellar", "twin"), "titles": (CELLAR.title, TWIN.title)},
    )
    await find_table(Target(where="Cellar table", table="twin"))
    assert [table for _, table in gone] == ["twin"]


async def test_a_table_that_is_gone_is_no_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = announced(monkeypatch, replace(CELLAR, state="gone"), TWIN)
    await find_table(Target(where="Cellar table"))
    assert [table for _, table in gone] == ["twin"]


async def test_twins_on_a_broker_are_not_mistaken(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [HostKeys.new(), HostKeys.new()]

    async def tables_at(broker: Address) -> list[TableAd]:
        return [
            TableAd(title, "prrrt", 1, 1, "0", key.public, "lobby", 4, 1, {})
            for key, title in zip(keys, ("Cellar", "CELLAR\u3164"), strict=True)
        ]

    monkeypatch.setattr(net.connect, "tables_at", tables_at)
    with pytest.raises(Refused) as refused:
        await find_table(Target(where="cellar", broker="mqtt://192.0.2.9"))
    assert refused.value.code == "several_tables"
    assert refused.value.facts["tables"] == tuple(key.table_id for key in keys)
    assert "CELLAR. " in refused_text(refused.value)


@pytest.mark.parametrize("title", ["x", "x" * 99, "地下室" * 20, "a" + "\u0e47" * 50])
def test_a_line_of_the_list_has_its_width_whatever_a_table_is_called(title: str) -> None:
    lines = [table_line(replace(CELLAR, title=title), width) for width in (40, 41, 78)]
    assert [cell_len(line.plain) for line in lines] == [
        cell_len(table_line(CELLAR, width).plain) for width in (40, 41, 78)
    ]


@pytest.mark.parametrize(
    ("phase", "taken", "pin", "state"),
    [
        ("lobby", 1, False, "open"),
        ("lobby", 1, True, "pin"),
        ("lobby", 4, True, "full"),
        ("playing", 4, False, "playing"),
        ("over", 4, False, "over"),
    ],
)
def test_a_table_of_a_broker_says_whether_one_can_sit_down(
    phase: Any,
    taken: int,
    pin: bool,
    state: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def tables_at(broker: Address) -> list[TableAd]:
        host = HostKeys.new().public
        return [TableAd("\u3164", "prrrt", 1, 1, "0", host, phase, 4, taken, {}, pin)]

    monkeypatch.setattr(net.connect, "tables_at", tables_at)
    assert list_tables(seconds=1, broker="mqtt://192.0.2.9", as_json=True) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["title"], row["state"]) == ("-", state)
