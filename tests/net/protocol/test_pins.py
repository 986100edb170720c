"""The PIN: who knows it comes in, who doesn't learns nothing and is soon asked to wait."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.pretty import pretty_repr
from spake2 import ed25519_basic

from core.registry import GAMES
from net import orders
from net.pin import GUESSES, SHUT_FOR, TOLD_EVERY, UNDER_WAY, HostPin, NewcomerPin, PinDoor
from net.settings import TableSettings, is_pin
from tui.opening import Join

IDS = (b"newcomer's key", b"host's key")


def test_both_sides_prove_that_they_know_it() -> None:
    newcomer = NewcomerPin("123456", *IDS)
    host = HostPin("123456", *IDS, newcomer.half)
    proof = newcomer.prove(host.reply)
    assert proof is not None
    answer = host.check(proof)
    assert newcomer.trusts(answer)
    assert answer != proof
    assert not newcomer.trusts(proof)
    assert not newcomer.trusts(None)


@pytest.mark.parametrize(
    ("pin", "ids"),
    [("123457", IDS), ("123456", (b"other", IDS[1])), ("123456", (IDS[0], b"other"))],
)
def test_another_pin_or_another_key_proves_nothing(pin: str, ids: tuple[bytes, bytes]) -> None:
    newcomer = NewcomerPin(pin, *ids)
    host = HostPin("123456", *IDS, newcomer.half)
    proof = newcomer.prove(host.reply)
    assert proof is None or host.check(proof) is None


P = 2**255 - 19
TINY = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
"""A point of order 8: its y."""

NO_POINTS = (0, 1, 2, P - 1, P, P + 1, TINY, P - TINY, 2**255 - 1)
NO_HALVES = [
    side + (y | sign << 255).to_bytes(32, "little")
    for side in (b"A", b"B")
    for y in NO_POINTS
    for sign in (0, 1)
]


@pytest.mark.parametrize("half", [b"", b"x", bytes(33), b"A" * 33, b"B" + bytes(32), *NO_HALVES])
def test_what_is_no_half_is_refused(half: bytes) -> None:
    """Nothing at all, elements of low order and numbers that are no point, in every spelling."""
    with pytest.raises(ValueError, match="not a half"):
        HostPin("123456", *IDS, half)
    assert NewcomerPin("123456", *IDS).prove(half) is None


def test_five_guesses_shut_the_door_for_a_minute() -> None:
    door = PinDoor("123456")
    for _ in range(GUESSES - 1):
        door.begin(100.0)
    assert door.shut_for(100.0) == 0
    door.begin(100.0)
    assert door.shut_for(100.0) == SHUT_FOR
    assert door.shut_for(100.0 + SHUT_FOR) == 0
    door.begin(100.0 + SHUT_FOR)
    assert door.shut_for(100.0 + SHUT_FOR) == 0


def test_who_knows_the_pin_is_no_guess() -> None:
    door = PinDoor("123456")
    for _ in range(3 * GUESSES):
        guess = door.begin(0.0)
        assert door.shut_for(0.0) in (0.0, SHUT_FOR)
        assert door.right(guess)
    assert door.shut_for(0.0) == 0


@given(st.lists(st.sampled_from(("wrong", "begin", "right")), max_size=60))
def test_whoever_comes_in_meanwhile_gives_nobody_another_guess(steps: list[str]) -> None:
    door, wrong, known = PinDoor("123456"), 0, list[int]()
    for step in steps:
        if step == "right" and known:
            assert door.right(known.pop())
        elif step != "right" and not door.shut_for(0.0):
            guess = door.begin(0.0)
            if step == "wrong":
                wrong += 1
            else:
                known.append(guess)
    assert wrong <= GUESSES
    for guess in known:
        door.right(guess)
    assert (door.shut_for(0.0) == 0) == (wrong < GUESSES)


def test_who_was_slow_opens_no_door_that_was_shut_since() -> None:
    door = PinDoor("123456")
    slow = door.begin(0.0)
    for now in (0.0, SHUT_FOR):
        while not door.shut_for(now):
            door.begin(now)
    assert door.right(slow)
    assert door.shut_for(SHUT_FOR) == SHUT_FOR


def test_a_door_is_crowded_while_somebody_may_still_prove_to_know_the_pin() -> None:
    door = PinDoor("123456")
    guesses = [door.begin(0.0) for _ in range(GUESSES)]
    assert door.crowded(0.0)
    assert not door.crowded(UNDER_WAY)
    for guess in guesses:
        assert door.crowded(0.0)
        door.wrong(guess)
    assert not door.crowded(0.0)
    assert door.shut_for(0.0) == SHUT_FOR


def test_nobody_is_taken_in_by_their_own_half() -> None:
    """Turned round, and with the other side's letter ahead."""
    for spoilt in (lambda half: half, lambda half: b"B" + half[1:]):
        newcomer = NewcomerPin("123456", *IDS)
        assert newcomer.prove(spoilt(newcomer.half)) is None
    host = HostPin("123456", *IDS, NewcomerPin("123456", *IDS).half)
    with pytest.raises(ValueError, match="not a half"):
        HostPin("123456", *IDS, host.reply)


