"""A table is to be reached where `--bind` says and nowhere else, by UDP neither."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from open_sockets import Port, open_ports

from net.address import Address
from net.connect import join
from net.discovery import Browser
from net.interfaces import interfaces
from net.multicast import GROUP_4, GROUP_6, PORT

Eventually = Callable[..., Awaitable[None]]
Start = Callable[..., Any]


class Ports:
    """The ports that were opened in this process since."""

    def __init__(self) -> None:
        self._before = open_ports()

    @property
    def opened(self) -> set[Port]:
        return open_ports() - self._before

    def heard_at(self, kind: str) -> set[str]:
        """Return the addresses of TCP or UDP at which somebody is to be reached."""
        return {port.address for port in self.opened if port.kind == kind}

    def numbers(self) -> set[int]:
        return {port.number for port in self.opened}


@pytest.fixture
def ports() -> Ports:
    return Ports()


@pytest.fixture
async def open_table(hold: Any, ports: Ports, eventually: Eventually) -> AsyncIterator[Any]:
    """`open_table(bind=...)` opens one with discovery; returns its port when all are open."""

    async def one(bind: str | None, *, discovery: bool = True) -> int:
        tables.append(hold(bind=bind, discovery=discovery))
        port: int = await tables[-1].port()
        if discovery:
            await eventually(lambda: bool(ports.heard_at("udp")))
            assert ports.numbers() == {port, PORT}
        return port

    tables: list[Any] = []
    yield one
    for table in tables:
        await table.close()
    assert not ports.opened, "nothing stays open"


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
    open_table: Any, ports: Ports, bind: str | None, tcp: set[str] | None, udp: set[str] | None
) -> None:
    """Where that is everywhere, or everywhere by IPv4, no more than that either."""
    await open_table(bind)
    if bind == "localhost":  # as this machine understands it
        tcp = {str(to[0]) for *_, to in socket.getaddrinfo(bind, 0, type=socket.SOCK_STREAM)}
    assert ports.heard_at("tcp") == tcp
    if bind == "0.0.0.0":
        udp = {GROUP_4, *(one.address for one in interfaces() if one.ip.version == 4)}
    if udp is not None:
        assert ports.heard_at("udp") == udp


async def test_an_address_of_the_network_is_no_other(open_table: Any, ports: Ports) -> None:
    """A table that is bound to an address says nothing on any other network."""
    outside = [one for one in interfaces() if one.ip.version == 4 and not one.ip.is_loopback]
    for one in outside[:1]:
        await open_table(one.address)
        assert ports.heard_at("tcp") == {one.address}
        assert ports.heard_at("udp") == {one.address, GROUP_4}


async def test_without_discovery_no_datagram_is_heard(open_table: Any, ports: Ports) -> None:
    port = await open_table(None, discovery=False)
    assert ports.opened == {Port("tcp", "::", port)}


async def test_whoever_joins_opens_no_port(open_table: Any) -> None:
    port = await open_table("127.0.0.1", discovery=False)
    guest = Ports()
    transport, _ = await join(Address("127.0.0.1", port))
    assert not guest.opened
    await transport.close()


async def test_whoever_looks_for_tables_opens_one_port_while_they_look(
    ports: Ports, eventually: Eventually
) -> None:
    browser = Browser(lambda: None)
    await browser.start()
    await eventually(lambda: bool(ports.opened))
    assert {(port.kind, port.number) for port in ports.opened} == {("udp", PORT)}
    await browser.stop()
    assert not ports.opened
