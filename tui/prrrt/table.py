"""The table: everybody around it with what lies open before them, and the centre in the middle."""

from __future__ import annotations

from rich.style import Style
from textual import events
from textual.message import Message

from core.prrrt.events import count
from tui.cells import cut
from tui.prrrt import cards, paint
from tui.prrrt.layout import places
from tui.prrrt.sight import PrrrtSight, context_of, place_of
from tui.table.canvas import Canvas
from tui.table.cards import LARGE, MEDIUM, SMALL, Size, back
from tui.table.drawn import Drawn
from tui.table.inks import PLAIN, Inks
from tui.table.layout import Places, Rect, fan, fan_width
from tui.table.paint import BACK, FELT, FELT_LOUD, FELT_QUIET, LABEL
from tui.table.sight import cards_of, faces, key_of
from tui.words import say


class Table(Drawn):
    """Draws a `PrrrtSight`; a click on somebody's place posts `Pointed`."""

    COMPONENT_CLASSES = {"table--quiet", "table--turn", "table--tag"}

    DEFAULT_CSS = """
    Table { height: 1fr; }
    Table > .table--quiet { color: $text-muted; }
    Table > .table--turn { color: $warning; text-style: bold; }
    Table > .table--tag { color: $accent; }
    """

    class SeatClicked(Message):
        """Somebody's place was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._sight: PrrrtSight | None = None
        self._taker: int | None = None

    def show(self, sight: PrrrtSight, taker: int | None = None) -> None:
        """Draw another view; between rounds `taker` is who took the last one's Shame."""
        self._sight, self._taker = sight, taker
        self.redraw()

    def drawn(self, width: int, height: int) -> Canvas:
        """Return the table drawn; nothing before anything was seen, or where there is no room."""
        if self._sight is None or not self.size:
            return Canvas(width, height, self.rich_style)
        return draw(self._sight, width, height, Inks.of(self, "table"), taker=self._taker)

    def on_click(self, event: events.Click) -> None:
        """Tell whose place was clicked."""
        seat = self.seat_at(event.x, event.y)
        if seat is not None:
            self.post_message(self.SeatClicked(seat))

    def seat_at(self, x: int, y: int) -> int | None:
        """Return whose place a cell of this widget belongs to."""
        if self._sight is None:
            return None
        laid = places(self._sight.players, self.size.width, self.size.height)
        for seat, rect in zip(self._sight.others_clockwise, laid.seats, strict=True):
            if rect.holds(x, y):
                return seat
        return None


def draw(
    sight: PrrrtSight, width: int, height: int, inks: Inks = PLAIN, *, taker: int | None = None
) -> Canvas:
    """Draw the whole table."""
    laid = places(sight.players, width, height)
    canvas = Canvas(width, height, inks.base)
    _draw_felt(canvas, sight, laid, taker)
    for seat, rect in zip(sight.others_clockwise, laid.seats, strict=True):
        _draw_seat(canvas, sight, seat, rect, laid.size, inks)
    return canvas


def _draw_seat(
    canvas: Canvas, sight: PrrrtSight, seat: int, rect: Rect, size: Size, inks: Inks
) -> None:
    awaited = seat in sight.awaited
    style = inks.turn if awaited else inks.base
    tag = _tag(sight, seat)
    right = canvas.put_right(rect.right - 1, rect.y, tag, inks.turn if awaited else inks.tag)
    canvas.put(rect.x, rect.y, "▶" if awaited else " ", style)
    end = canvas.put(rect.x + 1, rect.y, f"{key_of(seat)} ", style if awaited else inks.quiet)
    presence = sight.presence(seat)
    room = right - end - 1 - (len(presence) + 1 if presence else 0)
    end = canvas.put(end, rect.y, cut(sight.name(seat), room), style + Style(bold=True))
    canvas.put(end + 1, rect.y, presence, inks.quiet)
    _draw_cards(canvas, sight, seat, rect, size, inks)
    canvas.put(rect.x + 1, rect.bottom - 1, cut(_facts(sight, seat), rect.width - 1), inks.quiet)


def _draw_cards(
    canvas: Canvas, sight: PrrrtSight, seat: int, rect: Rect, size: Size, inks: Inks
) -> None:
    x, y = rect.x + 1, rect.y + 1
    row = sight.row(seat)
    for value in row:
        canvas.card(x, y, cards.smell(value, size, effect_name(value)), paint.smell_paint(value))
        x += size.width + 1
    held = cards_of(sight.table.hands, seat)
    if row and count(held):
        x += 1
    shown = faces(held) if seat != sight.me or sight.view.phase == "turn_location" else ()
    space = rect.right - x
    if shown and (sight.table.reveal is not None or sight.me != seat):
        for edge, value in zip(fan(len(shown), size.width, space), shown, strict=True):
            canvas.card(
                x + edge, y, cards.smell(value, size, effect_name(value)), paint.smell_paint(value)
            )
    elif count(held):
        for edge in fan(count(held), size.width, min(space, size.width + 2 * (count(held) - 1))):
            canvas.card(x + edge, y, back(size), BACK)
    elif sight.table.lap and sight.table.round:
        canvas.put(x, y, say("prrrt.table.no_hand"), inks.quiet)


