"""Labelled chance: scripted orders (journal.md) and fair-1 (architecture.md, "Fair deals")."""

from __future__ import annotations

import hashlib
import json

import pytest

from core.kernel.chance import Fair1, Scripted, new_fair1, read_chance
from core.kernel.fair1 import commitment
from core.kernel.illegal import BadChance
from core.prrrt.cards import SHAME_DECK
from core.registry import GAMES

RULES = GAMES["prrrt"]
OPTIONS = RULES.check_options({}, 4)
LABELS = RULES.labels(4, OPTIONS)
NAMES = ("Ada", "Zoë", "小林", "Ada")


def scripted(**orders: object) -> Scripted:
    return Scripted({label.replace("__", "/"): order for label, order in orders.items()}, LABELS)


def test_a_short_list_is_the_beginning_and_the_rest_is_canonical() -> None:
    chance = scripted(first=[2], shame=[10, 1])
    assert chance.order("first", range(4)) == (2, 0, 1, 3)
    shame = chance.order("shame", SHAME_DECK)
    assert shame[:3] == (10, 1, 1)
    assert sorted(shame) == list(SHAME_DECK)
    assert chance.order("smell/1", (1, 2, 2)) == (1, 2, 2)


@pytest.mark.parametrize(
    ("label", "order"),
    [
        ("first", [4]),
        ("first", [0, 0]),
        ("first", [True]),
        ("first", [1.0]),
        ("first", ["1"]),
        ("first", [None]),
        ("first", [[0]]),
        ("first", 0),
        ("first", "0"),
        ("locations", ["work/bus"]),
        ("locations", ["work/lift", "work/lift"]),
        ("shame", [11]),
        ("shame", [10] * 7),
        ("smell/3", [1, 1]),
        ("smell/3", [0]),
        ("smell/0", []),
        ("smell/01", []),
        ("smell", []),
        ("smell/1/1", []),
        ("blind/1", []),
        ("blind/1/0", []),
        ("blind/1/2", "01"),
        ("deck/1", []),
        ("", []),
    ],
)
def test_what_is_refused_when_the_file_is_opened(label: str, order: object) -> None:
    with pytest.raises(BadChance):
        Scripted({label: order}, LABELS)


def test_blind_orders_are_checked_when_asked() -> None:
    chance = Scripted({"blind/1/1": [1, 5], "blind/9/9": ["never asked"]}, LABELS)
    with pytest.raises(BadChance) as refused:
        chance.order("blind/1/1", range(5))
    assert refused.value.code == "bad_order"
    assert refused.value.facts == {"label": "blind/1/1", "item": 5}


def plain_hmac(key: bytes, message: bytes) -> bytes:
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def plain_order(
    chance: dict, game: str, options: dict, names: list, label: str, deck: list
) -> list:
    """fair-1 once more, written down from the document alone."""
    told = {key: chance[key] for key in chance if key != "secret"}
    told.update(game=game, options=options, names=names)
    text = json.dumps(told, sort_keys=True, separators=(",", ":")).encode("ascii")
    key = plain_hmac(bytes.fromhex(chance["secret"]), hashlib.sha256(text).digest())
    k = plain_hmac(plain_hmac(b"\0" * 32, key), label.encode() + b"\x01")
    stream = b"".join(plain_hmac(k, i.to_bytes(8, "big")) for i in range(64))
    words = iter(int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4))
    deck = list(deck)
    for i in range(len(deck) - 1, 0, -1):
        x = next(words)
        while x >= 2**32 // (i + 1) * (i + 1):
            x = next(words)
        deck[i], deck[x % (i + 1)] = deck[x % (i + 1)], deck[i]
    return deck


@pytest.mark.parametrize("secret", [bytes(32), bytes(range(32)), b"\xff" * 32])
@pytest.mark.parametrize("label", ["shame", "smell/1", "smell/2", "blind/3/17", "first"])
def test_fair1_is_what_the_document_says(secret: bytes, label: str) -> None:
    header = new_fair1("abcdefghijklmnopqrstuvwxyz", secret, 4)
    chance = read_chance(header, game="prrrt", options=OPTIONS, names=NAMES, labels=LABELS)
    for deck in (range(4), SHAME_DECK, range(1), ()):
        wanted = plain_order(header, "prrrt", OPTIONS, list(NAMES), label, list(deck))
        assert list(chance.order(label, deck)) == wanted


