"""The host's door: opens letters, says which session they belong to, lets nobody in unasked.

A peer says hello with a new session; the welcome brings a nonce; only when the
peer echoes it (`Ready`) does the session live, and an older terminal of the
same seat has to go. A replayed hello gets a welcome that nobody can use.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from nacl.exceptions import CryptoError

from net.keys import HostKeys
from net.messages import Down, DownLetter, Hello, Up
from net.pin import HostPin
from net.seal import Counters, Fresh, HostSeal, sender_key
from net.topics import peer_of
from net.views import Shown

PENDING_FOR = 30.0
"""Seconds that a hello may take to become a session."""

SESSIONS_BEGUN = 4
"""Hellos of one peer that may be under way at the same time."""

SEAT_SESSIONS_BEGUN = 256
"""The same for whoever holds a seat: anybody can say their earlier hellos again."""

STRANGERS = 256
"""Peers without seat or session that the door remembers; the oldest is forgotten first."""

SPARED = 16
"""Of those, peers who are proving that they know the PIN and aren't forgotten for newer ones: each
exchange is counted as a guess, so there are never as many."""


def token() -> str:
    """Return 128 random bits as text."""
    return secrets.token_hex(16)


@dataclass
class Session:
    """One connect of a peer, from its hello on."""

    name: str
    hello: Hello
    begun: float
    heard: float
    nonce: str = field(default_factory=token)
    welcomed: bool = False
    proof: bytes | None = None
    pin: HostPin | None = None
    guess: int = 0
    """The number of its PIN exchange at the door."""
    pin_failed: bool = False
    shown: Shown = field(default_factory=Shown)
    fresh: Fresh = field(default_factory=Fresh)
    sent: int = 0
    confirmed: int = 0
    """The newest view that the peer said it has."""


@dataclass
class Peer:
    """Somebody with a key: what is sealed for them, and the sessions they have."""

    seal: HostSeal
    live: Session | None = None
    begun: OrderedDict[str, Session] = field(default_factory=OrderedDict)

    @property
    def id(self) -> str:
        """The peer's id, as in topics."""
        return self.seal.peer

    def proves(self) -> bool:
        """Say whether an exchange about the PIN is under way, and may end well."""
        return any(
            session.pin is not None and not session.pin_failed and not session.welcomed
            for session in self.begun.values()
        )

    def session(self, name: str) -> Session | None:
        """Return the live session or one that is under way, by its name."""
        if self.live is not None and self.live.name == name:
            return self.live
        return self.begun.get(name)


@dataclass(frozen=True)
class Delivered:
    """A letter that passed the door."""

    peer: Peer
    session: Session
    body: Up


class Door:
    """All peers of one host, since it started (its epoch).

    `holds_seat` says whether a peer id has a seat: no flood of strangers keeps
    those out who come back to theirs.
    """

    def __init__(
        self, keys: HostKeys, now: Callable[[], float], holds_seat: Callable[[str], bool]
    ) -> None:
        self.epoch = token()
        self.dropped = Counters()
        self.peers: OrderedDict[str, Peer] = OrderedDict()
        self._in: dict[str, Peer] = {}
        """Those whose session lives, or lived until they were parted with."""
        self._knocking: OrderedDict[str, None] = OrderedDict()
        """Those without seat or live session, counted beside: a flood asks for it at each hello."""
        self._keys = keys
        self._now = now
        self._holds_seat = holds_seat

    def open(self, topic: str, payload: bytes) -> Delivered | None:
        """Return what a peer says; None (and counted) for anything that is not for us, now."""
        peer_id = peer_of(topic)
        if peer_id is None:
            self.dropped["misdirected"] += 1
            return None
        key = sender_key(payload, peer_id, self.dropped)
        if key is None:
            return None
        peer = self.peers.get(peer_id)
        if peer is None:
            try:
                peer = Peer(HostSeal(self._keys, key, self.dropped))
            except CryptoError:
                self.dropped["unreadable"] += 1
                return None
        letter = peer.seal.open(payload)
        if letter is None:
            return None
        self._drop_overdue(peer)
        session = peer.session(letter.session)
        if isinstance(letter.body, Hello):
            if session is None:
                session = self._begin(peer, letter.session, letter.body)
        elif letter.epoch != self.epoch:
            session = None
        if session is None or not session.fresh.take(letter.counter):
            self.dropped["stale" if peer_id in self.peers else "unknown"] += 1
            return None
        session.heard = self._now()
        return Delivered(peer, session, letter.body)

    def letter(self, peer: Peer, session: Session, body: Down) -> bytes:
        """Seal something said to a peer in one of its sessions."""
        session.sent += 1
        return peer.seal.seal(
            DownLetter(
                table=self._keys.table_id,
                peer=peer.id,
                epoch=self.epoch,
                session=session.name,
                counter=session.sent,
                body=body,
            )
        )

    def make_live(self, peer: Peer, session: Session) -> Session | None:
        """Let a session that echoed its welcome count; return the one that it replaces."""
        older, peer.live = peer.live, session
        peer.begun.clear()
        self._knocking.pop(peer.id, None)
        self._in[peer.id] = peer
        return older

    def forget(self, peer: Peer) -> None:
        """Forget a peer that is gone."""
        self.peers.pop(peer.id, None)
        self._in.pop(peer.id, None)
        self._knocking.pop(peer.id, None)

    def live(self) -> list[tuple[Peer, Session]]:
        """Return every peer with a live session."""
        return [(peer, peer.live) for peer in self._in.values() if peer.live is not None]

    def _drop_overdue(self, peer: Peer) -> None:
        now = self._now()
        for name, session in list(peer.begun.items()):
            if now - session.begun > PENDING_FOR:
                del peer.begun[name]

    def _begin(self, peer: Peer, name: str, hello: Hello) -> Session:
        now = self._now()
        most = SEAT_SESSIONS_BEGUN if self._holds_seat(peer.id) else SESSIONS_BEGUN
        while len(peer.begun) >= most:
            peer.begun.popitem(last=False)
        session = peer.begun[name] = Session(name, hello, begun=now, heard=now)
        self.peers[peer.id] = peer
        if peer.live is None and not self._holds_seat(peer.id):
            self._knocking.setdefault(peer.id)
        spared = 0
        while len(self._knocking) > STRANGERS:
            oldest, _ = self._knocking.popitem(last=False)
            if spared < SPARED and self.peers[oldest].proves():
                self._knocking[oldest] = None
                spared += 1
            else:
                del self.peers[oldest]
        return session
