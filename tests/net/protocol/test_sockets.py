"""A table is to be reached where `--bind` says and nowhere else, by UDP neither."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from open_sockets import Port, open_ports

from net.address import Address
from net.connect import join
from net.discovery import Browser
from net.happenings import Happening, Ready
from net.interfaces import interfaces
from net.multicast import GROUP_4, GROUP_6, PORT
from net.settings import TableSettings
from net.table_process import run_table

Eventually = Callable[..., Awaitable[None]]
Start = Callable[..., Any]


class Held:
    """A table in this process, and the ports that it has opened here."""

    def __init__(self, **settings: Any) -> None:
        self.port = 0
        self._before = open_ports()
        self._running = asyncio.create_task(run_table(TableSettings(**settings), self._hear))

    def _hear(self, happening: Happening) -> None:
        if isinstance(happening, Ready):
            self.port = happening.port

    @property
    def opened(self) -> set[Port]:
        return open_ports() - self._before

    def heard_at(self, kind: str) -> set[str]:
        """Return the addresses at which it is to be reached, of TCP or UDP."""
        assert {port.number for port in self.opened} <= {self.port, PORT}
        return {port.address for port in self.opened if port.kind == kind}

    async def close(self) -> None:
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)
        assert not self.opened, "nothing stays open"


@pytest.fixture
async def hold(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, eventually: Eventually) -> Any:
    """`hold(bind=..., discovery=...)` opens a table, and returns when its ports are open."""
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))
    held: list[Held] = []

    async def one(**settings: Any) -> Held:
        held.append(Held(**settings))
        table = held[-1]
        await eventually(lambda: table.port != 0)
        if settings["discovery"]:
            await eventually(lambda: any(port.kind == "udp" for port in table.opened))
        return table

    yield one
    for each in held:
        await each.close()


async def test_a_process_is_heard_at_its_address_alone(
    start: Start, eventually: Eventually
) -> None:
    table = await start(bind="127.0.0.1", discovery=True)
    port = (await table.line("ready"))["port"]
    pid = table.process.pid
    await eventually(lambda: any(each.kind == "udp" for each in open_ports(pid)))
    assert open_ports(pid) == {
        Port("tcp", "127.0.0.1", port),
        Port("udp", "127.0.0.1", PORT),
        Port("udp", GROUP_4, PORT),
    }


@pytest.mark.parametrize(
    ("bind", "tcp", "udp"),
    [
        ("::1", {"::1"}, {"::1", GROUP_6}),
        ("127.0.0.2", {"127.0.0.2"}, {"127.0.0.2", GROUP_4}),
        ("localhost", None, {"127.0.0.1", GROUP_4}),
        ("0.0.0.0", {"0.0.0.0"}, None),
        (None, {"::"}, None),
    ],
)
async def test_it_is_heard_where_bind_says(
    hold: Any, bind: str | None, tcp: set[str] | None, udp: set[str] | None
) -> None:
    """Where that is everywhere, or everywhere by IPv4, no more than that either."""
    table = await hold(bind=bind, discovery=True)
    if bind == "localhost":  # as this machine understands it
        tcp = {str(to[0]) for *_, to in socket.getaddrinfo(bind, 0, type=socket.SOCK_STREAM)}
    assert table.heard_at("tcp") == tcp
    if bind == "0.0.0.0":
        udp = {GROUP_4, *(one.address for one in interfaces() if one.ip.version == 4)}
    if udp is not None:
        assert table.heard_at("udp") == udp


async def test_an_address_of_the_network_is_no_other(hold: Any) -> None:
    """A table that is bound to an address says nothing on any other network."""
    outside = [one for one in interfaces() if one.ip.version == 4 and not one.ip.is_loopback]
    for one in outside[:1]:
        table = await hold(bind=one.address, discovery=True)
        assert table.heard_at("tcp") == {one.address}
        assert table.heard_at("udp") == {one.address, GROUP_4}


async def test_without_discovery_no_datagram_is_heard(hold: Any) -> None:
    table = await hold(bind=None, discovery=False)
    assert table.opened == {Port("tcp", "::", table.port)}


async def test_whoever_joins_opens_no_port(hold: Any) -> None:
    table = await hold(bind="127.0.0.1", discovery=False)
    before = open_ports()
    transport, _ = await join(Address("127.0.0.1", table.port))
    assert open_ports() == before
    await transport.close()


async def test_whoever_looks_for_tables_opens_one_port_while_they_look(
    eventually: Eventually,
) -> None:
    before = open_ports()
    browser = Browser(lambda: None)
    await browser.start()
    await eventually(lambda: open_ports() != before)
    assert {(port.kind, port.number) for port in open_ports() - before} == {("udp", PORT)}
    await browser.stop()
    assert open_ports() == before
