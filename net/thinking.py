"""How a bot is asked: beside the event loop, within a bound, and never trusted to be right."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from core.kernel.action import Action
from core.kernel.bot import Bot
from core.kernel.event import Event
from core.kernel.rules import Rules
from core.kernel.view import View
from net.mishaps import unsaid

THINKS_AT_MOST = 5.0
"""Seconds that a bot may take to choose."""

STEP = 0.1
"""Seconds. A bot that lets people follow speaks when whole steps have passed since it began to
think: how long it really thought depends on its cards, and anybody at the broker has a clock."""

NOT_ITS_FAULT = frozenset(
    {"paused", "disk", "not_playing", "stale_question", "not_your_turn", "held"}
)
"""Codes with which an action is refused that another one would be, too."""

log = logging.getLogger(__name__)


class Thinker:
    """One bot at one seat of one game; it is handed what that seat is shown and nothing else.

    One that raises or dawdles is not asked again: plain legal moves follow.
    """

    def __init__(
        self, rules: Rules, level: str, seat: int, rng: Random, *, step: float = 0.0
    ) -> None:
        """`step` is what the time until it speaks is a multiple of, 0 for as soon as it can."""
        self._step = step
        self._rules = rules
        self._seat = seat
        self._rng = rng
        self._bot: Bot[Any] | None = rules.bots[level]()

    async def wishes(
        self, view: View[Any, Any], news: Sequence[Event], *, must: bool
    ) -> Iterator[Action]:
        """Return what the bot would do, best first.

        If it `must` act, since the game waits for it, that is its choice, then anything legal;
        else its choice alone, which may be to say nothing. `news` are the events since it was
        last asked, in order.
        """
        bot, now = self._bot, asyncio.get_running_loop().time
        began = now()
        choice = None if bot is None else await self._choice(bot, view, news)
        if self._step:
            await asyncio.sleep((began - now()) % self._step)
        if not must:
            return iter(() if choice is None else (choice,))
        return self._in_order(choice, view)

    async def _choice(
        self, bot: Bot[Any], view: View[Any, Any], news: Sequence[Event]
    ) -> Action | None:
        def think() -> Action | None:
            for event in news:
                bot.saw(event)
            return bot.choose(view, self._seat, self._rng)

        try:
            async with asyncio.timeout(THINKS_AT_MOST):
                return await _beside(think)
        except Exception as error:  # whatever is wrong with a bot must not stop a table
            what = "the bot at seat %d failed and plays plainly from now on"
            log.error(what, self._seat, exc_info=unsaid(error))
            self._bot = None
            return None

    def _in_order(self, choice: Action | None, view: View[Any, Any]) -> Iterator[Action]:
        if choice is not None:
            yield choice
        legal = [action for offer in view.offers for action in self._rules.actions(offer)]
        self._rng.shuffle(legal)
        yield from legal


def _beside(think: Callable[[], Action | None]) -> asyncio.Future[Action | None]:
    """Run this in a thread that nobody waits for at the end of the program, should it hang."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Action | None] = loop.create_future()

    def settle(action: Action | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(action)

    def run() -> None:
        action, error = None, None
        try:
            action = think()
        except Exception as raised:  # carried to whoever waits
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, action, error)

    threading.Thread(target=run, name="bot", daemon=True).start()
    return future
