"""A list of players to pick one from, with what is known of each."""

from __future__ import annotations

from rich.text import Text

from core.prrrt.events import count
from tui.cells import cut
from tui.prrrt import paint
from tui.prrrt.sight import PrrrtSight
from tui.table.sight import cards_of, key_of
from tui.words import say

NAME = 18


def person(sight: PrrrtSight, seat: int, mark: str = " ", taking: int | None = None) -> Text:
    """Return a line about a seat: number, name, open cards, hand, Shame.

    `taking` is the open card that would be taken, for a 5.
    """
    name = cut(sight.name(seat), NAME)
    line = Text(f"{mark}{key_of(seat)} ", no_wrap=True, overflow="ellipsis")
    line.append(name, "bold")
    line.pad_right(max(1, NAME + 5 - line.cell_len))
    if taking is not None:
        line.append(say("prrrt.choose.take") + " ")
        line.append(f" {taking} ", paint.smell_paint(taking))
    row = sight.row(seat)
    if taking is not None:  # where it lies alone, it has been told already
        row = row if len(row) > 1 else ()
        line.append(f" {say('prrrt.choose.of')} " if row else "")
    for value in row:
        line.append(f" {value} ", paint.smell_paint(value))
        line.append(" ")
    if row:
        line.append(f"={sum(row)}")
    line.pad_right(max(1, NAME + (40 if taking is not None else 22) - line.cell_len))
    line.append(say("prrrt.people.hand", n=count(cards_of(sight.table.hands, seat))))
    line.append("  ")
    line.append(say("prrrt.seat.shame", n=sight.in_pile(seat)))
    return line
