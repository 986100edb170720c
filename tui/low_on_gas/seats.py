"""A place at the table: who sits there, how many cards they hold, and what they have called."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style

from tui.cells import cut
from tui.low_on_gas.sight import GasSight
from tui.table.canvas import Canvas
from tui.table.cards import Size, back
from tui.table.inks import Inks
from tui.table.layout import LEAST, Rect, fan, fan_width
from tui.table.paint import BACK
from tui.words import say

_LOUD = Style(bold=True, reverse=True)


def draw_seat(
    canvas: Canvas, sight: GasSight, seat: int, rect: Rect, size: Size, inks: Inks
) -> None:
    """Draw somebody's place: name and what they do, backs and their number, and what they said."""
    _draw_name(canvas, sight, seat, rect, inks)
    _draw_backs(canvas, sight, seat, rect, size, inks)
    begin, foot = rect.x + 1, rect.bottom - 1
    end = _draw_call(canvas, sight, seat, begin, foot, inks)
    presence = sight.presence(seat)
    after = end if end == begin else end + 1
    if presence and after + cell_len(presence) <= rect.right:
        canvas.put(after, foot, presence, inks.quiet)


def draw_own(canvas: Canvas, sight: GasSight, seat: int, rect: Rect, inks: Inks) -> None:
    """Draw the viewer's own place (a spectator's first one): the cards lie elsewhere."""
    _draw_name(canvas, sight, seat, rect, inks)
    facts = [_number(sight, seat), _wins(sight, seat), sight.presence(seat)]
    end = canvas.put(
        rect.x + 1, rect.bottom - 1, " · ".join(fact for fact in facts if fact), inks.quiet
    )
    _draw_call(canvas, sight, seat, end + 2, rect.bottom - 1, inks)


def _draw_name(canvas: Canvas, sight: GasSight, seat: int, rect: Rect, inks: Inks) -> None:
    turns = is_at_turn(sight, seat)
    style = inks.turn if turns else inks.base
    tag = doing(sight, seat)
    right = canvas.put_right(rect.right - 1, rect.y, tag, inks.turn if turns else inks.tag)
    sign = "▶" if turns else "★" if seat == sight.table.winner else " "
    canvas.put(rect.x, rect.y, sign, style)
    name = cut(sight.name(seat), right - rect.x - 2)
    canvas.put(rect.x + 1, rect.y, name, style + Style(bold=True))


def _draw_backs(
    canvas: Canvas, sight: GasSight, seat: int, rect: Rect, size: Size, inks: Inks
) -> None:
    held, y = sight.held(seat), rect.y + 1
    number, wins = _number(sight, seat), _wins(sight, seat)
    canvas.put_right(rect.right - 1, y, wins, inks.quiet)
    if not sight.may_call(seat):
        number = str(held)
    room = rect.width - 3 - len(number) - (len(wins) + 1 if wins else 0)
    shown = min(held, 1 + max(0, room - size.width) // LEAST)
    edges = fan(shown, size.width, min(room, size.width + LEAST * (shown - 1)))
    for edge in edges:
        canvas.card(rect.x + 1 + edge, y, back(size), BACK)
    after = rect.x + 2 + fan_width(edges, size.width)
    canvas.put(after, y, number, inks.base + Style(bold=True))


def _draw_call(canvas: Canvas, sight: GasSight, seat: int, x: int, y: int, inks: Inks) -> int:
    """Say who is low on gas, who should call it, and who forgot; return the column after it."""
    if sight.called(seat):
        return canvas.put(x, y, say("gas.seat.low"), inks.base + _LOUD)
    if sight.may_call(seat):
        return canvas.put(x, y, say("gas.seat.window"), inks.turn + _LOUD)
    if sight.forgot(seat):
        return canvas.put(x, y, say("gas.seat.forgot"), inks.tag)
    return x


def _number(sight: GasSight, seat: int) -> str:
    key = "gas.seat.one" if sight.may_call(seat) else "gas.seat.cards"
    return say(key, n=sight.held(seat))


def _wins(sight: GasSight, seat: int) -> str:
    return say("gas.seat.won", n=sight.won(seat)) if sight.table.to_win > 1 else ""


def is_at_turn(sight: GasSight, seat: int) -> bool:
    """Say whether the table waits for a seat, to play or to deal."""
    if sight.view.phase == "deal":
        return seat == sight.table.dealer
    return seat == sight.table.turn


def doing(sight: GasSight, seat: int) -> str:
    """Say in a word what a seat is doing."""
    if sight.table.winner == seat:
        return say("gas.doing.won")
    if is_at_turn(sight, seat):
        return say(f"gas.doing.{sight.view.phase}", n=sight.table.owed)
    return say("gas.doing.next") if seat == sight.next else ""
