"""Whole games between a host and clients, over lines kind and unkind."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from core.registry import GAMES
from net import orders
from net.guest_bot import GuestBot
from net.outgoing import GOODBYE_EVERY
from net.transport import Transport


async def test_two_people_play_a_game_to_the_end(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await asyncio.gather(ada.play(), bob.play())
    await ada.sees(lambda s: s.room.phase == "over")
    await bob.sees(lambda s: s.room.phase == "over")
    assert ada.seen.game.result == bob.seen.game.result
    assert table.journal.result is not None
    assert [seat for seat, *_ in table.journal.lines] == [0, 1] * 4
    assert {by for *_, by in table.journal.lines} == {"seat"}


async def test_everybody_gets_every_event_once_and_in_order(party: Any) -> None:
    table = party(players=3, bots=1)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    eve = await table.seat(None)
    ada.client.order(orders.Start())
    await asyncio.gather(ada.play(), bob.play())
    for guest in (ada, bob, eve):
        await guest.sees(lambda s: s.room.phase == "over")
        seat = guest.seen.room.you
        assert guest.events == table.table.game._game.shown(seat, -1)


async def test_a_spectator_sees_no_hand_and_may_chat(party: Any) -> None:
    table = party(players=2, bots=2)
    eve = await table.seat(None)
    assert eve.seen.room.you is None
    table.table.start()
    await eve.sees(lambda s: s.room.phase == "over")
    assert all(isinstance(hand, int) for view in eve.views if view.game for hand in _hands(view))
    assert await eve.answered(eve.client.say("well played")) is None
    assert eve.seen.room.chat[-1].seat is None
    assert await eve.answered(eve.client.order(orders.Rematch())) == "not_owner"
    assert eve.seen.room.spectators == 1


def _hands(view: Any) -> tuple[Any, ...]:
    hands: tuple[Any, ...] = view.game.table.hands
    return hands


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_hostile_line_changes_nothing_but_the_time(
    party: Any, hostile: Any, seed: int
) -> None:
    made: list[Any] = []

    def line(transport: Transport) -> Any:
        made.append(hostile(transport, seed=seed * 100 + len(made), drop=0.15))
        return made[-1]

    table = party(players=3, line=line, speed=4, start_when_full=True)
    guests = [table.guest(name) for name in ("Ada", "Bob", "Cy")]
    bots = [guest.play() for guest in guests]
    async with asyncio.timeout(60):
        await asyncio.gather(*bots)
    for guest in guests:
        await guest.sees(lambda s: s.room.phase == "over")
        assert guest.events == table.table.game._game.shown(guest.seen.room.you, -1)
    actions = [aid for _, _, aid, by in table.journal.lines if by == "seat"]
    assert len(actions) == len(set(actions))
    assert sum(transport.did.total() for transport in made) > 100
    assert table.host.door.dropped["unreadable"] + table.host.door.dropped["misdirected"] > 0
    assert table.host.door.dropped["stale"] > 0


@pytest.mark.parametrize("players", [3, 7])
async def test_guest_bots_play_prrrt_over_the_wire(party: Any, players: int) -> None:
    rules = GAMES["prrrt"]
    table = party(rules, players=players, start_when_full=True)
    bots = [
        GuestBot(guest_client, level="easy", think=0, rng=Random(n))
        for n, guest_client in enumerate(
            table.client(f"Bot {n}", kind="guest_bot") for n in range(players)
        )
    ]
    playing = [asyncio.create_task(bot.play()) for bot in bots]
    async with asyncio.timeout(60):
        await table.over()
    table.host.stop("ended")
    ends = await asyncio.gather(*playing)
    assert {end.code for end in ends} == {"closed"}
    assert table.journal.result is not None
    assert {by for *_, by in table.journal.lines} == {"seat"}
    assert not table.host.door.dropped


async def test_a_table_of_bots_alone_plays_itself(party: Any) -> None:
    table = party(players=4, bots=4, start_when_full=True)
    await table.over()
    assert {by for *_, by in table.journal.lines} == {"bot"}


@pytest.mark.parametrize("level", ["broken", "cheat"])
async def test_a_bad_bot_stops_nothing(party: Any, level: str) -> None:
    table = party(players=2, bots=2, level=level, start_when_full=True)
    await table.over()
    assert len(table.journal.lines) == 8


async def test_bots_that_stumble_are_not_asked_again_at_once(
    party: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = party(players=2, bots=2)
    attempts, looks = list[int](), list[bool]()
    tick = table.table.tick

    def broken(seat: int, *_: Any) -> None:
        attempts.append(seat)
        raise RuntimeError("a table with a bug")

    def look(watching: bool) -> None:
        looks.append(watching)
        tick(watching)

    monkeypatch.setattr(table.table, "bot_acts", broken)
    monkeypatch.setattr(table.table, "tick", look)
    table.table.start_when_full = True
    await eventually(lambda: len(looks) > 3 and attempts)
    assert len(attempts) == len(set(attempts))


async def test_guest_bots_say_goodbye_when_their_table_closes(party: Any) -> None:
    table = party(GAMES["prrrt"], players=3)
    clients = [table.client(f"Bot {n}", kind="guest_bot") for n in range(3)]
    playing = [asyncio.create_task(GuestBot(one, level="easy").play()) for one in clients]
    async with asyncio.timeout(10):
        while len(table.host.door.live()) < 3:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    table.host.stop("ended")
    await asyncio.gather(*playing)
    async with asyncio.timeout(GOODBYE_EVERY):  # otherwise it is said once more
        await table.running


async def test_a_guest_bot_that_stumbles_drops_its_line(
    party: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = party(players=2)
    await table.seat("Ada")

    async def stumble(self: Any, *_: Any) -> None:
        raise RuntimeError("a bot with a bug")

    monkeypatch.setattr(GuestBot, "_act_on", stumble)
    bot = GuestBot(table.client("Bob", kind="guest_bot"), level="easy")
    async with asyncio.timeout(10):
        assert (await bot.play()).code == "dropped"


async def test_again_with_the_same_table(party: Any) -> None:
    table = party(players=2, bots=1)
    ada = await table.seat("Ada")
    for games in (1, 2):
        assert await ada.answered(ada.client.order(orders.Start())) is None
        await ada.play()
        await ada.sees(lambda s: s.room.phase == "over")
        assert ada.seen.room.games_played == games
        assert await ada.answered(ada.client.order(orders.Rematch())) is None
        lobby = await ada.sees(lambda s: s.room.phase == "lobby")
        assert [seat.name for seat in lobby.room.seats] == ["Bot A", "Ada"]
        assert lobby.game is None
    first, second = table.dealer.journals
    assert first.closed
    assert len(first.lines) == len(second.lines) == 8
    assert {aid for _, _, aid, by in first.lines if by == "seat"}.isdisjoint(
        aid for _, _, aid, by in second.lines if by == "seat"
    )


async def test_a_long_history_comes_in_pages(party: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = GAMES["prrrt"]
    table = party(rules, players=7, bots=7, start_when_full=True)
    await table.over()
    size = sum(len(e) for step in table.table.game.steps(None, -1) for e in step)
    monkeypatch.setattr("net.views.MAX_LETTER", size // 4 + 6000)
    eve = await table.seat(None)
    monkeypatch.undo()
    assert len(eve.views) == 1
    assert eve.events == table.table.game._game.shown(None, -1)
    assert max(len(view.events) for view in eve.views) == len(eve.events)
