"""A bot that sits down over the network like anybody else: the heart of `prrrt bot`.

It is handed what its seat's client sees and nothing more. It comes back when
the line drops, and goes when the table closes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from random import Random, SystemRandom

from core.kernel.event import Event
from core.kernel.rules import Rules
from core.registry import GAMES
from net.client import SeatClient
from net.mishaps import unsaid
from net.thinking import NOT_ITS_FAULT, STEP, Thinker
from net.updates import Answered, Ended, Seen

log = logging.getLogger(__name__)


class GuestBot:
    """Plays one seat through its client. `level` is one of the game's bots."""

    def __init__(
        self,
        client: SeatClient,
        *,
        level: str,
        think: float = 1.0,
        games: Mapping[str, Rules] = GAMES,
        rng: Random | None = None,
    ) -> None:
        self._client = client
        self._level = level
        self._think = think
        self._step = min(think, STEP)
        self._games = games
        self._rng = rng or SystemRandom()
        self._thinker: Thinker | None = None
        self._sits: tuple[int, int] | None = None
        self._seen: Seen | None = None
        self._untold: list[Event] = []
        self._asked: asyncio.Future[str | None] | None = None
        self._asked_as = ""
        self._silent: tuple[int, int] | None = None
        """When it left all as it is: it is not asked again until something has happened."""
        self._news = asyncio.Event()

    async def play(self) -> Ended:
        """Play until the table closes or refuses; return how it ended.

        A bot that stumbles drops its line: it can begin again, and nobody waits for it.
        """
        running = asyncio.create_task(self._client.run())
        acting = asyncio.create_task(self._act_on())
        acting.add_done_callback(lambda task: task.cancelled() or running.cancel())
        ended = Ended("dropped")
        try:
            async for update in self._client.updates():
                match update:
                    case Seen():
                        self._look(update)
                    case Answered(aid, code) if aid == self._asked_as and self._asked:
                        self._asked.set_result(code)
                    case Ended():
                        ended = update
                self._news.set()
        finally:
            for task in (acting, running):
                task.cancel()
            for end in await asyncio.gather(acting, running, return_exceptions=True):
                if isinstance(end, Exception):
                    log.error("a guest bot stumbled", exc_info=unsaid(end))
        return ended

    def _look(self, seen: Seen) -> None:
        self._seen = seen
        if seen.game is None or seen.room.you is None:
            return
        sits = (seen.room.games_played, seen.room.you)
        if seen.catching_up or sits != self._sits:
            rules = self._games[seen.room.game]
            self._thinker = Thinker(rules, self._level, seen.room.you, self._rng, step=self._step)
            self._sits = sits
            self._untold.clear()
        self._untold.extend(seen.events)

    async def _act_on(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            if self._may_act():
                must = self._must_act()
                await asyncio.sleep(self._think - self._step)  # the rest it thinks
                if not must and self._must_act():
                    await asyncio.sleep(self._think)  # it is its turn by now: people follow
                await self._answer()

    def _may_act(self) -> bool:
        seen = self._seen
        if seen is None or seen.game is None or self._asked is not None or seen.room.paused:
            return False
        if _state(seen) == self._silent or seen.room.held:
            return False
        return bool(seen.game.offers) and seen.room.phase == "playing"

    def _must_act(self) -> bool:
        """Say whether the game waits for this seat; otherwise it may speak up, and may not."""
        return self._seen is not None and self._seen.room.you in self._seen.room.waits_for

    async def _answer(self) -> None:
        """Do what the bot wants, unless that means nothing any more when it has thought."""
        if self._thinker is None or not self._may_act():
            return
        seen = self._seen
        assert seen is not None
        assert seen.game is not None
        must = self._must_act()
        news, self._untold = self._untold, []
        for action in await self._thinker.wishes(seen.game, news, must=must):
            if self._seen is None or _asked(self._seen) != _asked(seen):
                self._news.set()
                return
            if await self._took(self._client.act(action)):
                return
        if not must:
            self._silent = _state(seen)
            self._news.set()

    async def _took(self, aid: str) -> bool:
        """Wait for what the host says; whether there is no reason to try something else."""
        self._asked = asyncio.get_running_loop().create_future()
        self._asked_as = aid
        code = await self._asked
        self._asked = None
        self._news.set()
        return code is None or code in NOT_ITS_FAULT


def _asked(seen: Seen) -> tuple[int, int]:
    """Return which question of which game a view asks."""
    return seen.room.games_played, seen.question


def _state(seen: Seen) -> tuple[int, int]:
    """Return what changes with every action of every game."""
    return seen.room.games_played, -1 if seen.game is None else seen.game.actions
