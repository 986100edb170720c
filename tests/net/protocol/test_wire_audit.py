"""Whoever hears every message of a whole evening finds no hidden card, no PIN, no key.

A listener at the broker writes down all that passes: the lobby, the PIN's door, chat, a game with
people, with bots of both kinds and with somebody who watches, a line that is lost, a rematch, the
goodbye. Afterwards all of it is searched with the truth in hand: the journals and the keys.
"""

from __future__ import annotations

import asyncio
import base64
import getpass
import hashlib
import hmac
import re
import secrets
import socket
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from ears import Ears
from nacl.public import Box, PublicKey
from spake2.parameters.ed25519 import ParamsEd25519

from core.registry import GAMES
from core.replay import begin, replay
from net import announcement, orders
from net import messages as m
from net.dealer import FairDealer
from net.guest_bot import GuestBot
from net.keys import SeatKeys
from net.pin import HostPin, NewcomerPin, _proof
from net.saves import journals, table_folder
from net.seal import Counters, HostSeal, PeerSeal
from net.topics import down_topic, public_topic, table_topic, up_topic

PIN, WRONG_PIN = "809198", "908189"
"""Of digits that no id has (base32)."""

USER, HOSTNAME = "uncle-ernie", "aunt-ednas-laptop"

KEY, NONCE, TAG, SIGNATURE, STEP = 32, 24, 16, 64, 512


@dataclass
class Recording:
    """An evening as it was heard, and what only those knew who were there."""

    table: Any
    heard: list[tuple[str, bytes]]
    ears: Ears
    secret: dict[str, bytes] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    client_ids: list[str] = field(default_factory=list)

    def public(self) -> list[Any]:
        """Return every signed letter, decoded."""
        return [
            msgspec.json.decode(payload[SIGNATURE:])
            for topic, payload in self.heard
            if topic.endswith(("/public", "/table")) and payload
        ]


async def all_heard(ears: Ears) -> None:
    """Wait until everything has come that the broker had by now."""
    word = secrets.token_bytes(8)
    await ears.line.publish("ears", word)
    async with asyncio.timeout(30):
        while ("ears", word) not in ears.heard:  # noqa: ASYNC110 - the line is being read
            await asyncio.sleep(0.005)


async def plays(table: Any, guest: Any, rng: Random, most: int = 400) -> None:
    """Do anything legal whenever it is this seat's turn, until the game is over."""
    for _ in range(most):
        seen = await guest.sees(
            lambda s: s.game is not None and (s.game.over or bool(s.game.offers and _awaited(s)))
        )
        if seen.game.over:
            return
        wishes = list(table.rules.actions(rng.choice(seen.game.offers)))
        await guest.answered(guest.client.act(rng.choice(wishes)))


def _awaited(seen: Any) -> bool:
    return seen.room.you in seen.room.waits_for and not seen.room.held


