"""What goes out from a host: letters to peers, views of what has changed, the advertisement.

Nothing piles up while the line is slow: views are whole, so whoever has to be
shown something is marked, and is shown the newest when it is their turn.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection

from net import messages as m
from net.ad_watch import AdWatch
from net.allowance import Allowance
from net.answers import Answers
from net.door import Door, Peer, Session
from net.keys import HostKeys
from net.mishaps import Mishaps
from net.reception import Reception
from net.seal import sign
from net.table import Table
from net.topics import PROTOCOL, down_topic, public_topic, table_topic
from net.transport import Transport
from net.version import APP, RULES
from net.views import Shown, compose

GOODBYES, GOODBYE_EVERY = 6, 0.3
"""How often a closing table says goodbye to whoever doesn't answer, and every how many seconds."""

AT_THE_DOOR = 256
"""Letters to strangers that wait; the oldest gives way, and whoever misses one asks again."""

DOOR_PER_SECOND, DOOR_AT_ONCE = 200.0, 100.0
"""How fast strangers are answered, so that a crowd of them leaves the line to those who play."""

SEAT_VIEWS = (30.0, 60.0)
WATCHERS_VIEWS = (100.0, 100.0)
"""Views a second, and at once, beyond those that everybody gets when something has changed:
for each seat, and for all who watch together. Whoever asks more often waits."""

Posted = tuple[Peer, Session, m.Down]


