"""Whole games between a host and clients, over lines kind and unkind."""

from __future__ import annotations

import asyncio
from typing import Any

from net import orders


async def test_two_people_play_a_game_to_the_end(party: Any) -> None:
    table = party(players=2)
    ada, bob = await table.seat("Ada"), await table.seat("Bob")
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await asyncio.gather(ada.play(), bob.play())
    await ada.sees(lambda s: s.room.phase == "over")
    assert ada.seen.game.result == bob.seen.game.result
    assert table.journal.result is not None
    assert len(table.journal.lines) == 8
