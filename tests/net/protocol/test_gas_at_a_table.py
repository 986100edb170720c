# ruff: noqa: ARG002 - bots of a test have no use for much that they are told
"""Low on Gas between a host and its seats: whole games, calls in time, long matches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from hostile_line import HostileTransport, Malice

from core.kernel.bot import Bot
from core.low_on_gas.actions import LowOnGas, Play
from core.low_on_gas.events import Called
from core.low_on_gas.rules import GasRules
from core.registry import GAMES
from net import orders
from net.fair_moment import AT_LEAST, FairMoments
from net.seal import MAX_LETTER
from net.transport import Transport

GAS = GAMES["low-on-gas"]

SPEED = 4.0


class Caller:
    """Plays what it can and never calls with a discard, but beside it, as people do."""

    def saw(self, event: Any) -> None:
        """Nothing to remember."""

    def choose(self, view: Any, seat: int, rng: Random) -> Any:
        may = {offer.do: offer for offer in view.offers}
        if "low_on_gas" in may:
            return LowOnGas()
        if "play" in may:
            card = rng.choice(may["play"].cards)
            return Play(card, "red" if card in may["play"].ask_colour else None)
        return GAS.action({"do": view.offers[0].do})


class Careless(Caller):
    """Never calls at all, and never speaks unless it is its turn."""

    def choose(self, view: Any, seat: int, rng: Random) -> Any:
        if all(offer.do == "low_on_gas" for offer in view.offers):
            return None
        calls = [offer for offer in view.offers if offer.do != "low_on_gas"]
        return super().choose(msgspec.structs.replace(view, offers=tuple(calls)), seat, rng)


class Rules(GasRules):
    bots: dict[str, Callable[[], Bot[Any]]] = {
        **GasRules.bots,
        "caller": Caller,
        "careless": Careless,
    }


@pytest.fixture
def gas() -> Rules:
    return Rules()


@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize("kind", ["person", "guest_bot"])
async def test_a_match_is_played_over_the_wire(
    party: Any, gas: Rules, players: int, kind: str
) -> None:
    table = party(gas, players=players, options={"wins": 2}, start_when_full=True)
    eve = await table.seat(None)
    bots = [table.guest_bot(f"Bot {n}", "easy", kind) for n in range(players)]
    await table.over(60)
    await eve.sees(lambda s: s.room.phase == "over")
    assert eve.events == table.table.game._game.shown(None, -1)
    assert all(isinstance(hand, int) for view in eve.views if view.game for hand in _hands(view))
    assert max(eve.seen.game.result.wins) == 2
    table.host.stop("ended")
    assert {end.code for end in await asyncio.gather(*bots)} == {"closed"}
    assert {by for *_, by in table.journal.lines} == {"seat"}
    assert not table.host.door.dropped


def _hands(view: Any) -> tuple[Any, ...]:
    hands: tuple[Any, ...] = view.game.table.hands
    return hands


@pytest.mark.parametrize("seed", [1, 2])
def test_on_a_hostile_line_nobody_loses_a_call(in_virtual_time: Any, gas: Rules, seed: int) -> None:
    made: list[HostileTransport] = []

    def line(transport: Transport) -> HostileTransport:
        malice = Malice(drop=0.01, repeat=0.3, delay=0.4, longest=0.05)
        made.append(HostileTransport(transport, seed * 100 + len(made), malice))
        return made[-1]

    async def evening(party: Any) -> None:
        table = party(gas, players=3, line=line, start_when_full=True)
        for name in ("Ada", "Bob", "Cy"):
            table.guest_bot(name, "caller", "person")
        await table.over(90)
        aids = [aid for _, _, aid, _ in table.journal.lines]
        assert len(aids) == len(set(aids))
        _check_calls(table.table.game._game, range(3))

    in_virtual_time(evening)


def _check_calls(game: Any, people: Any) -> None:
    """Check that each of these had called whenever they laid their last card."""
    calls = 0
    for events in game.log:
        calls += any(isinstance(each, Called) for each in events)
        assert not any(
            getattr(each, "why", None) == "penalty" and each.seat in people for each in events
        ), "somebody called and wasn't heard"
    assert calls


async def test_a_slow_line_costs_nobody_a_call(party: Any, gas: Rules, slow: Any) -> None:
    """A person 800 ms away at a table of bots that act at once, and take nearly all they have."""
    table = party(
        gas, players=2, bots=1, level="careless", speed=SPEED, options={"pass_it_on": True}
    )
    ada = await table.seat("Ada", line=lambda t: slow(t, 0.8 / SPEED))
    rng, windows = Random(1), 0
    assert await ada.answered(ada.client.order(orders.Start())) is None
    while windows < 2:
        seen = await ada.sees(lambda s: bool(s.game and (s.game.over or s.game.offers)), 60)
        if seen.game.over:
            assert await ada.answered(ada.client.order(orders.Rematch())) is None
            assert await ada.answered(ada.client.order(orders.Start())) is None
            await ada.sees(lambda s: s.room.phase == "playing" and not s.game.over)
            continue
        if any(offer.do == "low_on_gas" for offer in seen.game.offers):
            windows += 1
            await asyncio.sleep(0.6 * AT_LEAST / SPEED)
        action = Caller().choose(seen.game, seen.room.you, rng)
        assert await ada.answered(ada.client.act(action)) is None


async def test_a_table_of_bots_waits_for_nobody(
    party: Any, gas: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[bool] = []
    too_soon = FairMoments._silences_too_soon

    def watched(self: FairMoments, tried: Any) -> bool:
        waited.append(too_soon(self, tried))
        return waited[-1]

    monkeypatch.setattr(FairMoments, "_silences_too_soon", watched)
    table = party(gas, players=3, bots=3, level="caller", start_when_full=True)
    await table.over()
    assert waited
    assert not any(waited)
    assert {by for *_, by in table.journal.lines} == {"bot"}


async def test_a_long_match_is_caught_up_with_in_pages(party: Any, gas: Rules) -> None:
    table = party(gas, players=7, bots=7, options={"wins": 9}, start_when_full=True)
    async with asyncio.timeout(90):
        await table.over(90)
    eve = await table.seat(None)
    assert eve.events == table.table.game._game.shown(None, -1)
    assert len(eve.events) > 2000
    assert len(msgspec.json.encode(eve.events)) > 2 * MAX_LETTER, "it fits no single letter"
    assert len(eve.views) == 1
