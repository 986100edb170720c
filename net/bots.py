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
from net.mishaps import unsaid
from net.thinking import NOT_ITS_FAULT, STEP, Thinker

NOTHING_LEGAL = 5.0
"""Seconds before a bot is asked again that had to act and did nothing right, or that stumbled."""

log = logging.getLogger(__name__)


class _BotSeat:
    """One bot at one seat of one game, and how much of it was told."""

    def __init__(self, game: HostGame, seat: int, level: str, rng: Random, step: float) -> None:
        self._game = game
        self._seat = seat
        self._thinker = Thinker(game.rules, level, seat, rng, step=step)
        self._told = 0

    async def play(self, act: Callable[[int, Action, Asked], None]) -> bool:
        """Do the first of its wishes that is taken; say whether it left all as it is instead."""
        game, seat = self._game, self._seat
        asked, must = game.asked, seat in game.waited_for
        view = game.rules.decode_view(game.view(seat))
        steps = game.steps(seat, self._told - 1)
        self._told += len(steps)
        news = b"[" + b",".join(event for step in steps for event in step) + b"]"
        events = game.rules.decode_events(news)
        for action in await self._thinker.wishes(view, events, must=must):
            try:
                act(seat, action, asked)
            except Refused as refusal:
                if refusal.code in NOT_ITS_FAULT:
                    return False
                do = action.__struct_config__.tag
                log.warning("the bot at seat %d was refused to %s: %s", seat, do, refusal.code)
            else:
                return False
        if must:
            await asyncio.sleep(NOTHING_LEGAL)
        return True


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
        self._step = min(think, STEP)
        self._rng = rng
        self._seats: dict[tuple[int, int, str], _BotSeat] = {}
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._silent: dict[int, tuple[int, int]] = {}
        """Who said nothing when so many actions of that game had happened: until the next one."""

    def look(self, game: HostGame | None, to_play: dict[int, str]) -> None:
        """Let exactly these seats be played: seat number -> level. Called after every change."""
        for seat in [seat for seat in self._thinking if seat not in to_play]:
            self._thinking.pop(seat).cancel()
        if game is None:
            self._seats.clear()
            return
        for seat, level in to_play.items():
            if seat not in self._thinking and self._silent.get(seat) != _state(game):
                task = asyncio.create_task(self._play(game, seat, level))
                self._thinking[seat] = task
                task.add_done_callback(partial(self._thought, seat))

    def close(self) -> None:
        """Stop all thinking."""
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()

    async def _play(self, game: HostGame, seat: int, level: str) -> None:
        await self._pause(game, seat)
        key = (game.number, seat, level)
        try:
            if key not in self._seats:
                rng = Random(self._rng.random())
                self._seats[key] = _BotSeat(game, seat, level, rng, self._step)
            state = _state(game)
            if await self._seats[key].play(self._act):
                self._silent[seat] = state
        except Exception as error:  # a fault of ours ends no table, and doesn't come fast
            log.error("a bot stumbled", exc_info=unsaid(error))
            await asyncio.sleep(NOTHING_LEGAL)

    async def _pause(self, game: HostGame, seat: int) -> None:
        """Let people follow; once more if it is this seat's turn by now and wasn't before."""
        must = seat in game.waited_for
        if self._think:
            await asyncio.sleep(self._think - self._step)  # the rest it thinks
            if not must and seat in game.waited_for:
                await asyncio.sleep(self._think)

    def _thought(self, seat: int, task: asyncio.Task[None]) -> None:
        if self._thinking.get(seat) is task:
            del self._thinking[seat]
            self._idle()


def _state(game: HostGame) -> tuple[int, int]:
    """Return what changes with every action of every game."""
    return game.number, game.actions
