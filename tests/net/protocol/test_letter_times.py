"""When a letter is sent tells nobody at the broker what is in somebody's hand, as far as we can.

What a person does takes them the time that it takes; what programs do by themselves must not.
"""

from __future__ import annotations

import asyncio
import time
from random import Random
from typing import Any

import pytest

from net import orders
from net.guest_bot import GuestBot
from net.thinking import STEP, Thinker


@pytest.mark.parametrize(("takes", "told"), [(0.0, 0.05), (0.02, 0.05), (0.06, 0.1)])
async def test_how_long_a_bot_thinks_about_its_cards_is_not_to_be_seen(
    toy: Any, monkeypatch: pytest.MonkeyPatch, takes: float, told: float
) -> None:
    """It speaks after whole steps of time, however soon it knew what to say."""

    class Slow(toy.bots["easy"]):  # type: ignore[misc]
        def choose(self, view: Any, seat: int, rng: Random) -> Any:
            time.sleep(takes)
            return super().choose(view, seat, rng)

    monkeypatch.setattr(toy, "bots", {"slow": Slow})
    game = toy.start(2, toy.check_options({}, 2), _Plain())
    seat = game.awaiting()[0]
    thinker = Thinker(toy, "slow", seat, Random(1), step=0.05)
    began = asyncio.get_running_loop().time()
    wishes = await thinker.wishes(game.view(seat), game.shown(seat, -1), must=True)
    assert asyncio.get_running_loop().time() - began >= told
    game.act(seat, next(wishes))


@pytest.mark.parametrize(("think", "step"), [(0.15, STEP), (0.02, 0.02), (0.0, 0.0)])
async def test_bots_that_let_people_follow_speak_in_steps(
    party: Any, toy: Any, monkeypatch: pytest.MonkeyPatch, think: float, step: float
) -> None:
    """The table's own and visiting ones; with `think` 0 they are as fast as they can be."""
    steps: dict[str, float] = {}

    def noting(where: str) -> Any:
        def make(*given: Any, **more: Any) -> Thinker:
            steps[where] = more["step"]
            return Thinker(*given, **{**more, "step": 0.0})

        return make

    monkeypatch.setattr("net.bots.Thinker", noting("table"))
    monkeypatch.setattr("net.guest_bot.Thinker", noting("guest"))
    table = party(players=3, bots=1, think=think)
    ada = await table.seat("Ada")
    client = table.client("Bot", kind="guest_bot")
    bot = GuestBot(client, level="easy", think=think, games={toy.name: toy}, rng=Random(1))
    table.bots.append(asyncio.create_task(bot.play()))
    await ada.sees(lambda seen: len(seen.room.seats) == 3)
    assert await ada.answered(ada.client.order(orders.Start())) is None
    await ada.play(1)
    await ada.sees(lambda seen: seen.game is not None and seen.game.actions >= 3)
    assert steps == {"table": step, "guest": step}


class _Plain:
    def order(self, _label: str, canonical: Any) -> tuple[Any, ...]:
        return tuple(canonical)
