"""The table: everybody around it with what lies open before them, and the centre in the middle."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from core.prrrt.events import count
from tui.cells import cut
from tui.prrrt import cards, paint
from tui.prrrt.canvas import Canvas
from tui.prrrt.cards import LARGE, MEDIUM, SMALL, Size
from tui.prrrt.layout import Places, Rect, fan, fan_width, places
from tui.prrrt.sight import Sight, context_of, faces, key_of, place_of
from tui.words import say


@dataclass(frozen=True)
class Inks:
    """The theme's styles for what is written on the table."""

    base: Style
    quiet: Style
    turn: Style
    tag: Style


PLAIN = Inks(Style(), Style(dim=True), Style(bold=True), Style(italic=True))


class Table(Widget):
    """Draws a `Sight`; a click on somebody's place posts `Pointed`."""

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
        self._sight: Sight | None = None
        self._taker: int | None = None
        self._drawn: Canvas | None = None

    def show(self, sight: Sight, taker: int | None = None) -> None:
        """Draw another view; between rounds `taker` is who took the last one's Shame."""
        self._sight, self._taker, self._drawn = sight, taker, None
        self.refresh()

    def notify_style_update(self) -> None:
        """Draw anew in another theme."""
        super().notify_style_update()
        self._drawn = None

    def on_resize(self) -> None:
        """Lay out anew."""
        self._drawn = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line of the table (Textual's line API)."""
        if self._sight is None or not self.size:
            return Strip.blank(self.size.width, self.rich_style)
        if self._drawn is None:
            inks = Inks(
                self.rich_style,
                self.get_component_rich_style("table--quiet", partial=True),
                self.get_component_rich_style("table--turn", partial=True),
                self.get_component_rich_style("table--tag", partial=True),
            )
            width, height = self.size
            self._drawn = draw(self._sight, width, height, inks, taker=self._taker)
        if y >= self._drawn.height:
            return Strip.blank(self.size.width, self.rich_style)
        return Strip(self._drawn.line(y), self._drawn.width)

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
    sight: Sight, width: int, height: int, inks: Inks = PLAIN, *, taker: int | None = None
) -> Canvas:
    """Draw the whole table."""
    laid = places(sight.players, width, height)
    canvas = Canvas(width, height, inks.base)
    _draw_felt(canvas, sight, laid, taker)
    for seat, rect in zip(sight.others_clockwise, laid.seats, strict=True):
        _draw_seat(canvas, sight, seat, rect, laid.size, inks)
    return canvas


def _draw_seat(canvas: Canvas, sight: Sight, seat: int, rect: Rect, size: Size, inks: Inks) -> None:
    awaited = seat in sight.awaited
    style = inks.turn if awaited else inks.base
    tag = _tag(sight, seat)
    right = canvas.put_right(rect.right - 1, rect.y, tag, inks.turn if awaited else inks.tag)
    canvas.put(rect.x, rect.y, "▶" if awaited else " ", style)
    end = canvas.put(rect.x + 1, rect.y, f"{key_of(seat)} ", style if awaited else inks.quiet)
    presence = _presence(sight, seat)
    room = right - end - 1 - (len(presence) + 1 if presence else 0)
    end = canvas.put(end, rect.y, cut(sight.name(seat), room), style + Style(bold=True))
    canvas.put(end + 1, rect.y, presence, inks.quiet)
    _draw_cards(canvas, sight, seat, rect, size, inks)
    canvas.put(rect.x + 1, rect.bottom - 1, cut(_facts(sight, seat), rect.width - 1), inks.quiet)


def _draw_cards(
    canvas: Canvas, sight: Sight, seat: int, rect: Rect, size: Size, inks: Inks
) -> None:
    x, y = rect.x + 1, rect.y + 1
    row = sight.row(seat)
    for value in row:
        canvas.card(x, y, cards.smell(value, size, effect_name(value)), paint.smell_paint(value))
        x += size.width + 1
    held = sight.cards_of(sight.table.hands, seat)
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
            canvas.card(x + edge, y, cards.back(size), paint.BACK)
    elif sight.table.lap and sight.table.round:
        canvas.put(x, y, say("prrrt.table.no_hand"), inks.quiet)


