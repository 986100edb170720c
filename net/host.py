"""The host of a table: brings what peers say to it, and sends each what it may see.

Four loops share one event loop, and every change of state happens in one plain
call between two waits: letters that come in, time that passes, bots that have
chosen; and one that sends what has changed since. Views are whole, so whatever
piles up while the line is slow is one view in the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import defaultdict, deque
from collections.abc import Callable
from random import Random, SystemRandom

import msgspec

from core.kernel.action import Action
from core.kernel.illegal import Illegal, Refused
from net import messages as m
from net.answers import Answers
from net.bots import Bots
from net.clocks import AWAY_AFTER, BEAT_EVERY
from net.door import Delivered, Door, Peer, Session
from net.keys import HostKeys
from net.lobby import Seat
from net.orders import OpenDoor, Order, SetPin
from net.pin import PinDoor
from net.reception import Reception
from net.seal import sign
from net.table import Table
from net.topics import PROTOCOL, down_topic, public_topic, table_topic, up_topic
from net.transport import Transport, TransportClosed
from net.version import APP, RULES
from net.views import Shown, compose

TICK = 0.2
"""Seconds between two looks at the clock."""

GOODBYES, GOODBYE_EVERY = 6, 0.3
"""How often a closing table says goodbye to whoever doesn't answer, and every how many seconds."""

AD_EVERY = 10.0
"""Seconds after which the advertisement is published again, for a broker that forgot it."""

log = logging.getLogger(__name__)

_object = msgspec.json.Decoder(dict[str, object])


