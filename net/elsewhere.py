"""Whether somebody else holds this table: a process with a copy of its keys, at the same broker.

Two hosts of one table would tell its people two stories, so the one that was started
later has it (`Table.starts`). An advertisement alone proves nothing, it may be a recording: a
host knocks, with a key that it just made, and only such a process can answer to that.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

import msgspec

from core.kernel.illegal import Refused
from net.allowance import Allowance
from net.door import token
from net.keys import HostKeys, SeatKeys
from net.messages import Hello, PublicLetter, TableAd, UpLetter
from net.seal import Counters, PeerSeal, verify_public
from net.topics import PROTOCOL, down_topic, up_topic
from net.transport import Transport
from net.version import APP

KNOCKS, KNOCK_EVERY = 5, 0.3
"""How often a host knocks, and every how many seconds."""

CLAIMS_PER_SECOND = 5.0
"""How many advertisements of a later host are looked at: the signature takes a while."""

NOT_AGAIN_FOR = 30.0
"""Seconds for which nobody is asked again when nobody answered: the claim was a recording."""


class Knock:
    """Hellos to whoever holds the table, and what is an answer to them; `ours` is no answer."""

    def __init__(self, keys: HostKeys, ours: str) -> None:
        self._table = keys.table_id
        self._ours = ours
        self._keys = SeatKeys.new()
        self._seal = PeerSeal(self._keys, keys.public, Counters())
        self._session = token()
        self._said = 0
        self.says_at = up_topic(self._table, self._keys.peer_id)
        self.hears_at = down_topic(self._table, self._keys.peer_id)

    def hello(self) -> bytes:
        """Return the next hello: of somebody who would watch, and never comes in."""
        self._said += 1
        return self._seal.seal(
            UpLetter(
                table=self._table,
                peer=self._keys.peer_id,
                epoch="",
                session=self._session,
                counter=self._said,
                body=Hello(PROTOCOL, APP[:40], None),
            )
        )

    def is_answer(self, payload: bytes) -> bool:
        """Say whether another host of this table has said this, to us and now."""
        letter = self._seal.open(payload)
        return letter is not None and letter.epoch != self._ours


async def is_open_elsewhere(keys: HostKeys, transport: Transport) -> bool:
    """Say whether somebody holds the table with these keys; takes 1.5 s when nobody does."""
    knock = Knock(keys, "")

    async def answer() -> None:
        topic, payload = await transport.receive()
        while topic != knock.hears_at or not knock.is_answer(payload):
            topic, payload = await transport.receive()

    return await _is_answered(knock, transport, answer)


async def _is_answered(
    knock: Knock, transport: Transport, answer: Callable[[], Awaitable[object]]
) -> bool:
    """Knock until `answer` has waited for one, and say whether it came."""
    with contextlib.suppress(Refused):  # a broker that lets a host hear no more than it must
        await transport.subscribe(knock.hears_at)
        for _ in range(KNOCKS):
            await transport.publish(knock.says_at, knock.hello())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(KNOCK_EVERY):
                    await answer()
                return True
    return False


class Elsewhere:
    """Watches, while a host runs, for one of the same table that was started later."""

    def __init__(self, keys: HostKeys, epoch: str, starts: int, transport: Transport) -> None:
        """`starts` is how often the table of this host was started."""
        self._table = keys.table_id
        self._starts = starts
        self._epoch = epoch
        self._transport = transport
        self._knock = Knock(keys, epoch)
        self._claimed = 0
        self._not_before = float("-inf")
        self._news = asyncio.Event()
        self._answered = asyncio.Event()
        self._pace = Allowance(CLAIMS_PER_SECOND)
        self.asking = False
        """Whether another host may be about to answer: meanwhile we let nobody in."""

    @property
    def hears_at(self) -> str:
        """The topic under which another host answers."""
        return self._knock.hears_at

    def advertised(self, payload: bytes) -> None:
        """Note what somebody published under the table's own topic."""
        now = time.monotonic()
        if self.asking or now < self._not_before:
            return
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            claim = msgspec.json.decode(payload[64:], type=PublicLetter)
            if self._is_later(claim) and self._pace.spend(1, now):
                letter = verify_public(payload, self._table, Counters())
                if letter is not None and isinstance(letter.body, TableAd):
                    self._claimed = letter.body.starts
                    self.asking = True
                    self._news.set()

    def heard(self, payload: bytes) -> None:
        """Note what came under `hears_at`."""
        if self._knock.is_answer(payload):
            self._answered.set()

    async def until_it_is(self) -> int:
        """Wait until a later host of this table answers; return how often that was started."""
        while True:
            await self._news.wait()
            self._news.clear()
            self._answered.clear()
            if await _is_answered(self._knock, self._transport, self._answered.wait):
                return self._claimed
            self._not_before = time.monotonic() + NOT_AGAIN_FOR
            self.asking = False

    def _is_later(self, claim: PublicLetter) -> bool:
        body = claim.body
        return isinstance(body, TableAd) and (body.starts, claim.epoch) > (
            self._starts,
            self._epoch,
        )
