"""What somebody else's host can do to a guest: the app says what is wrong and goes home."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from msgspec import structs

import net.outgoing
from core.kernel.rules import Rules
from net import orders
from net.client import UNREAD
from net.following import MOST_KEPT, Following, Nonsense
from net.keys import SeatKeys
from net.messages import DownLetter, ViewMsg
from net.room import Clock, Room
from net.updates import Answered, Seen

Eventually = Callable[..., Awaitable[None]]

FAST = 20.0
"""How much faster a clock goes that a test waits for."""


@pytest.fixture
def shows(monkeypatch: Any) -> Callable[[Callable[[ViewMsg], ViewMsg]], None]:
    """`shows(change)` lets hosts show something else than is true."""

    def instead(change: Callable[[ViewMsg], ViewMsg]) -> None:
        real = net.outgoing.compose
        monkeypatch.setattr(net.outgoing, "compose", lambda *what: change(real(*what)))

    return instead


def room(**changes: Any) -> Callable[[ViewMsg], ViewMsg]:
    return lambda view: structs.replace(view, room=structs.replace(view.room, **changes))


NEVER_TRUE = {
    "a seat that isn't there": room(you=40),
    "an owner who isn't there": room(owner=7),
    "time for somebody who isn't there": room(clock=Clock((5,), 1.0, 2.0)),
    "a game in the lobby": lambda view: structs.replace(view, game=msgspec.Raw(b"{}")),
    "a game that isn't shown": room(phase="playing"),
}


@pytest.mark.parametrize("change", NEVER_TRUE.values(), ids=NEVER_TRUE)
async def test_what_cant_be_true_is_never_shown(change: Any, party: Any, shows: Any) -> None:
    shows(change)
    table = party(players=2, speed=FAST)
    ada = table.guest("Ada")
    assert await ada.end() == "nonsense"
    assert not ada.views


async def test_what_isnt_true_any_more_ends_it_too(party: Any, shows: Any) -> None:
    table = party(players=2, speed=FAST)
    ada = await table.seat("Ada")
    shows(room(you=40))
    ada.client.say("hello")
    assert await ada.end() == "nonsense"


async def test_a_game_that_we_dont_have_is_named(party: Any, shows: Any) -> None:
    shows(room(game="chess"))
    ada = party(players=2).guest("Ada")
    assert await ada.end() == "foreign_game"
    assert ada.ended.facts == {"game": "chess"}


async def test_a_host_that_lets_us_in_and_shows_nothing_is_given_up(party: Any, shows: Any) -> None:
    def nothing(view: ViewMsg) -> ViewMsg:
        raise RuntimeError("a host that keeps it to itself")

    shows(nothing)
    table = party(players=2, speed=FAST)
    ada = table.guest("Ada")
    assert await ada.end() == "no_answer"


def test_a_history_without_end_isnt_kept(toy: Rules) -> None:
    game = toy.start(2, {}, _Chance())
    event = b'{"event": "played", "seat": 0, "card": 1, "sneezed": false}'
    following = Following({"achoo": toy})
    seats = ({"name": "Ada"}, {"name": "Bob"})
    facts = {
        "table": "t",
        "title": "",
        "game": "achoo",
        "phase": "playing",
        "players": 2,
        "options": {},
        "seats": seats,
        "you": 0,
        "owner": 0,
    }
    page = msgspec.Raw(b"[" + b",".join([event] * 500) + b"]")
    shown = msgspec.Raw(msgspec.json.encode(game.view(0)))

    def turn_pages() -> None:
        for number in range(2 * MOST_KEPT // 500):
            view = ViewMsg(
                rev=number,
                n=2**50,
                question=0,
                room=structs.replace(msgspec.convert(facts, Room), events=page),
                game=shown,
                since=following.have,
                counts=(500,),
            )
            assert following.take(view) is None

    with pytest.raises(Nonsense):
        turn_pages()
    assert len(following._kept) == MOST_KEPT


class _Chance:
    def order(self, label: str, canonical: Any) -> Any:  # noqa: ARG002
        return tuple(canonical)


async def test_what_nobody_takes_doesnt_pile_up_and_nothing_is_missing(
    party: Any, eventually: Eventually
) -> None:
    table = party(players=2)
    bob = await table.seat("Bob")
    client = table.client("Ada", SeatKeys.new())
    running = asyncio.create_task(client.run())
    await eventually(lambda: len(table.table.lobby.seats) == 2)
    for n in range(4 * UNREAD):
        table.host.out.show(next(p for p, _ in table.host.door.live() if p.id != bob.keys.peer_id))
        await asyncio.sleep(0.002)
        assert client._updates.qsize() <= UNREAD + 2, n
    assert await bob.answered(bob.client.order(orders.Start())) is None
    aid = client.say("late")
    chat = answered = False
    async with asyncio.timeout(10):
        async for update in client.updates():
            if isinstance(update, Seen):
                chat = [line.text for line in update.room.chat] == ["late"]
            if isinstance(update, Answered) and update.aid == aid:
                answered = True
            if chat and answered and isinstance(update, Answered | Seen):
                break
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


ODD = (
    {"title": "x" * 60_000},
    {"you": 10**30},
    {"players": 10**9},
    {"players": -1},
    {"seats": [{"name": "x"}] * 1000},
    {"clock": {"seats": [0], "left": 1e300, "total": 1}},
    {"options": {str(n): 1 for n in range(1000)}},
    {"notices": [{"number": 1, "code": "option", "facts": {"key": "x" * 50_000}}]},
    {"chat": [{"number": 10**30, "name": "", "seat": 0, "text": ""}]},
)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: next(iter(odd)))
def test_no_number_or_text_of_a_host_is_without_bound(odd: dict[str, Any]) -> None:
    plain = {
        "table": "t",
        "title": "T",
        "game": "achoo",
        "phase": "lobby",
        "players": 2,
        "options": {},
        "seats": [],
        "you": None,
        "owner": None,
    }
    envelope = {"way": "down", "table": "t", "peer": "p", "epoch": "", "session": "", "counter": 1}

    def letter(facts: dict[str, Any]) -> bytes:
        view = {"type": "viewmsg", "rev": 1, "n": -1, "question": -1, "room": facts}
        return msgspec.json.encode({**envelope, "body": view})

    decode = msgspec.json.Decoder(DownLetter).decode
    assert decode(letter(plain))
    with pytest.raises(msgspec.ValidationError):
        decode(letter({**plain, **odd}))


LONG_FOR_A_GUEST = (
    {"rev": 2**53 + 1},
    {"n": -2},
    {"question": 10**30},
    {"game_no": 2**60},
    {"since": -2},
    {"counts": [-2]},
    {"answers": [{"aid": "x" * 65}]},
    {"answers": [{"aid": "a", "code": "x" * 65}]},
)


@pytest.mark.parametrize("odd", LONG_FOR_A_GUEST, ids=lambda odd: next(iter(odd)))
def test_nothing_that_a_guest_would_say_again_is_without_bound(odd: dict[str, Any]) -> None:
    """A guest confirms views and answers: long ones made it say a letter that fits no message."""
    plain = {"table": "t", "title": "", "game": "achoo", "phase": "lobby", "players": 2}
    room = {**plain, "options": {}, "seats": [], "you": None, "owner": None}
    view = {"rev": 1, "n": -1, "question": -1, "room": room}
    assert msgspec.convert({"type": "viewmsg", **view}, ViewMsg)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "viewmsg", **view, **odd}, ViewMsg)
