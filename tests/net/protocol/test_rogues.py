"""What somebody at the table can do to it who speaks the protocol with a seat's own keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from rogue import Rogue

from core.registry import GAMES
from net import orders

Eventually = Callable[..., Awaitable[None]]


@pytest.fixture
async def rogue() -> Any:
    rogues: list[Rogue] = []

    def make(table: Any) -> Rogue:
        rogues.append(Rogue(table))
        return rogues[-1]

    yield make
    for each in rogues:
        await each.close()


LONG = "x" * 40_000
WIDE = "\U0001f4a9" * 10_000
HUGE = 10**4000
CONTROLS = "\x01" * 64


def act(aid: str, **action: Any) -> dict[str, Any]:
    return {"type": "act", "aid": aid, "game": 1, "question": 1, "action": action}


def order(aid: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": "ordermsg", "aid": aid, "order": {"order": name, **more}}


ODDITIES: dict[str, list[dict[str, Any]]] = {
    "two refused actions of 40 KB": [act("a", do=LONG), act("b", do=LONG)],
    "200 refused actions of 1 KB": [act(f"a{n}", do="x" * 1000) for n in range(200)],
    "200 refused actions under ids that grow": [
        act(f"{n:03}" + "\x01" * 61, do="\x01" * 500) for n in range(200)
    ],
    "an action in wide letters": [act("a", do=WIDE), act("b", do=WIDE)],
    "an action with many numbers": [
        act("a", do="draw", slots=list(range(9000))),
        act("b", do="give", cards=list(range(9000))),
    ],
    "an action with huge numbers": [
        act(f"{do}{n}", do=do, **{key: value})
        for n in range(20)
        for do, key, value in (
            ("draw", "slots", [HUGE, -HUGE]),
            ("choose", "player", HUGE),
            ("give", "cards", [HUGE]),
            ("point", "player", -HUGE),
        )
    ],
    "long words of a question": [act("a", do="ask", words=LONG), act("b", do="ask", words=WIDE)],
    "an action that is deep": [act("a", do="ask", words=["[" * 500])],
    "an option's long key": [order(f"a{n}", "setoption", key=LONG, value=1) for n in range(3)],
    "an option's long value": [
        order(f"a{n}", "setoption", key="deck", value=LONG) for n in range(3)
    ],
    "an option's huge value": [
        order(f"a{n}", "setoption", key="deck", value=HUGE) for n in range(30)
    ],
    "a bot of a long level": [order(f"a{n}", "addbot", level=LONG) for n in range(3)],
    "a huge table": [order(f"a{n}", "setplayers", players=HUGE) for n in range(30)],
    "a seat that is far away": [
        order(f"{name}{n}", name, seat=HUGE, **more)
        for n in range(10)
        for name, more in (
            ("removeseat", {}),
            ("seattobot", {"on": True}),
            ("moveseat", {"to": -HUGE}),
        )
    ],
    "a long PIN": [order("a", "setpin", pin=LONG)],
    "much chat": [{"type": "say", "aid": f"a{n}", "text": "\x01" * 2000} for n in range(200)],
    "long chat": [{"type": "say", "aid": "a", "text": LONG}],
    "long ids": [{"type": "say", "aid": CONTROLS + str(n), "text": "hi"} for n in range(200)],
    "a beat that has seen everything": [
        {"type": "beat", "rev": 2**53, "seen": [CONTROLS] * 100},
        {"type": "beat", "rev": 1, "seen": [str(n) for n in range(8000)]},
    ],
    "a sync from nowhere": [
        {"type": "sync", "game": 2**53, "have": 2**53},
        {"type": "sync", "game": 1, "have": 2**53},
        {"type": "sync", "game": HUGE, "have": HUGE},
    ],
    "a hello of the far future": [
        {"type": "hello", "protocol": HUGE, "app": "0", "name": "Ada"},
        {"type": "hello", "protocol": 2**53, "app": "0", "name": LONG},
        {"type": "pinstart", "half": LONG},
        {"type": "ready", "nonce": LONG},
    ],
}


@pytest.mark.parametrize("said", ODDITIES.values(), ids=ODDITIES.keys())
@pytest.mark.parametrize("playing", [False, True], ids=["lobby", "game"])
async def test_nothing_that_a_seat_says_ends_the_table(
    said: list[Any], playing: bool, party: Any, rogue: Any, eventually: Eventually
) -> None:
    table = party(GAMES["prrrt"], players=3, bots=1, think=60)
    mallory = rogue(table)
    await mallory.sit("Mallory", eventually)
    bob = await table.seat("Bob")
    if playing:
        await mallory.say(order("start", "start"))
        await bob.sees(lambda s: s.game is not None)
    for body in said:
        await mallory.say(body)
    assert await bob.answered(bob.client.say("still here")) is None
    views = len(mallory.views)
    await mallory.say({"type": "sync"})
    await eventually(lambda: len(mallory.views) > views)
    assert not table.running.done()


STRANGE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a long session": ({"type": "hello"}, {"session": "s" * 64_000}),
    "a long epoch": ({"type": "hello"}, {"epoch": "e" * 64_000}),
    "a long peer": ({"type": "hello"}, {"peer": "p" * 64_000}),
    "a huge counter": ({"type": "hello"}, {"counter": HUGE}),
    "a huge protocol": ({"type": "hello", "protocol": HUGE}, {}),
    "a long name": ({"type": "hello", "name": LONG}, {}),
    "a long previous session": ({"type": "hello", "previous": LONG}, {}),
    "no body": ({}, {}),
}


@pytest.mark.parametrize(("body", "envelope"), STRANGE.values(), ids=STRANGE.keys())
async def test_nothing_that_a_stranger_says_ends_the_table(
    body: dict[str, Any], envelope: dict[str, Any], party: Any, rogue: Any
) -> None:
    table = party(players=2)
    bob = await table.seat("Bob")
    mallory = rogue(table)
    said = {"protocol": 1, "app": "0", "name": "Mallory", **body}
    for _ in range(3):
        await mallory.say(said, **envelope)
    assert await bob.answered(bob.client.say("still here")) is None
    assert not table.running.done()


async def test_answers_that_dont_fit_into_one_view_come_with_the_next(
    party: Any, rogue: Any, eventually: Eventually
) -> None:
    table = party(GAMES["prrrt"], players=3)
    mallory = rogue(table)
    await mallory.sit("Mallory", eventually)
    asked = [act(f"{n:02}" + "\x01" * 62, do="\x01" * 500) for n in range(60)]
    for body in asked:
        await mallory.say(body)
    seen = 0
    while seen < len(asked):
        await eventually(lambda had=seen: len(mallory.answers) > had)
        await mallory.say({"type": "beat", "rev": 0, "seen": sorted(mallory.answers)})
        seen = len(mallory.answers)
    assert {answer.code for answer in mallory.answers.values()} == {"unknown_do"}


async def test_every_one_of_200_refusals_is_heard(party: Any, play: Any) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    aids = [ada.client.act(play(n)) for n in range(200)]
    assert {await ada.answered(aid) for aid in aids} == {"not_playing"}


async def test_a_view_that_cant_be_sent_is_skipped(party: Any, eventually: Eventually) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    await ada.answered(ada.client.order(orders.Start()))
    await bob.sees(lambda s: s.game is not None)
    view, views = table.table.game.view, len(ada.views)
    table.table.game.view = lambda viewer: view(viewer) if viewer else b'"%s"' % (b"x" * 70_000)
    aid = bob.client.say("hello?")
    assert await bob.answered(aid) is None
    assert table.host.mishaps.count
    table.table.game.view = view
    await ada.sees(lambda s: [line.text for line in s.room.chat] == ["hello?"])
    assert len(ada.views) > views


async def test_one_seats_broken_view_troubles_nobody_else(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    await ada.answered(ada.client.order(orders.Start()))
    await bob.sees(lambda s: s.game is not None)
    view = table.table.game.view

    def broken(viewer: int | None) -> bytes:
        if viewer == 1:
            return bytes(view(viewer))
        raise RuntimeError("a view with a bug")

    table.table.game.view = broken
    assert await bob.answered(bob.client.say("hello?")) is None
    assert not table.running.done()


async def test_a_table_that_cant_be_kept_stays_and_says_so(party: Any, eventually: Any) -> None:
    table = party(players=2, bots=1, speed=10)
    ada = await table.seat("Ada")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    keep = table.host._keep

    def broken(host: Any) -> None:
        raise RuntimeError("keeping with a bug")

    table.host._keep = broken
    assert await ada.answered(ada.client.say("hello?")) is None
    await ada.sees(lambda s: s.room.paused and "disk" in [n.code for n in s.room.notices])
    assert not table.running.done()
    table.host._keep = keep
    await ada.sees(lambda s: not s.room.paused)
