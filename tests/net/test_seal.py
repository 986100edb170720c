"""Sealed and signed letters: what opens, and what is dropped and counted."""

from __future__ import annotations

import hashlib

import msgspec
import pytest
from nacl.public import Box, PrivateKey, PublicKey

from net.keys import HostKeys, SeatKeys, short_id
from net.messages import Beat, Bye, DownLetter, Hello, PublicLetter, Say, TableAd, UpLetter
from net.seal import (
    MAX_LETTER,
    MAX_PAYLOAD,
    PAD_TO,
    Counters,
    Fresh,
    HostSeal,
    PeerSeal,
    sender_key,
    sign,
    verify_public,
)


class Pair:
    """A host and a peer, and what each of them dropped."""

    def __init__(self) -> None:
        self.host_keys = HostKeys.new()
        self.seat_keys = SeatKeys.new()
        self.host_dropped = Counters()
        self.peer_dropped = Counters()
        self.peer = PeerSeal(self.seat_keys, self.host_keys.public, self.peer_dropped)
        self.host = HostSeal(self.host_keys, self.seat_keys.public, self.host_dropped)

    def up(self, text: str = "hello", **changed: str) -> UpLetter:
        fields = {"table": self.host_keys.table_id, "peer": self.seat_keys.peer_id} | changed
        return UpLetter(epoch="e", session="s", counter=1, body=Say("a1", text), **fields)

    def down(self) -> DownLetter:
        return DownLetter(
            table=self.host_keys.table_id,
            peer=self.seat_keys.peer_id,
            epoch="e",
            session="s",
            counter=1,
            body=Bye("left"),
        )

    def ad(self, host: HostKeys | None = None) -> PublicLetter:
        body = TableAd(
            title="Cellar",
            game="prrrt",
            protocol=1,
            rules=1,
            app="0",
            host=(host or self.host_keys).public,
            phase="lobby",
            players=4,
            taken=1,
            options={},
        )
        return PublicLetter(
            table=self.host_keys.table_id, peer="", epoch="e", session="", counter=1, body=body
        )


@pytest.fixture
def pair() -> Pair:
    return Pair()


def test_a_table_id_is_a_hash_of_the_signing_key_in_lowercase_base32(pair: Pair) -> None:
    key = bytes(pair.host_keys.signing.verify_key)
    number = int.from_bytes(hashlib.sha256(key).digest()[:16]) << 2  # 128 bits in 26 * 5
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    expected = "".join(letters[number >> 5 * (25 - i) & 31] for i in range(26))
    assert pair.host_keys.table_id == expected


def test_five_words_follow_from_the_key_and_differ_between_hosts() -> None:
    keys = HostKeys.new()
    again = HostKeys.from_secrets(*keys.secrets)
    assert keys.public.words() == again.public.words()
    assert len(keys.public.words()) == 5
    assert keys.public.words() != HostKeys.new().public.words()


def test_letters_open_at_the_other_end_only(pair: Pair) -> None:
    letter = pair.up()
    payload = pair.peer.seal(letter)
    assert sender_key(payload, pair.seat_keys.peer_id, pair.host_dropped) == pair.seat_keys.public
    assert pair.host.open(payload) == letter
    assert pair.peer.open(pair.host.seal(pair.down())) == pair.down()
    stranger = Pair()
    assert stranger.host.open(payload) is None
    assert stranger.host_dropped == {"unreadable": 1}


def test_a_reflected_letter_is_dropped(pair: Pair) -> None:
    assert pair.peer.open(pair.peer.seal(pair.up())[32:]) is None
    assert pair.host.open(pair.seat_keys.public + pair.host.seal(pair.down())) is None
    assert pair.peer_dropped == {"invalid": 1}
    assert pair.host_dropped == {"invalid": 1}


@pytest.mark.parametrize("changed", [{"table": short_id(b"other")}, {"peer": short_id(b"other")}])
def test_a_letter_for_another_table_or_peer_is_dropped(pair: Pair, changed: dict[str, str]) -> None:
    assert pair.host.open(pair.peer.seal(pair.up(**changed))) is None
    assert pair.host_dropped == {"misdirected": 1}


def test_every_flipped_bit_is_noticed(pair: Pair) -> None:
    payload = pair.peer.seal(pair.up())
    for place in range(32, len(payload), 41):
        bad = bytearray(payload)
        bad[place] ^= 1
        assert pair.host.open(bytes(bad)) is None
    assert set(pair.host_dropped) == {"unreadable"}


@pytest.mark.parametrize("payload", [b"", b"x", bytes(71), bytes(600)])
def test_garbage_is_counted_and_never_raises(pair: Pair, payload: bytes) -> None:
    assert pair.host.open(payload) is None
    assert pair.peer.open(payload) is None
    assert verify_public(payload, pair.host_keys.table_id, pair.peer_dropped) is None
    assert pair.host_dropped == {"unreadable": 1}
    assert pair.peer_dropped.total() == 2


