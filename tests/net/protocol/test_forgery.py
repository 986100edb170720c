"""Somebody else on the broker who hears everything and says whatever they like, at every moment.

Nothing changes at the table, nobody is thrown out, nobody is shown anything, and the
counters of the host and of each client say what was dropped, and why.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ears import Ears

from core.kernel.illegal import Refused
from core.registry import GAMES
from net import messages as m
from net import orders
from net.client import SeatClient
from net.connect import join
from net.door import Door, token
from net.elsewhere import KNOCKS, Knock, is_open_elsewhere
from net.host import Host
from net.keys import HostKeys, SeatKeys, short_id
from net.memory import MemoryBroker
from net.mqtt import MqttTransport
from net.seal import Counters, HostSeal, PeerSeal, sign
from net.topics import (
    down_topic,
    only_a_host_says,
    public_topic,
    table_topic,
    up_topic,
)
from net.updates import Answered, Ended, Line, Seen, Words

Eventually = Callable[..., Awaitable[None]]
Heard = tuple[str, bytes]

NEWEST = 4
"""Of what was heard from, or said to, each: so many of the newest are mixed up in every way."""


class Forger(Ears):
    """Hears every message that isn't its own, and says whatever it likes."""

    def __init__(self, line: Any) -> None:
        super().__init__(line)
        self._said: Counter[Heard] = Counter()

    async def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self._said[topic, payload] += 1
        await self.line.publish(topic, payload, retain=retain)

    def under(self, topic: str) -> list[bytes]:
        """Return everything that was ever said under a topic, oldest first, each once."""
        return list(dict.fromkeys(payload for place, payload in self.heard if place == topic))

    async def hear(self, topic: str, payload: bytes) -> None:
        if self._said[topic, payload]:
            self._said[topic, payload] -= 1
        else:
            self.heard.append((topic, payload))
            await self.answer(topic, payload)

    async def answer(self, topic: str, payload: bytes) -> None:
        """Say something as soon as anything is heard."""


