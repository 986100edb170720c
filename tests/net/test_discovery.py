"""Tables found by zeroconf: over loopback, and with root between network namespaces."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from zeroconf import ServiceStateChange
from zeroconf.asyncio import AsyncServiceInfo

from net import announcement, discovery, networks
from net.announcement import Announcement, FoundTable
from net.discovery import MOST_TABLES, Announcer, Browser
from net.interfaces import Interface, interfaces, reachable
from net.networks import Places

LOOPBACK = "127.0.0.1"
RUN = secrets.token_hex(6)
"""Begins the ids of this run's tables: others may be found on this machine meanwhile."""


class Finder:
    """A browser, and waiting for what it finds."""

    def __init__(self, **options: object) -> None:
        self.changed = asyncio.Event()
        self.browser = Browser(self.changed.set, **options)  # type: ignore[arg-type]

    async def until(
        self, true: Callable[[tuple[FoundTable, ...]], bool], within: float = 15
    ) -> tuple[FoundTable, ...]:
        async with asyncio.timeout(within):
            while not true(self.tables()):
                await self.changed.wait()
                self.changed.clear()
        return self.tables()

    def tables(self) -> tuple[FoundTable, ...]:
        """Those of this run."""
        return tuple(one for one in self.browser.tables() if one.table.startswith(RUN))


class Countdown:
    """Waits until something was done so many times."""

    def __init__(self, times: int) -> None:
        self._left = times
        self._done = asyncio.Event()

    def count(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._done.set()

    async def wait(self, within: float = 15) -> None:
        async with asyncio.timeout(within):
            await self._done.wait()


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "LOOK_EVERY", 0.3)


@pytest.fixture
async def finder() -> AsyncIterator[Finder]:
    finder = Finder(only=[LOOPBACK])
    await finder.browser.start()
    yield finder
    await finder.browser.stop()


@pytest.fixture
async def listening() -> AsyncIterator[asyncio.Server]:
    server = await asyncio.start_server(lambda _, writer: writer.close(), LOOPBACK, 0)
    yield server
    server.close()


def table(server: asyncio.Server, letter: str = "t", **changes: object) -> Announcement:
    announcement = Announcement(
        table=RUN + letter * 14,
        title="Cellar",
        game="prrrt",
        players=4,
        taken=1,
        phase="lobby",
        pin=False,
        port=server.sockets[0].getsockname()[1],
        hosts=(LOOPBACK,),
    )
    return replace(announcement, **changes)  # type: ignore[arg-type]


async def test_a_table_is_found_followed_and_taken_back(
    finder: Finder, listening: asyncio.Server
) -> None:
    said = table(listening, pin=True)
    announcer = Announcer(said)
    began = time.monotonic()
    await announcer.start()
    assert time.monotonic() - began < 1, "nobody waits for the registration, which takes two"
    (found,) = await finder.until(bool)
    assert found.table == said.table
    assert (found.title, found.game, found.phase, found.pin) == ("Cellar", "prrrt", "lobby", True)
    assert (found.players, found.taken, found.version) == (4, 1, said.protocol)
    assert found.addresses == ((LOOPBACK, said.port),)
    assert found.joinable
    announcer.update(replace(said, taken=3, phase="playing"))
    (found,) = await finder.until(lambda tables: tables[0].taken == 3)
    assert found.phase == "playing"
    began = time.monotonic()
    await announcer.stop()
    assert time.monotonic() - began < 4
    await finder.until(lambda tables: not tables)


async def test_a_table_that_answers_no_more_is_greyed_out(
    finder: Finder, listening: asyncio.Server
) -> None:
    announcer = Announcer(table(listening))
    await announcer.start()
    await finder.until(lambda tables: bool(tables) and tables[0].joinable)
    port = listening.sockets[0].getsockname()[1]
    listening.close()
    await finder.until(lambda tables: not tables[0].joinable)
    again = await asyncio.start_server(lambda _, writer: writer.close(), LOOPBACK, port)
    await finder.until(lambda tables: tables[0].joinable)
    again.close()
    await announcer.stop()


