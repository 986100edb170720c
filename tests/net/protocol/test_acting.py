"""Actions: once each, for the open question, on disk before anybody sees them."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from core.kernel.illegal import Refused
from net import orders
from net.host import LONGEST_ACTION
from net.messages import Act


def card(guest: Any, index: int = 0) -> int:
    return int(guest.seen.game.table.hands[guest.seen.room.you][index])


async def started(table: Any) -> tuple[Any, Any]:
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await bob.sees(lambda s: s.game is not None)
    return ada, bob


def send(guest: Any, aid: str, question: int, action: bytes, game: int = 1) -> str:
    """Ask for something under an aid of our own choice, as a broken client might."""
    pending = guest.client._ask_for(lambda _: Act(aid, game, question, msgspec.Raw(action)))
    guest.client.asking.pending[aid] = guest.client.asking.pending.pop(pending)
    return aid


async def test_the_same_aid_happens_once(party: Any, play: Any) -> None:
    table = party(players=2)
    ada, bob = await started(table)
    aid = ada.client.act(play(card(ada)))
    assert await ada.answered(aid) is None
    assert await bob.answered(bob.client.act(play(card(bob)))) is None
    await ada.sees(lambda s: s.game.actions == 2)
    again = b'{"do":"play","cards":[%d]}' % card(ada)
    ada.updates = [u for u in ada.updates if getattr(u, "aid", "") != aid]
    send(ada, aid, ada.seen.question, again)
    assert await ada.answered(aid) is None
    assert [line[2] for line in table.journal.lines].count(aid) == 1
    assert table.table.game.actions == 2


async def test_a_closed_question_is_refused_with_the_fresh_view(party: Any, play: Any) -> None:
    table = party(players=2)
    ada, _ = await started(table)
    ada.client._question = -1
    aid = ada.client.act(play(card(ada)))
    assert await ada.answered(aid) == "stale_question"
    assert ada.seen.question == 1
    assert ada.seen.game.offers
    assert not table.journal.lines


async def test_an_action_for_the_last_game_is_none_for_the_next(party: Any) -> None:
    table = party(players=2)
    ada, bob = await started(table)
    await asyncio.gather(ada.play(), bob.play())
    for order in (orders.Rematch(), orders.Start()):
        assert await ada.answered(ada.client.order(order)) is None
    seen = await ada.sees(lambda s: s.room.games_played == 2 and bool(s.game and s.game.offers))
    fits = b'{"do":"play","cards":[%d]}' % card(ada)
    assert seen.question == 1
    assert await ada.answered(send(ada, "late", 1, fits, game=1)) == "stale_question"
    assert await ada.answered(send(ada, "early", 1, fits, game=3)) == "stale_question"
    assert not table.journal.lines
    assert await ada.answered(send(ada, "now", 1, fits, game=2)) is None


async def test_a_bots_thought_about_the_last_game_is_none_about_the_next(
    party: Any, play: Any
) -> None:
    table = party(players=2, bots=1, think=60)
    ada = await table.seat("Ada")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    old = table.table.game
    table.table.phase = "over"
    for order in (orders.Rematch(), orders.Start()):
        assert await ada.answered(ada.client.order(order)) is None
    new = table.table.game
    fits = play(int(msgspec.json.decode(new.view(0))["table"]["hands"][0][0]))
    assert old.question == new.question
    with pytest.raises(Refused, match="stale_question"):
        table.table.bot_acts(0, fits, old.asked)
    table.table.bot_acts(0, fits, new.asked)


async def test_an_illegal_action_is_refused_with_its_reason(party: Any, play: Any) -> None:
    table = party(players=2)
    ada, bob = await started(table)
    aid = ada.client.act(play(99))
    assert await ada.answered(aid) == "not_in_hand"
    assert ada.answer(aid).facts["cards"] in ((99,), [99])
    assert await bob.answered(bob.client.act(play(card(bob)))) == "not_your_turn"
    assert not table.journal.lines


async def test_what_is_no_action_is_refused(party: Any) -> None:
    table = party(players=2)
    ada, _ = await started(table)
    for number, action in enumerate((b'{"do":"fly"}', b"[]", b"7", b'{"do":"play","cards":["x"]}')):
        assert await ada.answered(send(ada, f"x{number}", 0, action)) == "no_action"


async def test_an_action_has_a_limit(party: Any) -> None:
    table = party(players=2)
    ada, _ = await started(table)
    for spaces, code in ((LONGEST_ACTION, "not_in_hand"), (LONGEST_ACTION + 1, "no_action")):
        action = b'{"do":"play","cards":[99]'.ljust(spaces - 1) + b"}"
        assert await ada.answered(send(ada, f"{spaces}", 1, action)) == code


async def test_nobody_acts_in_the_lobby_nor_from_the_audience(party: Any, play: Any) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    assert await ada.answered(ada.client.act(play(10))) == "not_playing"
    eve = await table.seat(None)
    assert await eve.answered(eve.client.act(play(10))) == "no_seat"


async def test_a_full_disk_undoes_the_action_pauses_and_says_so(party: Any, play: Any) -> None:
    table = party(players=2)
    ada, bob = await started(table)
    table.journal.broken = True
    aid = ada.client.act(play(card(ada)))
    assert await ada.answered(aid) == "disk"
    seen = await bob.sees(lambda s: s.room.paused)
    assert "disk" in bob.notices
    assert seen.game.actions == 0
    assert not seen.game.table.played
    assert not any(view.game and view.game.actions for view in ada.views + bob.views)
    assert await ada.answered(ada.client.act(play(card(ada)))) == "paused"
    table.journal.broken = False
    assert await ada.answered(ada.client.order(orders.Pause(on=False))) is None
    assert await ada.answered(ada.client.act(play(card(ada)))) is None
    await bob.sees(lambda s: s.game.actions == 1)


async def test_what_cant_be_shown_is_not_written_either(
    party: Any, play: Any, monkeypatch: Any, eventually: Any
) -> None:
    table = party(players=2)
    ada, bob = await started(table)
    with monkeypatch.context() as patch:
        patch.setattr(type(table.table.game._game), "shown", lambda *_: (object(),))
        ada.client.act(play(card(ada)))
        await eventually(lambda: table.host.mishaps.count)
        assert not table.journal.lines
        assert table.table.game.actions == 0
    for guest in (ada, bob):
        seen = await guest.sees(lambda s: s.game.actions == 1)  # it is asked for again by itself
        assert guest.events == table.table.game._game.shown(seen.room.you, -1)


async def test_a_game_that_waits_for_its_disk_goes_on_by_itself(party: Any, play: Any) -> None:
    table = party(players=2, speed=10)
    ada, bob = await started(table)
    table.journal.broken = True
    assert await ada.answered(ada.client.act(play(card(ada)))) == "disk"
    await bob.sees(lambda s: s.room.paused)
    table.journal.broken = False
    await ada.sees(lambda s: not s.room.paused)
    assert await ada.answered(ada.client.act(play(card(ada)))) is None
    assert bob.notices.count("disk") == 1


async def test_a_pause_that_was_ordered_is_not_ended_by_a_disk(
    party: Any, play: Any, eventually: Any
) -> None:
    table = party(players=2, speed=10)
    ada, _ = await started(table)
    table.journal.broken = True
    assert await ada.answered(ada.client.act(play(card(ada)))) == "disk"
    assert await ada.answered(ada.client.order(orders.Pause(on=False))) is None
    assert await ada.answered(ada.client.order(orders.Pause(on=True))) is None
    table.journal.broken = False
    await eventually(lambda: not table.table._disk.failed)
    assert table.table.paused


async def test_the_end_of_a_game_is_written_once_the_disk_works(
    party: Any, eventually: Any
) -> None:
    table = party(players=2, speed=10)
    ada, bob = await started(table)
    journal, finish = table.journal, table.journal.finish

    def full(result: bytes) -> None:
        journal.broken = True
        finish(result)

    journal.finish = full
    await asyncio.gather(ada.play(), bob.play())
    assert "disk" in ada.notices
    assert journal.result is None
    journal.finish, journal.broken = finish, False
    await eventually(lambda: journal.result is not None)


async def test_a_table_that_starts_when_full_starts_once_the_disk_works(party: Any) -> None:
    table = party(players=2, speed=10, start_when_full=True)
    table.dealer.broken = True
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    await ada.until(lambda: "disk" in ada.notices)
    table.dealer.broken = False
    await bob.sees(lambda s: s.game is not None)


async def test_nobody_is_shown_what_is_not_on_disk(party: Any, play: Any) -> None:
    table = party(players=2)
    ada, bob = await started(table)
    table.table.seat_to_bot(table.table.lobby.seats[1], True, "owner")
    shown_at_write: list[int] = []
    append = table.journal.append

    def watched(*line: Any) -> None:
        shown_at_write.append(max(view.game.actions for view in bob.views if view.game))
        append(*line)

    table.journal.append = watched
    await ada.play()
    assert all(shown <= written for written, shown in enumerate(shown_at_write))
    assert len(shown_at_write) == 8


async def test_a_journal_that_cannot_begin_refuses_the_start(party: Any) -> None:
    table = party(players=2)
    ada, _ = await table.seat("Ada"), await table.seat("Bob")
    table.dealer.broken = True
    assert await ada.answered(ada.client.order(orders.Start())) == "disk"
    assert ada.seen.room.phase == "lobby"
    table.dealer.broken = False
    assert await ada.answered(ada.client.order(orders.Start())) is None


async def test_a_paused_table_stands_still(party: Any, play: Any) -> None:
    table = party(players=2, bots=1)
    ada = await table.seat("Ada")
    ada.client.order(orders.Start())
    await ada.sees(lambda s: bool(s.game and s.game.offers))
    assert await ada.answered(ada.client.order(orders.Pause())) is None
    assert await ada.answered(ada.client.act(play(card(ada)))) == "paused"
    actions = table.table.game.actions
    assert await ada.answered(ada.client.order(orders.Pause(on=False))) is None
    assert table.table.game.actions == actions
    await ada.play()
    assert [n for n in ada.notices if n in ("paused", "resumed")] == ["paused", "resumed"]