class Host:
    """One table on one transport. `run` ends when the table closes."""

    def __init__(
        self,
        table: Table,
        keys: HostKeys,
        transport: Transport,
        *,
        pin: str | None = None,
        now: Callable[[], float] = time.monotonic,
        rng: Random | None = None,
        keep: Callable[[Host], None] = lambda _: None,
    ) -> None:
        """`keep` is called before peers are shown a change, to put `table.json` on disk."""
        self.table = table
        self.keys = keys
        self.door = Door(keys, now)
        self.pin = PinDoor(pin)
        self.reception = Reception(self.door, table, keys, self.pin, now)
        self.answers: defaultdict[str, Answers] = defaultdict(Answers)
        self._transport = transport
        self._now = now
        self._keep = keep
        self.advertise: Callable[[m.TableAd], None] = lambda _: None
        """Hears what the table says about itself, whenever it says it again."""
        self._bots = Bots(
            self._bot_acts,
            self._look_again,
            think=table.patience.think,
            rng=rng or SystemRandom(),
        )
        self.open = asyncio.Event()
        """Set once the table is advertised: now people can come."""
        self._letters: deque[tuple[Peer, Session, m.Down]] = deque()
        self._unshown: set[str] = set()
        self._seen_changes = self._kept = -1
        self._public = Shown()
        self._public_count = 0
        self._ad: m.TableAd | None = None
        self._ad_due = 0.0
        self._beat_due = 0.0
        self._confirmed = asyncio.Event()
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Host the table until it closes; then everybody was told."""
        topic = up_topic(self.keys.table_id, "+")
        await self._transport.subscribe(topic)
        loops = [
            asyncio.create_task(loop, name=name)
            for name, loop in (
                ("letters", self._take_letters()),
                ("time", self._watch_time()),
                ("views", self._send_changes()),
            )
        ]
        try:
            done, _ = await asyncio.wait(loops, return_when=asyncio.FIRST_COMPLETED)
            for loop in done:
                loop.result()
        finally:
            self._bots.close()
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)

    def stop(self, why: str) -> None:
        """Close the table from outside: a signal, `--once`."""
        self.table.close(why)
        self._wake.set()

    async def everybody_knows(self) -> None:
        """Wait until everybody at the table has confirmed the newest view."""
        while not self._shown_to_all():
            self._confirmed.clear()
            await self._confirmed.wait()

    def _shown_to_all(self) -> bool:
        shown = self._seen_changes == self.table.changes and not self._unshown
        return shown and all(
            session.confirmed >= session.shown.rev
            for peer, session in self.door.live()
            if not self._watches(peer)
        )

    # What comes in

    async def _take_letters(self) -> None:
        while True:
            try:
                topic, payload = await self._transport.receive()
            except TransportClosed:
                return
            delivered = self.door.open(topic, payload)
            if delivered is None:
                continue
            try:
                self._take(delivered)
            except Exception:  # one peer's letter, however odd, never ends a table for all
                log.exception("a letter could not be dealt with: %r", delivered.body)
            self._wake.set()

    def _take(self, delivered: Delivered) -> None:
        peer, session = delivered.peer, delivered.session
        try:
            reply = self._come_in(peer, session, delivered.body)
        except Refused as refusal:
            reply = m.Refusal(refusal.code, _facts(refusal))
        if reply is not None:
            self._post(peer, session, reply)
        elif session is peer.live:
            self._take_live(peer, session, delivered.body)
        self._say_goodbye()

    def _come_in(self, peer: Peer, session: Session, body: m.Up) -> m.Down | None:
        """Return what to say to somebody who is coming in; None for those who are in."""
        match body:
            case m.Hello():
                return None if session is peer.live else self.reception.hello(peer, session, body)
            case m.PinStart():
                return self.reception.pin_start(peer, session, body)
            case m.PinProof():
                return self.reception.pin_proof(peer, session, body)
            case m.Ready() if session is not peer.live:
                older = self.reception.ready(peer, session, body)
                if older is not None:
                    self._post(peer, older, m.Bye("taken_over"))
                if session is peer.live:
                    self._unshown.add(peer.id)
                    self.table.changes += self._watches(peer)
        return None

    def _take_live(self, peer: Peer, session: Session, body: m.Up) -> None:
        seat = self.table.lobby.seat_of(peer.id)
        if seat is not None and not seat.here:
            self.table.back(seat)
        match body:
            case m.Act(aid, question, action):
                self._answer(peer, aid, lambda: self._act(peer, aid, question, action))
            case m.OrderMsg(aid, order):
                self._answer(peer, aid, lambda: self._order(peer, order))
            case m.Say(aid, text):
                name = "" if seat is None else seat.name
                self._answer(peer, aid, lambda: self.table.say(peer.id, name, seat, text))
            case m.Ready():
                self._unshown.add(peer.id)
            case m.Sync(game, have):
                session.shown.rewind(game, have)
                self._unshown.add(peer.id)
            case m.Beat(rev, seen):
                session.confirmed = max(session.confirmed, rev)
                self._confirmed.set()
                self.answers[peer.id].seen(seen)
            case m.Leave():
                self._leave(peer, session, seat)

    def _leave(self, peer: Peer, session: Session, seat: Seat | None) -> None:
        if self.table.phase == "closed":  # it has heard our goodbye
            peer.live = None
            self._confirmed.set()
            return
        if seat is not None:
            self.table.leave(seat)
        self._part(peer, session, m.Bye("left"))

    def _answer(self, peer: Peer, aid: str, do: Callable[[], None]) -> None:
        """Do what an aid asks for, once, and let the peer's next view say what became of it."""
        answers = self.answers[peer.id]
        self._unshown.add(peer.id)
        if answers.repeat(aid):
            return
        try:
            do()
        except Refused as refusal:
            answers.give(m.Answer(aid, refusal.code, _facts(refusal)))
        else:
            answers.give(m.Answer(aid))

    def _act(self, peer: Peer, aid: str, question: int, raw: msgspec.Raw) -> None:
        seat = self.table.lobby.seat_of(peer.id)
        if seat is None:
            raise Refused("no_seat")
        try:
            line = _object.decode(raw)
        except (msgspec.MsgspecError, RecursionError):
            raise Illegal("no_action") from None
        self.table.act(seat, self.table.rules.action(line), question, aid)

    def _order(self, peer: Peer, order: Order) -> None:
        seat = self.table.lobby.seat_of(peer.id)
        if seat is None:
            raise Refused("not_owner")
        match order:
            case SetPin() | OpenDoor() if seat is not self.table.lobby.owner:
                raise Refused("not_owner")
            case SetPin(pin):
                self.pin.reopen(pin)
                self._ad = None
            case OpenDoor():
                self.pin.reopen(self.pin.pin)
            case _:
                self.table.order(seat, order)

    # Bots

    def _bot_acts(self, number: int, action: Action, question: int) -> None:
        try:
            self.table.bot_acts(number, action, question)
        finally:
            self._wake.set()

    def _look_again(self) -> None:
        self._wake.set()

    def _to_play(self) -> dict[int, str]:
        seats = self.table.lobby.seats
        return {
            number: seats[number].level or self.table.level
            for number in self.table.may_act
            if seats[number].played_by_bot
        }

    # Time

    async def _watch_time(self) -> None:
        while self.table.phase != "closed":
            now = self._now()
            for peer, session in self.door.live():
                if now - session.heard >= AWAY_AFTER:
                    self._lost(peer)
            self.table.tick(watching=bool(self.reception.spectators))
            if now >= self._beat_due:
                self._beat_due = now + BEAT_EVERY
                for peer, session in self.door.live():
                    rev = self._public.rev if self._watches(peer) else session.shown.rev
                    self._post(peer, session, m.Beat(rev))
            if now >= self._ad_due:
                self._ad = None
            self._wake.set()
            await asyncio.sleep(TICK)
        self._wake.set()
        await asyncio.Event().wait()  # the views go out to the end

    def _lost(self, peer: Peer) -> None:
        """Nothing is heard of a peer; its session stays open for when it is."""
        seat = self.table.lobby.seat_of(peer.id)
        if seat is not None:
            self.table.away(seat)
        else:
            self._forget(peer)

    # What goes out

    def _post(self, peer: Peer, session: Session, body: m.Down) -> None:
        self._letters.append((peer, session, body))
        self._wake.set()

    def _part(self, peer: Peer, session: Session, bye: m.Bye) -> None:
        self._post(peer, session, bye)
        self._forget(peer)

    def _forget(self, peer: Peer) -> None:
        peer.live = None
        self.door.forget(peer)
        if self._watches(peer):
            self.reception.gone(peer.id)
            self.table.chat.forget(peer.id)
            self.answers.pop(peer.id, None)
            self.table.changes += 1

    def _watches(self, peer: Peer) -> bool:
        return peer.id in self.reception.spectators

    def _say_goodbye(self) -> None:
        while self.table.dropped:
            peer = self.door.peers.get(self.table.dropped.pop())
            if peer is not None and peer.live is not None:
                self._part(peer, peer.live, m.Bye("removed"))

    async def _send_changes(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._bots.look(self.table.game, self._to_play())
            changed = self._seen_changes != self.table.changes
            self._seen_changes = self.table.changes
            if self._kept != self.table.to_keep:
                self._kept = self.table.to_keep
                self._keep(self)
            await self._send_letters()
            if changed:
                await self._send_public()
            for peer, session in self.door.live():
                if peer.id in self._unshown or (changed and not self._watches(peer)):
                    self._unshown.discard(peer.id)
                    await self._send_view(peer, session)
            await self._send_ad()
            if self.table.phase == "closed":
                await self._close_down()
                return

    async def _send_letters(self) -> None:
        while self._letters:
            peer, session, body = self._letters.popleft()
            await self._send(peer, session, body)

    async def _send(self, peer: Peer, session: Session, body: m.Down) -> None:
        topic = down_topic(self.keys.table_id, peer.id)
        await self._transport.publish(topic, self.door.letter(peer, session, body))

    async def _send_view(self, peer: Peer, session: Session) -> None:
        seat = self.table.lobby.seat_of(peer.id)
        number = None if seat is None else self.table.lobby.number(seat)
        if self._watches(peer):
            session.shown.rev = self._public.rev - 1
        answers = self.answers[peer.id].unseen()
        watching = len(self.reception.spectators)
        await self._send(
            peer, session, compose(self.table, number, session.shown, answers, watching)
        )

    async def _send_public(self) -> None:
        watching = len(self.reception.spectators)
        await self._publish(
            public_topic(self.keys.table_id),
            compose(self.table, None, self._public, (), watching),
        )

    def advertisement(self) -> m.TableAd:
        """Return what the table says about itself to whoever looks."""
        lobby = self.table.lobby
        return m.TableAd(
            title=self.table.title,
            game=self.table.rules.name,
            protocol=PROTOCOL,
            rules=RULES,
            app=APP,
            host=self.keys.public,
            phase=self.table.phase,
            players=lobby.players,
            taken=len(lobby.seats),
            options=dict(lobby.options),
            pin=self.pin.pin is not None,
        )

    async def _send_ad(self) -> None:
        ad = self.advertisement()
        if ad != self._ad:
            self._ad = ad
            self._ad_due = self._now() + AD_EVERY
            await self._publish(table_topic(self.keys.table_id), ad, retain=True)
            self.advertise(ad)
            self.open.set()

    async def _publish(
        self, topic: str, body: m.TableAd | m.ViewMsg, *, retain: bool = False
    ) -> None:
        self._public_count += 1
        letter = m.PublicLetter(
            table=self.keys.table_id,
            peer="",
            epoch=self.door.epoch,
            session="",
            counter=self._public_count,
            body=body,
        )
        await self._transport.publish(topic, sign(self.keys, letter), retain=retain)

    async def _close_down(self) -> None:
        """Take the advertisement back, and say goodbye until everybody has heard it."""
        await self._transport.publish(table_topic(self.keys.table_id), b"", retain=True)
        for _ in range(GOODBYES):
            for peer, session in self.door.live():
                await self._send(peer, session, m.Bye("closed"))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_EVERY):
                    await self._all_gone()
                return

    async def _all_gone(self) -> None:
        while self.door.live():
            self._confirmed.clear()
            await self._confirmed.wait()


def _facts(refusal: Refused) -> m.Facts:
    return dict(refusal.facts)
