"""Fair deals: orders that nobody chose and everybody can check afterwards (scheme `fair-1`).

The bytes are those of architecture.md, "Fair deals". While seats contribute
nothing of their own, the host's secret alone keys the deal.
"""

from __future__ import annotations

import hmac
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Literal, TypeVar

import msgspec

from core.kernel.canonical import canonical_json, sha256_of
from core.kernel.illegal import BadChance

C = TypeVar("C")

_HEX_32 = re.compile("[0-9a-f]{64}")
_WORDS = struct.Struct(">8I")


class SeatDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat contributed: 32 random bytes and what committed it to them, in hex."""

    commitment: str
    reveal: str


class Fair1Header(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="scheme", tag="fair-1"
):
    """The `chance` of a journal's header; secrets and commitments are 64 hex digits."""

    rules: Literal[1]
    table: str
    secret: str
    commitment: str
    attempts: list[object]
    seats: list[SeatDeal | None]


def commitment(table: str, who: int | Literal["host"], value: bytes) -> bytes:
    """Return what commits a seat, or the host, to 32 secret bytes before they are told."""
    parts = ("prrrt fair-1 commit", table, str(who))
    return sha256_of(*(part.encode() for part in parts), value)


def new_fair1(table: str, secret: bytes, seats: int) -> dict[str, object]:
    """Return the `chance` of a header for a table whose host drew this 32-byte secret."""
    if len(secret) != 32:
        raise ValueError("a secret has 32 bytes")
    return {
        "scheme": "fair-1",
        "rules": 1,
        "table": table,
        "secret": secret.hex(),
        "commitment": commitment(table, "host", secret).hex(),
        "attempts": [],
        "seats": [None] * seats,
    }


class Fair1:
    """Orders from a key; each label has a stream of its own."""

    def __init__(self, key: bytes) -> None:
        # HKDF without a salt: a block of zeros stands for it (RFC 5869).
        self._pads = _pads(hmac.digest(bytes(32), key, "sha256"))

    @classmethod
    def from_header(
        cls,
        chance: Mapping[str, object],
        *,
        game: str,
        options: Mapping[str, object],
        names: Sequence[str],
    ) -> Fair1:
        """Return the chance of a header; `options` are all of them, with their defaults.

        Raises `BadChance` unless the header is whole and of the right form.
        Whether the commitments fit is asked by whoever verifies a deal.
        """
        header = check_header(chance, len(names))
        transcript = {key: value for key, value in chance.items() if key != "secret"}
        transcript |= {"game": game, "options": dict(options), "names": list(names)}
        digest = sha256(canonical_json(transcript)).digest()
        return cls(hmac.digest(bytes.fromhex(header.secret), digest, "sha256"))

    def order(self, label: str, canonical: Sequence[C]) -> tuple[C, ...]:
        """Return all of `canonical`, shuffled by this label's stream."""
        items = list(canonical)
        last = len(items) - 1
        if last < 1:
            return tuple(items)
        key = _hmac(self._pads, label.encode() + b"\x01")
        for word in _words(key):
            choices = last + 1
            if word < 2**32 // choices * choices:
                other = word % choices
                items[last], items[other] = items[other], items[last]
                last -= 1
                if not last:
                    break
        return tuple(items)


# HMAC spelled out: for a key that is used once the library's own takes three times as long.
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def _pads(key: bytes) -> tuple[bytes, bytes]:
    """Return what HMAC-SHA256 with a key of 32 bytes puts before the message and the digest."""
    block = key.ljust(64, b"\0")
    return block.translate(_INNER), block.translate(_OUTER)


def _hmac(pads: tuple[bytes, bytes], message: bytes) -> bytes:
    inner, outer = pads
    return sha256(outer + sha256(inner + message).digest()).digest()


def _words(key: bytes) -> Iterator[int]:
    """Yield a stream's u32 words: block after block, each the HMAC of its number."""
    pads = _pads(key)
    for block in count():
        yield from _WORDS.unpack(_hmac(pads, block.to_bytes(8, "big")))


def check_header(chance: Mapping[str, object], seats: int) -> Fair1Header:
    """Return a `fair-1` header read with its types, or raise `BadChance` and say what is wrong."""
    try:
        header = msgspec.convert(chance, Fair1Header)
    except msgspec.ValidationError as error:
        raise BadChance("bad_fair1", detail=str(error)) from None
    deals = [deal for deal in header.seats if deal is not None]
    hexes = [header.secret, header.commitment]
    hexes += [text for deal in deals for text in (deal.commitment, deal.reveal)]
    if not all(_HEX_32.fullmatch(text) for text in hexes):
        raise BadChance("bad_fair1", detail="64 hex digits are expected")
    if len(header.seats) != seats:
        raise BadChance("bad_fair1", detail=f"{seats} seats are expected")
    return header
