"""The one bridge between the protocol and the screens.

One worker runs the seat's client and posts what it learns to the app as
`TableUpdate`; the app hands each on to every screen on its stack. Screens send
intents up through `act`, `order`, `say` and `leave`, which return at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol, TypeVar

from textual.message import Message

from core.kernel.action import Action
from core.kernel.event import Event
from net.orders import AnyOrder
from net.room import ChatLine, Notice
from net.updates import Ended, Seen, Update, Words
from tui.opening import Host, Join, Solo

MOST_EVENTS, MOST_LINES = 20_000, 1000
"""What is remembered of a table that goes on and on; the oldest gives way."""

_L = TypeVar("_L", bound=ChatLine | Notice)


class Client(Protocol):
    """What a session needs of `net.client.SeatClient`."""

    async def run(self) -> object:
        """Talk to the host until the seat's time at the table ends."""
        ...

    def updates(self) -> AsyncIterator[Update]:
        """Yield what is learned; `Ended` comes last."""
        ...

    def act(self, action: Action) -> str:
        """Answer the open question; return the aid that an `Answered` will carry."""
        ...

    def order(self, order: AnyOrder) -> str:
        """Order something as the table's owner."""
        ...

    def say(self, text: str) -> str:
        """Say something in the chat."""
        ...

    def leave(self) -> None:
        """Give the seat up."""
        ...

    def refresh(self) -> None:
        """Ask for the whole view again."""
        ...


class TableUpdate(Message, bubble=False):
    """Something the session learned, on its way to the screens."""

    def __init__(self, update: Update) -> None:
        super().__init__()
        self.update = update


class SitDown(Message):
    """A screen asks the app to sit down at a table."""

    def __init__(self, opening: Solo | Host | Join) -> None:
        super().__init__()
        self.opening = opening


class GoHome(Message):
    """A screen asks the app to leave the table, or its door, for the home screen."""


class Session:
    """A seat at a table (or a spectator's place), and what was last seen from it.

    `latest` is the newest view, `chat` and `notices` all lines so far, `beside`
    both in the order in which they were learned, `events` what happened in the
    game so far (history included), `key_words` the five words, `ended` why it is
    over, `reach` the addresses under which others find the table.
    """

    def __init__(
        self,
        client: Client,
        post: Callable[[Message], object],
        *,
        reach: tuple[str, ...] = (),
    ) -> None:
        self._client = client
        self._post = post
        self.reach = reach
        self._over = asyncio.Event()
        self.latest: Seen | None = None
        self.chat: tuple[ChatLine, ...] = ()
        self.notices: tuple[Notice, ...] = ()
        self.beside: tuple[ChatLine | Notice, ...] = ()
        self.events: tuple[Event, ...] = ()
        self.key_words: tuple[str, ...] = ()
        self.ended: Ended | None = None

    async def run(self) -> None:
        """Own the client until it ends: the body of the app's one session worker."""
        running = asyncio.create_task(_run(self._client))
        following = asyncio.create_task(self._follow())
        try:
            await asyncio.wait((running, following), return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                running.result()
            await following
        finally:
            running.cancel()
            following.cancel()
            await asyncio.gather(running, following, return_exceptions=True)

    async def _follow(self) -> None:
        async for update in self._client.updates():
            self.remember(update)
            self._post(TableUpdate(update))
            if isinstance(update, Ended):
                return

    def act(self, action: Action) -> str:
        """Answer the open question. An `Answered` with the returned aid follows."""
        return self._client.act(action)

    def order(self, order: AnyOrder) -> str:
        """Order something as the owner. An `Answered` with the returned aid follows."""
        return self._client.order(order)

    def say(self, text: str) -> str:
        """Say something in the chat. An `Answered` with the returned aid follows."""
        return self._client.say(text)

    def leave(self) -> None:
        """Give the seat up; `Ended("left")` follows."""
        self._client.leave()

    def refresh(self) -> None:
        """Ask for the whole view again."""
        self._client.refresh()

    async def wait_ended(self) -> None:
        """Wait until our time at the table is over."""
        await self._over.wait()

    def remember(self, update: Update) -> None:
        """Take in something that was learned."""
        match update:
            case Seen():
                if self.latest is None or update.rev >= self.latest.rev or update.catching_up:
                    self.latest = update
                chat, notices = self.chat, self.notices
                self.chat = _merged(chat, update.room.chat)
                self.notices = _merged(notices, update.room.notices)
                self.beside += (*_unknown(self.notices, notices), *_unknown(self.chat, chat))
                self.beside = self.beside[-MOST_LINES:]
                events = update.events if update.catching_up else self.events + update.events
                self.events = events[-MOST_EVENTS:]
            case Words(words=words):
                self.key_words = words
            case Ended():
                self.ended = update
                self._over.set()


async def _run(client: Client) -> None:
    await client.run()


def _merged(old: tuple[_L, ...], new: tuple[_L, ...]) -> tuple[_L, ...]:
    by_number = {line.number: line for line in (*old, *new)}
    return tuple(by_number[number] for number in sorted(by_number)[-MOST_LINES:])


def _unknown(lines: tuple[_L, ...], known: tuple[_L, ...]) -> tuple[_L, ...]:
    numbers = {line.number for line in known}
    return tuple(line for line in lines if line.number not in numbers)
