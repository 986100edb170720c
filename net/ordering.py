"""Carrying out the orders of a table's owner: who may give which, and what each does."""

from __future__ import annotations

from core.kernel.illegal import Refused
from net import orders
from net.lobby import Seat
from net.pin import PinDoor
from net.table import Table


def carry_out(
    order: orders.Order, whose: str | None, by: Seat | None, table: Table, pin: PinDoor
) -> None:
    """Do what somebody orders. Raises `Refused`: `not_owner`, or why it can't be done now.

    Everybody may hand their own seat to a bot, and take it back. `whose` is who shall be
    at the seat that the order names; None for whoever is.
    """
    own = isinstance(order, orders.SeatToBot) and table.lobby.at(order.seat) is by
    if by is None or (by is not table.lobby.owner and not own):
        raise Refused("not_owner")
    if isinstance(order, orders.SeatOrder) and whose is not None:
        now = table.lobby.at(order.seat).name
        if now != whose:
            raise Refused("other_seat", name=whose, now=now)
    match order:
        case orders.Start():
            table.start()
        case orders.SetOption(key, value):
            table.set_option(key, value)
        case orders.SetPlayers(players):
            table.resize(players)
        case orders.AddBot(level):
            table.add_bot(level)
        case orders.MoveSeat(seat, to):
            table.move(table.lobby.at(seat), to)
        case orders.RemoveSeat(seat):
            table.remove(table.lobby.at(seat))
        case orders.SeatToBot(seat, on):
            table.seat_to_bot(table.lobby.at(seat), on, "self" if own else "owner")
        case orders.Pause(on):
            table.pause(on)
        case orders.Rematch():
            table.rematch()
        case orders.SetPin(wanted):
            pin.reopen(wanted)
            table.set_up_changed()
        case orders.OpenDoor():
            pin.reopen(pin.pin)
        case orders.EndTable():
            table.close("ended")
        case _:
            raise Refused("unknown_order")
