"""A peer with keys of its own that says whatever it likes, whether it is a message or not."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Self

from nacl.bindings import sodium_pad
from nacl.public import Box, PublicKey

from net.keys import SeatKeys
from net.messages import Answer, Down, Hello, UpLetter, ViewMsg, Welcome
from net.seal import PAD_TO, Counters, PeerSeal
from net.topics import down_topic, up_topic

MOST_SEALED = 65_000
"""Bytes of a letter that still pass a transport when they are sealed."""

Eventually = Callable[..., Awaitable[None]]


def strangers_hello(table: Any) -> tuple[str, bytes]:
    """Return what somebody says who was never here, and where."""
    keys, here = SeatKeys.new(), table.keys.table_id
    letter = UpLetter(
        table=here,
        peer=keys.peer_id,
        epoch="",
        session="s",
        counter=1,
        body=Hello(1, "0", "Mallory"),
    )
    sealed = PeerSeal(keys, table.keys.public, Counters()).seal(letter)
    return up_topic(here, keys.peer_id), sealed


class Rogue:
    """Seals what it says properly, whatever that is, and hears what it is told.

    On a `line` that is somebody else's it only speaks.
    """

    def __init__(self, table: Any, line: Any = None) -> None:
        self.keys = SeatKeys.new()
        self.session = secrets.token_hex(16)
        self.heard: list[Down] = []
        self._table = table
        self._here = table.keys.table_id
        self._box = Box(self.keys.sealing, PublicKey(table.keys.public.sealing))
        self._line = line or table.broker.connect()
        self._seal = PeerSeal(self.keys, table.keys.public, Counters())
        self._said = 0
        self._listening = None if line else asyncio.create_task(self._listen())

    # What it says

    async def say(self, body: Any, **envelope: Any) -> None:
        """Say something under the envelope that is due, or parts of another one."""
        due = {name: json.loads(text) for name, text in self.envelope().items()}
        await self.plain(json.dumps({"way": "up", **due, **envelope, "body": body}).encode())

    async def hello(self, name: str | None, **more: Any) -> None:
        await self.say({"type": "hello", "protocol": 1, "app": "0", "name": name, **more})

    async def sit(self, name: str | None, eventually: Eventually) -> Self:
        """Come in, as everybody does."""
        await asyncio.sleep(0)  # it listens
        await self.hello(name)
        await eventually(lambda: bool(self.nonce))
        await self.say({"type": "ready", "nonce": self.nonce})
        await eventually(lambda: bool(self.views))
        return self

    def envelope(self) -> dict[str, str]:
        """Return the JSON of an envelope that would be taken."""
        self._said += 1
        words = {
            "table": self._here,
            "peer": self.keys.peer_id,
            "epoch": self._table.host.door.epoch,
            "session": self.session,
            "counter": self._said,
        }
        return {name: json.dumps(value) for name, value in words.items()}

    async def plain(self, plain: bytes) -> None:
        """Seal bytes as a letter."""
        sealed = self._box.encrypt(sodium_pad(plain[:MOST_SEALED], PAD_TO))
        await self.raw(self.keys.public + sealed)

    async def raw(self, payload: bytes) -> None:
        """Publish bytes where a letter would go."""
        await self._line.publish(up_topic(self._here, self.keys.peer_id), payload)

    # What it is told

    @property
    def nonce(self) -> str:
        """What its first welcome says, and before that nothing."""
        return next((body.nonce for body in self.heard if isinstance(body, Welcome)), "")

    @property
    def views(self) -> list[ViewMsg]:
        return [body for body in self.heard if isinstance(body, ViewMsg)]

    @property
    def answers(self) -> dict[str, Answer]:
        return {answer.aid: answer for view in self.views for answer in view.answers}

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
            await self._line.close()

    async def _listen(self) -> None:
        await self._line.subscribe(down_topic(self._here, self.keys.peer_id))
        while True:
            letter = self._seal.open((await self._line.receive())[1])
            if letter is not None:
                self.heard.append(letter.body)
