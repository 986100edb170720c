"""What the owner of a table can order, sent sealed like any action."""

from __future__ import annotations

from typing import Annotated

import msgspec

Word = Annotated[str, msgspec.Meta(max_length=64)]
Pin = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{6}\Z")]
"""Six plain digits; `net.settings.is_pin` says so of what was typed."""

Count = Annotated[int, msgspec.Meta(ge=-(2**31), lt=2**31)]


class Order(msgspec.Struct, frozen=True, tag_field="order", tag=str.lower):
    """Something only the owner may say; refused with `not_owner` from anybody else."""


class SeatOrder(Order, frozen=True):
    """An order about whoever sits at `seat`."""

    seat: Count


class Start(Order, frozen=True):
    """Begin the game with those seated; refused: `too_few`, `too_many` for this game."""


class SetOption(Order, frozen=True):
    """Set one option of the game, in the lobby only."""

    key: Word
    value: bool | Count | Word


class SetPlayers(Order, frozen=True):
    """Say how many seats the table has, in the lobby only; never below those taken."""

    players: Count


class AddBot(Order, frozen=True):
    """Seat a bot of the table in the next free seat, in the lobby only."""

    level: Word


class RemoveSeat(SeatOrder, frozen=True):
    """Remove whoever holds a seat: in the lobby it is freed, in a game a labelled bot plays on."""


class SeatToBot(SeatOrder, frozen=True):
    """Let a labelled bot play a seat until its person is back, or give it back (`on` false)."""

    on: bool = True


class MoveSeat(SeatOrder, frozen=True):
    """Let whoever sits at `seat` go to place `to`, in the lobby only; the others close up."""

    to: Count


class Pause(Order, frozen=True):
    """Pause the game or go on (`on` false)."""

    on: bool = True


class Rematch(Order, frozen=True):
    """Play again with the same table: back to the lobby with everybody seated."""


class SetPin(Order, frozen=True):
    """Set another PIN for newcomers, or none, and open the door to them again."""

    pin: Pin | None


class OpenDoor(Order, frozen=True):
    """Let newcomers try the PIN again after too many wrong ones."""


class EndTable(Order, frozen=True):
    """Close the table for everybody; what is saved stays saved."""


AnyOrder = (
    Start
    | SetOption
    | SetPlayers
    | AddBot
    | RemoveSeat
    | SeatToBot
    | MoveSeat
    | Pause
    | Rematch
    | SetPin
    | OpenDoor
    | EndTable
)
