"""How a peer comes in: hello, the PIN where there is one, welcome, ready.

Returns what to say to the peer; whoever isn't let in gets `Refused` with the
reason. Nothing changes at the table before the peer is ready.
"""

from __future__ import annotations

from collections.abc import Callable

from core.kernel.illegal import Refused
from net.clocks import AWAY_AFTER
from net.door import Door, Peer, Session
from net.keys import HostKeys
from net.messages import Hello, PinProof, PinReply, PinStart, PinWanted, Ready, Welcome
from net.names import clean_name
from net.pin import HostPin, PinDoor
from net.table import Table
from net.topics import PROTOCOL
from net.version import APP

SPECTATORS = 500
"""How many may watch a table."""


class Reception:
    """Lets peers in."""

    def __init__(
        self,
        door: Door,
        table: Table,
        keys: HostKeys,
        pin: PinDoor,
        now: Callable[[], float],
    ) -> None:
        self.pin = pin
        self.spectators: set[str] = set()
        self._door = door
        self._table = table
        self._host_key = keys.public.signing
        self._now = now

    def hello(self, peer: Peer, session: Session, hello: Hello) -> Welcome | PinWanted:
        """Answer a hello. Raises `Refused`: `version`, `full`, `playing`, `bad_name`, ..."""
        if hello.protocol != PROTOCOL:
            raise Refused("version", ours=PROTOCOL, theirs=hello.protocol, app=APP)
        seat = self._table.lobby.seat_of(peer.id)
        live = peer.live
        alive = live is not None and self._now() - live.heard < AWAY_AFTER
        if live is not None and alive and not hello.take_over and hello.previous != live.name:
            name = "" if seat is None else seat.name
            raise Refused("taken_over" if hello.previous else "name_taken", name=name)
        if seat is None:
            self._check_stranger(peer, hello)
        known = seat is not None or self.pin.lets_in(peer.id)
        if not known or (hello.proof and self.pin.pin is not None):
            return PinWanted()
        return self._welcome(session)

    def pin_start(self, peer: Peer, session: Session, message: PinStart) -> PinReply | None:
        """Answer the first half of a PIN exchange. Raises `Refused`: `locked`, `wrong_pin`.

        Nothing is said while the door may open any moment: it is knocked at again by then.
        """
        if self.pin.pin is None or session.welcomed:
            return None
        if session.pin is not None:  # said again, or a second guess in one session: no
            return PinReply(session.pin.reply) if session.pin.asked == message.half else None
        now = self._now()
        shut = self.pin.shut_for(now)
        if shut and self.pin.crowded(now):
            return None
        if shut:
            raise Refused("locked", seconds=round(shut) or 1)
        session.guess = self.pin.begin(now)
        try:
            session.pin = HostPin(self.pin.pin, peer.seal.peer_key, self._host_key, message.half)
        except ValueError:
            self.pin.wrong(session.guess)
            raise Refused("wrong_pin") from None
        return PinReply(session.pin.reply)

    def pin_proof(self, peer: Peer, session: Session, message: PinProof) -> Welcome | None:
        """Let in whoever knows the PIN. Raises `Refused("wrong_pin")`."""
        if session.pin is None:
            return None
        if session.welcomed:
            return self._welcome(session)
        proof = None if session.pin_failed else session.pin.check(message.proof)
        if proof is None or not self.pin.right(session.guess):
            session.pin_failed = True
            self.pin.wrong(session.guess)
            raise Refused("wrong_pin")
        self.pin.admit(peer.id)
        session.proof = proof
        return self._welcome(session)

    def ready(self, peer: Peer, session: Session, message: Ready) -> Session | None:
        """Let a session live whose welcome arrived; return the older one that has to go.

        Only now does a newcomer sit down. Raises `Refused` if there is no place any more.
        """
        if not session.welcomed or message.nonce != session.nonce or session is peer.live:
            return None
        seat = self._table.lobby.seat_of(peer.id)
        if seat is not None:
            self._table.back(seat)
        else:
            self._let_in(peer, session.hello)
        return self._door.make_live(peer, session)

    def watches(self, peer: Peer) -> bool:
        """Say whether a peer is a spectator."""
        return peer.id in self.spectators

    def gone(self, peer: Peer) -> None:
        """Forget a spectator who went."""
        self.spectators.discard(peer.id)

    def _welcome(self, session: Session) -> Welcome:
        session.welcomed = True
        return Welcome(session.nonce, PROTOCOL, APP, session.proof)

    def _let_in(self, peer: Peer, hello: Hello) -> None:
        self._check_stranger(peer, hello)
        if not self.pin.lets_in(peer.id):
            raise Refused("pin_needed")
        if hello.name is None:
            self.spectators.add(peer.id)
        else:
            self._table.sit(hello.name, hello.kind, peer.id, peer.seal.peer_key)
            self.spectators.discard(peer.id)

    def _check_stranger(self, peer: Peer, hello: Hello) -> None:
        if hello.name is None:
            if len(self.spectators - {peer.id}) >= SPECTATORS:
                raise Refused("full", players=SPECTATORS, watch=False)
            return
        self._table.check_newcomer()
        clean_name(hello.name)
