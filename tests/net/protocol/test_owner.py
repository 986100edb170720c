"""Who may order what at a table, and who has the right."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from net import orders
from net.keys import SeatKeys
from net.table import Patience

KINDS = ("drop", "repeat", "delay", "replay", "swap", "damage", "garbage")

ORDERS = [
    orders.Start(),
    orders.SetOption("sneeze", 5),
    orders.SetPlayers(3),
    orders.AddBot("easy"),
    orders.RemoveSeat(0),
    orders.SeatToBot(0),
    orders.MoveSeat(0, 1),
    orders.Pause(),
    orders.Rematch(),
    orders.SetPin("123456"),
    orders.OpenDoor(),
    orders.EndTable(),
]


async def test_only_the_owner_orders(party: Any) -> None:
    table = party(players=4)
    ada, bob, eve = await table.seat("Ada"), await table.seat("Bob"), await table.seat(None)
    assert ada.seen.room.owner == 0
    for order in ORDERS:
        assert await bob.answered(bob.client.order(order)) == "not_owner"
        assert await eve.answered(eve.client.order(order)) == "not_owner"
    assert [seat.name for seat in ada.seen.room.seats] == ["Ada", "Bob"]
    assert ada.seen.room.phase == "lobby"


async def test_the_owner_sets_the_table_up(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")

    async def order(what: Any) -> str | None:
        code: str | None = await ada.answered(ada.client.order(what))
        return code

    assert await order(orders.SetPlayers(4)) is None
    assert await order(orders.SetPlayers(1)) == "bad_seats"
    assert await order(orders.AddBot("easy")) is None
    assert await order(orders.AddBot("genius")) == "no_such_level"
    assert await order(orders.SetPlayers(2)) == "seats_taken"
    assert await order(orders.SetOption("sneeze", 5)) is None
    assert await order(orders.SetOption("sneeze", 3)) == "bad_option"
    assert await order(orders.MoveSeat(2, 0)) is None
    assert await order(orders.MoveSeat(0, 7)) == "no_such_seat"
    seen = await bob.sees(lambda s: s.room.seats[0].name == "Bot A")
    assert [seat.name for seat in seen.room.seats] == ["Bot A", "Ada", "Bob"]
    assert (seen.room.you, seen.room.owner, seen.room.players) == (2, 1, 4)
    assert seen.room.options == {"sneeze": 5, "first": 0}
    assert await order(orders.Rematch()) == "not_over"
    assert await order(orders.Pause()) == "not_playing"
    assert await order(orders.Start()) is None
    for late in (orders.Start(), orders.AddBot("easy"), orders.SetPlayers(5)):
        assert await order(late) == "started"
    assert await order(orders.Rematch()) == "still_playing"


async def test_no_bot_has_a_number_that_could_be_a_seats(party: Any) -> None:
    table = party()
    ada = await table.seat("Ada")
    await ada.answered(ada.client.order(orders.SetPlayers(4)))
    for order in (orders.AddBot("easy"), orders.AddBot("easy"), orders.RemoveSeat(1)):
        await ada.answered(ada.client.order(order))
    await ada.answered(ada.client.order(orders.AddBot("easy")))
    seen = await ada.sees(lambda s: len(s.room.seats) == 3)
    assert [seat.name for seat in seen.room.seats] == ["Ada", "Bot B", "Bot A"]


@pytest.mark.parametrize("seats", [1])
async def test_too_few_cannot_start(party: Any, seats: int) -> None:
    table = party(players=2)
    ada = await table.seat("Ada")
    aid = ada.client.order(orders.Start())
    assert await ada.answered(aid) == "too_few"
    assert ada.answer(aid).facts == {"seats": seats, "least": 2}


async def test_removed_in_the_lobby_is_a_free_seat(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.RemoveSeat(1))) is None
    await bob.until(lambda: bob.ended is not None)
    assert bob.ended.code == "removed"
    assert len(ada.seen.room.seats) == 1
    cy = await table.seat("Cy")
    assert cy.seen.room.you == 1


async def test_an_order_hits_whom_its_owner_saw_at_the_seat(party: Any) -> None:
    table = party(players=4)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    await table.seat("Cy"), await table.seat("Dora")
    await ada.sees(lambda s: len(s.room.seats) == 4)
    await bob.drop()
    table.table.leave(table.table.lobby.seats[1])
    late = (orders.RemoveSeat(1), orders.MoveSeat(1, 0), orders.SeatToBot(1))
    asked = [ada.client.order(order) for order in late]  # before the news of Bob has come
    assert {await ada.answered(aid) for aid in asked} == {"other_seat"}
    assert [seat.name for seat in ada.seen.room.seats] == ["Ada", "Cy", "Dora"]
    assert await ada.answered(ada.client.order(orders.RemoveSeat(1))) is None
    assert [seat.name for seat in ada.seen.room.seats] == ["Ada", "Dora"]


async def test_removed_in_a_game_leaves_cards_to_a_bot(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await bob.sees(lambda s: s.game is not None)
    hand = bob.seen.game.table.hands[1]
    assert await ada.answered(ada.client.order(orders.RemoveSeat(1))) is None
    await bob.until(lambda: bob.ended is not None)
    assert (ada.seen.room.seats[1].name, ada.seen.room.seats[1].kind) == ("Bob", "bot")
    await ada.play()
    played = [card for seat, card in ada.seen.game.table.played if seat == 1]
    assert sorted(played) == sorted(hand)
    again = table.guest("Bob", bob.keys)
    await again.until(lambda: again.ended is not None)
    assert again.ended.code == "full"


async def test_the_right_passes_on_when_the_owner_leaves(party: Any) -> None:
    table = party(players=3)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.leave()
    await bob.sees(lambda s: len(s.room.seats) == 1)
    assert bob.seen.room.owner == 0
    assert ada.ended.code == "left"
    assert await bob.answered(bob.client.order(orders.SetPlayers(2))) is None
    assert "owner" in bob.notices


async def test_the_right_comes_back_with_the_owner(party: Any) -> None:
    table = party(players=2, speed=10)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await bob.sees(lambda s: s.game is not None)
    await ada.drop()
    await bob.sees(lambda s: s.room.owner == 1, 20)
    assert not bob.seen.room.seats[0].here
    back = await table.seat("Ada", ada.keys)
    await back.sees(lambda s: s.room.owner == 0)
    assert await back.answered(back.client.order(orders.Pause())) is None


async def test_an_owner_who_is_briefly_away_stays_the_owner(party: Any, hostile: Any) -> None:
    table = party(players=4, speed=10, patience=Patience(away=40))
    lines: list[Any] = []

    def line(transport: Any) -> Any:
        lines.append(hostile(transport, 1, **dict.fromkeys(KINDS, 0.0)))
        return lines[-1]

    ada, bob = await table.seat("Ada", line=line), await table.seat("Bob")
    await bob.sees(lambda s: len(s.room.seats) == 2)
    lines[0].cut()
    await bob.sees(lambda s: not s.room.seats[0].here)
    eve = await table.seat("Eve")
    assert eve.seen.room.owner == 0
    assert await eve.answered(eve.client.order(orders.RemoveSeat(0))) == "not_owner"
    lines[0].mend()
    await bob.sees(lambda s: s.room.seats[0].here)
    assert bob.seen.room.owner == 0
    assert bob.notices.count("owner") == 1
    assert await ada.answered(ada.client.order(orders.SetPlayers(3))) is None


@pytest.mark.parametrize("over", [False, True])
async def test_an_owner_who_stays_away_is_followed_by_somebody_else(party: Any, over: bool) -> None:
    table = party(players=2, speed=10, patience=Patience(think=0, away=10))
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await bob.sees(lambda s: s.game is not None)
    if over:
        await asyncio.gather(ada.play(), bob.play())
    await ada.drop()
    await bob.sees(lambda s: s.room.owner == 1, 20)
    if over:
        assert await bob.answered(bob.client.order(orders.Rematch())) is None


async def test_a_reserved_right_waits_for_its_owner(party: Any) -> None:
    keys = SeatKeys.new()
    table = party(players=2, founder=keys.peer_id)
    bob = await table.seat("Bob")
    ada = await table.seat("Ada", keys)
    await bob.sees(lambda s: s.room.owner == 1)
    assert await ada.answered(ada.client.order(orders.SetPlayers(3))) is None
    assert await bob.answered(bob.client.order(orders.SetPlayers(2))) == "not_owner"


async def test_a_bot_that_came_first_owns_no_table_of_people(party: Any) -> None:
    table = party(players=4)
    bot = await table.seat("Robot", kind="guest_bot")
    assert bot.seen.room.owner == 0, "there is nobody else"
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert bob.seen.room.owner == 1
    assert await bot.answered(bot.client.order(orders.SetPlayers(3))) == "not_owner"
    assert await ada.answered(ada.client.order(orders.SetPlayers(3))) is None


async def test_nobody_is_quicker_than_who_opened_the_table(party: Any) -> None:
    table = party(players=3, founder=(keys := SeatKeys.new()).peer_id)
    bob = await table.seat("Bob")
    assert bob.seen.room.owner is None
    assert await bob.answered(bob.client.order(orders.SetPin("666666"))) == "not_owner"
    ada = await table.seat("Ada", keys)
    await bob.sees(lambda s: s.room.owner == 1)
    assert await ada.answered(ada.client.order(orders.SetPlayers(2))) is None


async def test_who_opened_the_table_is_not_waited_for_forever(party: Any) -> None:
    patience = Patience(away=30)
    table = party(players=3, founder=SeatKeys.new().peer_id, speed=20, patience=patience)
    bob = await table.seat("Bob")
    assert bob.seen.room.owner is None
    await bob.sees(lambda s: s.room.owner == 0, 20)
    assert await bob.answered(bob.client.order(orders.SetPlayers(2))) is None


async def test_ending_the_table_tells_everybody(party: Any, eventually: Any) -> None:
    table = party(players=2)
    ada, bob, eve = await table.seat("Ada"), await table.seat("Bob"), await table.seat(None)
    ada.client.order(orders.EndTable())
    for guest in (ada, bob, eve):
        await guest.until(lambda guest=guest: guest.ended is not None)
        assert guest.ended.code == "closed"
    await eventually(table.running.done)
    late = table.guest("Late")
    late.client._started -= 9.5
    await late.until(lambda: late.ended is not None)
    assert late.ended.code == "no_answer"


async def test_a_table_that_was_ended_stays_so(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await asyncio.gather(ada.play(), bob.play())
    await ada.sees(lambda s: s.room.phase == "over")
    ada.client.order(orders.EndTable())
    for order in (orders.Rematch(), orders.AddBot("easy"), orders.Start()):
        ada.client.order(order)
    assert await bob.end() == "closed"
    assert table.table.phase == "closed"
    await asyncio.wait_for(table.running, 5)


async def test_anybody_hands_their_own_seat_to_a_bot_and_back(party: Any) -> None:
    table = party(players=2, think=60)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    ada.client.order(orders.Start())
    await bob.sees(lambda s: s.game is not None)
    assert await bob.answered(bob.client.order(orders.SeatToBot(1))) is None
    assert ada.seen.room.seats[1].bot_plays
    assert await bob.answered(bob.client.order(orders.SeatToBot(1, on=False))) is None
    seen = await ada.sees(lambda s: not s.room.seats[1].bot_plays)
    assert seen.room.seats[1].here
    assert ada.notices[-2:] == ["bot_takes_over", "stepped_in"]


async def test_everybody_hears_what_the_owner_did_to_a_seat(party: Any) -> None:
    table = party(players=3, think=60)
    ada, bob, cy = await table.seat("Ada"), await table.seat("Bob"), await table.seat("Cy")
    ada.client.order(orders.Start())
    await cy.sees(lambda s: s.game is not None)
    assert await ada.answered(ada.client.order(orders.SeatToBot(1))) is None
    assert await ada.answered(ada.client.order(orders.SeatToBot(0))) is None
    assert await ada.answered(ada.client.order(orders.RemoveSeat(1))) is None
    await bob.until(lambda: bob.ended is not None)
    seen = await cy.sees(lambda s: s.room.seats[1].kind == "bot")
    heard = [(n.code, n.facts["name"], n.facts.get("why")) for n in seen.room.notices[-4:]]
    assert heard == [
        ("bot_takes_over", "Bob", "owner"),
        ("bot_takes_over", "Ada", "self"),
        ("removed", "Bob", None),
        ("bot_takes_over", "Bob", "removed"),
    ]


@pytest.mark.parametrize(
    "pin", ["", "12345", "1234567", "123456\n", "abcdef", "\u0661" * 6, 123456]
)
def test_what_is_no_pin_is_no_order(pin: object) -> None:
    """A table kept with such a PIN could never be opened again."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"order": "setpin", "pin": pin}, orders.AnyOrder)
