"""Clocks: time for a decision, patience, and standing still."""

from __future__ import annotations

import asyncio
from typing import Any

from net import orders
from net.clocks import AwakeClock, DecisionClock
from net.table import Patience


def test_time_in_which_the_table_stood_still_does_not_count() -> None:
    times = iter([100.0, 100.2, 101.7, 160.0, 160.2, 3000.0, 3001.0])
    clock = AwakeClock(lambda: next(times))
    told = [round(clock(), 3) for _ in range(6)]
    assert told == [100.2, 101.7, 101.7, 101.9, 101.9, 102.9]


def test_time_in_which_its_line_was_down_does_not_count() -> None:
    times = iter([100.0, 100.2, 101.2, 102.2, 103.2])
    up = iter([True, False, False, True])
    clock = AwakeClock(lambda: next(times), lambda: next(up))
    assert [round(clock(), 3) for _ in range(4)] == [100.2, 100.2, 100.2, 101.2]


def test_a_clock_runs_for_the_question_and_starts_over_with_the_next() -> None:
    clock = DecisionClock(30)
    clock.watch((1, 0), (2,), now=100)
    assert clock.running(110) == ((2,), 20, 30)
    clock.watch((1, 0), (2,), now=115)
    assert clock.running(120) == ((2,), 10, 30)
    clock.watch((1, 1), (0,), now=125)
    assert clock.running(125) == ((0,), 30, 30)
    assert clock.out_of_time(154) == ()
    assert clock.out_of_time(155) == (0,)


def test_a_paused_clock_stands_still() -> None:
    clock = DecisionClock(30)
    clock.watch((1, 0), (2,), now=100)
    clock.pause(110)
    assert clock.running(500) == ((2,), 20, 30)
    assert clock.out_of_time(500) == ()
    clock.go_on(500)
    assert clock.running(505) == ((2,), 15, 30)


def test_who_comes_back_has_the_time_once_more_but_only_once() -> None:
    clock = DecisionClock(30)
    clock.watch((1, 0), (), now=100)
    clock.second_chance()
    clock.watch((1, 0), (2,), now=150)
    assert clock.running(150) == ((2,), 30, 30)
    clock.second_chance()
    clock.watch((1, 0), (2,), now=170)
    assert clock.running(170) == ((2,), 10, 30)


def test_no_clock_without_a_time_or_without_people() -> None:
    free = DecisionClock(None)
    free.watch((1, 0), (2,), now=0)
    assert free.running(1) is None
    assert free.out_of_time(10**9) == ()
    clock = DecisionClock(30)
    clock.watch((1, 0), (), now=0)
    assert clock.running(1) is None
    assert clock.out_of_time(100) == ()
    clock.watch((1, 1), (0,), now=5)
    clock.stop()
    assert clock.running(6) is None


async def test_a_bot_decides_when_the_time_has_run_out(party: Any) -> None:
    table = party(players=2, speed=5, patience=Patience(turn=3, think=0))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    seen = await bob.sees(lambda s: s.room.clock is not None)
    assert seen.room.clock.seats == (0,)
    assert 0 < seen.room.clock.left <= seen.room.clock.total == 3
    await bob.sees(lambda s: s.game.actions == 1)
    assert [by for *_, by in table.journal.lines] == ["clock"]
    assert bob.seen.room.seats[0].bot_plays
    assert bob.seen.room.seats[0].here
    assert "bot_takes_over" in bob.notices
    assert await ada.answered(ada.client.order(orders.SeatToBot(0, on=False))) is None
    await bob.play(1)
    seen = await ada.sees(lambda s: bool(s.game.offers))
    assert not seen.room.seats[0].bot_plays
    assert seen.room.clock.seats == (0,)


async def test_acting_takes_a_seat_back_from_its_bot(party: Any, play: Any) -> None:
    table = party(players=2, patience=Patience(think=60))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await ada.sees(lambda s: bool(s.game and s.game.offers))
    assert await ada.answered(ada.client.order(orders.SeatToBot(0))) is None
    hand = ada.seen.game.table.hands[0]
    assert await ada.answered(ada.client.act(play(hand[0]))) is None
    seen = await bob.sees(lambda s: s.game is not None and s.game.actions == 1)
    assert not seen.room.seats[0].bot_plays
    assert [by for *_, by in table.journal.lines] == ["seat"]


async def test_bots_take_their_time(party: Any) -> None:
    table = party(players=2, bots=2, think=0.05, start_when_full=True)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await table.over()
    assert loop.time() - began >= 8 * 0.05