class Outgoing:
    """Everything that a host sends, in the order in which it may be sent."""

    def __init__(
        self,
        table: Table,
        keys: HostKeys,
        door: Door,
        reception: Reception,
        transport: Transport,
        mishaps: Mishaps,
    ) -> None:
        self.news = asyncio.Event()
        """Set whenever there may be something to send."""
        self.confirmed = asyncio.Event()
        """Set whenever a peer says what it has."""
        self.open = asyncio.Event()
        """Set once the table is advertised: now people can come."""
        self.advertise: Callable[[m.TableAd], None] = lambda _: None
        """Hears what the table says about itself, whenever it says it again."""
        self.answers: defaultdict[str, Answers] = defaultdict(Answers)
        """By peer: what became of what they asked for."""
        self._table = table
        self._keys = keys
        self._host = keys.public
        self._door = door
        self._reception = reception
        self._transport = transport
        self._mishaps = mishaps
        self._to_seats: deque[Posted] = deque()
        self._to_guests: deque[Posted] = deque()
        self._at_the_door: deque[Posted] = deque(maxlen=AT_THE_DOOR)
        self._knocked = asyncio.Event()
        self._ad_watch = AdWatch()
        self._unshown: dict[str, None] = {}
        """Who asked for a view, in the order in which they asked."""
        self._pace: defaultdict[str, Allowance] = defaultdict(lambda: Allowance(*SEAT_VIEWS))
        self._watchers_pace = Allowance(*WATCHERS_VIEWS)
        self._changes = -1
        self._public = Shown()
        self._published = 0
        self._ad: m.TableAd | None = None

    def post(self, peer: Peer, session: Session, body: m.Down) -> None:
        """Say something to a peer, sealed: seats before the next views, strangers beside them."""
        if self._table.lobby.seat_of(peer.id) is not None:
            self._to_seats.append((peer, session, body))
        elif isinstance(body, m.Beat | m.Bye):  # said only to those who are, or were, in
            self._to_guests.append((peer, session, body))
        else:
            self._at_the_door.append((peer, session, body))
            self._knocked.set()
            return
        self.news.set()

    def show(self, peer: Peer) -> None:
        """Let a peer have a view, soon, whether anything has changed or not."""
        self._unshown.setdefault(peer.id)
        self.news.set()

    def forget_others(self, here: Collection[str]) -> None:
        """Keep nothing for peers who aren't here any more."""
        for kept in (self._unshown, self.answers, self._pace):
            for gone in kept.keys() - here:
                del kept[gone]

    def beat(self) -> None:
        """Tell everybody that the table lives, and which view is their newest."""
        for peer, session in self._door.live():
            watches = self._reception.watches(peer)
            rev = self._public.rev if watches else session.shown.rev
            self.post(peer, session, m.Beat(rev))

    def advertise_again(self) -> None:
        """Publish the advertisement again: a broker may have forgotten it."""
        self._ad = None
        self.news.set()

    def advertisement(self) -> m.TableAd:
        """Return what the table says about itself to whoever looks."""
        lobby = self._table.lobby
        return m.TableAd(
            title=self._table.title,
            game=self._table.rules.name,
            protocol=PROTOCOL,
            rules=RULES,
            app=APP,
            host=self._host,
            phase=self._table.phase,
            players=lobby.players,
            taken=len(lobby.seats),
            options=dict(lobby.options),
            pin=self._reception.pin.pin is not None,
            starts=self._table.starts,
        )

    async def send(self) -> None:
        """Send everything that there is to send, but for what strangers are told."""
        changed = self._changes != self._table.changes
        self._changes = self._table.changes
        while self._to_seats:
            await self._send(*self._to_seats.popleft())
        if changed:
            with self._mishaps.contained("the public view"):
                view = compose(self._table, None, self._public, (), self._watching)
                await self._publish(public_topic(self._keys.table_id), view)
        live = {peer.id: (peer, session) for peer, session in self._door.live()}
        seats = [who for who, (peer, _) in live.items() if not self._reception.watches(peer)]
        now = asyncio.get_running_loop().time()
        for who in seats:
            if changed or (who in self._unshown and self._pace[who].spend(1, now)):
                await self._show(*live[who])
        for who in [who for who in self._unshown if who in live and who not in seats]:
            if not self._watchers_pace.spend(1, now):
                break  # until the clock's next look
            await self._show(*live[who])
        while self._to_guests:
            await self._send(*self._to_guests.popleft())
        ad = self.advertisement()
        if ad != self._ad:
            self._ad = ad
            with self._mishaps.contained("the advertisement"):
                await self._publish(table_topic(self._keys.table_id), ad, retain=True)
                self.advertise(ad)
                self.open.set()

    async def _show(self, peer: Peer, session: Session) -> None:
        self._unshown.pop(peer.id, None)
        with self._mishaps.contained("a view"):  # its receiver asks for it again
            await self._seal(peer, session, self._view(peer, session))

    async def answer_the_door(self) -> None:
        """Tell strangers what they are told, at a pace of its own, for ever."""
        pace, now = Allowance(DOOR_PER_SECOND, DOOR_AT_ONCE), asyncio.get_running_loop().time
        while True:
            await self._knocked.wait()
            self._knocked.clear()
            while self._at_the_door:
                await asyncio.sleep(pace.take(1, now()))  # whoever is in goes first
                await self._send(*self._at_the_door.popleft())

    def heard_advertised(self, payload: bytes) -> bool:
        """Note what was published under the table's own topic; say whether it is our newest."""
        ours = self._ad_watch.heard(payload)
        if not ours:
            self._door.dropped["overwritten"] += 1
        return ours

    def repair_advertisement(self, now: float) -> None:
        """Publish the advertisement again if somebody has overwritten it."""
        if self._ad_watch.must_repair(now):
            self.advertise_again()

    async def close_down(self) -> None:
        """Take the advertisement back, and say goodbye until everybody has heard it."""
        self._ad_watch.said(b"")
        await self._transport.publish(table_topic(self._keys.table_id), b"", retain=True)
        for _ in range(GOODBYES):
            for peer, session in self._door.live():
                await self._send(peer, session, m.Bye("closed"))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_EVERY):
                    await self._until(lambda: not self._door.live())
                return

    async def everybody_knows(self) -> None:
        """Wait until everybody has confirmed the newest view, also who is away just now."""
        await self._until(self._all_confirmed)

    async def _until(self, what: Callable[[], bool]) -> None:
        while not what():
            self.confirmed.clear()
            await self.confirmed.wait()

    def _all_confirmed(self) -> bool:
        shown = self._changes == self._table.changes and not self._unshown
        expected = any(not seat.here and seat.stand_in is None for seat in self._table.lobby.seats)
        return (
            shown
            and not expected
            and all(
                session.confirmed >= session.shown.rev
                for peer, session in self._door.live()
                if not self._reception.watches(peer)
            )
        )

    @property
    def _watching(self) -> int:
        return len(self._reception.spectators)

    def _view(self, peer: Peer, session: Session) -> m.ViewMsg:
        seat = self._table.lobby.seat_of(peer.id)
        number = None if seat is None else self._table.lobby.number(seat)
        if self._reception.watches(peer):
            session.shown.rev = self._public.rev - 1  # theirs are the public views' numbers
        elif number is not None:
            self._table.fair.shown(number, session.shown.rev + 1)
        answers = self.answers[peer.id].unseen()
        pin = self._reception.pin.pin
        return compose(self._table, number, session.shown, answers, self._watching, pin)

    async def _send(self, peer: Peer, session: Session, body: m.Down) -> None:
        with self._mishaps.contained("a letter to a peer"):
            await self._seal(peer, session, body)

    async def _seal(self, peer: Peer, session: Session, body: m.Down) -> None:
        topic = down_topic(self._keys.table_id, peer.id)
        await self._transport.publish(topic, self._door.letter(peer, session, body))

    async def _publish(
        self, topic: str, body: m.TableAd | m.ViewMsg, *, retain: bool = False
    ) -> None:
        self._published += 1
        letter = m.PublicLetter(
            table=self._keys.table_id,
            peer="",
            epoch=self._door.epoch,
            session="",
            counter=self._published,
            body=body,
        )
        payload = sign(self._keys, letter)
        if retain:
            self._ad_watch.said(payload)
        await self._transport.publish(topic, payload, retain=retain)