class Forgeries:
    """What a forger says at one moment, and who has to drop it for which reason."""

    def __init__(self, table: Any, guests: list[Any], seen: Forger, elsewhere: Any) -> None:
        self.said: list[Heard] = []
        self.due: dict[str, Counter[str]] = {g.keys.peer_id: Counter() for g in guests}
        self.due["host"] = Counter()
        self.answered = 0
        """Hellos of old: they are answered, and it is the answer that is dropped."""
        self._here = table.keys.table_id
        self._table = table
        self._seen = seen
        self._watching = [g.keys.peer_id for g in guests if g.seen.room.you is None]
        peers = [g.keys for g in guests]
        for ours, theirs in zip(peers, [*peers[1:], peers[0]], strict=True):
            self._said_again(ours)
            self._reflected(ours)
            self._swapped(ours, theirs)
            self._from_elsewhere(ours, elsewhere)
            self._damaged(ours)
        self._by_a_stranger(peers[len(seen.heard) % len(peers)])
        self._to_everybody(elsewhere)

    def leave_to_the_broker(self) -> None:
        """Expect nobody to hear what only a host says, and say only some of it."""
        theirs = [heard for heard in self.said if only_a_host_says(heard[0])]
        self.said = [heard for heard in self.said if heard not in theirs] + theirs[::12]
        del self.due["host"]["overwritten"]
        for who in self.due.keys() - {"host"}:
            self.due[who].clear()

    def _up(self, peer: str, payload: bytes, why: str) -> None:
        self.said.append((up_topic(self._here, peer), payload))
        self.due["host"][why] += 1

    def _down(self, peer: str, payload: bytes, why: str) -> None:
        self.said.append((down_topic(self._here, peer), payload))
        self.due[peer][why] += 1

    def _heard_up(self, keys: SeatKeys) -> list[bytes]:
        return self._seen.under(up_topic(self._here, keys.peer_id))

    def _heard_down(self, keys: SeatKeys) -> list[bytes]:
        return self._seen.under(down_topic(self._here, keys.peer_id))

    def _said_again(self, keys: SeatKeys) -> None:
        """Say everything again: within the connection, from earlier ones and earlier hosts."""
        opener = HostSeal(self._table.keys, keys.public, Counters())
        for payload in self._heard_up(keys):
            letter = opener.open(payload)
            self._up(keys.peer_id, payload, "stale")
            self.answered += letter is not None and isinstance(letter.body, m.Hello)
        for payload in self._heard_down(keys):
            self._down(keys.peer_id, payload, "stale")

    def _reflected(self, keys: SeatKeys) -> None:
        """Send everybody their own words, as if the other side had said them."""
        for payload in self._heard_up(keys)[-NEWEST:]:
            self._down(keys.peer_id, payload, "unreadable")
            self._down(keys.peer_id, payload[32:], "invalid")
        for payload in self._heard_down(keys)[-NEWEST:]:
            self._up(keys.peer_id, payload, "misdirected")
            self._up(keys.peer_id, keys.public + payload, "invalid")

    def _swapped(self, ours: SeatKeys, theirs: SeatKeys) -> None:
        """Put somebody's letters into somebody else's envelope."""
        for payload in self._heard_up(ours)[-NEWEST:]:
            self._up(theirs.peer_id, payload, "misdirected")
            self._up(theirs.peer_id, theirs.public + payload[32:], "unreadable")
        for payload in self._heard_down(ours)[-NEWEST:]:
            self._down(theirs.peer_id, payload, "unreadable")

    def _from_elsewhere(self, keys: SeatKeys, elsewhere: Any) -> None:
        """Say here what the same players, with the same keys, said at another table."""
        there = elsewhere.keys.table_id
        for payload in self._seen.under(up_topic(there, keys.peer_id))[:NEWEST]:
            self._up(keys.peer_id, payload, "unreadable")
        for payload in self._seen.under(down_topic(there, keys.peer_id))[:NEWEST]:
            self._down(keys.peer_id, payload, "unreadable")

    def _by_a_stranger(self, keys: SeatKeys) -> None:
        """Say every kind of thing under somebody's name, with keys of one's own."""
        stranger, host = SeatKeys.new(), HostKeys.new()
        seal = PeerSeal(stranger, self._table.keys.public, Counters())
        for body in UP:
            letter = self._letter(keys, body)
            self._up(keys.peer_id, seal.seal(letter), "misdirected")
            self._up(keys.peer_id, keys.public + seal.seal(letter)[32:], "unreadable")
            self._up(stranger.peer_id, seal.seal(letter), "misdirected")
            if not isinstance(body, m.Hello):
                self._up(stranger.peer_id, seal.seal(self._letter(stranger, body)), "unknown")
        theirs = HostSeal(host, keys.public, Counters())
        for body in DOWN:
            down = m.DownLetter(**self._envelope(keys), body=body)
            self._down(keys.peer_id, theirs.seal(down), "unreadable")

    def _damaged(self, keys: SeatKeys) -> None:
        for payload in self._heard_up(keys)[-2:]:
            self._up(keys.peer_id, _flipped(payload, 40), "unreadable")
            self._up(keys.peer_id, _flipped(payload, 4), "misdirected")
        for payload in self._heard_down(keys)[-2:]:
            self._down(keys.peer_id, _flipped(payload, 40), "unreadable")
        for garbage in (b"", b"x", bytes(700)):
            self._up(keys.peer_id, garbage, "misdirected")
            self._down(keys.peer_id, garbage, "unreadable")

    def _to_everybody(self, elsewhere: Any) -> None:
        """Say what only a host says to all, for this table and for another under its topic."""
        here, there = self._here, elsewhere.keys.table_id
        weak = bytes(32)
        self._up(short_id(weak), weak + bytes(600), "unreadable")
        ads, views = self._seen.under(table_topic(here)), self._seen.under(public_topic(here))
        ads = [ad for ad in ads if ad]
        forger = HostKeys.new()
        for host in (forger.public, self._table.keys.public):
            ad = msgspec.structs.replace(_public(ads[-1]).body, host=host, title="Come here")
            self._table_says(sign(forger, self._public(ad)), "signature")
        self._table_says(ads[-1].replace(b"Cellar", b"Garret"), "signature")
        for payload in views[-2:]:
            self._table_says(payload, "signature")
        for payload in [ad for ad in self._seen.under(table_topic(there)) if ad][-2:]:
            self._table_says(payload, "misdirected")
        self._table_says(b"noise", "invalid")
        for payload in ads[:-1]:  # true once, and perhaps of an earlier start
            ours = _public(payload).epoch == self._table.host.door.epoch
            self._table_says(payload, None if ours else "stale")
        for payload in views:
            self._public_says(payload, "stale")
        for payload in ads[-2:]:
            self._public_says(payload, "misdirected")
        for payload in self._seen.under(public_topic(there))[-2:]:
            self._public_says(payload, "misdirected")
        view = _public(views[-1]).body
        self._public_says(sign(forger, self._public(view)), "signature")

    def _table_says(self, payload: bytes, why: str | None) -> None:
        self.said.append((table_topic(self._here), payload))
        self.due["host"]["overwritten"] += 1
        for who in self.due.keys() - {"host"} if why is not None else ():
            self.due[who][str(why)] += 1

    def _public_says(self, payload: bytes, why: str) -> None:
        self.said.append((public_topic(self._here), payload))
        for who in self._watching:
            self.due[who][why] += 1

    def _public(self, body: m.TableAd | m.ViewMsg) -> m.PublicLetter:
        return m.PublicLetter(self._here, "", self._table.host.door.epoch, "", 10**9, body=body)

    def _letter(self, keys: SeatKeys, body: Any) -> m.UpLetter:
        return m.UpLetter(**self._envelope(keys), body=body)

    def _envelope(self, keys: SeatKeys) -> dict[str, Any]:
        epoch = self._table.host.door.epoch
        return {
            "table": self._here,
            "peer": keys.peer_id,
            "epoch": epoch,
            "session": "s",
            "counter": 10**9,
        }