def effect_name(value: int) -> str:
    """Return the word that stands for a Smell card's effect; empty where it has none (P3)."""
    return say(f"prrrt.effect.{value}.name") if 3 <= value <= 7 else ""


def _tag(sight: PrrrtSight, seat: int) -> str:
    """Say in a word what a seat is doing."""
    if seat in sight.awaited:
        return say(f"prrrt.doing.{sight.view.phase}")
    if sight.has_pointed(seat):
        return say("prrrt.doing.pointed")
    if seat == sight.table.asked:
        return say("prrrt.doing.next" if sight.view.phase == "ask" else "prrrt.doing.denied")
    return say("prrrt.doing.asker") if seat == sight.table.asker else ""


def _facts(sight: PrrrtSight, seat: int) -> str:
    row = sight.row(seat)
    shame, points = sight.in_pile(seat), sight.score(seat)
    parts = [say("prrrt.seat.shows", n=sum(row))] if row else []
    if points is None:
        parts.append(say("prrrt.seat.shame", n=shame))
    else:
        parts.append(say("prrrt.seat.shame_points", n=shame, points=points))
    return " · ".join(parts)


def _draw_felt(canvas: Canvas, sight: PrrrtSight, laid: Places, taker: int | None) -> None:
    felt = laid.felt
    canvas.fill(felt, " ", FELT)
    inside = Rect(felt.x, felt.y + 1, felt.width, felt.height - 1)
    size = _centre_size(sight.centre_total, inside)
    lines = _felt_words(sight)
    height = size.height if sight.centre_total else 0
    roomy = inside.height - size.height - len(lines) >= 2
    top = inside.y + max(0, (inside.height - height - len(lines) - (1 if roomy else 0)) // 2)
    if sight.centre_total:
        _draw_centre(canvas, sight, inside, top, size)
    else:
        lines = _empty_felt_words(sight, taker)
        top = inside.y + (inside.height - len(lines)) // 2
        height, roomy = 0, False
    for number, (line, style) in enumerate(lines):
        y = top + height + number + (1 if roomy else 0)
        if y < inside.bottom:
            canvas.put_centred(inside, y, line, style)


def _centre_size(shame: int, inside: Rect) -> Size:
    """Return the largest cards that lie side by side; medium ones may overlap."""
    whole = shame * (LARGE.width + 1) - 1 <= inside.width - 2
    if whole and inside.height > LARGE.height + 1:
        return LARGE
    return MEDIUM if inside.height > MEDIUM.height else SMALL


def _draw_centre(canvas: Canvas, sight: PrrrtSight, inside: Rect, top: int, size: Size) -> None:
    up, down = sight.table.centre.up, count(sight.table.centre.down)
    edges = fan(len(up) + down, size.width, inside.width - 2)
    x = inside.x + (inside.width - fan_width(edges, size.width)) // 2
    for number, edge in enumerate(edges):
        if number < len(up):
            value = up[number]
            canvas.card(x + edge, top, cards.shame(value, size), paint.shame_paint(value))
        else:
            canvas.card(x + edge, top, back(size), paint.SHAME_BACK)
            canvas.put(x + edge + 1, top, "?", LABEL)


def _felt_words(sight: PrrrtSight) -> list[tuple[str, Style]]:
    table = sight.table
    if sight.view.phase == "point":
        return [(say("prrrt.felt.point"), FELT_LOUD)]
    if table.effect is not None:
        line = say(
            "prrrt.felt.effect",
            card=table.effect.card,
            name=effect_name(table.effect.card),
            who=sight.subject(table.effect.by),
        )
        return [(line, FELT_LOUD)]
    if table.asker is not None and table.asked is not None:
        who, whom = sight.subject(table.asker), sight.who(table.asked)
        return [(f"{who} → {whom}", FELT_LOUD)]
    return []


def _empty_felt_words(sight: PrrrtSight, taker: int | None) -> list[tuple[str, Style]]:
    table = sight.table
    if sight.view.result is not None:
        masters = say("table.and").join(sight.name(seat) for seat in sight.view.result.masters)
        return [(say("prrrt.felt.over"), FELT_QUIET), (masters, FELT_LOUD)]
    lines: list[tuple[str, Style]] = []
    if table.played:
        lines.append((say("prrrt.felt.played", n=table.round), FELT_QUIET))
        last = table.played[-1]
        place = f"{place_of(last)} · {context_of(last)}"
        told = place if taker is None else say("prrrt.felt.taken", who=sight.subject(taker))
        lines.append((told, FELT_QUIET))
    if table.first is not None:
        lines.append((say("prrrt.felt.turns"), FELT_QUIET))
        lines.append((sight.subject(table.first), FELT_LOUD))
    return lines
