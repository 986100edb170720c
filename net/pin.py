"""The PIN of a table: a newcomer and the host prove to each other that they know it.

spake2 makes a key on both sides out of the PIN, without showing it to whoever
listens; then both confirm by HMAC over all that was said and both public keys,
the newcomer first (spake2 itself says nothing about a wrong PIN). Every begun
exchange counts as a guess.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any

from spake2 import SPAKE2_A, SPAKE2_B

HALF_LENGTH, FIELD = 33, 2**255 - 19
"""Bytes of a half, its side's letter ahead; the numbers below which a point's coordinates are."""

GUESSES = 5
"""Wrong PINs after which the door stays shut for newcomers."""

SHUT_FOR = 60.0
"""Seconds."""

UNDER_WAY = 3.0
"""Seconds for which an exchange may still end well: over a slow line it takes one."""

TOLD_EVERY = 600.0
"""Seconds after which a table is told again that somebody tries its door."""

ADMITTED = 1000
"""Peers of whom the door remembers that they knew the PIN."""


class _Split:
    """A group element that is multiplied in two random parts.

    spake2 multiplies by what it makes of the PIN, and takes longer for some PINs than for
    others: whoever has the time of many exchanges would learn of it. Of random parts nobody does.
    """

    def __init__(self, element: Any, order: int) -> None:
        self._element = element
        self._order = order

    def scalarmult(self, factor: int) -> Any:
        """Return the element times the factor."""
        part = secrets.randbelow(self._order)
        return self._element.scalarmult(part).add(self._element.scalarmult(factor - part))


class _Newcomer(SPAKE2_A):  # type: ignore[misc]
    def my_blinding(self) -> _Split:
        return _Split(self.params.M, self.params.group.order())

    def my_unblinding(self) -> _Split:
        return _Split(self.params.N, self.params.group.order())


class _Host(SPAKE2_B):  # type: ignore[misc]
    def my_blinding(self) -> _Split:
        return _Split(self.params.N, self.params.group.order())

    def my_unblinding(self) -> _Split:
        return _Split(self.params.M, self.params.group.order())


def _proof(key: bytes, side: bytes, newcomer: bytes, host: bytes, halves: bytes) -> bytes:
    parts = (b"prrrt pin 1", side, newcomer, host, halves)
    transcript = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return hmac.digest(key, transcript, hashlib.sha256)


def _checked(half: bytes) -> bytes:
    """Return a stranger's half. Raises `ValueError` for the element that is nothing at all.

    spake2 refuses that and all others of low order, but only as they are usually written.
    """
    y = int.from_bytes(half[1:], "little") & ((1 << 255) - 1)
    if len(half) != HALF_LENGTH or not 1 < y < FIELD:
        raise ValueError("not a half of a PIN exchange")
    return half


class NewcomerPin:
    """The newcomer's side of one exchange."""

    def __init__(self, pin: str, newcomer: bytes, host: bytes) -> None:
        self._ids = (newcomer, host)
        self._spake = _Newcomer(pin.encode(), idA=newcomer, idB=host)
        self.half: bytes = self._spake.start()
        self._key: bytes | None = None
        self._halves = b""

    def prove(self, reply: bytes) -> bytes | None:
        """Return the proof for the host's half; None if that is none."""
        if self._key is None:
            try:
                self._key = self._spake.finish(_checked(reply))
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
        spake = _Host(pin.encode(), idA=newcomer, idB=host)
        self.reply: bytes = spake.start()
        try:
            self._key: bytes = spake.finish(_checked(half))
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
    """The PIN, how often it was guessed, and who knew it. `pin` None is a table without one."""

    pin: str | None
    _begun: int = field(default=0, init=False)
    _void: int = field(default=0, init=False)
    """The last exchange about an earlier PIN."""
    _guesses: dict[int, float] = field(default_factory=dict, init=False)
    """The exchanges that didn't end well, not yet or never, since the door last opened.

    With the time at which each began; the dawn of time for one that ended badly.
    """
    _shut_until: float | None = field(default=None, init=False)
    _admitted: dict[str, None] = field(default_factory=dict, init=False)
    _told: float = field(default=float("-inf"), init=False)

    def shut_for(self, now: float) -> float:
        """Return the seconds for which no exchange may begin, 0.0 if one may."""
        return 0.0 if self._shut_until is None else max(0.0, self._shut_until - now)

    def crowded(self, now: float) -> bool:
        """Say whether the door is shut only until exchanges that are under way have ended well.

        Seven people who come at once all know the PIN: those behind wait for those ahead.
        """
        return any(now - begun < UNDER_WAY for begun in self._guesses.values())

    def is_tried(self, now: float) -> bool:
        """Say whether wrong PINs have shut the door and nobody was told of it lately."""
        if not self.shut_for(now) or self.crowded(now) or now - self._told < TOLD_EVERY:
            return False
        self._told = now
        return True

    def begin(self, now: float) -> int:
        """Count an exchange that begins, and return its number.

        The last guess shuts the door behind it.
        """
        if self._shut_until is not None and now >= self._shut_until:
            self._open()
        self._begun += 1
        self._guesses[self._begun] = now
        if len(self._guesses) >= GUESSES:
            self._shut_until = now + SHUT_FOR
        return self._begun

    def right(self, exchange: int) -> bool:
        """Take back that an exchange which ended well was a guess; say if it is about this PIN."""
        self._guesses.pop(exchange, None)
        if len(self._guesses) < GUESSES:
            self._shut_until = None
        return exchange > self._void

    def wrong(self, exchange: int) -> None:
        """Note that an exchange ended badly."""
        if exchange in self._guesses:
            self._guesses[exchange] = float("-inf")

    def admit(self, peer: str) -> None:
        """Remember that a peer knew the PIN; of very many the first is forgotten."""
        self._admitted[peer] = None
        if len(self._admitted) > ADMITTED:
            del self._admitted[next(iter(self._admitted))]

    def lets_in(self, peer: str) -> bool:
        """Say whether a newcomer needs no exchange: it knew the PIN, or there is none."""
        return self.pin is None or peer in self._admitted

    def reopen(self, pin: str | None) -> None:
        """Open the door again. Another PIN is to be known by everybody who has no seat."""
        if pin != self.pin:
            self.pin = pin
            self._void = self._begun
            self._admitted.clear()
        self._told = float("-inf")
        self._open()

    def _open(self) -> None:
        self._guesses.clear()
        self._shut_until = None
