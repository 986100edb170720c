"""Many at once: strangers at the door, letters in a burst, words over the table's own."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle, pairwise
from typing import Any

import pytest
from rogue import strangers_hello

from net.ad_watch import LONGEST_UNHEARD, REPAIR_EVERY, UNHEARD, AdWatch
from net.door import STRANGERS
from net.host import STRANGERS_LETTERS
from net.intake import Intake
from net.messages import Beat, Bye, TableAd, ViewMsg, Welcome
from net.outgoing import AT_THE_DOOR, WATCHERS_VIEWS
from net.seal import Counters, verify_public
from net.topics import table_topic, up_topic

Eventually = Callable[..., Awaitable[None]]


async def test_a_crowd_at_the_door_holds_no_seat_up(party: Any) -> None:
    table = party(players=3)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    line, crowd = (
        table.broker.connect(),
        cycle([strangers_hello(table) for _ in range(2 * STRANGERS)]),
    )
    held = []

    async def flood() -> None:
        while True:
            for _ in range(200):
                await line.publish(*next(crowd))
            out, intake = table.host.out, table.host._intake
            held.append(len(intake) + len(out._at_the_door) + len(table.host.door.peers))
            await asyncio.sleep(0)

    flooding = asyncio.create_task(flood())
    waits = []
    for n in range(6):
        began = len(held)
        assert await bob.answered(bob.client.say(f"hello {n}")) is None
        await ada.sees(lambda s, n=n: s.room.chat[-1].text == f"hello {n}")
        waits.append(len(held) - began)
    flooding.cancel()
    assert table.host._intake.lost > 500, "the crowd was larger than what anybody can answer"
    assert max(waits) < 12, "a seat's word goes first: six turns of everybody, behind a crowd 60"
    assert max(held) <= 512 + 2 * 64 + AT_THE_DOOR + STRANGERS + 2
    assert all(ada.lines), "the line stood all the time"


async def test_of_a_flood_of_strangers_no_more_is_opened_than_can_be_answered(
    party: Any, eventually: Eventually
) -> None:
    """A broker without limits brings thousands a second: dropping one costs the least."""
    table = party(players=2)
    await table.seat("Ada")
    line, intake, dropped = table.broker.connect(), table.host._intake, table.host.door.dropped
    per_second, at_once = STRANGERS_LETTERS
    began, said = time.monotonic(), 2 * int(at_once)
    for n in range(said):
        await line.publish(up_topic(table.keys.table_id, "x"), b"x" * 40)
        if n % 50 == 0:
            await asyncio.sleep(0)
    await eventually(lambda: dropped["misdirected"] + intake.lost == said)
    allowed = at_once + per_second * (time.monotonic() - began)
    assert dropped["misdirected"] <= allowed + 1
    assert intake.lost > 0


async def test_who_is_in_is_told_before_the_crowd_at_the_door(
    party: Any, eventually: Eventually, monkeypatch: Any
) -> None:
    table = party(players=3)
    ada, eve = await table.seat("Ada"), await table.seat(None)
    out, door = table.host.out, table.host.door
    strangers = []
    for _ in range(AT_THE_DOOR + 50):
        delivered = door.open(*strangers_hello(table))
        strangers.append((delivered.peer, delivered.session))
    sent: list[tuple[str, Any]] = []
    letter = door.letter
    monkeypatch.setattr(
        door, "letter", lambda p, s, body: sent.append((p.id, body)) or letter(p, s, body)
    )
    welcomes = [Welcome(str(n), 1, "0") for n in range(len(strangers))]
    for (peer, session), welcome in zip(strangers, welcomes, strict=True):
        out.post(peer, session, welcome)
    ours, watching = (door.peers[guest.keys.peer_id] for guest in (ada, eve))
    out.post(watching, watching.live, Beat(7))
    out.post(ours, ours.live, Beat(8))
    out.show(ours)

    def told() -> list[Any]:
        return [body for _, body in sent if isinstance(body, Welcome)]

    await eventually(lambda: len(told()) == AT_THE_DOOR)
    view = next(n for n, (_, body) in enumerate(sent) if isinstance(body, ViewMsg))
    beats = [sent.index((to.id, Beat(rev))) for to, rev in ((ours, 8), (watching, 7))]
    assert beats[0] < view < beats[1] < sent.index((strangers[-AT_THE_DOOR][0].id, told()[0]))
    assert told() == welcomes[-AT_THE_DOOR:]


def test_whoever_asks_for_views_without_end_waits_for_them(
    in_virtual_time: Any, monkeypatch: Any
) -> None:
    """All who watch have one pace together, and come in turn; a seat has its own."""
    seconds, shown, waits = 1.5, Counter[str](), list[float]()
    theirs: list[int] = []

    async def evening(party: Any) -> None:
        table = party(players=2)
        ada = await table.seat("Ada")
        watching = [await table.seat(None) for _ in range(5)]
        out, door, letter = table.host.out, table.host.door, table.host.door.letter
        now = asyncio.get_running_loop().time

        def noted(peer: Any, session: Any, body: Any) -> bytes:
            shown[peer.id] += isinstance(body, ViewMsg)
            return bytes(letter(peer, session, body))

        monkeypatch.setattr(door, "letter", noted)
        began = now()
        while now() - began < seconds:
            for guest in watching:
                out.show(door.peers[guest.keys.peer_id])
            if len(waits) < 10:
                asked, views = now(), shown[ada.keys.peer_id]
                out.show(door.peers[ada.keys.peer_id])
                while shown[ada.keys.peer_id] == views:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0)
                waits.append(now() - asked)
            await asyncio.sleep(0.001)
        theirs.extend(shown[guest.keys.peer_id] for guest in watching)

    in_virtual_time(evening)
    per_second, at_once = WATCHERS_VIEWS
    assert sum(theirs) <= at_once + (seconds + 0.3) * per_second
    assert min(theirs) > max(theirs) / 2, "nobody is always the last"
    assert max(waits) < 0.1


async def test_a_goodbye_is_never_lost_in_a_crowd(party: Any) -> None:
    table = party(players=3)
    eve = await table.seat(None)
    out, door = table.host.out, table.host.door
    peer = door.peers[eve.keys.peer_id]
    out.post(peer, peer.live, Bye("removed"))
    for _ in range(AT_THE_DOOR + 1):
        out.post(peer, peer.live, Welcome("n", 1, "0"))
    assert await eve.end() == "removed"


async def test_a_burst_of_letters_leaves_time_for_the_rest(party: Any, monkeypatch: Any) -> None:
    table = party(players=2)
    await table.seat("Ada")
    line, taken = table.broker.connect(), 0

    def slow(topic: str, payload: bytes) -> None:
        nonlocal taken
        taken += 1
        time.sleep(0.002)

    monkeypatch.setattr(table.host.door, "open", slow)
    for _ in range(200):
        await line.publish(up_topic(table.keys.table_id, "x"), b"")
    turns = 0
    while taken < 200:
        await asyncio.sleep(0)
        turns += 1
    assert turns > 20


def drain(intake: Intake) -> Iterator[bytes]:
    while len(intake):
        yield asyncio.run(intake.next())[1]


def test_everybody_has_a_share_of_the_intake() -> None:
    intake = Intake()
    for n in range(100):
        intake.put("mallory", ("", b"m%d" % n), 5)
    intake.put("ada", ("", b"a0"), 5)
    intake.put("ada", ("", b"a1"), 5)
    intake.put("bob", ("", b"b0"), 5)
    assert intake.lost == 95
    assert list(drain(intake)) == [b"m95", b"a0", b"b0", b"m96", b"a1", b"m97", b"m98", b"m99"]


def test_only_foreign_words_under_the_tables_topic_are_repaired() -> None:
    watch = AdWatch()
    for ours in (b"1", b"2"):
        watch.said(ours)
    for ours in (b"1", b"2", b"2"):  # they come back, the newest again to whoever subscribes
        watch.heard(ours)
        assert not watch.must_repair(now=0)
    for now, foreign in enumerate((b"", b"x", b"1")):  # taken away, overwritten, replayed
        watch.heard(foreign)
        assert watch.must_repair(now)
        watch.said(b"3")
        watch.heard(b"3")
        assert not watch.must_repair(now + 0.9 * REPAIR_EVERY)


def test_a_word_of_ours_that_never_came_back_is_said_again_but_less_and_less_often() -> None:
    watch = AdWatch()
    watch.said(b"1")
    said = []
    for tenth in range(400):
        if watch.must_repair(now=tenth / 10):
            said.append(tenth / 10)
            watch.said(b"again")
    assert said[:2] == pytest.approx([UNHEARD, UNHEARD * 3], abs=0.3)
    assert max(b - a for a, b in pairwise(said)) < LONGEST_UNHEARD + 1
    watch.heard(b"again")
    assert not any(watch.must_repair(now) for now in range(40, 400))


def test_a_flood_of_foreign_words_is_repaired_at_a_bounded_rate() -> None:
    watch, repairs = AdWatch(), 0
    for n in range(1000):
        watch.heard(b"x")
        if watch.must_repair(now=n / 100):
            repairs += 1
            watch.said(b"ours %d" % repairs)
    assert repairs == 10 / REPAIR_EVERY


async def test_an_advertisement_that_was_overwritten_is_there_again_at_once(
    party: Any, eventually: Eventually
) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    here = table.keys.table_id
    topic, line = table_topic(here), table.broker.connect()

    def stands() -> bool:
        letter = verify_public(table.broker._retained.get(topic, b""), here, Counters())
        return letter is not None and isinstance(letter.body, TableAd)

    for word in (b"", b"nonsense"):
        assert stands()
        await line.publish(topic, word, retain=True)
        await eventually(stands, 3)
    counter = table.host.out._published
    for _ in range(500):
        await line.publish(topic, b"nonsense", retain=True)
        await asyncio.sleep(0)
    await eventually(stands, 3)
    assert table.host.out._published - counter < 10
    assert await ada.answered(ada.client.say("still here")) is None
