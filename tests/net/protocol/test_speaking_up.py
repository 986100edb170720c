"""Speaking up beside the question, from far away: what was said in time is heard in time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from achoo.questions import Play, Sorry
from hostile_line import HostileTransport, Malice

from net import orders
from net.bots import NOTHING_LEGAL
from net.fair_moment import AT_LEAST
from net.room import Room
from net.transport import Transport

SPEED = 4.0
"""Times that the table's clock is faster than ours; the lines of these tests are as well."""


def play(guest: Any) -> str:
    """Play some card."""
    hand = guest.seen.game.table.hands[guest.seen.room.you]
    return str(guest.client.act(Play((hand[0],))))


def my_turn(seen: Any) -> bool:
    return seen.game is not None and seen.room.you in seen.room.waits_for


async def sneezing(party: Any, *names: str, **more: Any) -> Any:
    """Open a table where every card makes sneeze; return it with its guests."""
    table = party(players=len(names), options={"sneeze": 1}, **more)
    guests = [await table.seat(name) for name in names]
    assert await guests[0].answered(guests[0].client.order(orders.Start())) is None
    for guest in guests:
        await guest.sees(lambda s: s.game is not None)
    return table, guests


async def test_a_slow_line_costs_nobody_what_they_said_in_time(party: Any, slow: Any) -> None:
    """800 ms either way, a bot that plays at once, and a person who takes nearly all they have."""
    table = party(players=2, options={"sneeze": 1}, speed=SPEED)
    ada = await table.seat("Ada", line=lambda t: slow(t, 0.8 / SPEED))
    assert await ada.answered(ada.client.order(orders.AddBot("easy"))) is None
    assert await ada.answered(ada.client.order(orders.Start())) is None
    for sneeze in range(3):
        await ada.sees(my_turn)
        play(ada)
        await ada.sees(lambda s: s.game.table.sneezer == 0)
        await asyncio.sleep(0.6 * AT_LEAST / SPEED)
        assert ada.seen.game.table.played[-1][0] == 0, "the bot has waited"
        assert await ada.answered(ada.client.act(Sorry())) is None, sneeze
    assert [seat for seat, *_ in table.journal.lines[:4]] == [0, 0, 1, 1]


async def test_who_has_acted_is_told_that_it_waits_and_nobody_else_is(party: Any) -> None:
    table, (ada, bob, cy) = await sneezing(party, "Ada", "Bob", "Cy")
    assert await ada.answered(play(ada)) is None
    await bob.sees(my_turn)
    aid = play(bob)
    seen = await bob.sees(lambda s: s.room.held)
    assert seen.game.actions == 1
    assert bob.answer(aid) is None
    assert await bob.answered(play(bob)) == "held"
    assert not any(view.room.held for view in ada.views + cy.views)
    assert len(table.journal.lines) == 1
    assert await ada.answered(ada.client.act(Sorry())) is None
    assert await bob.answered(aid) is None
    seen = await bob.sees(lambda s: s.game.actions == 3)
    assert not seen.room.held
    assert [seat for seat, *_ in table.journal.lines] == [0, 0, 1]
    assert len(bob.seen.game.table.played) == 2


async def test_what_waited_happens_by_itself_once_and_is_answered(party: Any) -> None:
    table, (ada, bob) = await sneezing(party, "Ada", "Bob", speed=SPEED)
    assert await ada.answered(play(ada)) is None
    await bob.sees(my_turn)
    assert await bob.answered(play(bob)) is None
    assert [seat for seat, *_ in table.journal.lines] == [0, 1]


async def test_an_action_and_words_right_after_it_are_heard_in_this_order(party: Any) -> None:
    """Also when the card waits for somebody else's moment, and both name the same question."""
    _, (ada, bob) = await sneezing(party, "Ada", "Bob", speed=SPEED)
    for guest in (ada, bob, ada):
        await guest.sees(my_turn)
        card, words = play(guest), guest.client.act(Sorry())
        assert await guest.answered(card) is None
        assert await guest.answered(words) is None


class Overtaking:
    """A line on which, for once, the later of two actions comes first, or alone."""

    def __init__(self, inner: Transport, lose: bool) -> None:
        self.inner = inner
        self.lose = lose
        self.armed = False
        self.kept: tuple[str, bytes] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if self.armed and self.kept is None:
            self.kept = (topic, payload)
            return
        await self.inner.publish(topic, payload, retain=retain)
        if self.armed and self.kept is not None and not self.lose:
            await self.inner.publish(*self.kept)
        self.armed = False


@pytest.mark.parametrize("lose", [False, True])
@pytest.mark.parametrize("words_first", [False, True])
async def test_what_overtakes_on_the_line_is_heard_in_order(
    party: Any, lose: bool, words_first: bool
) -> None:
    lines: list[Overtaking] = []

    def line(inner: Transport) -> Any:
        lines.append(Overtaking(inner, lose))
        return lines[-1]

    table = party(players=2, options={"sneeze": 1}, speed=SPEED)
    ada = await table.seat("Ada", line=line)
    bob = await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    if words_first:  # ada's sneeze outlasts bob's card, and she speaks up on her own turn
        table.table.game._game.sneeze = 1
        assert await ada.answered(play(ada)) is None
        table.table.game._game.sneeze = 1000
        await bob.sees(my_turn)
        assert await bob.answered(play(bob)) is None
        await ada.sees(my_turn)
        lines[0].armed = True
        first = ada.client.act(Sorry())
        second = play(ada)
    else:
        await ada.sees(my_turn)
        lines[0].armed = True
        first = play(ada)
        second = ada.client.act(Sorry())
    assert await ada.answered(first) is None
    assert await ada.answered(second) is None
    assert [aid for _, _, aid, _ in table.journal.lines][-2:] == [first, second]