async def evening(party: Any, broker: Any, game: str) -> Recording:
    """Spend an evening at a table, and return all that was heard of it."""
    ears = await Ears(await broker.line()).listen()
    await ears.line.subscribe("$SYS/#")
    table = party(
        GAMES[game],
        broker=broker,
        host_line=broker.host_line,
        players=4,
        bots=1,
        pin=PIN,
        speed=3.0,
    )
    table.table._dealer = FairDealer(table.keys)
    mallory = table.guest("Mallory", pin=WRONG_PIN)
    assert await mallory.end() == "wrong_pin"
    ada = await table.seat("Ada", pin=PIN)
    ben = await table.seat("Ben", pin=PIN)
    robots_keys = SeatKeys.new()
    client = table.client("Robot", robots_keys, kind="guest_bot", pin=PIN)
    table.bots.append(
        asyncio.create_task(GuestBot(client, level="easy", think=0, rng=Random(1)).play())
    )
    eve = await table.seat(None, pin=PIN)
    await ada.sees(lambda seen: len(seen.room.seats) == 4)
    assert await ada.answered(ada.client.say("Who was it?")) is None
    assert await eve.answered(eve.client.say("Not me.")) is None
    assert await ada.answered(ada.client.order(orders.Start())) is None

    bens = asyncio.create_task(plays(table, ben, Random(2)))
    await plays(table, ada, Random(3), most=4)
    await ada.drop()
    ada = await table.seat("Ada", ada.keys, take_over=True)
    await plays(table, ada, Random(4))
    await bens
    recording = Recording(table, ears.heard, ears)
    live = {peer.id: session for peer, session in table.host.door.live()}
    recording.words = {
        **{f"session of {who[:4]}": session.name for who, session in live.items()},
        **{f"nonce of {who[:4]}": session.nonce for who, session in live.items()},
    }
    lines = [line for line in broker.lines if line.up]
    recording.client_ids = [line._client.identifier for line in lines]

    assert await ada.answered(ada.client.order(orders.Rematch())) is None
    assert await ada.answered(ada.client.order(orders.Start())) is None
    again = [asyncio.create_task(plays(table, each, Random(5))) for each in (ada, ben)]
    await ada.sees(lambda seen: seen.room.games_played == 2 and seen.game.actions > 5)
    for each in again:
        each.cancel()
    table.host.stop("ended")
    for guest in (ada, ben, eve):
        assert await guest.end() == "closed"
    await asyncio.wait(table.bots)
    await all_heard(ears)
    await ears.close()

    signing, sealing = table.keys.secrets
    guests = {"Ada": ada.keys, "Ben": ben.keys, "Eve": eve.keys, "Mallory": mallory.keys}
    recording.secret = {
        "the host's signing key": signing,
        "the host's sealing key": sealing,
        **{f"{who}'s key": keys.secret for who, keys in {**guests, "Robot": robots_keys}.items()},
    }
    for keys in (*guests.values(), robots_keys):
        shared = Box(table.keys.sealing, PublicKey(keys.public)).shared_key()
        recording.secret[f"the seal of {keys.peer_id[:4]}"] = shared
    for path in journals(table_folder(table.keys.table_id)):
        replayed = replay(path.read_bytes())
        secret = replayed.header.chance["secret"]
        recording.secret[f"the secret of {path.name}"] = bytes.fromhex(str(secret))
        for line in (*replayed.lines[::50], replayed.lines[-1]):
            recording.secret[f"chain {line.number} of {path.name}"] = bytes.fromhex(line.chain)
    recording.words["the PIN"] = PIN
    recording.words["the wrong PIN"] = WRONG_PIN
    password = broker.host_line.address.password
    if password:
        recording.words["the broker's password"] = password
    return recording


def spelled(secret: bytes) -> Iterator[bytes]:
    """Yield how 32 bytes may be written: whole, or a good part of them."""
    yield secret[:12]
    yield secret[-12:]
    yield secret[::-1][:12]
    yield secret.hex().encode()[:24]
    yield secret.hex().upper().encode()[-24:]
    yield base64.b32encode(secret)[:20]
    yield base64.b32encode(secret).lower()[:20]
    for shift in range(3):
        told = base64.b64encode(bytes(shift) + secret)[4:28]
        yield told
        yield told.translate(bytes.maketrans(b"+/", b"-_"))
    yield ",".join(map(str, secret)).encode()[:40]
    yield ", ".join(map(str, secret)).encode()[:40]
    yield str(int.from_bytes(secret, "big")).encode()[:30]


def unpacked(payloads: list[bytes]) -> Iterator[bytes]:
    """Yield everything, and what is in anything that was packed."""
    for payload in payloads:
        yield payload
        for start in (0, KEY, SIGNATURE):
            for window in (15, -15, 31):
                try:
                    yield zlib.decompressobj(window).decompress(payload[start:])
                except zlib.error:
                    continue