UP: tuple[Any, ...] = (
    m.Hello(1, "0", "Ada", take_over=True),
    m.PinStart(b"half"),
    m.PinProof(b"proof"),
    m.Ready("guessed"),
    m.Act("forged", 1, 1, msgspec.Raw(b'{"do":"play","cards":[10]}')),
    m.OrderMsg("forged", orders.EndTable()),
    m.Say("forged", "I am Ada"),
    m.Sync(),
    m.Beat(10**9),
    m.Leave(),
)
DOWN: tuple[Any, ...] = (
    m.PinWanted(),
    m.PinReply(b"half"),
    m.Welcome("nonce", 1, "0"),
    m.Refusal("removed"),
    m.Beat(10**9),
    m.Bye("closed"),
)


def _public(payload: bytes) -> m.PublicLetter:
    return msgspec.json.decode(payload[64:], type=m.PublicLetter)


def _flipped(payload: bytes, place: int) -> bytes:
    return payload[:place] + bytes([payload[place] ^ 1]) + payload[place + 1 :]


def state(table: Any) -> Any:
    """Everything that a forger would like to change."""
    hosted = table.table
    lobby = hosted.lobby
    return (
        hosted.phase,
        hosted.title,
        hosted.paused,
        hosted.games_played,
        [(s.name, s.kind, s.peer, s.here, s.stand_in) for s in lobby.seats],
        lobby.owner and lobby.owner.name,
        lobby.players,
        dict(lobby.options),
        hosted.chat.lines,
        hosted.notices.newest,
        table.host.pin.pin,
        set(table.host.reception.spectators),
        [list(journal.lines) for journal in table.dealer.journals],
    )


def story(guest: Any) -> list[Any]:
    """Everything that somebody was told; one view may come to a spectator twice."""
    told: list[Any] = []
    for update in guest.updates:
        last = told[-1] if told else None
        twice = isinstance(update, Seen) and isinstance(last, Seen) and update.rev == last.rev
        if not twice:
            told.append(update)
    return told


async def settled(table: Any, guests: list[Any], eventually: Eventually) -> None:
    """Wait until everybody has been shown everything."""
    door, out = table.host.door, table.host.out

    def newest(guest: Any) -> bool:
        peer = door.peers.get(guest.keys.peer_id)
        if peer is None or peer.live is None or guest.client._connection.live is None:
            return False
        watches = table.host.reception.watches(peer)
        rev = out._public.rev if watches else peer.live.shown.rev
        same = peer.live.name == guest.client._connection.live.name
        return same and guest.client._connection.knocking is None and guest.seen.rev == rev

    def quiet() -> bool:
        return out._changes == table.table.changes and not out._unshown

    await eventually(lambda: quiet() and all(newest(guest) for guest in guests))


async def restart(table: Any, line: Any) -> None:
    """Start the table's host again, as after a crash: another epoch, the same keys and seats."""
    table.running.cancel()
    await asyncio.gather(table.running, return_exceptions=True)
    for seat in table.table.lobby.seats:
        seat.here = seat.peer is None
    table.table.people.restarted()
    table.table.starts += 1
    table.host = Host(table.table, table.keys, line, now=table.now)
    table.running = asyncio.create_task(table.host.run())