async def test_one_table_announced_twice_is_one_entry(
    finder: Finder, listening: asyncio.Server
) -> None:
    """As after a kill -9 and a resume: the old announcement's address doesn't answer."""
    dead = await asyncio.start_server(lambda _, writer: writer.close(), LOOPBACK, 0)
    old = Announcer(table(dead, taken=1))
    await old.start()
    await finder.until(bool)
    dead.close()
    new = Announcer(table(listening, taken=2))
    await new.start()
    (found,) = await finder.until(lambda tables: tables[0].taken == 2 and tables[0].joinable)
    assert found.addresses[0][1] == listening.sockets[0].getsockname()[1]
    await old.stop()
    await new.stop()


async def test_the_address_that_answers_stays_first_while_all_are_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever looks just then would be told, and would try, one that doesn't answer."""
    dead, alive = ("192.0.2.1", 1), ("192.0.2.2", 1)
    said = read(OURS)
    assert said is not None
    shown: list[tuple[tuple[str, int], ...]] = []
    browser = Browser(lambda: None)

    async def answering(_: object) -> list[tuple[str, int]]:
        shown.extend(one.addresses for one in browser.tables())
        return [alive]

    async def asked(*_: object) -> bool:
        return True

    monkeypatch.setattr(AsyncServiceInfo, "async_request", asked)
    monkeypatch.setattr(discovery, "found_in", lambda _: replace(said, addresses=(dead, alive)))
    monkeypatch.setattr(discovery, "_answering", answering)
    for _ in range(2):
        await browser._look_at(SimpleNamespace(), f"x.{announcement.SERVICE}")  # type: ignore[arg-type]
    assert shown == [(alive, dead)]


async def test_several_tables_and_long_names(finder: Finder, listening: asyncio.Server) -> None:
    announcers = [
        Announcer(table(listening, letter, title="Käse und Wein im Keller 💨 " * 9))
        for letter in "abc"
    ]
    for announcer in announcers:
        await announcer.start()
    tables = await finder.until(lambda tables: len(tables) == 3)
    assert all(one.title.startswith("Käse und Wein") for one in tables)
    for announcer in announcers:
        await announcer.stop()


async def test_an_announcement_fits_a_packet() -> None:
    said = Announcement(
        "t" * 26, "💨" * 200, "low-on-gas", 7, 7, "playing", True, 65535, (LOOPBACK,)
    )
    info = await announcement.service_info(said, f"x.{announcement.SERVICE}")
    assert len(info.text) < 400
    assert info.host_ttl == 10