def test_fair1_never_changes() -> None:
    """A journal of today opens in every later version: one order, pinned."""
    header = new_fair1("table", bytes(range(32)), 3)
    chance = read_chance(
        header,
        game="prrrt",
        options=RULES.check_options({}, 3),
        names=("Ada", "Bo", "Cy"),
        labels=LABELS,
    )
    assert chance.order("first", range(10)) == (9, 0, 4, 3, 6, 7, 1, 2, 5, 8)


def test_every_place_is_as_likely() -> None:
    """Else the first places would come up more often: about a third each."""
    seen: dict[int, int] = {}
    chance = Fair1(bytes(32))
    for number in range(3000):
        first = chance.order(f"smell/{number + 1}", range(3))[0]
        seen[first] = seen.get(first, 0) + 1
    assert all(900 < times < 1100 for times in seen.values())


def test_what_the_deal_depends_on() -> None:
    """Names, options, table, secret: each of them, and nothing that isn't in the header."""

    def deal(names=NAMES, options=OPTIONS, **changes: object) -> tuple:
        header = {**new_fair1("table", bytes(32), 4), **changes}
        chance = read_chance(header, game="prrrt", options=options, names=names, labels=LABELS)
        return chance.order("shame", SHAME_DECK)

    others = [
        deal(names=("Eve", *NAMES[1:])),
        deal(options={**OPTIONS, "open_scores": True}),
        deal(table="other"),
        deal(secret="01" * 32),
        deal(commitment="00" * 32),
        deal(attempts=[{"by": 1}]),
        deal(seats=[{"commitment": "00" * 32, "reveal": "11" * 32}, None, None, None]),
    ]
    assert deal() == deal()
    assert len({deal(), *others}) == len(others) + 1


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": 2},
        {"rules": True},
        {"secret": "00"},
        {"secret": "0g" * 32},
        {"secret": None},
        {"commitment": 0},
        {"table": None},
        {"attempts": None},
        {"attempts": {}},
        {"seats": [None] * 3},
        {"seats": [None, None, None, 0]},
        {"seats": [None, None, None, {"commitment": "00" * 32}]},
        {"seats": [None, None, None, {"commitment": "00" * 32, "reveal": "zz" * 32}]},
        {"extra": 1},
        {"scheme": "fair-2"},
        {"scheme": None},
    ],
)
def test_a_fair1_header_is_checked_at_the_door(changes: dict) -> None:
    header = {**new_fair1("table", bytes(32), 4), **changes}
    with pytest.raises(BadChance):
        read_chance(header, game="prrrt", options=OPTIONS, names=NAMES, labels=LABELS)


@pytest.mark.parametrize("key", ["rules", "table", "secret", "commitment", "attempts", "seats"])
def test_a_fair1_header_is_whole(key: str) -> None:
    header = new_fair1("table", bytes(32), 4)
    del header[key]
    with pytest.raises(BadChance):
        read_chance(header, game="prrrt", options=OPTIONS, names=NAMES, labels=LABELS)


def test_commitments_are_for_one_table_seat_and_value() -> None:
    made = {
        commitment("t", "host", bytes(32)),
        commitment("t", 0, bytes(32)),
        commitment("t0", "host", bytes(32)),
        commitment("t", "host", b"\1" * 32),
        commitment("", "host", bytes(32)),
    }
    assert len(made) == 5
    assert all(len(one) == 32 for one in made)


def test_labels_are_streams_of_their_own() -> None:
    """Asking others before, in whatever order, moves nothing."""
    chance = Fair1(b"key")
    alone = chance.order("shame", SHAME_DECK)
    for label in ("first", "smell/1", "blind/1/1"):
        chance.order(label, range(30))
    assert chance.order("shame", SHAME_DECK) == alone