def test_what_is_too_large_is_dropped_unopened(pair: Pair) -> None:
    assert pair.host.open(bytes(MAX_PAYLOAD + 1)) is None
    assert pair.peer.open(bytes(MAX_PAYLOAD + 1)) is None
    assert sender_key(bytes(MAX_PAYLOAD + 1), "x", pair.host_dropped) is None
    assert verify_public(bytes(MAX_PAYLOAD + 1), "x", pair.host_dropped) is None
    assert pair.host_dropped == {"too_large": 3}


def test_a_valid_seal_around_nonsense_is_invalid(pair: Pair) -> None:
    box = Box(pair.seat_keys.sealing, PublicKey(pair.host_keys.public.sealing))
    for plain in (b"{}", b"\x80" + bytes(511), b"[" * 100_00, b'{"way":"up","body":{"type":"x"}}'):
        from nacl.bindings import sodium_pad

        payload = pair.seat_keys.public + box.encrypt(sodium_pad(plain, PAD_TO))
        assert pair.host.open(payload) is None
    assert pair.host_dropped == {"invalid": 4}


def test_lengths_tell_only_steps_of_512(pair: Pair) -> None:
    short, longer = pair.peer.seal(pair.up("")), pair.peer.seal(pair.up("x" * 200))
    assert len(short) == len(longer)
    assert (len(short) - 72) % PAD_TO == 0
    assert len(pair.peer.seal(pair.up("x" * 600))) > len(short)


def test_the_largest_letter_fits_the_wire(pair: Pair) -> None:
    letter = pair.up("")
    letter = pair.up("x" * (MAX_LETTER - len(msgspec.json.encode(letter))))
    assert len(msgspec.json.encode(letter)) == MAX_LETTER
    assert len(pair.peer.seal(letter)) <= MAX_PAYLOAD


def test_a_key_that_does_not_fit_the_topic_is_misdirected(pair: Pair) -> None:
    payload = pair.peer.seal(pair.up())
    assert sender_key(payload, Pair().seat_keys.peer_id, pair.host_dropped) is None
    assert pair.host_dropped == {"misdirected": 1}


def test_an_advertisement_proves_itself(pair: Pair) -> None:
    payload = sign(pair.host_keys, pair.ad())
    assert verify_public(payload, pair.host_keys.table_id, pair.peer_dropped) == pair.ad()
    assert not pair.peer_dropped


def test_forged_advertisements_are_dropped(pair: Pair) -> None:
    forger = HostKeys.new()
    table = pair.host_keys.table_id
    forged = [
        sign(forger, pair.ad()),  # signed by somebody else
        sign(forger, pair.ad(host=forger)),  # with their keys: not the table's
        sign(pair.host_keys, pair.ad()).replace(b"Cellar", b"Garret"),
    ]
    mixed = pair.host_keys.public
    mixed = msgspec.structs.replace(mixed, sealing=bytes(PrivateKey.generate().public_key))
    ad = pair.ad()
    body = msgspec.structs.replace(ad.body, host=mixed)
    forged.append(sign(pair.host_keys, msgspec.structs.replace(ad, body=body)))
    for payload in forged:
        assert verify_public(payload, table, pair.peer_dropped) is None
    assert pair.peer_dropped == {"signature": 4}
    assert verify_public(sign(pair.host_keys, pair.ad()), "other", pair.peer_dropped) is None


def test_a_key_that_seals_nothing_is_not_vouched_for(pair: Pair) -> None:
    weak = bytes(32)
    from net.keys import BOX_KEY_CONTEXT

    signature = pair.host_keys.signing.sign(BOX_KEY_CONTEXT + weak).signature
    public = msgspec.structs.replace(pair.host_keys.public, sealing=weak, signature=signature)
    assert pair.host_keys.public.vouched()
    assert not public.vouched()


def test_a_counter_must_grow() -> None:
    fresh = Fresh()
    assert [fresh.take(n) for n in (1, 1, 3, 2, 4)] == [True, False, True, False, True]


def test_kept_keys_are_the_same_keys() -> None:
    seat = SeatKeys.new()
    assert SeatKeys.from_secret(seat.secret).peer_id == seat.peer_id
    with pytest.raises(ValueError, match="32 bytes"):
        SeatKeys.from_secret(b"short")
    with pytest.raises(ValueError, match="32 bytes"):
        HostKeys.from_secrets(b"short", b"")


def test_a_message_from_the_future_is_invalid(pair: Pair) -> None:
    hello = pair.up()
    letter = msgspec.structs.replace(hello, body=Hello(1, "0", "Ada"))
    assert pair.host.open(pair.peer.seal(letter)) == letter
    bad = msgspec.structs.replace(hello, body=Beat(rev=2**60))
    assert pair.host.open(pair.peer.seal(bad)) is None
    assert pair.host_dropped == {"invalid": 1}