@pytest.mark.parametrize("hosts", [(), ("0.0.0.0",), ("::",)])
async def test_a_table_that_listens_everywhere_names_real_addresses(
    hosts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = [Interface("lo", LOOPBACK), Interface("eth0", "192.0.2.7")]
    monkeypatch.setattr(announcement, "interfaces", lambda: ours)
    said = Announcement("t" * 26, "Cellar", "prrrt", 4, 1, "lobby", False, 3278, hosts)
    info = await announcement.service_info(said, f"x.{announcement.SERVICE}")
    assert info.parsed_addresses() == ["192.0.2.7"]


OURS = {
    "id": "x",
    "title": "t",
    "game": "g",
    "players": "4",
    "taken": "0",
    "phase": "lobby",
    "v": "1",
}


def read(properties: dict[str, str]) -> FoundTable | None:
    return announcement.found_in(
        AsyncServiceInfo(
            announcement.SERVICE, f"x.{announcement.SERVICE}", port=1, properties=properties
        )
    )


@pytest.mark.parametrize(
    "properties",
    [
        {},
        {"id": "x"},
        OURS | {"players": "many"},
        OURS | {"players": "9" * 200},
        OURS | {"taken": "-1"},
        OURS | {"taken": "\u0661"},
        OURS | {"title": "\u3164\u115f \u2800"},
        OURS | {"id": "+"},
        OURS | {"id": "x/../y"},
        OURS | {"id": "x\x1b[2J"},
        OURS | {"id": "x" * 65},
    ],
)
def test_what_isnt_ours_is_passed_over(properties: dict[str, str]) -> None:
    assert read(properties) is None


def test_what_strangers_announce_cannot_draw() -> None:
    found = read(
        OURS
        | {
            "title": "a\x1b[2Jb\nc\U000e0100",
            "host": "h\x07",
            "game": "g\u202e\x1b[2J",
            "phase": "\x9b2J",
        }
    )
    assert found is not None
    assert (found.title, found.host_name) == ("a[2Jb c", "h")
    assert (found.game, found.phase) == ("g[2J", "2J")


async def test_without_a_network_nothing_is_found_and_nothing_raises(
    monkeypatch: pytest.MonkeyPatch, listening: asyncio.Server
) -> None:
    places: list[Interface] = []
    looked = Countdown(4)  # both sides, twice

    def interfaces() -> list[Interface]:
        looked.count()
        return places

    for module in (announcement, networks):
        monkeypatch.setattr(module, "interfaces", interfaces)
    finder = Finder()
    announcer = Announcer(table(listening, hosts=()))
    await finder.browser.start()
    await announcer.start()
    await looked.wait()
    assert finder.tables() == ()
    places.append(Interface("lo", LOOPBACK))  # a cable is plugged in
    (found,) = await finder.until(bool)
    assert found.joinable
    await announcer.stop()
    await finder.browser.stop()


@pytest.mark.parametrize("error", [OSError(101, "unreachable"), RuntimeError("no interface")])
async def test_a_machine_that_wont_is_no_error(
    monkeypatch: pytest.MonkeyPatch, listening: asyncio.Server, error: Exception
) -> None:
    tried = Countdown(12)  # both sides, twice, in three ways

    def refuse(**_: object) -> None:
        tried.count()
        raise error

    monkeypatch.setattr(networks, "AsyncZeroconf", refuse)
    finder = Finder(only=[LOOPBACK])
    announcer = Announcer(table(listening))
    await finder.browser.start()
    await announcer.start()
    announcer.update(table(listening, taken=2))
    await tried.wait()
    await announcer.stop()
    await finder.browser.stop()
    assert finder.tables() == ()


async def test_stopping_at_once_is_bounded(listening: asyncio.Server) -> None:
    announcer, finder = Announcer(table(listening)), Finder(only=[LOOPBACK])
    await announcer.stop()
    await announcer.start()
    await finder.browser.start()
    began = time.monotonic()
    await announcer.stop()
    await finder.browser.stop()
    assert time.monotonic() - began < 6


def test_this_machines_addresses() -> None:
    assert any(one.ip.is_loopback for one in interfaces())
    assert reachable()
    assert len({one.ip.is_loopback for one in reachable()}) == 1


# Between machines: two network namespaces with a cable between them

ANNOUNCE = """
import asyncio, json, sys
from net.announcement import Announcement
from net.discovery import MOST_TABLES, Announcer
async def main():
    said = Announcement(**json.loads(sys.argv[1]))
    server = await asyncio.start_server(lambda _, writer: writer.close(), None, said.port)
    announcer = Announcer(said)
    await announcer.start()
    await asyncio.sleep(60)
asyncio.run(main())
"""

BROWSE = """
import asyncio, dataclasses, json
from net import discovery, networks
networks.LOOK_EVERY = 0.5
async def main():
    changed = asyncio.Event()
    browser = discovery.Browser(changed.set)
    await browser.start()
    while True:
        await changed.wait()
        changed.clear()
        print(json.dumps([dataclasses.asdict(one) for one in browser.tables()]), flush=True)
asyncio.run(main())
"""


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def _can_make_namespaces() -> bool:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"prrrt-probe-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "delete", name)
    except subprocess.CalledProcessError:
        return False
    return True


@contextlib.contextmanager
def running(namespace: str, code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = ["ip", "netns", "exec", namespace, sys.executable, "-c", code, *arguments]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(discovery.__file__).parent.parent)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture
def two_machines() -> Iterator[Callable[[bool], tuple[str, str]]]:
    """`two_machines(ipv4)`: two namespaces with a cable between them and no way elsewhere."""
    one, two = names = tuple(f"prrrt-{os.getpid()}-{side}" for side in "ab")

    def make(ipv4: bool) -> tuple[str, str]:
        for name in names:
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
        ends = ["prrrt0", "netns", one, "type", "veth", "peer", "prrrt0", "netns", two]
        ip("link", "add", *ends)
        for number, name in enumerate(names, start=1):
            if ipv4:
                ip("-n", name, "address", "add", f"192.0.2.{number}/24", "dev", "prrrt0")
            ip("-n", name, "link", "set", "prrrt0", "up")
        return one, two

    try:
        yield make
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


@pytest.mark.skipif(
    not _can_make_namespaces(), reason="needs root and `ip` to make two network namespaces"
)
@pytest.mark.parametrize("ipv4", [True, False], ids=["both", "ipv6 only"])
def test_a_table_on_another_machine_is_found_and_greyed_when_that_one_dies(
    two_machines: Callable[[bool], tuple[str, str]], ipv4: bool
) -> None:
    one, two = two_machines(ipv4)
    said = Announcement("t" * 26, "Cellar", "prrrt", 4, 1, "lobby", False, 3278)
    with (
        running(two, BROWSE) as browser,
        running(one, ANNOUNCE, json.dumps(asdict(said))) as announcer,
    ):
        found = until(browser, joinable=True)
        assert (found["title"], found["taken"]) == ("Cellar", 1)
        first, _ = found["addresses"][0]
        assert first == "192.0.2.1" if ipv4 else first.startswith("fe80:")
        assert all("%" in host for host, _ in found["addresses"] if host.startswith("fe80:"))
        announcer.kill()
        until(browser, joinable=False)


def until(browser: subprocess.Popen[str], joinable: bool) -> dict[str, Any]:
    """Return the only table that the browser lists, once it is (or isn't) joinable."""
    assert browser.stdout is not None
    for line in browser.stdout:
        for found in json.loads(line):
            if found["joinable"] is joinable:
                return dict(found)
    raise AssertionError("the browser ended")


async def test_thousands_of_announced_names_are_looked_at_by_and_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Anybody can announce anything, as fast as they like: what is under way is bounded."""
    changed: list[Any] = []

    class Heard:
        def __init__(self, *_: Any, handlers: list[Any]) -> None:
            changed.extend(handlers)

        async def async_cancel(self) -> None: ...

    async def for_long(browser: Browser, zeroconf: Any, name: str) -> None:
        await asyncio.sleep(60)

    nowhere = Places(frozenset(), only=False)
    monkeypatch.setattr(discovery, "AsyncServiceBrowser", Heard)
    monkeypatch.setattr(discovery, "places_at", lambda _: nowhere)
    monkeypatch.setattr(Browser, "_ask_and_try", for_long)
    browser = Browser(lambda: None)
    browsing = asyncio.create_task(browser._browse(SimpleNamespace(zeroconf=None), nowhere))
    await asyncio.sleep(0)
    for n in range(5 * MOST_TABLES):
        for state in (ServiceStateChange.Added, ServiceStateChange.Removed):
            changed[0](None, announcement.SERVICE, f"{n}", state)
    await asyncio.sleep(0)
    assert len(browser._tasks) <= MOST_TABLES
    browser._stopping.set()
    await browsing
    assert not browser._tasks
    assert not browser._looking