def watching(game: str, seats: int) -> Any:
    """Return the laws' own opinion on what may be seen, made from the truth and not by the game."""
    path = Path(__file__).parents[2] / "core" / game.replace("-", "_") / "laws.py"
    spec = spec_from_file_location(f"laws_for_the_wire_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Watching(seats) if game == "prrrt" else module.Watching()


def may_be_seen(path: Path) -> list[Any]:
    """Return what a spectator may see of the table after each action of a journal."""
    replayed = replay(path.read_bytes())
    rules, _, game = begin(replayed.header)
    laws = watching(rules.name, len(replayed.header.seats))
    told = []
    for line in (None, *replayed.lines):
        if line is not None:
            action = rules.action(line.body)
            game.act(line.seat, action)  # type: ignore[arg-type]
            laws.note(line.seat, action)
        truth = msgspec.to_builtins(game.revealed())
        told.append(msgspec.json.decode(msgspec.json.encode(laws.seen(truth, None))))
    return told


OPEN_LISTS = {
    "startturned": {"buried"},
    "shamelaid": {"up"},
    "centretaken": {"up"},
    "handsshown": {"hands", "points"},
    "verdict": {"totals", "charged"},
    "scoreschanged": {"points"},
    "pilesopened": {"piles"},
    "gameended": {"masters", "points"},
    "handtaken": {"positions"},  # of the cards taken: always empty here
}
"""The lists that an event may show everybody, by its kind: whatever else is a list is cards."""


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_whoever_hears_a_whole_evening_learns_what_a_spectator_may_see_and_no_more(
    party: Any, real_broker: Any, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No hidden card, no PIN, no key; on both brokers, in both games."""
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))
    for name in ("USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, USER)
    monkeypatch.setattr(socket, "gethostname", lambda: HOSTNAME)
    heard = await evening(party, real_broker, game)
    holds_no_hidden_card(heard)
    holds_no_secret(heard)
    holds_nothing_to_try_pins_against(heard)
    tells_nothing_by_topics_and_names(heard, real_broker, tmp_path)
    is_sealed(heard)


def holds_no_hidden_card(heard: Recording) -> None:
    """Compare each public view with the truth, and look through the public events."""
    tables = {
        number: may_be_seen(path)
        for number, path in enumerate(journals(table_folder(heard.table.keys.table_id)), 1)
    }
    seen: dict[int, set[int]] = {}
    for letter in heard.public():
        view = letter["body"]
        if "game" not in view or view["type"] != "viewmsg":
            continue
        game, number = view["game"], view["game_no"]
        assert game["table"] == tables[number][game["actions"]]
        assert game["offers"] == []
        assert all(set(each) == {"seat"} for each in game["awaiting"])
        assert view["room"]["you"] is None
        assert "answers" not in view
        for event in view["room"]["events"]:
            lists = {key for key, value in event.items() if isinstance(value, list) and value}
            assert lists <= OPEN_LISTS.get(event["event"], set()), event
            assert not event.get("positions")
        seen.setdefault(number, set()).add(game["actions"])
    assert len(seen[1]) > 20, "a whole game was heard"
    assert 2 in seen, "and the rematch"


def holds_no_secret(heard: Recording) -> None:
    """Search all of it, packed or not, for everything that nobody may know, however written."""
    texts = [topic.encode() for topic, _ in heard.heard]
    everything = b"\0".join((*texts, *unpacked([payload for _, payload in heard.heard])))
    found = [
        what
        for what, secret in heard.secret.items()
        if any(spelling in everything for spelling in spelled(secret))
    ]
    found += [what for what, word in heard.words.items() if word.encode() in everything]
    assert not found
    known = heard.table.keys.public.signing
    assert any(spelling in everything for spelling in spelled(known)), "or nothing is ever found"


def holds_nothing_to_try_pins_against(heard: Recording) -> None:
    """Nothing that follows from the PIN and what is public, even for who can open the seals.

    A million PINs are tried in a second: whatever is made of the right one alone would tell it.
    """
    table = heard.table
    ada = next(guest for guest in table.guests if guest.client._name == "Ada")
    said = opened(heard, ada)
    assert len(said["halves"]) == 2
    assert len(said["proofs"]) == 2
    salts = [
        b"",
        table.keys.table_id.encode(),
        ada.keys.peer_id.encode(),
        ada.keys.public,
        table.keys.public.signing,
        table.keys.public.sealing,
        table.host.door.epoch.encode(),
        table.table.title.encode(),
        *said["halves"],
        b"".join(said["halves"]),
    ]
    made = set(made_of(PIN.encode(), salts))
    halves = b"".join(said["halves"])
    for key in {PIN.encode(), *(each for each in made if len(each) >= 16)}:
        for side in (b"newcomer", b"host"):
            made.add(_proof(key, side, ada.keys.public, table.keys.public.signing, halves))
    exchange = [each[-32:] for each in (*said["halves"], *said["proofs"])]
    assert not made & set(exchange)
    door = b"\0".join(payload for _, payload in heard.heard[:150])
    assert not [each for each in made if each[:12] in door or each.hex().encode()[:24] in door]


def made_of(pin: bytes, salts: list[bytes]) -> Iterator[bytes]:
    """Yield what somebody might make of a PIN and of what is public."""
    for name in ("md5", "sha1", "sha256", "sha512", "blake2b", "blake2s"):
        for salt in salts:
            for text in (pin + salt, salt + pin, pin + b"\0" + salt, salt + b"\0" + pin):
                yield hashlib.new(name, text).digest()[:32]
            if name.startswith("sha"):
                yield hmac.digest(pin, salt, name)[:32]
                yield hmac.digest(salt, pin, name)[:32]


def opened(heard: Recording, guest: Any) -> dict[str, list[bytes]]:
    """Return what a guest and the host said about the PIN, as somebody with their keys reads it."""
    table, keys = heard.table, guest.keys
    host = HostSeal(table.keys, keys.public, Counters())
    peer = PeerSeal(keys, table.keys.public, Counters())
    said: dict[str, dict[bytes, None]] = {"halves": {}, "proofs": {}}
    for topic, payload in heard.heard:
        if topic == up_topic(table.keys.table_id, keys.peer_id):
            letter: Any = host.open(payload)
        elif topic == down_topic(table.keys.table_id, keys.peer_id):
            letter = peer.open(payload)
        else:
            continue
        match letter.body:
            case m.PinStart(half) | m.PinReply(half):
                said["halves"][half] = None
            case m.PinProof(proof) | m.Welcome(proof=bytes(proof)):
                said["proofs"][proof] = None
    return {what: list(values) for what, values in said.items()}


def test_every_pin_fits_what_is_said_about_it_equally_well() -> None:
    """No PIN can be ruled out by a half: under each it is an element that somebody could have."""
    newcomer = NewcomerPin(PIN, b"newcomer", b"host")
    host = HostPin(PIN, b"newcomer", b"host", newcomer.half)
    group = ParamsEd25519.group
    rng = Random(1)
    for half, blind in ((newcomer.half, ParamsEd25519.M), (host.reply, ParamsEd25519.N)):
        element = group.bytes_to_element(half[1:])
        for pin in (PIN, *(f"{rng.randrange(10**6):06}" for _ in range(4))):
            scalar = -group.password_to_scalar(pin.encode())
            under = element.add(blind.scalarmult(scalar))
            assert group.bytes_to_element(under.to_bytes()).to_bytes() == under.to_bytes()
    again = NewcomerPin(PIN, b"newcomer", b"host")
    assert again.half != newcomer.half, "nor is the same said twice"


def tells_nothing_by_topics_and_names(heard: Recording, broker: Any, home: Path) -> None:
    """Topics are ids that follow from public keys; no client id, no path, no user's name."""
    table = heard.table.keys.table_id
    peer = re.compile(rf"prrrt/1/{table}/peer/[a-z2-7]{{26}}/(up|down)")
    told = {topic for topic, _ in heard.heard if not topic.startswith(("$SYS/", "ears"))}
    beside = {topic for topic in told if not peer.fullmatch(topic)}
    assert beside == {table_topic(table), public_topic(table)}
    assert len(set(heard.client_ids)) == len(heard.client_ids) > 4
    assert all(re.fullmatch("[0-9a-f]{32}", each) for each in heard.client_ids)
    everything = b"\0".join(
        part for topic, payload in heard.heard for part in (topic.encode(), payload)
    )
    assert not [each for each in heard.client_ids if each.encode() in everything]
    assert any(topic.startswith("$SYS/") for topic, _ in heard.heard) or broker.name == "embedded"

    ad = next(letter["body"] for letter in heard.public() if letter["body"]["type"] == "tablead")
    assert set(ad) == {
        *("type", "title", "game", "protocol", "rules", "app", "host", "phase", "players", "taken"),
        *("options", "pin", "starts"),
    }
    here = {str(home), home.name, str(Path.home()), str(Path.cwd()), sys.prefix, ".jsonl"}
    here |= {getpass.getuser(), socket.gethostname()}
    assert here > {USER, HOSTNAME}
    assert not [each for each in here if each.encode() in everything]


def is_sealed(heard: Recording) -> None:
    """What is for one pair of eyes is noise, of whole steps, never under the same number twice."""
    words = (b'"hands":', b'"do":"', b'"type":', b'"table":', b'"game":')
    nonces = set()
    letters = 0
    for topic, payload in heard.heard:
        if topic.endswith(("/up", "/down")):
            box = payload[KEY:] if topic.endswith("/up") else payload
            assert (len(box) - NONCE - TAG) % STEP == 0
            assert len(zlib.compress(box)) >= len(box)
            assert not [word for word in words if word in box]
            nonces.add(box[:NONCE])
            letters += 1
    assert len(nonces) == letters > 200


async def test_the_announcement_says_what_is_meant_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It tells of the table what the advertisement tells, and the first part of a host name."""
    monkeypatch.setattr(announcement.socket, "gethostname", lambda: "laptop.home.example")
    said = announcement.Announcement(
        table="t" * 26,
        title="Cellar",
        game="prrrt",
        players=4,
        taken=1,
        phase="lobby",
        pin=True,
        port=3278,
        hosts=("127.0.0.1",),
    )
    info = await announcement.service_info(said, f"{said.table}.{announcement.SERVICE}")
    assert info.decoded_properties == {
        "v": "1",
        "id": "t" * 26,
        "title": "Cellar",
        "game": "prrrt",
        "players": "4",
        "taken": "1",
        "phase": "lobby",
        "pin": "1",
        "host": "laptop",
    }
    assert info.server == f"prrrt-{'t' * 16}.local."
