"""The table's own bots, and those that stand in for people: they think beside the table.

A bot is handed what its seat is shown, decoded from the very bytes that would
go out on the wire, and nothing else. It chooses in a thread with a bound, so
that the table never waits for it; one that raises, dawdles or breaks the rules
is replaced by plain legal moves.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from core.kernel.action import Action
from core.kernel.bot import Bot
from core.kernel.illegal import Refused
from core.kernel.rules import Rules
from core.kernel.view import View
from net.host_game import HostGame

THINKS_AT_MOST = 5.0
"""Seconds that a bot may take to choose, besides waiting for people to follow."""

log = logging.getLogger(__name__)


class BotSeat:
    """One bot at one seat of one game."""

    def __init__(self, rules: Rules, level: str, seat: int, rng: Random) -> None:
        self._rules = rules
        self._seat = seat
        self._rng = rng
        self._bot: Bot[Any] | None = rules.bots[level]()
        self._heard = 0

    async def choose(self, game: HostGame) -> Iterator[Action]:
        """Return what the bot would do, best first: its choice, then anything legal."""
        view = self._rules.decode_view(game.view(self._seat))
        return self._wishes(await self._choice(game, view), view)

    async def _choice(self, game: HostGame, view: View[Any, Any]) -> Action | None:
        bot = self._bot
        if bot is None:
            return None
        steps = game.steps(self._seat, self._heard - 1)
        self._heard += len(steps)
        history = b"[" + b",".join(event for step in steps for event in step) + b"]"

        def think() -> Action:
            for event in self._rules.decode_events(history):
                bot.saw(event)
            return bot.choose(view, self._seat, self._rng)

        try:
            return await asyncio.wait_for(asyncio.to_thread(think), THINKS_AT_MOST)
        except Exception:  # a bot must never stop a table
            log.exception("a bot at seat %d failed and plays plainly from now on", self._seat)
            self._bot = None
            return None

    def _wishes(self, choice: Action | None, view: View[Any, Any]) -> Iterator[Action]:
        if choice is not None:
            yield choice
        legal = [action for offer in view.offers for action in self._rules.actions(offer)]
        self._rng.shuffle(legal)
        yield from legal


class Bots:
    """All bots that play at a table now: one task for each seat that has to act."""

    def __init__(
        self,
        act: Callable[[int, Action, int], None],
        idle: Callable[[], None],
        *,
        think: float,
        rng: Random,
    ) -> None:
        """`act` lets a seat act in answer to a question; `idle` is called when a bot is done."""
        self._act = act
        self._idle = idle
        self._think = think
        self._rng = rng
        self._seats: dict[tuple[int, int], BotSeat] = {}
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
        question = game.question
        if self._think:
            await asyncio.sleep(self._think)
        key = (game.number, seat)
        if key not in self._seats:
            self._seats[key] = BotSeat(game.rules, level, seat, Random(self._rng.random()))
        for action in await self._seats[key].choose(game):
            if question != game.question:
                return
            try:
                self._act(seat, action, question)
            except Refused as refusal:
                if refusal.code in ("paused", "disk", "not_playing", "stale_question"):
                    return
                log.warning("a bot's move was refused: %s %s", refusal.code, action)
            else:
                return
        await asyncio.sleep(THINKS_AT_MOST)  # nothing it offers is legal: don't spin

    def _thought(self, seat: int, task: asyncio.Task[None]) -> None:
        if self._thinking.get(seat) is task:
            del self._thinking[seat]
            self._idle()