def effect_name(value: int) -> str:
    """Return the word that stands for a Smell card's effect; empty where it has none (P3)."""
    return say(f"prrrt.effect.{value}.name") if 3 <= value <= 7 else ""


def _tag(sight: Sight, seat: int) -> str:
    """Say in a word what a seat is doing."""
    if seat in sight.awaited:
        return say(f"prrrt.doing.{sight.view.phase}")
    if sight.has_pointed(seat):
        return say("prrrt.doing.pointed")
    if seat == sight.table.asked:
        return say("prrrt.doing.next" if sight.view.phase == "ask" else "prrrt.doing.denied")
    return say("prrrt.doing.asker") if seat == sight.table.asker else ""


def _presence(sight: Sight, seat: int) -> str:
    """Say in a word who really plays a seat."""
    info = sight.seat(seat)
    if seat == sight.me:
        return say("prrrt.seat.you")
    if info.bot_plays:
        return say("prrrt.seat.bot_plays")
    if info.kind != "person":
        return say("prrrt.seat.bot")
    return "" if info.here else say("prrrt.seat.away")


def _facts(sight: Sight, seat: int) -> str:
    row = sight.row(seat)
    shame, points = sight.in_pile(seat), sight.score(seat)
    parts = [say("prrrt.seat.shows", n=sum(row))] if row else []
    if points is None:
        parts.append(say("prrrt.seat.shame", n=shame))
    else:
        parts.append(say("prrrt.seat.shame_points", n=shame, points=points))
    return " · ".join(parts)


def _draw_felt(canvas: Canvas, sight: Sight, laid: Places, taker: int | None) -> None:
    felt = laid.felt
    canvas.fill(felt, " ", paint.FELT)
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


def _draw_centre(canvas: Canvas, sight: Sight, inside: Rect, top: int, size: Size) -> None:
    up, down = sight.table.centre.up, count(sight.table.centre.down)
    edges = fan(len(up) + down, size.width, inside.width - 2)
    x = inside.x + (inside.width - fan_width(edges, size.width)) // 2
    for number, edge in enumerate(edges):
        if number < len(up):
            value = up[number]
            canvas.card(x + edge, top, cards.shame(value, size), paint.shame_paint(value))
        else:
            canvas.card(x + edge, top, cards.back(size), paint.SHAME_BACK)
            canvas.put(x + edge + 1, top, "?", paint.LABEL)


def _felt_words(sight: Sight) -> list[tuple[str, Style]]:
    table = sight.table
    if sight.view.phase == "point":
        return [(say("prrrt.felt.point"), paint.FELT_LOUD)]
    if table.effect is not None:
        line = say(
            "prrrt.felt.effect",
            card=table.effect.card,
            name=effect_name(table.effect.card),
            who=sight.subject(table.effect.by),
        )
        return [(line, paint.FELT_LOUD)]
    if table.asker is not None and table.asked is not None:
        who, whom = sight.subject(table.asker), sight.who(table.asked)
        return [(f"{who} → {whom}", paint.FELT_LOUD)]
    return []


def _empty_felt_words(sight: Sight, taker: int | None) -> list[tuple[str, Style]]:
    table = sight.table
    if sight.view.result is not None:
        masters = say("prrrt.and").join(sight.name(seat) for seat in sight.view.result.masters)
        return [(say("prrrt.felt.over"), paint.FELT_QUIET), (masters, paint.FELT_LOUD)]
    lines: list[tuple[str, Style]] = []
    if table.played:
        lines.append((say("prrrt.felt.played", n=table.round), paint.FELT_QUIET))
        last = table.played[-1]
        place = f"{place_of(last)} · {context_of(last)}"
        told = place if taker is None else say("prrrt.felt.taken", who=sight.subject(taker))
        lines.append((told, paint.FELT_QUIET))
    if table.first is not None:
        lines.append((say("prrrt.felt.turns"), paint.FELT_QUIET))
        lines.append((sight.subject(table.first), paint.FELT_LOUD))
    return lines