class Scene:
    """Two players and a spectator at a table, and a forger beside it."""

    def __init__(self, table: Any, elsewhere: Any, forger: Forger, eventually: Eventually) -> None:
        self.table = table
        self.elsewhere = elsewhere
        self.forger = forger
        self.guests: list[Any] = []
        self.only_a_host_may = False
        """Whether the broker itself passes on what only a host says from the host alone."""
        self._eventually = eventually

    def host_line(self) -> Any:
        """Return the line of a host that starts again."""
        broker = self.table.broker
        return getattr(broker, "host_line", None) or broker.connect()

    async def is_unmoved(self) -> Counter[str]:
        """Let the forger do all it can; return what the host dropped of it."""
        table, guests = self.table, self.guests
        await settled(table, guests, self._eventually)
        forged = Forgeries(table, guests, self.forger, self.elsewhere)
        before, shown = state(table), [story(guest) for guest in guests]
        dropped = {g.keys.peer_id: (g.client.dropped, +g.client.dropped) for g in guests}
        if self.only_a_host_may:
            forged.leave_to_the_broker()
        dropped["host"] = (table.host.door.dropped, +table.host.door.dropped)
        for topic, payload in forged.said:
            await self.forger.say(topic, payload)
        least = {who: +due for who, due in forged.due.items()}
        least["host"]["stale"] -= forged.answered

        def came(who: str) -> Counter[str]:
            now, then = dropped[who]
            return Counter(now) - then

        await self._eventually(lambda: all(due <= came(who) for who, due in least.items()), 30)
        await self._eventually(lambda: not len(table.host._intake))
        for who, due in forged.due.items():
            due["stale"] = came(who)["stale"]  # between what was replayed and what was answered
            assert came(who) == +due, who
            assert due["stale"] - least[who]["stale"] <= forged.answered
        assert state(table) == before
        assert [story(guest) for guest in guests] == shown
        return came("host")


async def test_nothing_forged_changes_anything_at_any_moment(
    party: Any, real_broker: Any, listens: Any, eventually: Eventually
) -> None:
    """Actions, replays, reflections, others' envelopes, views, goodbyes: all are dropped."""
    ears = await listens(Forger(await real_broker.line()))
    table = party(players=2, broker=real_broker, host_line=real_broker.host_line)
    other = party(players=2)
    scene = Scene(table, other, ears, eventually)
    scene.only_a_host_may = real_broker.name == "embedded"
    elsewhere = await listens(Forger(other.broker.connect()))
    ada, bob, eve = [await table.seat(name) for name in ("Ada", "Bob", None)]
    for guest, name in ((ada, "Ada"), (bob, "Bob"), (eve, None)):
        await other.seat(name, guest.keys)
    scene.guests = [ada, bob, eve]
    await eventually(lambda: len(elsewhere.heard) > 20)
    ears.heard += elsewhere.heard
    # In the lobby
    await scene.is_unmoved()
    # While the game waits for somebody, and with an action in the middle of it
    ada.client.order(orders.Start())
    await ada.sees(lambda s: s.game is not None)
    await scene.is_unmoved()
    first = ada if ada.seen.game.offers else bob
    await first.play(steps=1)
    await scene.is_unmoved()
    # After somebody has come back, whose older terminal heard a goodbye
    again = table.guest("Bob", bob.keys, take_over=True)
    assert await bob.end() == "taken_over"
    await again.until(lambda: bool(again.views))
    scene.guests[1] = bob = again
    await scene.is_unmoved()
    # After the host has come back, and knows nobody's session any more
    await restart(table, scene.host_line())
    await scene.is_unmoved()
    # After the game, and in the lobby after it
    await asyncio.gather(ada.play(), bob.play())
    await scene.is_unmoved()
    assert await ada.answered(ada.client.order(orders.Rematch())) is None
    assert await ada.answered(ada.client.order(orders.Start())) is None
    dropped = await scene.is_unmoved()
    reasons = {"stale", "unknown", "misdirected", "unreadable", "invalid"}
    assert dropped.keys() - {"overwritten"} == reasons
    assert ("overwritten" in dropped) != scene.only_a_host_may
    await asyncio.gather(ada.play(), bob.play())
    for guest in scene.guests:
        await guest.sees(lambda s: s.room.phase == "over" and s.room.games_played == 2)
        whole = table.table.game._game.shown(guest.seen.room.you, -1)
        assert guest.events[-len(whole) :] == whole
    # While it closes
    table.host.stop("ended")
    for topic, payload in Forgeries(table, scene.guests, ears, other).said:
        await ears.say(topic, payload)
    assert [await guest.end() for guest in scene.guests] == ["closed"] * 3
    await table.running


