"""The door under a flood: whoever holds a seat gets through it, and nothing piles up."""

from __future__ import annotations

from typing import Any

import pytest

from net.door import PENDING_FOR, SEAT_SESSIONS_BEGUN, SESSIONS_BEGUN, STRANGERS, Door
from net.keys import HostKeys, SeatKeys
from net.messages import Hello, Ready, UpLetter
from net.seal import Counters, PeerSeal
from net.topics import up_topic


class Knocker:
    """Somebody at a door, one letter after another."""

    def __init__(self, host: HostKeys) -> None:
        self.keys = SeatKeys.new()
        self._host = host
        self._seal = PeerSeal(self.keys, host.public, Counters())
        self._sent = 0
        self.said: list[bytes] = []

    def says(self, door: Door, body: Any, session: str = "s") -> Any:
        self._sent += 1
        letter = UpLetter(
            table=self._host.table_id,
            peer=self.keys.peer_id,
            epoch=door.epoch,
            session=session,
            counter=self._sent,
            body=body,
        )
        self.said.append(self._seal.seal(letter))
        return self.again(door, self.said[-1])

    def again(self, door: Door, payload: bytes) -> Any:
        return door.open(up_topic(self._host.table_id, self.keys.peer_id), payload)


@pytest.fixture
def host() -> HostKeys:
    return HostKeys.new()


def test_a_flood_of_hellos_forgets_no_seat_that_comes_back(host: HostKeys) -> None:
    ada = Knocker(host)
    door = Door(host, lambda: 0.0, holds_seat=lambda peer: peer == ada.keys.peer_id)
    assert ada.says(door, Hello(1, "0", "Ada")) is not None
    first = Knocker(host)
    assert first.says(door, Hello(1, "0", "Eve")) is not None
    for _ in range(STRANGERS + 5):
        Knocker(host).says(door, Hello(1, "0", "Eve"))
    assert first.says(door, Ready("x")) is None, "the oldest stranger is forgotten"
    assert ada.says(door, Ready("x")) is not None
    assert len(door.peers) == STRANGERS + 1


def test_a_hello_that_became_nothing_is_soon_worth_nothing(host: HostKeys) -> None:
    now = 0.0
    door = Door(host, lambda: now, holds_seat=lambda _: False)
    eve = Knocker(host)
    eve.says(door, Hello(1, "0", "Eve"))
    now = PENDING_FOR - 1
    assert eve.says(door, Ready("x")) is not None
    now = PENDING_FOR + 1
    assert eve.says(door, Ready("x")) is None
    assert eve.says(door, Hello(1, "0", "Eve")) is not None


def test_hellos_of_old_said_again_push_out_no_seat_that_comes_back(host: HostKeys) -> None:
    ada = Knocker(host)
    door = Door(host, lambda: 0.0, holds_seat=lambda _: True)
    for number in range(100):
        ada.says(door, Hello(1, "0", "Ada"), f"old {number}")
    recorded = ada.said[:]
    door = Door(host, lambda: 0.0, holds_seat=lambda _: True)  # the host was started again
    assert ada.says(door, Hello(1, "0", "Ada"), "new") is not None
    for payload in recorded:
        ada.again(door, payload)
    assert ada.says(door, Ready("x"), "new") is not None
    for number in range(1000):
        ada.says(door, Hello(1, "0", "Ada"), f"more {number}")
    assert len(door.peers[ada.keys.peer_id].begun) <= SEAT_SESSIONS_BEGUN


def test_a_stranger_begins_few_sessions(host: HostKeys) -> None:
    door, eve = Door(host, lambda: 0.0, holds_seat=lambda _: False), Knocker(host)
    for number in range(100):
        eve.says(door, Hello(1, "0", "Eve"), f"s{number}")
    assert len(door.peers[eve.keys.peer_id].begun) == SESSIONS_BEGUN
