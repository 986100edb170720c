"""What somebody learns, and can do, who reads and writes every topic of the broker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import msgspec
from ears import Ears

from net import orders
from net.keys import HostKeys, SeatKeys
from net.messages import Act, Hello, Leave, PublicLetter, Ready, TableAd, UpLetter
from net.seal import Counters, PeerSeal, sign
from net.topics import down_topic, public_topic, table_topic, up_topic
from net.updates import Words

Eventually = Callable[..., Awaitable[None]]


async def test_everything_said_again_is_dropped(
    party: Any, listens: Any, eventually: Eventually
) -> None:
    table = party(players=2)
    ears = await listens(Ears(table.broker.connect()))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await asyncio.gather(ada.play(), bob.play())
    await ada.sees(lambda s: s.room.phase == "over")
    lines, room = list(table.journal.lines), ada.seen.room
    said = ears.of("/up")
    hellos = 2
    for topic, payload in said:
        await ears.line.publish(topic, payload)
    dropped = table.host.door.dropped
    await eventually(lambda: dropped["stale"] >= len(said) - hellos)
    assert table.journal.lines == lines
    assert table.table.lobby.seats[0].here
    assert ada.ended is None
    heard = ears.of("/down") + ears.of("/table")
    for topic, payload in heard:
        await ears.line.publish(topic, payload)
    ours = len([1 for topic, _ in heard if ada.keys.peer_id in topic])
    await eventually(lambda: ada.client.dropped["stale"] >= ours)
    assert ada.seen.room.seats == room.seats
    assert ada.ended is None


async def test_reflections_and_swaps_are_dropped(
    party: Any, listens: Any, eventually: Eventually
) -> None:
    table = party(players=2)
    ears = await listens(Ears(table.broker.connect()))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ours, theirs = ada.keys.peer_id, bob.keys.peer_id
    here = table.keys.table_id
    for topic, payload in ears.of("/up"):
        peer = ours if ours in topic else theirs
        await ears.line.publish(down_topic(here, peer), payload)  # one's own word comes back
        await ears.line.publish(down_topic(here, peer), payload[32:])
        await ears.line.publish(up_topic(here, theirs if peer == ours else ours), payload)
    for topic, payload in ears.of("/down"):
        peer, key = (ours, ada.keys) if ours in topic else (theirs, bob.keys)
        await ears.line.publish(up_topic(here, peer), key.public + payload)
    await eventually(lambda: table.host.door.dropped["misdirected"] >= 2)
    await eventually(lambda: table.host.door.dropped["invalid"] >= 2)
    await eventually(lambda: ada.client.dropped["invalid"] >= 1)
    assert ada.ended is None
    assert bob.ended is None
    assert await ada.answered(ada.client.say("still here")) is None


async def test_a_stranger_acts_for_nobody(party: Any, eventually: Eventually) -> None:
    table = party(players=2)
    ada, _bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await ada.sees(lambda s: s.game is not None)
    stranger = SeatKeys.new()
    line = table.broker.connect()
    seal = PeerSeal(stranger, table.keys.public, Counters())
    peer = ada.keys.peer_id
    act = Act("a", 1, 0, msgspec.Raw(b'{"do":"play","cards":[10]}'))

    def letter(body: Any, peer: str, counter: int) -> UpLetter:
        return UpLetter(
            table=table.keys.table_id,
            peer=peer,
            epoch=table.host.door.epoch,
            session="s",
            counter=counter,
            body=body,
        )

    await line.publish(up_topic(table.keys.table_id, peer), seal.seal(letter(act, peer, 1)))
    await eventually(lambda: table.host.door.dropped["misdirected"] == 1)
    own = stranger.peer_id
    await line.publish(up_topic(table.keys.table_id, own), seal.seal(letter(act, own, 1)))
    await eventually(lambda: table.host.door.dropped["unknown"] == 1)
    hello = Hello(1, "0", None)
    for counter, body in enumerate((hello, act, Ready("guessed"), act, Leave()), 1):
        payload = seal.seal(letter(body, own, counter))
        await line.publish(up_topic(table.keys.table_id, own), payload)
    assert await ada.answered(ada.client.say("quiet")) is None
    assert not table.journal.lines
    assert ada.seen.room.spectators == 0


async def test_garbage_on_every_topic_is_counted(party: Any, eventually: Eventually) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    eve = await table.seat(None)
    line = table.broker.connect()
    here, rng = table.keys.table_id, Random(5)
    topics = [
        up_topic(here, ada.keys.peer_id),
        up_topic(here, "x"),
        down_topic(here, ada.keys.peer_id),
        table_topic(here),
        public_topic(here),
    ]
    for size in (0, 1, 31, 32, 72, 584, 5000, 64 * 1024):
        for topic in topics:
            await line.publish(topic, rng.randbytes(size))
    await eventually(lambda: table.host.door.dropped.total() >= 2 * 8)
    await eventually(lambda: ada.client.dropped.total() >= 2 * 8 - 1)
    await eventually(lambda: eve.client.dropped.total() >= 2 * 8 - 1)
    assert await ada.answered(ada.client.say("still here")) is None
    await eve.sees(lambda s: len(s.room.chat) == 1)


async def test_a_forged_table_changes_nobodys_mind(party: Any, eventually: Eventually) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    forger = HostKeys.new()
    line = table.broker.connect()
    body = TableAd("Mine", "achoo", 1, 1, "0", forger.public, "lobby", 2, 0, {})
    here = table.keys.table_id
    ad = PublicLetter(table=here, peer="", epoch="x", session="", counter=99, body=body)
    await line.publish(table_topic(here), sign(forger, ad), retain=True)
    await eventually(lambda: ada.client.dropped["signature"] == 1)
    assert await ada.answered(ada.client.say("still here")) is None
    assert ada.words == table.keys.public.words()


async def test_what_an_earlier_host_signed_makes_nobody_knock_forever(
    party: Any, listens: Any, eventually: Eventually
) -> None:
    first = party(players=2)
    ears = await listens(Ears(first.broker.connect()))
    ada = await first.seat("Ada")
    first.running.cancel()
    await asyncio.gather(first.running, return_exceptions=True)
    old_ads = ears.of("/table")
    old_views = ears.of("/public")
    again = party(players=2, keys=first.keys, broker=first.broker)
    again.table.lobby.seats = first.table.lobby.seats
    await ada.until(lambda: len([u for u in ada.updates if isinstance(u, Words)]) == 2)
    bob, eve = await again.seat("Bob"), await again.seat(None)
    for _ in range(5):
        for topic, payload in old_ads + old_views:
            await ears.line.publish(topic, payload)
        for guest in ada, bob, eve:
            assert await guest.answered(guest.client.say("still here")) is None
    knocked = [len([u for u in g.updates if isinstance(u, Words)]) for g in (ada, bob, eve)]
    assert knocked[0] == 2, "she knows that host: it is gone"
    assert max(knocked[1:]) <= 2, "they look once whether it is back"


async def test_a_spectator_who_comes_back_is_shown_nothing_older(
    party: Any, listens: Any, eventually: Eventually
) -> None:
    table = party(players=2)
    ears = await listens(Ears(table.broker.connect()))
    ada, eve = await table.seat("Ada"), await table.seat(None)
    assert await ada.answered(ada.client.say("one")) is None
    await eve.sees(lambda s: len(s.room.chat) == 1)
    client = eve.client
    session = client._connection.live
    client._connection.knocking = client._knock()
    await eve.until(lambda: client._connection.live is not session)
    before, said = client.dropped["stale"], ears.of("/public")
    for topic, payload in said:
        await ears.line.publish(topic, payload)
    await eventually(lambda: client.dropped["stale"] >= before + len(said))


async def test_a_forged_public_view_is_not_shown(party: Any, eventually: Eventually) -> None:
    table = party(players=2)
    ada, eve = await table.seat("Ada"), await table.seat(None)
    forger = HostKeys.new()
    views = len(eve.views)
    letter = PublicLetter(
        table=table.keys.table_id,
        peer="",
        epoch=table.host.door.epoch,
        session="",
        counter=10_000,
        body=_view_of(ada),
    )
    line = table.broker.connect()
    await line.publish(public_topic(table.keys.table_id), sign(forger, letter))
    await eventually(lambda: eve.client.dropped["signature"] == 1)
    assert len(eve.views) == views


def _view_of(guest: Any) -> Any:
    from net.messages import ViewMsg

    return ViewMsg(rev=1000, n=-1, question=-1, room=guest.seen.room)