# Two hosts of one table


def twin(party: Any, table: Any, *, starts: int) -> Any:
    """Return a party whose host has a copy of that table's keys and seats, started later."""
    copy = party(players=2, keys=table.keys, broker=table.broker)
    copy.running.cancel()
    copy.table.starts = starts
    copy.table.lobby.seats = [replace(seat, here=False) for seat in table.table.lobby.seats]
    line = copy.broker.connect()
    copy.host = Host(copy.table, copy.keys, line, now=copy.now)
    copy.running = asyncio.create_task(copy.host.run())
    return copy


async def test_of_two_hosts_with_the_same_keys_the_later_has_the_table(
    party: Any, eventually: Eventually
) -> None:
    """The earlier one stops without a goodbye, and its people go on at the other."""
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    kept: list[int] = []
    table.host._keep = lambda host: kept.append(host.table.starts)
    said_last: list[str] = []
    publish = table.host._transport.publish

    async def noted(topic: str, payload: bytes, *, retain: bool = False) -> None:
        if table.table.phase == "closed":
            said_last.append(topic)
        await publish(topic, payload, retain=retain)

    table.host._transport.publish = noted
    copy = twin(party, table, starts=2)
    await eventually(table.running.done)
    assert not said_last, "a goodbye would send its people home"
    assert table.table.closed_why == "elsewhere"
    assert table.table.phase_to_keep == "lobby", "it can be resumed"
    assert kept[-1] == 2, "and is later than the other by then"
    for guest in ada, bob:
        assert await guest.answered(guest.client.say("still here")) is None
        assert guest.ended is None
    assert [line.text for line in copy.table.chat.lines] == ["still here"] * 2
    assert not copy.running.done()
    newcomer = await copy.seat(None)
    assert newcomer.seen.room.spectators == 1


