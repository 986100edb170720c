"""The table's own bots, and those that stand in for people: they think beside the table.

A bot is handed what its seat is shown, decoded from the very bytes that would
go out on the wire, and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from random import Random

from core.kernel.action import Action
from core.kernel.illegal import Refused
from net.host_game import Asked, HostGame
from net.thinking import NOT_ITS_FAULT, Thinker

NOTHING_LEGAL = 5.0
"""Seconds before a bot is asked again of which nothing was taken, or that stumbled."""

log = logging.getLogger(__name__)


class _BotSeat:
    """One bot at one seat of one game, and how much of it was told."""

    def __init__(self, game: HostGame, seat: int, level: str, rng: Random) -> None:
        self._game = game
        self._seat = seat
        self._thinker = Thinker(game.rules, level, seat, rng)
        self._told = 0

    async def play(self, act: Callable[[int, Action, Asked], None]) -> None:
        """Answer the open question with the first of its wishes that is taken."""
        game, seat = self._game, self._seat
        asked = game.asked
        view = game.rules.decode_view(game.view(seat))
        steps = game.steps(seat, self._told - 1)
        self._told += len(steps)
        news = b"[" + b",".join(event for step in steps for event in step) + b"]"
        for action in await self._thinker.wishes(view, game.rules.decode_events(news)):
            try:
                act(seat, action, asked)
            except Refused as refusal:
                if refusal.code in NOT_ITS_FAULT:
                    return
                log.warning("a bot's action was refused: %s %s", refusal.code, action)
            else:
                return
        await asyncio.sleep(NOTHING_LEGAL)


class Bots:
    """All bots that play at a table now: one task for each seat that has to act."""

    def __init__(
        self,
        act: Callable[[int, Action, Asked], None],
        idle: Callable[[], None],
        *,
        think: float,
        rng: Random,
    ) -> None:
        """`act` lets a seat answer a question; `idle` is called when a bot is done."""
        self._act = act
        self._idle = idle
        self._think = think
        self._rng = rng
        self._seats: dict[tuple[int, int, str], _BotSeat] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}

    def look(self, game: HostGame | None, to_play: dict[int, str]) -> None:
        """Let exactly these seats be played: seat number -> level. Called after every change."""
        for seat in [seat for seat in self._thinking if seat not in to_play]:
            self._thinking.pop(seat).cancel()
        if game is None:
            self._seats.clear()
            return
        for seat, level in to_play.items():
            if seat not in self._thinking:
                task = asyncio.create_task(self._play(game, seat, level))
                self._thinking[seat] = task
                task.add_done_callback(partial(self._thought, seat))

    def close(self) -> None:
        """Stop all thinking."""
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()

    async def _play(self, game: HostGame, seat: int, level: str) -> None:
        if self._think:
            await asyncio.sleep(self._think)
        key = (game.number, seat, level)
        try:
            if key not in self._seats:
                self._seats[key] = _BotSeat(game, seat, level, Random(self._rng.random()))
            await self._seats[key].play(self._act)
        except Exception:  # a fault of ours ends no table, and doesn't come as fast as it can
            log.exception("a bot stumbled")
            await asyncio.sleep(NOTHING_LEGAL)

    def _thought(self, seat: int, task: asyncio.Task[None]) -> None:
        if self._thinking.get(seat) is task:
            del self._thinking[seat]
            self._idle()
