"""Fair deals: orders that nobody chose and everybody can check afterwards (scheme `fair-1`).

The bytes are those of architecture.md, "Fair deals". While seats contribute
nothing of their own, the host's secret alone keys the deal.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import struct
from collections.abc import Mapping, Sequence
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
        self._extracted = hmac.digest(bytes(32), key, "sha256")

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
        digest = hashlib.sha256(canonical_json(transcript)).digest()
        return cls(hmac.digest(bytes.fromhex(header.secret), digest, "sha256"))

    def order(self, label: str, canonical: Sequence[C]) -> tuple[C, ...]:
        """Return all of `canonical`, shuffled by this label's stream."""
        items = list(canonical)
        key = hmac.digest(self._extracted, label.encode() + b"\x01", "sha256")
        words: list[int] = []
        block = 0
        for last in range(len(items) - 1, 0, -1):
            choices = last + 1
            limit = 2**32 // choices * choices
            word = limit
            while word >= limit:
                if not words:
                    digest = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
                    words = list(reversed(_WORDS.unpack(digest)))
                    block += 1
                word = words.pop()
            other = word % choices
            items[last], items[other] = items[other], items[last]
        return tuple(items)


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