class Deaf:
    """A line of a host whose broker lets it hear nothing that is said to peers."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def subscribe(self, topic: str) -> None:
        if topic.endswith("/down"):
            raise Refused("not_allowed", topic=topic)
        await self._inner.subscribe(topic)


async def test_a_host_that_may_not_ask_goes_on(party: Any, eventually: Eventually) -> None:
    """A broker may let a host hear no more than it must."""
    broker = MemoryBroker()
    table = party(players=2, broker=broker, host_line=Deaf(broker.connect()))
    assert not await is_open_elsewhere(table.keys, table.host._transport)
    later = twin(party, table, starts=2)
    await eventually(lambda: table.host._elsewhere._not_before > 0)
    assert not table.host._elsewhere.asking
    assert not table.running.done()
    assert not later.running.done()


async def test_an_earlier_host_that_comes_back_gives_way(party: Any, eventually: Any) -> None:
    """It was cut off while the table was started again elsewhere."""
    table = party(players=2)
    ada = await table.seat("Ada")
    copy = twin(party, table, starts=2)
    await eventually(table.running.done)
    back = twin(party, copy, starts=1)
    await eventually(back.running.done)
    assert back.table.closed_why == "elsewhere"
    assert await ada.answered(ada.client.say("still here")) is None
    assert not copy.running.done()


async def test_no_recording_of_a_later_host_stops_this_one(
    party: Any, listens: Any, eventually: Any
) -> None:
    """Only an answer does, in a session that nobody can have recorded."""
    table = party(players=2)
    ears = await listens(Forger(table.broker.connect()))
    copy = twin(party, table, starts=2)
    ada = await copy.seat("Ada")
    await eventually(table.running.done)
    await ada.drop()
    copy.running.cancel()
    recorded = list(ears.heard)
    again = twin(party, table, starts=1)
    eve = await again.seat(None)
    asked = again.host._elsewhere._knock
    assert asked._said == KNOCKS, "what the later host left at the broker made it ask"
    await settled(again, [eve], eventually)
    before, shown, dropped = state(again), story(eve), again.host.dropped["overwritten"]
    for topic, payload in recorded:
        await ears.say(topic, payload, retain=topic == table_topic(table.keys.table_id))
    await eventually(lambda: again.host.dropped["overwritten"] > dropped)
    assert await eve.answered(eve.client.order(orders.Start())) == "not_owner"
    assert asked._said == KNOCKS, "recordings don't make it ask without end"
    assert state(again) == before
    assert [u for u in story(eve) if isinstance(u, Line | Ended)] == [
        u for u in shown if isinstance(u, Line | Ended)
    ]
    words = len([u for u in story(eve) if isinstance(u, Words)])
    assert words <= 2, "she looks once whether it is back"


# At every moment of whole games


class Mirror(Forger):
    """Says everything again at once: to the same ear, to its sender, and to somebody else."""

    def __init__(self, line: Any) -> None:
        super().__init__(line)
        self.keys: dict[str, bytes] = {}

    async def answer(self, topic: str, payload: bytes) -> None:
        await self.say(topic, payload)
        match topic.split("/"):
            case [*place, peer, "up"]:
                self.keys[peer] = payload[:32]
                await self.say("/".join((*place, peer, "down")), payload[32:])
                for other in [other for other in self.keys if other != peer][:1]:
                    forged = self.keys[other] + payload[32:]
                    await self.say("/".join((*place, other, "up")), forged)
            case [*place, peer, "down"] if peer in self.keys:
                await self.say("/".join((*place, peer, "up")), self.keys[peer] + payload)
                for other in [other for other in self.keys if other != peer][:1]:
                    await self.say("/".join((*place, other, "down")), payload)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_whole_games_are_played_though_all_is_said_again_at_once(
    party: Any, listens: Any, eventually: Eventually, game: str
) -> None:
    """Also while people come in, while the host starts again in the middle, and while it closes."""
    broker = MemoryBroker()
    echo = await listens(Mirror(broker.connect()))
    table = party(GAMES[game], broker=broker, players=3, start_when_full=True)
    watching = await table.seat(None)
    bots = [table.guest_bot(name, "easy") for name in ("Ada", "Ben", "Cyd")]
    await eventually(lambda: table.table.game is not None and table.table.game.actions >= 10)
    counted = Counter(table.host.dropped)
    await restart(table, broker.connect())
    for topic, payload in echo.heard[:]:
        await echo.say(topic, payload)
        await asyncio.sleep(0)  # a share of the intake is for each
    await table.over(60)
    await watching.sees(lambda seen: seen.game is not None and seen.game.over)
    assert watching.ended is None
    whole = table.table.game._game.shown(None, -1)
    assert watching.events == whole
    assert table.journal.result is not None
    assert {by for *_, by in table.journal.lines} == {"seat"}
    aids = [aid for _, _, aid, _ in table.journal.lines]
    assert len(aids) == len(set(aids))
    table.host.stop("ended")
    assert {end.code for end in await asyncio.gather(*bots)} == {"closed"}
    counted += Counter(table.host.dropped)
    assert counted.keys() >= {"stale", "unreadable", "invalid", "overwritten"}
    assert counted.keys().isdisjoint({"misdirected", "signature", "too_large"}), "nobody said such"
    assert counted.total() > len(table.journal.lines)


# At the moment somebody comes


class Interrupted:
    """A line on which something comes right behind the first letter that arrives."""

    def __init__(self, inner: Any, first: str, then: Heard) -> None:
        self._inner = inner
        self._first = first
        self._then: Heard | None = then
        self._next: Heard | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def receive(self) -> Heard:
        if self._next is not None:
            heard, self._next = self._next, None
            return heard
        heard = await self._inner.receive()
        if heard[0].endswith(self._first) and self._then is not None:
            self._next, self._then = self._then, None
        return heard


async def test_nobody_is_brought_back_by_what_they_said_before(
    party: Any, listens: Any, eventually: Eventually
) -> None:
    """Everything that somebody said, again, after they have gone: a hello is answered, no more."""
    table = party(players=2, speed=20)
    ears = await listens(Forger(table.broker.connect()))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await bob.drop()
    await ada.sees(lambda s: not s.room.seats[1].here)
    bob = await table.seat("Bob", bob.keys)  # so that his first session counts no more
    await ada.sees(lambda s: s.room.seats[1].here)
    await bob.drop()
    await ada.sees(lambda s: not s.room.seats[1].here)
    before, dropped = state(table), table.host.door.dropped["stale"]
    said = ears.under(up_topic(table.keys.table_id, bob.keys.peer_id))
    for payload in [*said, *said]:
        await ears.say(up_topic(table.keys.table_id, bob.keys.peer_id), payload)
    await eventually(lambda: table.host.door.dropped["stale"] >= dropped + 2 * len(said) - 2)
    assert state(table) == before
    back = await table.seat("Bob", bob.keys)
    assert back.seen.room.you == 1


async def test_a_spectator_who_comes_in_is_shown_nothing_older_first(
    party: Any, listens: Any
) -> None:
    """What the host said to all before may be said again right behind the welcome."""
    table = party(players=2)
    ears = await listens(Forger(table.broker.connect()))
    ada, _bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    lobby, *_, dealt = ears.under(public_topic(table.keys.table_id))
    assert await ada.answered(ada.client.say("one more")) is None
    for old in lobby, dealt:
        late = public_topic(table.keys.table_id), old
        eve = await table.seat(None, line=lambda inner, late=late: Interrupted(inner, "down", late))
        first = eve.views[0].room
        assert (first.phase, len(first.chat)) == ("playing", 1)
        assert eve.client.dropped["stale"] >= 1


# Somebody at the table


async def test_a_seat_acts_and_is_answered_for_itself_alone(party: Any, play: Any) -> None:
    """Whatever it asks for under the name of what another seat asks for."""
    table = party(players=2)
    ada, mallory = await table.seat("Ada"), await table.seat("Mallory")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await mallory.sees(lambda s: s.game is not None)
    first, other = (ada, mallory) if ada.seen.game.offers else (mallory, ada)
    card = int(first.seen.game.offers[0].cards[0])
    ours, theirs = first.client.asking, other.client.asking
    theirs._prefix, theirs._aids = ours._prefix, ours._aids
    taken = other.client.act(play(card))
    assert await other.answered(taken) == "not_your_turn"
    assert not table.journal.lines
    aid = first.client.act(play(card))
    assert aid == taken
    assert await first.answered(aid) is None
    assert [(seat, done) for seat, _, done, _ in table.journal.lines] == [
        (first.seen.room.you, aid)
    ]
    theirs._prefix, theirs._aids = "theirs", 0
    ours._prefix, ours._aids = "theirs", 0
    await other.sees(lambda s: bool(s.game.offers))
    mine = int(other.seen.game.offers[0].cards[0])
    assert other.client.act(play(mine)) == "theirs-1"
    assert await other.answered("theirs-1") is None
    await first.sees(lambda s: bool(s.game.offers))
    assert first.client.act(play(mine)) == "theirs-1"
    assert await first.answered("theirs-1") == "not_in_hand"
    assert len(table.journal.lines) == 2


def test_a_host_takes_no_answer_of_its_own_for_anothers() -> None:
    """Nor what others say, nor its own knock."""
    keys = HostKeys.new()
    ours, theirs = (Door(keys, lambda: 0.0, lambda _: False) for _ in range(2))
    knock = Knock(keys, ours.epoch)
    hello = knock.hello()
    answers = {}
    for door in ours, theirs:
        come = door.open(knock.says_at, hello)
        assert come is not None
        answers[door.epoch] = door.letter(come.peer, come.session, m.Welcome("n", 1, "0"))
    assert knock.is_answer(answers[theirs.epoch])
    assert not knock.is_answer(answers[ours.epoch])
    assert not Knock(keys, ours.epoch).is_answer(answers[theirs.epoch])
    assert not knock.is_answer(hello)
    assert not knock.is_answer(hello[32:])


# What is left behind at a broker


NONSENSE = bytes(64) + b'{"way":"public","body":{"protocol":7}}'
"""What looks like the word of a table of another version, which nobody can check."""


async def leaves_a_will(address: Any, topic: str, payload: bytes, name: str = "") -> bool:
    """Connect with a retained will and be gone; say whether the broker let us in.

    `name` is somebody else's client id, perhaps: whose connection ends then.
    """
    body = b"\x00\x04MQTT\x04\x26\x00\x05"  # clean session, a will that is kept
    for part in ((name or token()).encode(), topic.encode(), payload):
        body += len(part).to_bytes(2, "big") + part
    size, rest = b"", len(body)
    while rest or not size:
        rest, low = divmod(rest, 128)
        size += bytes([low | (0x80 if rest else 0)])
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(b"\x10" + size + body)
    let_in = await reader.read(4) == b"\x20\x02\x00\x00"
    writer.transport.abort()
    return let_in


async def test_what_a_forger_leaves_at_the_broker_keeps_no_newcomer_out(
    party: Any, real_broker: Any, listens: Any, eventually: Eventually
) -> None:
    """Retained garbage and wills on every topic, again and again, while somebody joins."""
    table = party(players=2, broker=real_broker, host_line=real_broker.host_line)
    ears = await listens(Forger(await real_broker.line()))
    ada = await table.seat("Ada")
    here, theirs = table.keys.table_id, ada.keys.peer_id
    await eventually(lambda: bool(ears.under(up_topic(here, theirs))))
    left = {
        table_topic(here): NONSENSE,
        public_topic(here): NONSENSE,
        up_topic(here, theirs): ears.under(up_topic(here, theirs))[0],
        down_topic(here, theirs): NONSENSE,
        up_topic(here, "nobody"): NONSENSE,
    }
    before, shown = state(table), story(ada)
    for topic, payload in left.items():
        let_in = await leaves_a_will(real_broker.address, topic, payload)
        assert let_in or (real_broker.name == "embedded" and only_a_host_says(topic))
    await eventually(lambda: table.host.door.dropped["misdirected"] >= 1)

    async def again_and_again() -> None:
        while True:
            for topic, payload in left.items():
                await ears.say(topic, payload, retain=True)
            await asyncio.sleep(0.05)

    leaving = asyncio.create_task(again_and_again())
    for wanted in (here, None):
        line, ad = await join(real_broker.address, wanted)
        await line.close()
        assert ad.host.table_id == here
    assert state(table) == before
    assert story(ada) == shown
    bob = await table.seat("Bob")
    await restart(table, real_broker.host_line)
    for guest in ada, bob:
        assert await guest.answered(guest.client.say("still here")) is None
    leaving.cancel()
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await asyncio.gather(ada.play(), bob.play())
    if real_broker.name == "mosquitto":
        assert ada.client.dropped["unreadable"]
        assert table.host.dropped["overwritten"]


async def test_whoever_learns_a_client_id_cuts_that_line_once(
    party: Any, real_broker: Any, eventually: Eventually
) -> None:
    """At the embedded broker not even that, if it is the host's. Nobody tells theirs to others."""
    table = party(players=2, broker=real_broker, host_line=real_broker.host_line)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    for line in (real_broker.host_line, ada.client._transport):
        had = line._client.identifier
        let_in = await leaves_a_will(real_broker.address, "gone", b"x", had)
        kept = real_broker.name == "embedded" and line is real_broker.host_line
        assert let_in != kept
        if not kept:
            await eventually(lambda line=line, had=had: line.up and line._client.identifier != had)
    await asyncio.gather(ada.play(), bob.play())
    assert {by for *_, by in table.journal.lines} == {"seat"}
    assert (ada.ended, bob.ended) == (None, None)


