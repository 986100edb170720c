"""The PIN of a table: a newcomer and the host prove to each other that they know it.

spake2 makes a key on both sides out of the PIN, without showing it to whoever
listens; then both confirm by HMAC over all that was said and both public keys,
the newcomer first (spake2 itself says nothing about a wrong PIN). Every begun
exchange counts as a guess.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field

from spake2 import SPAKE2_A, SPAKE2_B

GUESSES = 5
"""Wrong PINs after which the door stays shut for newcomers."""

SHUT_FOR = 60.0
"""Seconds."""


def _proof(key: bytes, side: bytes, newcomer: bytes, host: bytes, halves: bytes) -> bytes:
    parts = (b"prrrt pin 1", side, newcomer, host, halves)
    transcript = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(key, transcript, hashlib.sha256)


class NewcomerPin:
    """The newcomer's side of one exchange."""

    def __init__(self, pin: str, newcomer: bytes, host: bytes) -> None:
        self._ids = (newcomer, host)
        self._spake = SPAKE2_A(pin.encode(), idA=newcomer, idB=host)
        self.half: bytes = self._spake.start()
        self._key: bytes | None = None
        self._halves = b""

    def prove(self, reply: bytes) -> bytes | None:
        """Return the proof for the host's half; None if that is none."""
        if self._key is None:
            try:
                self._key = self._spake.finish(reply)
            except Exception:  # whatever spake2 has against bytes of a stranger
                return None
            self._halves = self.half + reply
        return _proof(self._key, b"newcomer", *self._ids, self._halves)

    def trusts(self, proof: bytes | None) -> bool:
        """Say whether the host showed that it knows the PIN."""
        if self._key is None or proof is None:
            return False
        expected = _proof(self._key, b"host", *self._ids, self._halves)
        return hmac.compare_digest(expected, proof)


class HostPin:
    """The host's side of one exchange."""

    def __init__(self, pin: str, newcomer: bytes, host: bytes, half: bytes) -> None:
        """Answer a newcomer's half. Raises `ValueError` if it is none."""
        self._ids = (newcomer, host)
        self.asked = half
        spake = SPAKE2_B(pin.encode(), idA=newcomer, idB=host)
        self.reply: bytes = spake.start()
        try:
            self._key: bytes = spake.finish(half)
        except Exception as error:  # whatever spake2 has against bytes of a stranger
            raise ValueError("not a half of a PIN exchange") from error
        self._halves = half + self.reply

    def check(self, proof: bytes) -> bytes | None:
        """Return the host's own proof if the newcomer's is right, else None."""
        expected = _proof(self._key, b"newcomer", *self._ids, self._halves)
        if not hmac.compare_digest(expected, proof):
            return None
        return _proof(self._key, b"host", *self._ids, self._halves)


@dataclass
class PinDoor:
    """The PIN and how often it was guessed. `pin` None is a table without one."""

    pin: str | None
    _guesses: int = field(default=0, init=False)
    _shut_until: float = field(default=0.0, init=False)

    def shut_for(self, now: float) -> float:
        """Return the seconds for which no exchange may begin, 0.0 if one may."""
        return max(0.0, self._shut_until - now)

    def begin(self, now: float) -> None:
        """Count an exchange that begins; the last guess shuts the door behind it."""
        self._guesses += 1
        if self._guesses >= GUESSES:
            self._guesses = 0
            self._shut_until = now + SHUT_FOR

    def right(self) -> None:
        """An exchange ended well: it was no guess."""
        if self._guesses:
            self._guesses -= 1
        else:
            self._shut_until = 0.0  # it was the one that shut the door

    def reopen(self, pin: str | None) -> None:
        """Open the door again, with another PIN perhaps."""
        self.pin = pin
        self._guesses = 0
        self._shut_until = 0.0
