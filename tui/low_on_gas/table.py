"""The table: everybody around it, and the felt in the middle."""

from __future__ import annotations

from textual import events
from textual.message import Message

from tui.low_on_gas.felt import draw_felt
from tui.low_on_gas.layout import on_felt, places
from tui.low_on_gas.seats import draw_own, draw_seat
from tui.low_on_gas.sight import GasSight
from tui.table.canvas import Canvas
from tui.table.drawn import Drawn
from tui.table.inks import PLAIN, Inks


class GasTable(Drawn):
    """Draws a `GasSight`; a click on the draw pile or on what is owed posts `DrawClicked`."""

    COMPONENT_CLASSES = {"table--quiet", "table--turn", "table--tag"}

    DEFAULT_CSS = """
    GasTable { height: 1fr; }
    GasTable > .table--quiet { color: $text-muted; }
    GasTable > .table--turn { color: $warning; text-style: bold; }
    GasTable > .table--tag { color: $accent; }
    """

    class DrawClicked(Message):
        """The draw pile was clicked, or what is owed: to draw, or to pick it all up."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._sight: GasSight | None = None

    def show(self, sight: GasSight) -> None:
        """Draw another view."""
        self._sight = sight
        self.redraw()

    def drawn(self, width: int, height: int) -> Canvas:
        """Return the table drawn; nothing before anything was seen, or where there is no room."""
        if self._sight is None or not self.size:
            return Canvas(width, height, self.rich_style)
        return draw(self._sight, width, height, Inks.of(self, "table"))

    def on_click(self, event: events.Click) -> None:
        """Tell whether it was clicked to draw."""
        if self._draws_at(event.x, event.y):
            self.post_message(self.DrawClicked())

    def _draws_at(self, x: int, y: int) -> bool:
        if self._sight is None:
            return False
        laid = on_felt(places(self._sight.players, *self.size).felt)
        return laid.pile.holds(x, y) or (bool(self._sight.owing) and laid.panel.holds(x, y))


def draw(sight: GasSight, width: int, height: int, inks: Inks = PLAIN) -> Canvas:
    """Draw the whole table."""
    laid = places(sight.players, width, height)
    canvas = Canvas(width, height, inks.base)
    draw_felt(canvas, sight, laid.felt)
    own, *others = zip(sight.others_clockwise, laid.seats, strict=True)
    draw_own(canvas, sight, *own, inks)
    for seat, rect in others:
        draw_seat(canvas, sight, seat, rect, laid.size, inks)
    return canvas