@pytest.mark.parametrize("pin", ["12345", "0123456", " 12345", "١٢٣٤٥٦", "12345\n", ""])
def test_a_pin_is_six_plain_digits(pin: str) -> None:
    """Nothing else is taken for one: not from a terminal, the settings or an owner's order."""
    for kind, raw in (
        (TableSettings, {"pin": pin}),
        (orders.AnyOrder, {"order": "setpin", "pin": pin}),
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode(raw), type=kind)
    assert not is_pin(pin)


def test_no_traceback_shows_the_pin() -> None:
    """Neither Python's nor the app's, which shows what everything was called with."""
    settings = TableSettings(title="Cellar", pin="123456")
    for shown in (repr(settings), pretty_repr(settings), pretty_repr(Join(pin="123456"))):
        assert "123456" not in shown
    assert "Cellar" in pretty_repr(settings)
    assert msgspec.json.decode(msgspec.json.encode(settings))["pin"] == "123456"


async def test_zeros_ahead_of_a_pin_count(party: Any) -> None:
    table = party(players=4, pin="012345")
    assert await table.guest("Bob", pin="12345").end() == "wrong_pin"
    await table.seat("Bob", pin="012345")


def test_the_time_of_an_exchange_says_nothing_about_the_pin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is multiplied by is another number each time, and so is the time that it takes."""
    factors: set[int] = set()
    real = ed25519_basic.Element.scalarmult

    def note(element: Any, factor: int) -> Any:
        factor %= ed25519_basic.L
        factors.add(min(factor, ed25519_basic.L - factor))
        return real(element, factor)

    def exchange() -> set[int]:
        factors.clear()
        newcomer = NewcomerPin("123456", *IDS)
        host = HostPin("123456", *IDS, newcomer.half)
        assert newcomer.prove(host.reply) is not None
        return set(factors)

    monkeypatch.setattr(ed25519_basic.Element, "scalarmult", note)
    first, second = exchange(), exchange()
    assert len(first) >= 8
    assert not first & second


async def test_all_who_know_the_pin_come_in_however_many_come_at_once(party: Any) -> None:
    table = party(GAMES["prrrt"], players=7, pin="123456")
    names = [f"P{n}" for n in range(7)] + [None] * 5
    guests = [table.guest(name, pin="123456") for name in names]
    for guest in guests:
        await guest.until(lambda guest=guest: bool(guest.views) or guest.ended is not None)
    assert [guest.ended for guest in guests] == [None] * len(guests)


def test_another_pin_is_another_door() -> None:
    door = PinDoor("123456")
    before = door.begin(0.0)
    door.admit("ada")
    door.reopen("123456")
    assert door.lets_in("ada")
    door.reopen("654321")
    assert not door.lets_in("ada")
    assert not door.right(before)
    door.reopen(None)
    assert door.lets_in("bob")


async def test_the_right_pin_lets_in_and_the_wrong_one_does_not(party: Any) -> None:
    table = party(players=4, pin="123456")
    ada = await table.seat("Ada", pin="123456")
    assert len(ada.seen.room.seats) == 1
    assert await table.guest("Bob", pin="654321").end() == "wrong_pin"
    assert await table.guest("Bob").end() == "pin_needed"
    assert await table.guest(None).end() == "pin_needed"
    eve = await table.seat(None, pin="123456")
    assert eve.seen.room.you is None
    assert len(ada.seen.room.seats) == 1


async def test_whoever_gives_a_pin_comes_in_nowhere_else(party: Any) -> None:
    """An open table under the same title is another one; whoever gives none takes it as it is."""
    table = party(players=4)
    assert await table.guest("Ada", pin="123456").end() == "unproved"
    assert not table.table.lobby.seats
    await table.seat("Ada")


async def test_a_table_that_proved_it_once_needs_no_proof_again(party: Any) -> None:
    """A seat that comes back with its PIN is let in at a shut door, and by a table without one."""
    table = party(players=4, pin="123456")
    proofs: list[bool] = []
    ada = await table.seat("Ada", pin="123456", on_proof=lambda: proofs.append(True))
    assert proofs == [True]
    await table.seat("Bob", pin="123456")
    for _ in range(GUESSES):
        table.host.pin.wrong(table.host.pin.begin(table.now()))
    locked = table.guest("Ada", ada.keys, pin="123456", take_over=True)
    assert await locked.end() == "locked"
    again = await table.seat("Ada", ada.keys, pin="123456", proved=True, take_over=True)
    assert await again.answered(again.client.order(orders.SetPin(None))) is None
    await table.seat("Ada", ada.keys, pin="123456", proved=True, take_over=True)


async def test_a_seat_needs_no_pin_again(party: Any) -> None:
    table = party(players=2, pin="123456")
    ada = await table.seat("Ada", pin="123456")
    again = await table.seat("Ada", ada.keys, take_over=True)
    assert again.seen.room.you == 0


async def test_too_many_guesses_lock_newcomers_out_but_no_seat(party: Any) -> None:
    table = party(players=4, pin="123456")
    ada = await table.seat("Ada", pin="123456")
    for _ in range(GUESSES):
        assert await table.guest("Bob", pin="000000").end() == "wrong_pin"
    locked = table.guest("Bob", pin="123456")
    assert await locked.end() == "locked"
    assert locked.ended.facts["seconds"] > 30
    again = await table.seat("Ada", ada.keys, take_over=True)
    assert await again.answered(again.client.order(orders.OpenDoor())) is None
    await table.seat("Bob", pin="123456")


async def test_the_owner_alone_is_told_the_pin(party: Any) -> None:
    """Who owns the table shows it to newcomers, whatever it was at first."""
    table = party(players=4, pin="123456")
    ada, bob = await table.seat("Ada", pin="123456"), await table.seat("Bob", pin="123456")
    eve = await table.seat(None, pin="123456")
    assert await ada.answered(ada.client.order(orders.SetPin("654321"))) is None
    await ada.sees(lambda seen: seen.room.pin == "654321")
    assert {view.room.pin for guest in (bob, eve) for view in guest.views} == {None}


def test_a_table_is_told_now_and_then_that_its_door_is_tried() -> None:
    """Somebody who tries all evening fills no log; who opened the door hears of it again."""
    door, told = PinDoor("123456"), list[float]()

    def try_until(end: float) -> None:
        now = told[-1] + 1 if told else 0.0
        while now < end:
            while not door.shut_for(now):
                door.wrong(door.begin(now))
            if door.is_tried(now):
                told.append(now)
            now += 1.0

    try_until(1500.0)
    assert told == [0.0, TOLD_EVERY, 2 * TOLD_EVERY]
    door.reopen("123456")
    assert not door.is_tried(told[-1])
    try_until(told[-1] + 2)
    assert len(told) == 4


async def test_everybody_sees_that_the_door_is_tried(party: Any) -> None:
    table = party(players=4, pin="123456")
    ada = await table.seat("Ada", pin="123456")
    for _ in range(GUESSES):
        table.host.pin.wrong(table.host.pin.begin(table.now()))
    await ada.until(lambda: "door" in ada.notices)


async def test_the_owner_changes_the_pin(party: Any) -> None:
    table = party(players=4, pin="123456")
    ada = await table.seat("Ada", pin="123456")
    assert await ada.answered(ada.client.order(orders.SetPin("111111"))) is None
    assert await table.guest("Bob", pin="123456").end() == "wrong_pin"
    await table.seat("Bob", pin="111111")
    assert await ada.answered(ada.client.order(orders.SetPin(None))) is None
    await table.seat("Cy")


async def test_another_pin_keeps_out_whoever_knew_the_last_one(party: Any) -> None:
    table = party(players=4, pin="123456")
    ada, bob = await table.seat("Ada", pin="123456"), await table.seat("Bob", pin="123456")
    eve = await table.seat(None, pin="123456")
    for guest in bob, eve:
        guest.client.leave()
        await guest.end()
    assert await ada.answered(ada.client.order(orders.SetPin("111111"))) is None
    assert await table.guest("Bob", bob.keys, pin="123456").end() == "wrong_pin"
    assert await table.guest(None, eve.keys).end() == "pin_needed"
    again = await table.seat("Ada", ada.keys, take_over=True)
    assert again.seen.room.you == 0


async def test_a_welcome_of_the_last_pin_seats_nobody(party: Any, monkeypatch: Any) -> None:
    table = party(players=4, pin="123456")
    reception, changed = table.host.reception, []
    ready = reception.ready

    def change_first(*letter: Any) -> Any:
        if not changed:
            changed.append(True)
            table.host.pin.reopen("111111")
        return ready(*letter)

    monkeypatch.setattr(reception, "ready", change_first)
    assert await table.guest("Bob", pin="123456").end() == "pin_needed"
    assert not table.table.lobby.seats


async def test_the_pin_works_over_a_hostile_line(party: Any, hostile: Any) -> None:
    table = party(players=3, pin="123456", speed=3)
    count = 0

    def line(transport: Any) -> Any:
        nonlocal count
        count += 1
        return hostile(transport, count, drop=0.2)

    for name in ("Ada", "Bob", "Cy"):
        await table.seat(name, pin="123456", line=line)
    assert table.host.pin.shut_for(0) == 0