async def test_a_copy_of_an_open_table_is_refused_and_what_was_dropped_is_said(
    start: Any, mosquitto: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real thing: a table process at a mosquitto, resumed from a copy of its files."""
    broker = f"mqtt://{mosquitto.address}"
    table = await start(players=3, broker=broker)
    here = (await table.line("ready"))["table"]
    line, _ = await join(mosquitto.address, here)
    guest = SeatClient(line, here, keys=SeatKeys.new(), name="Ada")
    running = asyncio.create_task(guest.run())
    await table.line("joined")
    home = tmp_path / "copy"
    half_written = shutil.ignore_patterns(".table.json.*")
    shutil.copytree(tmp_path / "tables", home / "tables", ignore=half_written)
    monkeypatch.setenv("PRRRT_HOME", str(home))
    copy = await start(resume=here, broker=broker)
    failed = await copy.line("failed")
    assert (failed["code"], failed["facts"]["port"]) == ("open_elsewhere", mosquitto.address.port)
    assert await copy.end() == 1
    forger = await MqttTransport.open(mosquitto.address)
    for _ in range(9):
        await forger.publish(up_topic(here, "nobody"), b"noise")
    await forger.publish(table_topic(here), b"noise")
    told = guest.say("still here")
    async with asyncio.timeout(10):
        async for update in guest.updates():
            if isinstance(update, Answered) and update.aid == told:
                break
    await forger.close()
    table.process.terminate()
    stopped = await table.line("stopped")
    assert (stopped["why"], stopped["dropped"]) == ("signal", {"misdirected": 9, "overwritten": 1})
    await running
    assert await table.end() == 0
    monkeypatch.setenv("PRRRT_HOME", str(home))
    again = await start(resume=here, broker=broker)  # nobody holds it any more
    assert (await again.line("ready"))["table"] == here
