"""Who is who: the host's keys, a seat's keys, and the names that follow from them.

A table's id is a hash of its host's signing key, so whoever knows the id knows
the key; a peer's id is a hash of its public key. Five words stand on every
screen for whoever wants to compare keys by eye.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey
from nacl.signing import SigningKey, VerifyKey

BOX_KEY_CONTEXT = b"prrrt x25519 1\0"
"""What the host's signing key signs before its sealing key, so that no other signature fits."""

WORDS_SHOWN = 5


def short_id(key: bytes) -> str:
    """Return the first 16 bytes of SHA-256(key) in base32: 26 lowercase letters and digits."""
    digest = hashlib.sha256(key).digest()[:16]
    return base64.b32encode(digest).decode().rstrip("=").lower()


class HostPublic(msgspec.Struct, frozen=True):
    """What everybody may know of a host: its signing key, and its sealing key signed with it."""

    signing: bytes
    sealing: bytes
    signature: bytes

    @property
    def table_id(self) -> str:
        """The id of this host's table."""
        return short_id(self.signing)

    def vouched(self) -> bool:
        """Say whether the sealing key is really signed by the signing key."""
        try:
            VerifyKey(self.signing).verify(BOX_KEY_CONTEXT + self.sealing, self.signature)
            Box(PrivateKey.generate(), PublicKey(self.sealing))  # a weak key seals nothing
        except (CryptoError, ValueError, TypeError):
            return False
        return True

    def words(self) -> tuple[str, ...]:
        """Return five words of 2,048 made from the signing key, to be compared by eye."""
        number = int.from_bytes(hashlib.sha256(b"prrrt words 1\0" + self.signing).digest())
        words = _word_list()
        chosen = []
        for _ in range(WORDS_SHOWN):
            number, index = divmod(number, len(words))
            chosen.append(words[index])
        return tuple(chosen)


@cache
def _word_list() -> tuple[str, ...]:
    from mnemonic import Mnemonic

    return tuple(Mnemonic("english").wordlist)


@dataclass(frozen=True)
class HostKeys:
    """The secret keys of one table: they live in its `table.json` and nowhere else."""

    signing: SigningKey
    sealing: PrivateKey

    @classmethod
    def new(cls) -> HostKeys:
        """Make the keys of a new table."""
        return cls(SigningKey.generate(), PrivateKey.generate())

    @classmethod
    def from_secrets(cls, signing: bytes, sealing: bytes) -> HostKeys:
        """Read kept keys back (32 bytes each). Raises `ValueError` for anything else."""
        try:
            return cls(SigningKey(signing), PrivateKey(sealing))
        except (TypeError, ValueError) as error:
            raise ValueError("a host's keys are 32 bytes each") from error

    @property
    def secrets(self) -> tuple[bytes, bytes]:
        """Both secret keys, to be kept."""
        return bytes(self.signing), bytes(self.sealing)

    @property
    def public(self) -> HostPublic:
        """What everybody may know."""
        sealing = bytes(self.sealing.public_key)
        signature = self.signing.sign(BOX_KEY_CONTEXT + sealing).signature
        return HostPublic(bytes(self.signing.verify_key), sealing, signature)

    @property
    def table_id(self) -> str:
        """The id of this table."""
        return short_id(bytes(self.signing.verify_key))


@dataclass(frozen=True)
class SeatKeys:
    """The secret key of one seat (or spectator) at one table."""

    sealing: PrivateKey

    @classmethod
    def new(cls) -> SeatKeys:
        """Make a key for a new seat."""
        return cls(PrivateKey.generate())

    @classmethod
    def from_secret(cls, secret: bytes) -> SeatKeys:
        """Read a kept key back (32 bytes). Raises `ValueError` for anything else."""
        try:
            return cls(PrivateKey(secret))
        except (TypeError, ValueError) as error:
            raise ValueError("a seat's key is 32 bytes") from error

    @property
    def secret(self) -> bytes:
        """The secret key, to be kept."""
        return bytes(self.sealing)

    @property
    def public(self) -> bytes:
        """The public key."""
        return bytes(self.sealing.public_key)

    @property
    def peer_id(self) -> str:
        """What this peer is called in topics."""
        return short_id(self.public)
