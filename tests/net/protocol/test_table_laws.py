"""What holds at a table whatever people do, in whatever order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from core.kernel.illegal import Refused
from net import orders
from net.lobby import Lobby, Seat
from net.names import alike
from net.ordering import carry_out
from net.pin import PinDoor
from net.table import Patience, Table

NAMES = ("Ada", "ada", "A da", "Bot A", "Ada 2", "Zoë", "\u0410da", "x" * 24)


class Crowd:
    """People who do anything at a table, seats and strangers alike."""

    def __init__(self, rules: Any, dealer: Any, seed: int, doings: Sequence[int]) -> None:
        self.doings = doings
        self.rng = Random(seed)
        self.now = 0.0
        self.peers = 0
        self.pin = PinDoor(None)
        self.table = Table(
            Lobby(rules, 4, {"sneeze": 1}, founder="peer 1" if seed % 3 == 0 else None),
            dealer,
            table_id="t",
            title="Cellar",
            level="easy",
            patience=Patience(turn=20 if seed % 2 else None, think=0, away=30, idle=0),
            now=lambda: self.now,
        )

    def does(self) -> None:
        table, rng = self.table, self.rng
        self.now += rng.choice((0, 0, 1, 4, 20))
        seat = rng.choice(table.lobby.seats) if table.lobby.seats else None
        match rng.choice(self.doings) if seat else 0:
            case 0:
                self.peers += 1
                kind = rng.choice(("person", "guest_bot"))
                table.sit(rng.choice(NAMES), kind, f"peer {self.peers}", b"key")
            case 1 if seat and seat.peer:
                table.leave(seat)
            case 2 if seat and seat.peer:
                table.away(seat)
            case 3 if seat and seat.peer:
                table.back(seat)
            case 4 | 5:
                table.tick(watching=True)
            case 6 if table.may_act:
                number = rng.choice(table.may_act)
                self.plays(number)
            case 7 if table.phase == "playing":
                number, rev = rng.randrange(len(table.lobby.seats)), rng.randrange(20)
                rng.choice((table.fair.shown, table.fair.confirmed))(number, rev)
            case _:
                by = seat if rng.random() < 0.3 else table.lobby.owner
                carry_out(self.order(), None, by, table, self.pin)

    def plays(self, number: int) -> None:
        table, game = self.table, self.table.game
        assert game is not None
        seat = table.lobby.at(number)
        offers = game._game.view(number).offers
        action = next(table.rules.actions(self.rng.choice(offers)))
        if seat.played_by_bot:
            table.bot_acts(number, action, game.asked)
        else:
            table.act(seat, action, game.asked, f"aid {self.now} {self.rng.random()}")

    def order(self) -> orders.Order:
        rng = self.rng
        seat = rng.randrange(-1, 6)
        return rng.choice(
            (
                orders.Start(),
                orders.Start(),
                orders.SetOption("sneeze", rng.choice((0, 1, 5))),
                orders.SetPlayers(rng.randrange(7)),
                orders.AddBot(rng.choice(("easy", "none"))),
                orders.RemoveSeat(seat),
                orders.SeatToBot(seat, rng.random() < 0.5),
                orders.MoveSeat(seat, rng.randrange(-1, 6)),
                orders.Pause(rng.random() < 0.4),
                orders.Rematch(),
            )
        )

    def holds(self) -> None:
        table, seats = self.table, self.table.lobby.seats
        owner = table.lobby.owner
        assert owner is None or (owner in seats and owner.peer is not None)
        if not table.people._reserved and any(s.here and s.kind == "person" for s in seats):
            assert owner is not None
        assert len({alike(seat.name) for seat in seats}) == len(seats)
        peers = [seat.peer for seat in seats if seat.peer is not None]
        assert len(set(peers)) == len(peers)
        assert len(seats) <= table.lobby.players or table.phase != "lobby"
        assert all(seat in seats for seat in table.people._away_since)
        assert all(not seat.here for seat in table.people._away_since)
        assert all(seat.here and seat.stand_in is None for seat in seats if seat.kind == "bot")
        if table.phase == "lobby":
            assert all(seat.stand_in is None for seat in seats)
        if table.game is not None:
            assert len(seats) == len(table.game._game.view(None).table.hands)
        if table.paused:
            assert peers, "somebody can let the game go on"
        elif table.phase == "playing":
            assert table.may_act or table.fair.waiting, "somebody may always act, or has acted"
            assert not table.fair.waiting.intersection(table.may_act)

    def looks(self) -> tuple[Any, ...]:
        table = self.table
        seats: list[tuple[Seat, str, bool, Any]] = [
            (seat, seat.name, seat.here, seat.stand_in) for seat in table.lobby.seats
        ]
        actions = None if table.game is None else table.game.actions
        waiting = {seat: list(each) for seat, each in table.fair._waiting.items()}
        owner, kept = table.lobby.owner, table.to_keep
        return (table.phase, table.paused, seats, owner, actions, waiting, kept)


def runs_riot(crowd: Crowd, steps: int) -> tuple[set[str], bool]:
    """Let a crowd do so much; return the phases it came through, and whether an action waited."""
    phases, waited = set(), False
    for _ in range(steps):
        before = crowd.looks()
        try:
            crowd.does()
        except Refused:
            assert crowd.looks() == before, "what was refused changed nothing"
        crowd.holds()
        phases.add(crowd.table.phase)
        waited = waited or bool(crowd.table.fair.waiting)
    return phases, waited


@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_do_the_table_stays_in_order(toy: Any, dealer: Any, seed: int) -> None:
    phases, _ = runs_riot(Crowd(toy, dealer, seed, range(10)), 1500)
    assert phases == {"lobby", "playing", "over"}


@pytest.mark.parametrize("seed", range(6))
def test_whatever_waits_for_others_to_speak_the_table_stays_in_order(
    toy: Any, dealer: Any, seed: int
) -> None:
    crowd = Crowd(toy, dealer, seed, (2, 3, 3, 3, 4, 6, 6, 6, 6, 6, 6, 7, 7, 7, 9))
    for name in ("Ada", "Bob", "Cy"):
        crowd.table.sit(name, "person", f"peer {name}", b"key")
    crowd.table.start()
    _, waited = runs_riot(crowd, 1500)
    assert waited
