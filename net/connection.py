"""A peer's line to its host: which session counts, what is fresh, what to seal under which number.

A session begins by knocking (hello), and counts once the host's welcome for it
has come. An older one goes on until then, so that a short cut costs nothing.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from net.keys import HostPublic, SeatKeys
from net.messages import Down, Up, UpLetter, Welcome
from net.seal import Counters, Fresh, PeerSeal


@dataclass
class PeerSession:
    """One connect, as the peer sees it. `nonce` is the welcome's, once it came."""

    begun: float
    name: str = field(default_factory=lambda: secrets.token_hex(16))
    epoch: str = ""
    nonce: str | None = None
    confirmed: bool = False
    """Whether the host showed us anything: it knows that its welcome came."""
    fresh: Fresh = field(default_factory=Fresh)
    sent: int = 0


class Connection:
    """Seals and opens a peer's letters. `live` is the session that counts."""

    def __init__(self, keys: SeatKeys, host: HostPublic, dropped: Counters) -> None:
        self.host = host
        self.dropped = dropped
        self.live: PeerSession | None = None
        self.knocking: PeerSession | None = None
        self._keys = keys
        self._seal = PeerSeal(keys, host, dropped)

    def knock(self, now: float) -> PeerSession:
        """Begin a new session; one that was begun before and not yet welcomed is given up."""
        self.knocking = PeerSession(now)
        return self.knocking

    def open(self, payload: bytes) -> tuple[PeerSession, Down] | None:
        """Return what the host says, and in which session; None for anything else (counted)."""
        letter = self._seal.open(payload)
        if letter is None:
            return None
        for session in (self.live, self.knocking):
            if session is not None and session.name == letter.session:
                break
        else:
            self.dropped["stale"] += 1
            return None
        if session.epoch not in ("", letter.epoch) or not session.fresh.take(letter.counter):
            self.dropped["stale"] += 1
            return None
        session.epoch = letter.epoch
        return session, letter.body

    def welcome(self, session: PeerSession, message: Welcome) -> bool:
        """Let a session count whose welcome came; say whether it is a new one."""
        if session is not self.knocking:
            return False
        session.nonce = message.nonce
        self.live, self.knocking = session, None
        return True

    def seal(self, session: PeerSession, body: Up) -> bytes:
        """Return the payload of something said in a session."""
        session.sent += 1
        return self._seal.seal(
            UpLetter(
                table=self.host.table_id,
                peer=self._keys.peer_id,
                epoch=session.epoch,
                session=session.name,
                counter=session.sent,
                body=body,
            )
        )
