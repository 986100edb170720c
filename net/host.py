"""The host of a table: brings what peers say to it, and lets each be shown what they may see.

Its loops share one event loop: letters that come in, time that passes, and
what goes out. Every change of state happens in one plain call between two waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from random import Random, SystemRandom

import msgspec

from core.kernel.action import Action
from core.kernel.illegal import Illegal, Refused
from net import messages as m
from net.allowance import Allowance
from net.bots import Bots
from net.clocks import AWAY_AFTER, BEAT_EVERY, Clock
from net.door import Delivered, Door, Peer, Session
from net.drop_log import DropLog
from net.elsewhere import Elsewhere
from net.facts import facts_of
from net.host_game import Asked
from net.intake import Intake
from net.keys import HostKeys
from net.lobby import Seat
from net.mishaps import Mishaps
from net.ordering import carry_out
from net.outgoing import Outgoing
from net.pin import PinDoor
from net.reception import Reception
from net.table import Table
from net.topics import peer_of, table_topic, up_topic
from net.transport import Transport, TransportClosed

TICK = 0.2
"""Seconds between two looks at the clock."""

AD_EVERY = 10.0
"""Seconds after which the advertisement is published again, for a broker that forgot it."""

SLICE = 0.002
"""Seconds for which letters are taken before the clock and the views have their turn.

What an action leads to takes several turns of the event loop: a crowd lengthens each by so much.
"""

SEAT_WAITS, CROWD_WAITS = 64, 512
"""Letters that may wait to be opened: of one seat, of all spectators, of all strangers."""

STRANGERS_LETTERS = (500.0, 1000.0)
"""Letters of strangers that are taken a second, and at once; no more than 200 are answered.

