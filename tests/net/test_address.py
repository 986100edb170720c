"""What people type where an address is wanted."""

from __future__ import annotations

import pytest

from net.address import Address, looks_like_address, parse_address, parse_broker
from net.refused import Refused


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("192.0.2.7", "192.0.2.7", 3278),
        ("192.0.2.7:4000", "192.0.2.7", 4000),
        (" cellar.local ", "cellar.local", 3278),
        ("cellar_2:1", "cellar_2", 1),
        ("bücher.example:65535", "bücher.example", 65535),
        ("::1", "::1", 3278),
        ("[::1]", "::1", 3278),
        ("[::1]:4000", "::1", 4000),
        ("[fe80::1%eth0]:4000", "fe80::1%eth0", 4000),
        ("fe80::1%eth0", "fe80::1%eth0", 3278),
    ],
)
def test_an_address_is_read(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host, port)


@pytest.mark.parametrize("text", ["192.0.2.7:4000", "[::1]:3278", "[fe80::1%eth0]:1"])
def test_an_address_is_shown_as_it_is_typed(text: str) -> None:
    assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ":3278", "host:", "host:x", "host:-1", "host:+1"),
        *("a b", "a/b", "a..b", "http://x", "[::1", "[::1]x", "[::1]:", "[host]:1", "1:2:3"),
        *("::1]:3278", "host:٣", "x" * 300, "[]", "%"),
    ],
)
def test_what_is_no_address_is_refused_as_it_was_typed(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_address(text)
    assert (refused.value.code, refused.value.facts) == ("bad_address", {"text": text})


@pytest.mark.parametrize(
    ("text", "port"),
    [("host:0", "0"), ("host:65536", "65536"), ("[::1]:99999", "99999"), ("a b:99999", "99999")],
)
def test_a_port_that_is_none_is_named(text: str, port: str) -> None:
    assert looks_like_address(text)
    with pytest.raises(Refused) as refused:
        parse_address(text)
    assert (refused.value.code, refused.value.facts) == ("bad_port", {"text": text, "port": port})


@pytest.mark.parametrize("title", ["Cellar", "PRRRT...", "Friday 20:30", "St. Pauli", "a b", ""])
def test_a_title_is_not_taken_for_an_address(title: str) -> None:
    assert not looks_like_address(title)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("mqtt://cellar", Address("cellar", 1883)),
        ("mqtt://cellar:99/", Address("cellar", 99)),
        ("mqtts://cellar", Address("cellar", 8883, tls=True)),
        ("mqtt://ada:p%40ss@[::1]:5", Address("::1", 5, user="ada", password="p@ss")),
        ("mqtt://ada@192.0.2.1", Address("192.0.2.1", 1883, user="ada")),
    ],
)
def test_a_broker_is_read(text: str, address: Address) -> None:
    assert parse_broker(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cellar",
        "http://cellar",
        "mqtt://",
        "mqtt://a b",
        "mqtt://h:x",
        "mqtt://h:0",
        "mqtt://h/t",
    ],
)
def test_what_is_no_broker_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_broker(text)
    assert refused.value.code == "bad_broker"


def test_a_password_is_never_repeated() -> None:
    with pytest.raises(Refused) as refused:
        parse_broker("mqtt://ada:secret@cellar/topic")
    assert "secret" not in str(refused.value)
    assert "cellar" in str(refused.value)
    assert "secret" not in repr(parse_broker("mqtt://ada:secret@cellar"))
