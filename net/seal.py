"""What goes over the wire: sealed letters between two, signed ones for everybody.

The broker may drop, repeat, reorder, delay, show and forge. Sealed is a NaCl
Box between the peer's key and the host's; signed is Ed25519 by the host. What
doesn't open, is too large, or isn't a valid letter for this end is counted in
`Counters` and dropped: nothing here raises for what a stranger sent. Whether a
letter is fresh (epoch, session, counter) is for its receiver to say: `Fresh`.
"""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

import msgspec
from nacl.bindings import sodium_pad, sodium_unpad
from nacl.exceptions import BadSignatureError, CryptoError
from nacl.public import Box, PublicKey
from nacl.signing import VerifyKey

from net.keys import HostKeys, HostPublic, SeatKeys, short_id
from net.messages import DownLetter, Envelope, PublicLetter, TableAd, UpLetter
from net.transport import MAX_PAYLOAD

PAD_TO = 512
"""Sealed letters are padded to a multiple of this, so that their length tells little."""

MAX_LETTER = (MAX_PAYLOAD - 32 - Box.NONCE_SIZE - 16) // PAD_TO * PAD_TO - 1
"""Bytes of JSON that fit into a sealed letter (key, nonce and tag come on top)."""

SIGNED_CONTEXT = b"prrrt signed 1\0"

L = TypeVar("L", bound=Envelope)

_KEY = 32
_SIGNATURE = 64
_encoder = msgspec.json.Encoder()
_up = msgspec.json.Decoder(UpLetter)
_down = msgspec.json.Decoder(DownLetter)
_public = msgspec.json.Decoder(PublicLetter)


class Counters(Counter[str]):
    """How many messages were dropped, by reason.

    `too_large`, `unreadable` (doesn't open), `invalid` (no letter of ours),
    `misdirected` (another table, peer or topic), `signature`, `stale` (an old
    epoch, session or counter, or a session that doesn't count), `unknown` (a peer
    that never said hello), `overwritten` (under the table's own topic, by others).
    """


class Fresh:
    """A counter that must grow: the next letter of one direction of one session."""

    def __init__(self) -> None:
        self.last = 0

    def take(self, counter: int) -> bool:
        """Say whether this number is newer than all before, and remember it."""
        if counter <= self.last:
            return False
        self.last = counter
        return True


class PeerSeal:
    """A peer's end: seals letters to the host, opens those to this peer."""

    def __init__(self, keys: SeatKeys, host: HostPublic, counters: Counters) -> None:
        self._public = keys.public
        self._box = Box(keys.sealing, PublicKey(host.sealing))
        self._table = host.table_id
        self._peer = keys.peer_id
        self._counters = counters

    def seal(self, letter: UpLetter) -> bytes:
        """Return the payload of a letter to the host; the peer's public key goes ahead of it."""
        return self._public + _boxed(self._box, letter)

    def open(self, payload: bytes) -> DownLetter | None:
        """Return the letter in a payload, or None (counted) for anything else."""
        plain = _unboxed(self._box, payload, self._counters)
        return _addressed(_down, plain, self._table, self._peer, self._counters)


class HostSeal:
    """A host's end towards one peer. Raises `CryptoError` for a key that can't seal."""

    def __init__(self, keys: HostKeys, peer_key: bytes, counters: Counters) -> None:
        self.peer_key = peer_key
        self.peer = short_id(peer_key)
        self._table = keys.table_id
        self._box = Box(keys.sealing, PublicKey(peer_key))
        self._counters = counters

    def seal(self, letter: DownLetter) -> bytes:
        """Return the payload of a letter to this peer."""
        return _boxed(self._box, letter)

    def open(self, payload: bytes) -> UpLetter | None:
        """Return the letter in a payload of this peer, or None (counted) for anything else."""
        plain = _unboxed(self._box, payload, self._counters, skip=_KEY)
        return _addressed(_up, plain, self._table, self.peer, self._counters)


def sender_key(payload: bytes, peer: str, counters: Counters) -> bytes | None:
    """Return the public key ahead of an `up` payload if it is `peer`'s, else None (counted)."""
    if len(payload) > MAX_PAYLOAD:
        counters["too_large"] += 1
        return None
    key = payload[:_KEY]
    if len(key) < _KEY or short_id(key) != peer:
        counters["misdirected"] += 1
        return None
    return key


def sign(keys: HostKeys, letter: PublicLetter) -> bytes:
    """Return the payload of a letter to everybody."""
    plain = _encoder.encode(letter)
    return keys.signing.sign(SIGNED_CONTEXT + plain).signature + plain


def verify_public(
    payload: bytes, table: str, counters: Counters, host: HostPublic | None = None
) -> PublicLetter | None:
    """Return a signed letter of that table, or None (counted) for anything else.

    A table's own advertisement (its `body` is a `TableAd`) brings its host's
    keys along, which must fit the table id; anything else is checked against `host`.
    """
    if len(payload) > MAX_PAYLOAD:
        counters["too_large"] += 1
        return None
    signature, plain = payload[:_SIGNATURE], payload[_SIGNATURE:]
    letter = _addressed(_public, plain, table, "", counters)
    if letter is None:
        return None
    if isinstance(letter.body, TableAd):
        host = letter.body.host
    if host is None or host.table_id != table or not host.vouched():
        counters["signature"] += 1
        return None
    try:
        VerifyKey(host.signing).verify(SIGNED_CONTEXT + plain, signature)
    except (BadSignatureError, ValueError, TypeError):
        counters["signature"] += 1
        return None
    return letter


def _boxed(box: Box, letter: Envelope) -> bytes:
    return bytes(box.encrypt(sodium_pad(_encoder.encode(letter), PAD_TO)))


def _unboxed(box: Box, payload: bytes, counters: Counters, skip: int = 0) -> bytes | None:
    if len(payload) > MAX_PAYLOAD:
        counters["too_large"] += 1
        return None
    try:
        return sodium_unpad(box.decrypt(payload[skip:]), PAD_TO)
    except (CryptoError, ValueError, TypeError):
        counters["unreadable"] += 1
        return None


def _addressed(
    decoder: msgspec.json.Decoder[L], plain: bytes | None, table: str, peer: str, counters: Counters
) -> L | None:
    """Decode and check that the letter is for this end; a reflected one has the wrong `way`."""
    if plain is None:
        return None
    try:
        letter = decoder.decode(plain)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        counters["invalid"] += 1
        return None
    if letter.table != table or letter.peer != peer:
        counters["misdirected"] += 1
        return None
    return letter