async def test_words_are_heard_though_much_else_was_said_and_nothing_answered_yet(
    party: Any, slow: Any
) -> None:
    table = party(players=2, options={"sneeze": 1}, speed=SPEED)
    ada = await table.seat("Ada", line=lambda t: slow(t, 0.8 / SPEED))
    bob = await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await ada.sees(my_turn)
    chat = [ada.client.say(f"line {n}") for n in range(20)]
    card = play(ada)
    more = [ada.client.say(f"more {n}") for n in range(20)]
    await bob.sees(my_turn)
    play(bob)
    await ada.sees(lambda s: s.game.table.sneezer == 0)
    assert await ada.answered(ada.client.act(Sorry())) is None
    for aid in (card, *chat, *more):
        await ada.answered(aid)


async def test_a_line_that_comes_back_brings_what_was_said(party: Any, hostile: Any) -> None:
    lines: list[Any] = []

    def line(inner: Transport) -> Any:
        lines.append(hostile(inner, drop=0, repeat=0, delay=0, replay=0, swap=0, damage=0))
        return lines[-1]

    table = party(players=2, options={"sneeze": 1})
    ada = await table.seat("Ada", line=line)
    bob = await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await ada.sees(my_turn)
    assert await ada.answered(play(ada)) is None
    await bob.sees(my_turn)
    play(bob)
    lines[0].cut()
    aid = ada.client.act(Sorry())
    await asyncio.sleep(0.3)
    lines[0].mend()
    assert await ada.answered(aid) is None
    assert [seat for seat, *_ in table.journal.lines] == [0, 0, 1]


async def test_nothing_waits_at_a_table_of_bots(party: Any) -> None:
    table = party(players=4, bots=4, options={"sneeze": 1}, start_when_full=True)
    async with asyncio.timeout(AT_LEAST):
        await table.over()
    assert {by for *_, by in table.journal.lines} == {"bot"}


async def test_a_bot_that_says_nothing_is_asked_once_until_something_happens(party: Any) -> None:
    rules = party().rules
    asked = rules.bots["shy"].asked
    asked.clear()
    table = party(players=2, bots=1, level="shy", options={"sneeze": 1})
    ada = await table.seat("Ada")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await ada.sees(my_turn)
    for n in range(3):
        assert await ada.answered(ada.client.say(f"{n}")) is None
    assert asked == [(0, 0), (0, 1)]
    assert await ada.answered(play(ada)) is None
    assert ada.seen.room.clock is None
    await ada.sees(lambda s: s.game.actions == 3)


async def test_a_bot_that_could_speak_doesnt_sleep_through_its_own_turn(party: Any) -> None:
    table = party(players=2, bots=2, level="shy", options={"sneeze": 1}, start_when_full=True)
    async with asyncio.timeout(NOTHING_LEGAL):
        await table.over()
    assert len(table.journal.lines) == 8


@pytest.mark.parametrize("kind", ["table", "guest"])
async def test_a_bot_that_is_silent_though_the_game_waits_for_it_plays_plainly(
    party: Any, kind: str
) -> None:
    if kind == "table":
        table = party(players=2, bots=2, level="mute", start_when_full=True)
    else:
        table = party(players=2, bots=1, start_when_full=True)
        table.guest_bot("Bot", "mute")
    await table.over()


async def test_bots_let_people_follow_though_they_could_have_spoken_before(party: Any) -> None:
    table = party(players=2, bots=1, level="shy", think=0.3, options={"sneeze": 1})
    ada = await table.seat("Ada")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await ada.sees(my_turn)
    await asyncio.sleep(0.2)  # the bot thinks about whether to speak
    assert await ada.answered(play(ada)) is None
    assert await ada.answered(ada.client.act(Sorry())) is None
    loop = asyncio.get_running_loop()
    its_turn = loop.time()
    await ada.sees(lambda s: len(s.game.table.played) == 3)
    assert 0.25 <= loop.time() - its_turn < NOTHING_LEGAL


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_on_a_hostile_line_everybody_who_sneezes_is_heard(in_virtual_time: Any, seed: int) -> None:
    made: list[HostileTransport] = []

    def line(transport: Transport) -> HostileTransport:
        malice = Malice(drop=0.02, repeat=0.3, delay=0.5, longest=0.1)
        made.append(HostileTransport(transport, seed * 100 + len(made), malice))
        return made[-1]

    async def evening(party: Any) -> None:
        table = party(players=3, line=line, options={"sneeze": 1}, start_when_full=True)
        bots = [table.guest_bot(name, "easy", "person") for name in ("Ada", "Bob", "Cy")]
        await table.over(60)
        table.host.stop("ended")
        await asyncio.gather(*bots)
        does = [str(action.__struct_config__.tag) for _, action, *_ in table.journal.lines]
        assert does == ["play", "sorry"] * 11 + ["play"]
        aids = [aid for _, _, aid, _ in table.journal.lines]
        assert len(aids) == len(set(aids))

    in_virtual_time(evening)
    assert sum(transport.did.total() for transport in made) > 100


def test_a_host_that_waits_for_somebody_who_isnt_there_isnt_believed() -> None:
    facts = {"title": "", "table": "t", "game": "achoo", "phase": "playing", "players": 2}
    seats = {"options": {}, "seats": (), "you": None, "owner": None}
    assert not Room(**facts, **seats, waits_for=(7,)).sound()  # type: ignore[arg-type]
