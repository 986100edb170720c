"""Whole games over the brokers that tables are played with: ours, and a mosquitto."""

from __future__ import annotations

from typing import Any

import pytest

from core.registry import GAMES


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_visiting_bots_play_a_game_to_its_end(
    party: Any, real_broker: Any, game: str
) -> None:
    """The protocol and not the broker carries a game of each kind to its end."""
    table = party(
        GAMES[game],
        broker=real_broker,
        host_line=real_broker.host_line,
        players=3,
        start_when_full=True,
    )
    watching = await table.seat(None)
    for name in ("Ada", "Ben", "Cyd"):
        table.guest_bot(name, "easy")
    await table.over(60)
    await watching.sees(lambda seen: seen.game is not None and seen.game.over)
    assert table.journal.result is not None
    assert {by for *_, by in table.journal.lines} == {"seat"}
