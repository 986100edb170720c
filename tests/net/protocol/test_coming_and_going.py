"""Coming in, being away, coming back, going: seats, names, refusals at the door."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from net import orders
from net.keys import SeatKeys
from net.messages import TableAd
from net.outgoing import GOODBYE_EVERY
from net.saves import TABLE_FILE, table_folder
from net.table import NEWCOMERS_AT_ONCE, Patience
from net.table_file import TableFile
from net.updates import Ended, Seen


async def refused(guest: Any) -> tuple[str, Any]:
    await guest.until(lambda: guest.ended is not None)
    assert not guest.views
    return guest.ended.code, guest.ended.facts


async def test_names_are_cleaned_and_told_apart(party: Any) -> None:
    table = party(players=5)
    for name in ("Ada", "ada", " A\x1b[31md\u202ea\ufe0f\n"):
        await table.seat(name)
    last = await table.seat("Ｂob")
    names = [seat.name for seat in last.seen.room.seats]
    assert names == ["Ada", "ada 2", "A31mda", "Bob"]
    long = await table.seat("x" * 24)
    assert long.seen.room.seats[-1].name == "x" * 24


@pytest.mark.parametrize("name", ["", "   ", "\x00\x1b", "[]", "x" * 25, "👻"])
async def test_a_name_that_cannot_be_is_refused(party: Any, name: str) -> None:
    table = party(players=2)
    assert (await refused(table.guest(name)))[0] == "bad_name"
    assert not table.table.lobby.seats


async def test_a_full_table_and_a_running_game_offer_to_watch(party: Any) -> None:
    table = party(players=2)
    ada, _ = await table.seat("Ada"), await table.seat("Bob")
    code, facts = await refused(table.guest("Cy"))
    assert (code, facts["watch"]) == ("full", True)
    ada.client.order(orders.Start())
    await ada.sees(lambda s: s.room.phase == "playing")
    code, facts = await refused(table.guest("Cy"))
    assert (code, facts["watch"]) == ("playing", True)
    watcher = await table.seat(None)
    assert watcher.seen.game is not None


async def test_another_version_is_told_so(party: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = party(players=2)
    await table.seat("Ada")
    monkeypatch.setattr("net.reception.PROTOCOL", 2)
    code, facts = await refused(table.guest("Bob"))
    assert code == "version"
    assert (facts["ours"], facts["theirs"]) == (2, 1)


async def test_a_table_of_another_version_is_not_even_greeted(
    party: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = party(players=2)
    await table.seat("Ada")
    monkeypatch.setattr("net.client.PROTOCOL", 2)
    assert (await refused(table.guest("Bob")))[0] == "version"


async def test_no_table_is_no_answer(party: Any) -> None:
    table = party(players=2)
    table.running.cancel()
    await asyncio.gather(table.running, return_exceptions=True)
    guest = table.guest("Ada")
    guest.client._started -= 9.8
    assert (await refused(guest))[0] == "no_answer"


async def test_a_live_seat_is_taken_over_only_on_purpose(party: Any) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    code, facts = await refused(table.guest("Ada", ada.keys))
    assert (code, facts["name"]) == ("name_taken", "Ada")
    assert ada.ended is None
    newer = await table.seat("Ada", ada.keys, take_over=True)
    assert await ada.end() == "taken_over"
    assert newer.seen.room.you == 0
    assert len(newer.seen.room.seats) == 1
    assert await newer.answered(newer.client.order(orders.SetPlayers(3))) is None


async def test_the_older_terminal_goes_on_until_the_newer_is_ready(
    party: Any, hostile: Any
) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    deaf = hostile(table.broker.connect(), 1, drop=1.0)
    table.guest("Ada", ada.keys, take_over=True, line=lambda _: deaf)
    for text in "one", "two":
        assert await ada.answered(ada.client.say(text)) is None
    assert ada.ended is None


async def test_a_terminal_that_was_taken_over_does_not_take_the_seat_back(
    party: Any, hostile: Any
) -> None:
    table = party(players=2, speed=8)
    lines: list[Any] = []

    def line(transport: Any) -> Any:
        lines.append(hostile(transport, 1, **dict.fromkeys(KINDS, 0.0)))
        return lines[-1]

    older = await table.seat("Ada", line=line)
    lines[0].cut()
    newer = await table.seat("Ada", older.keys, take_over=True)
    lines[0].mend()
    await older.until(lambda: older.ended is not None)
    assert older.ended.code == "taken_over"
    assert await newer.answered(newer.client.say("mine")) is None


KINDS = ("drop", "repeat", "delay", "replay", "swap", "damage", "garbage")


async def test_a_cut_line_comes_back_by_itself(party: Any, hostile: Any) -> None:
    table = party(players=2, speed=8)
    lines: list[Any] = []

    def line(transport: Any) -> Any:
        lines.append(hostile(transport, 1, **dict.fromkeys(KINDS, 0.0)))
        return lines[-1]

    ada, bob = await table.seat("Ada", line=line), await table.seat("Bob")
    lines[0].cut()
    await ada.until(lambda: ada.lines[-1:] == [False])
    aid = ada.client.say("are you there?")
    await bob.sees(lambda s: not s.room.seats[0].here)
    lines[0].mend()
    await ada.until(lambda: ada.lines[-1:] == [True])
    assert await ada.answered(aid) is None
    await bob.sees(lambda s: s.room.seats[0].here)
    assert [line.text for line in bob.seen.room.chat] == ["are you there?"]
    assert bob.notices[-2:] == ["away", "back"]


async def test_a_bot_plays_for_whoever_is_away_until_they_are_back(party: Any) -> None:
    patience = Patience(think=0, away=10)
    table = party(players=3, bots=1, speed=10, patience=patience)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await bob.sees(lambda s: s.game is not None)
    await ada.drop()
    await bob.sees(lambda s: s.room.seats[1].bot_plays, 20)
    assert not bob.seen.room.seats[1].here
    assert {"away", "bot_takes_over"} <= set(bob.notices)
    seen = await bob.sees(lambda s: bool(s.game.offers))
    assert {by for seat, _, _, by in table.journal.lines if seat == 1} == {"bot"}
    back = await table.seat("Ada", ada.keys)
    assert back.seen.room.you == 1
    assert back.seen.catching_up
    seen = await bob.sees(lambda s: s.room.seats[1].here)
    assert not seen.room.seats[1].bot_plays
    await asyncio.gather(back.play(), bob.play())
    assert {by for seat, _, _, by in table.journal.lines if seat == 1} == {"bot", "seat"}


async def test_leaving_in_a_game_lets_a_bot_play_at_once(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await bob.sees(lambda s: s.game is not None)
    ada.client.leave()
    await bob.play()
    assert ada.ended.code == "left"
    assert bob.seen.room.seats[0].bot_plays
    assert await bob.answered(bob.client.order(orders.Rematch())) is None
    assert [seat.name for seat in bob.seen.room.seats] == ["Bob"]


async def test_leaving_the_lobby_frees_the_seat_and_the_name(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    bob.client.leave()
    await ada.sees(lambda s: len(s.room.seats) == 1)
    again = await table.seat("Bob")
    assert again.seen.room.seats[1].name == "Bob"


async def test_away_in_the_lobby_frees_the_seat_in_the_end(party: Any) -> None:
    table = party(players=2, speed=10, patience=Patience(away=10))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    await bob.drop()
    await ada.sees(lambda s: len(s.room.seats) == 1, 20)
    assert ada.notices[-2:] == ["away", "left"]


async def test_whose_seat_was_freed_sits_down_again(party: Any, hostile: Any) -> None:
    table = party(players=2, speed=10, patience=Patience(away=10), pin="123456")
    lines: list[Any] = []

    def line(transport: Any) -> Any:
        lines.append(hostile(transport, 1, **dict.fromkeys(KINDS, 0.0)))
        return lines[-1]

    ada = await table.seat("Ada", pin="123456")
    bob = await table.seat("Bob", line=line, pin="123456")
    lines[0].cut()
    await ada.sees(lambda s: len(s.room.seats) == 1, 20)
    lines[0].mend()
    await ada.sees(lambda s: len(s.room.seats) == 2, 20)
    assert await bob.answered(bob.client.say("back again")) is None
    assert bob.seen.room.you == 1
    assert bob.ended is None


async def test_a_host_that_comes_back_keeps_everybody(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    table.running.cancel()
    await asyncio.gather(table.running, return_exceptions=True)
    aid = ada.client.say("hello?")
    again = party(players=2, keys=table.keys, broker=table.broker)
    again.table.lobby.seats = table.table.lobby.seats
    assert again.host.door.epoch != table.host.door.epoch
    assert await ada.answered(aid) is None
    await bob.sees(lambda s: [line.text for line in s.room.chat] == ["hello?"])


async def test_nobody_here_closes_the_table(party: Any, eventually: Any) -> None:
    table = party(players=2, bots=1, speed=10, patience=Patience(away=5, idle=20))
    ada = await table.seat("Ada")
    await ada.drop()
    await eventually(table.running.done, 20)
    assert table.table.closed_why == "idle"


async def test_a_spectator_keeps_the_table_open_and_is_forgotten_when_gone(party: Any) -> None:
    table = party(players=2, speed=10)
    ada, eve = await table.seat("Ada"), await table.seat(None)
    await ada.sees(lambda s: s.room.spectators == 1)
    await eve.drop()
    await ada.sees(lambda s: s.room.spectators == 0, 20)


async def test_chat_is_cleaned_and_capped(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.say(" a\x1b[2J\nb ")) is None
    seen = await bob.sees(lambda s: bool(s.room.chat))
    assert [(line.name, line.seat, line.text) for line in seen.room.chat] == [("Ada", 0, "a[2J b")]
    assert await ada.answered(ada.client.say("\x07")) == "chat_empty"
    assert await ada.answered(ada.client.say("x" * 301)) == "chat_long"
    codes = [await ada.answered(ada.client.say(f"{number}")) for number in range(10)]
    assert "chat_fast" in codes
    assert codes[:4] == [None] * 4
    assert await bob.answered(bob.client.say("x" * 300)) is None


async def test_the_advertisement_tells_who_is_here(party: Any) -> None:
    from net.seal import Counters, verify_public
    from net.topics import table_topic

    table = party(players=2)
    await table.seat("Ada")
    line = table.broker.connect()
    await line.subscribe(table_topic(table.keys.table_id))
    async with asyncio.timeout(5):
        while True:
            _, payload = await line.receive()
            letter = verify_public(payload, table.keys.table_id, Counters())
            assert letter is not None
            ad = letter.body
            assert isinstance(ad, TableAd)
            if ad.taken == 1:
                break
    assert (ad.title, ad.game, ad.phase) == ("Cellar", "achoo", "lobby")
    assert (ad.players, ad.pin) == (2, False)


async def test_keys_are_the_seat(party: Any) -> None:
    table = party(players=2, speed=10)
    ada = await table.seat("Ada")
    await ada.drop()
    thief = await table.seat("Ada", SeatKeys.new())
    assert thief.seen.room.you == 1
    assert thief.seen.room.seats[1].name == "Ada 2"


async def test_whoever_comes_and_goes_leaves_nothing_behind(
    party: Any, eventually: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))
    monkeypatch.setattr("net.table.NEWCOMERS_AT_ONCE", 1000)
    monkeypatch.setattr("net.board.SPECTATORS_IN_A_ROW", 1000)
    table = party(players=4)
    ada = await table.seat("Ada")
    table.host._keep = TableFile(table.keys.table_id).keep
    host, kept = table.host, table_folder(table.keys.table_id) / TABLE_FILE

    async def come_and_go(times: int) -> int:
        for number in range(times):
            guest = await table.seat(None if number % 3 == 0 else "Bob")
            assert await guest.answered(guest.client.say("hello")) is None
            if number % 3 == 2:
                seat = len(ada.seen.room.seats) - 1
                assert await ada.answered(ada.client.order(orders.RemoveSeat(seat))) is None
            else:
                guest.client.leave()
            await guest.end()
        ours = {ada.keys.peer_id}
        await eventually(
            lambda: set(host.answers) <= ours and set(host.table.chat.speakers) <= ours
        )
        assert set(host.door.peers) == ours
        assert not (host.out._unshown.keys() | host.out._pace.keys()) - ours
        record = msgspec.json.decode(kept.read_bytes())
        assert record.pop("answers").keys() == ours
        return len(msgspec.json.encode(record))

    await come_and_go(60)  # by now the chat and the notices are as long as they get
    before = await come_and_go(60)
    assert abs(await come_and_go(30) - before) < 100  # numbers may grow by a digit


async def test_a_goodbye_is_answered_however_soon_a_client_is_cut_off(party: Any) -> None:
    table = party(players=2)
    client = table.client("Ada")
    running = asyncio.create_task(client.run())
    async for update in client.updates():
        if isinstance(update, Seen):
            table.host.stop("ended")
        elif isinstance(update, Ended):
            assert update.code == "closed"
    running.cancel()
    await asyncio.sleep(0)
    running.cancel()  # as by a program that closes, while it closes
    await asyncio.gather(running, return_exceptions=True)
    async with asyncio.timeout(GOODBYE_EVERY):  # otherwise it is said once more
        await table.running


async def test_no_more_watch_than_may_however_many_come_at_once(
    party: Any, eventually: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("net.reception.SPECTATORS", 2)
    table = party(players=2)
    ada = await table.seat("Ada")
    eves = [table.guest(None) for _ in range(5)]
    await eventually(lambda: sum(eve.ended is not None for eve in eves) == 3)
    assert [eve.ended.code for eve in eves if eve.ended is not None] == ["full"] * 3
    for eve in eves:
        await eve.until(lambda eve=eve: bool(eve.views) or eve.ended is not None)
    assert len(table.host.reception.spectators) == 2
    watching = next(eve for eve in eves if eve.ended is None)
    again = await table.seat(None, watching.keys, take_over=True)  # its own place counts once
    assert await again.answered(again.client.say("still watching")) is None
    await ada.sees(lambda s: s.room.spectators == 2)


async def test_a_spectator_whom_the_host_has_forgotten_notices_though_views_go_on(
    party: Any, eventually: Any
) -> None:
    """Their laptop slept, say: the host hears nothing they say in that session any more."""
    table = party(speed=10.0)
    eve = await table.seat(None)
    table.host._forget(table.host.door.peers[eve.keys.peer_id])
    aid = eve.client.say("anybody?")

    def answered() -> bool:
        table.table.set_up_changed()  # a public view, each time anybody looks
        return eve.answer(aid) is not None

    await eventually(answered)
    table.host.stop("ended")
    assert await eve.end() == "closed"


async def test_a_spectator_who_sits_down_watches_no_more(party: Any) -> None:
    table = party(players=2)
    ada, eve = await table.seat("Ada"), await table.seat(None)
    await ada.sees(lambda s: s.room.spectators == 1)
    bob = await table.seat("Bob", eve.keys, take_over=True)
    assert await eve.end() == "taken_over"
    await ada.sees(lambda s: s.room.spectators == 0 and len(s.room.seats) == 2)
    ada.client.order(orders.Start())
    await asyncio.gather(ada.play(), bob.play())
    assert await ada.answered(ada.client.say("well played")) is None
    await bob.sees(lambda s: [line.text for line in s.room.chat] == ["well played"])


async def test_sitting_down_again_and_again_is_no_way_to_fill_chat_and_disk(party: Any) -> None:
    table = party(players=3)
    ada = await table.seat("Ada")
    ended = None
    for _ in range(2 * NEWCOMERS_AT_ONCE):
        guest = table.guest("Bob")
        await guest.until(lambda guest=guest: bool(guest.views) or guest.ended is not None)
        if guest.ended is not None:
            ended = guest.ended.code
            break
        guest.client.leave()
        await guest.end()
    assert ended == "crowded"
    again = await table.seat("Ada", ada.keys, take_over=True)  # who has a seat is no newcomer
    assert again.seen.room.you == 0