Each costs several times what it takes to drop it, and a broker without limits brings thousands.
"""

KNOCKS = (m.Hello, m.PinStart, m.PinProof)
"""What changes nothing at the table yet, whoever says it: nobody else is looked after for it."""

SPECTATORS, STRANGERS = "spectators", "strangers"

LONGEST_ACTION = 4096
"""Bytes of JSON that an action may have: a question in words of 120 letters fits well."""

ELSEWHERE = "elsewhere"
"""Why a table closes here that was started again elsewhere."""

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
        now: Clock = time.monotonic,
        rng: Random | None = None,
        keep: Callable[[Host], None] | None = None,
    ) -> None:
        """`keep` is called before peers are shown a change, to put `table.json` on disk."""
        self.table = table
        self.keys = keys
        self.door = Door(keys, now, lambda peer: table.lobby.seat_of(peer) is not None)
        self.pin = PinDoor(pin)
        self.reception = Reception(self.door, table, keys, self.pin, now)
        self.mishaps = Mishaps()
        self.out = Outgoing(table, keys, self.door, self.reception, transport, self.mishaps)
        self.answers = self.out.answers
        self._transport = transport
        self._now = now
        self._keep = keep or _keep_nothing
        self._kept = -1
        self._intake = Intake()
        self._strangers_pace = Allowance(*STRANGERS_LETTERS)
        self._drop_log = DropLog()
        self._elsewhere = Elsewhere(keys, self.door.epoch, table.starts, transport)
        self._bots = Bots(
            self._bot_acts,
            self.out.news.set,
            think=table.patience.think,
            rng=rng or SystemRandom(),
        )

    async def run(self) -> None:
        """Host the table until it closes; then everybody was told."""
        await self._transport.subscribe(up_topic(self.keys.table_id, "+"))
        with contextlib.suppress(Refused):  # then it is only published again now and then
            await self._transport.subscribe(table_topic(self.keys.table_id))
        loops = [
            asyncio.create_task(self._receive(), name="intake"),
            asyncio.create_task(self._take_letters(), name="letters"),
            asyncio.create_task(self._watch_time(), name="time"),
            asyncio.create_task(self._send_changes(), name="views"),
            asyncio.create_task(self.out.answer_the_door(), name="door"),
            asyncio.create_task(self._watch_line(), name="line"),
            asyncio.create_task(self._give_way(), name="elsewhere"),
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

    @property
    def dropped(self) -> dict[str, int]:
        """How many messages were dropped, by reason (`seal.Counters`); `crowd`: unopened."""
        return {**+self.door.dropped, **({"crowd": self._intake.lost} if self._intake.lost else {})}

    def stop(self, why: str) -> None:
        """Close the table from outside: a signal, `--once`."""
        self.table.close(why)
        self.out.news.set()

    async def _give_way(self) -> None:
        """End without a word to anybody when this table was started again elsewhere.

        Its people go on there; goodbyes of ours would send them home.
        """
        self.table.starts = await self._elsewhere.until_it_is()
        log.info("this table was started again elsewhere, at the same broker: we stop here")
        self.table.close(ELSEWHERE)
        self.out.news.set()
        await asyncio.Event().wait()  # until it is kept

    # Letters

    async def _receive(self) -> None:
        """Sort what arrives; cheap, so that the transport never has to drop a seat's letter."""
        advertised = table_topic(self.keys.table_id)
        while True:
            try:
                topic, payload = await self._transport.receive()
            except TransportClosed:
                return
            if topic == advertised:
                if not self.out.heard_advertised(payload):
                    self._elsewhere.advertised(payload)
                self.out.repair_advertisement(self._now())
                continue
            if topic == self._elsewhere.hears_at:
                self._elsewhere.heard(payload)
                continue
            peer = peer_of(topic) or STRANGERS
            if self.table.lobby.seat_of(peer) is not None:
                self._intake.put(peer, (topic, payload), SEAT_WAITS)
            elif peer in self.reception.spectators:
                self._intake.put(SPECTATORS, (topic, payload), CROWD_WAITS)
            elif self._strangers_pace.spend(1, time.monotonic()):
                self._intake.put(STRANGERS, (topic, payload), CROWD_WAITS)
            else:
                self._intake.lost += 1

    async def _watch_line(self) -> None:
        """Say again, whenever the line is back, what everybody needs to go on at once.

        What was said meanwhile is lost, and a broker may come back with nothing that it kept.
        """
        with contextlib.suppress(TransportClosed):
            while True:
                await self._transport.wait_change(True)
                await self._transport.wait_change(False)
                self.table.heard_again()
                self.out.beat()
                self.out.advertise_again()
        await asyncio.Event().wait()  # whoever receives notices, too

    async def _take_letters(self) -> None:
        began = time.monotonic()
        while True:
            if time.monotonic() - began > SLICE:
                await asyncio.sleep(0)
                began = time.monotonic()
            topic, payload = await self._intake.next()
            with self.mishaps.contained("a letter"):
                delivered = self.door.open(topic, payload)
                if delivered is not None:
                    if not isinstance(delivered.body, KNOCKS):
                        self.out.news.set()
                    self._take(delivered)

    def _take(self, delivered: Delivered) -> None:
        peer, session = delivered.peer, delivered.session
        try:
            reply = self._come_in(peer, session, delivered.body)
        except Refused as refusal:
            reply = m.Refusal(refusal.code, facts_of(refusal))
        if reply is not None:
            self.out.post(peer, session, reply)
        elif session is peer.live:
            self._take_live(peer, session, delivered.body)
        else:
            self.door.dropped["stale"] += 1
        self._say_goodbye()

    def _come_in(self, peer: Peer, session: Session, body: m.Up) -> m.Down | None:
        """Return what to say to somebody who is coming in; None for those who are in."""
        match body:
            case m.Hello() if self._elsewhere.asking:
                return None  # they say it again
            case m.Hello():
                return None if session is peer.live else self.reception.hello(peer, session, body)
            case m.PinStart():
                return self.reception.pin_start(peer, session, body)
            case m.PinProof():
                return self.reception.pin_proof(peer, session, body)
            case m.Ready() if session is not peer.live:
                older = self.reception.ready(peer, session, body)
                if older is not None:
                    self.out.post(peer, older, m.Bye("taken_over"))
                self.table.changes += self.reception.watches(peer)
        return None

    def _take_live(self, peer: Peer, session: Session, body: m.Up) -> None:
        seat = self.table.lobby.seat_of(peer.id)
        if seat is not None and not seat.here:
            self.table.back(seat)
        match body:
            case m.Act():
                if body.after is None or self._has_heard(peer, seat, body.after):
                    self._answer(peer, body.aid, lambda: self._act(seat, body))
            case m.OrderMsg(aid, order, whose):
                self._answer(peer, aid, lambda: carry_out(order, whose, seat, self.table, self.pin))
            case m.Say(aid, text):
                self._answer(peer, aid, lambda: self.table.say(peer.id, seat, text))
            case m.Ready():
                self.out.show(peer)
            case m.Sync(game, have):
                session.shown.rewind(game, have)
                self.out.show(peer)
            case m.Beat(rev, seen):
                session.confirmed = max(session.confirmed, rev)
                if seat is not None:
                    self.table.fair.confirmed(self.table.lobby.number(seat), rev)
                self._seen(peer, seen)
                self.out.confirmed.set()
            case m.Leave():
                self._leave(peer, session, seat)

    def _has_heard(self, peer: Peer, seat: Seat | None, aid: str) -> bool:
        """Say whether an action of a peer's came, whatever became of it; else it comes again."""
        known = seat is not None and self.table.knows(seat, aid)
        return known or self.answers[peer.id].knows(aid)

    def _answer(self, peer: Peer, aid: str, do: Callable[[], bool | None]) -> None:
        """Do what an aid asks for, once, and let the peer's next view say what became of it.

        What says False isn't done yet, and answered when it is (`_answer_settled`).
        Whoever asks faster than they see answers is not heard; they ask again.
        """
        answers = self.answers[peer.id]
        self.out.show(peer)
        if answers.repeat(aid) or answers.full:
            return
        try:
            if do() is not False:
                answers.give(m.Answer(aid))
        except Refused as refusal:
            answers.give(m.Answer(aid, refusal.code, facts_of(refusal)))

    def _answer_settled(self) -> None:
        """Tell those whose actions waited what became of them."""
        settled, self.table.fair.settled = self.table.fair.settled, []
        for seat, aid, refusal in settled:
            peer = self.door.peers.get(self.table.lobby.at(seat).peer or "")
            if peer is not None:
                code, facts = (None, {}) if refusal is None else (refusal.code, facts_of(refusal))
                self.answers[peer.id].give(m.Answer(aid, code, facts))
                self.out.show(peer)

    def _seen(self, peer: Peer, aids: tuple[str, ...]) -> None:
        answers = self.answers[peer.id]
        answers.seen(aids)
        if aids and answers.unseen():
            self.out.show(peer)  # those that didn't fit into the last view

    def _act(self, seat: Seat | None, act: m.Act) -> bool:
        if seat is None:
            raise Refused("no_seat")
        if memoryview(act.action).nbytes > LONGEST_ACTION:
            raise Illegal("no_action")
        try:
            line = _object.decode(act.action)
        except (msgspec.MsgspecError, RecursionError):
            raise Illegal("no_action") from None
        asked = Asked(act.game, act.question)
        return self.table.act(seat, self.table.rules.action(line), asked, act.aid)

    def _leave(self, peer: Peer, session: Session, seat: Seat | None) -> None:
        if self.table.phase == "closed":  # it has heard our goodbye
            peer.live = None
            self.out.confirmed.set()
            return
        if seat is not None:
            self.table.leave(seat)
        self.out.post(peer, session, m.Bye("left"))
        self._forget(peer)

    def _say_goodbye(self) -> None:
        """Part with those who were removed."""
        while self.table.people.dropped:
            peer = self.door.peers.get(self.table.people.dropped.pop())
            if peer is not None and peer.live is not None:
                self.out.post(peer, peer.live, m.Bye("removed"))
                self._forget(peer)

    def _forget(self, peer: Peer) -> None:
        peer.live = None
        self.door.forget(peer)
        if self.reception.watches(peer):
            self.reception.gone(peer)
            self.table.changes += 1

    # Time

    async def _watch_time(self) -> None:
        beat_due = ad_due = 0.0
        line_up_at = time.monotonic()
        while self.table.phase != "closed":
            now = self._now()
            if self._transport.up:
                line_up_at = time.monotonic()
            elif 0 < self.table.patience.idle <= time.monotonic() - line_up_at:
                self.table.close("idle")  # no broker, no people: and no time passes for the table
                break
            with self.mishaps.contained("a look at the clock"):
                self._look_who_is_here(now)
                self._forget_who_is_gone()
                self.table.tick(watching=bool(self.reception.spectators))
                if self.pin.is_tried(now):
                    self.table.door_tried()
            self.out.repair_advertisement(now)
            self._drop_log.look(self.dropped, now)
            if now >= beat_due:
                beat_due = now + BEAT_EVERY
                self.out.beat()
            if now >= ad_due:
                ad_due = now + AD_EVERY
                self.out.advertise_again()
            self.out.news.set()
            await asyncio.sleep(TICK)
        self.out.news.set()
        await asyncio.Event().wait()  # what goes out does so to the end

    def _look_who_is_here(self, now: float) -> None:
        for peer, session in self.door.live():
            seat = self.table.lobby.seat_of(peer.id)
            silent = now - session.heard >= AWAY_AFTER
            if seat is not None and silent:
                self.table.away(seat)  # the session stays open for when they are back
            elif seat is None and (silent or not self.reception.watches(peer)):
                self._forget(peer)  # also one whose seat was freed: its client says hello again

    def _forget_who_is_gone(self) -> None:
        """Keep nothing of peers who neither hold a seat nor watch, however they went."""
        seated = {seat.peer for seat in self.table.lobby.seats if seat.peer is not None}
        here = seated | self.reception.spectators
        self.out.forget_others(here)
        self.table.chat.forget_others(here)

    # What goes out, and who plays for whom

    async def _send_changes(self) -> None:
        while True:
            await self.out.news.wait()
            self.out.news.clear()
            self._answer_settled()
            self._bots.look(self.table.game, self._to_play())
            if self._kept != self.table.to_keep or not self.table.kept:
                self._kept = self.table.to_keep
                with self.mishaps.contained("keeping the table", self._cannot_keep):
                    self._keep(self)
            if self.table.closed_why == ELSEWHERE:
                return
            await self.out.send()
            if self.table.phase == "closed":
                await self.out.close_down()
                return

    def _cannot_keep(self, error: Exception) -> None:
        """Whatever it is that keeps a table from its disk: nothing goes on that isn't there."""
        self.table.disk_fails(type(error).__name__)

    def _to_play(self) -> dict[int, str]:
        seats = self.table.lobby.seats
        return {
            number: seats[number].level or self.table.level
            for number in self.table.may_act
            if seats[number].played_by_bot
        }

    def _bot_acts(self, number: int, action: Action, asked: Asked) -> None:
        try:
            self.table.bot_acts(number, action, asked)
        finally:
            self.out.news.set()


def _keep_nothing(host: Host) -> None:
    """Let a table be that nobody wants to find again."""
    host.table.disk_works()
