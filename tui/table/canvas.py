"""A grid of styled cells that widgets draw on, line by line for Textual's `render_line`."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tui.cells import cut
from tui.table.layout import Rect


class Canvas:
    """`width` x `height` cells. What is put outside is cut off; a later put lies on top.

    A put style is added to what lies below, so that text without a background
    keeps the one it is written on.
    """

    def __init__(self, width: int, height: int, style: Style) -> None:
        self.width = width
        self.height = height
        self._cells: list[list[tuple[str, Style]]] = [[(" ", style)] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> int:
        """Write one line of text; return the column after it."""
        for char in text:
            wide = cell_len(char)
            if not wide:
                continue
            if 0 <= y < self.height and x >= 0 and x + wide <= self.width:
                row = self._cells[y]
                self._clear_halves(row, x, x + wide)
                row[x] = (char, row[x][1] + style)
                for covered in range(x + 1, x + wide):
                    row[covered] = ("", row[covered][1] + style)
            x += wide
        return x

    def _clear_halves(self, row: list[tuple[str, Style]], start: int, end: int) -> None:
        """Blank what is left of a wide character when a put covers only half of it."""
        if row[start][0] == "":
            row[start - 1] = (" ", row[start - 1][1])
        if end < self.width and row[end][0] == "":
            row[end] = (" ", row[end][1])

    def put_right(self, right: int, y: int, text: str, style: Style) -> int:
        """Write text that ends before column `right`; return the column where it begins."""
        x = right - cell_len(text)
        self.put(x, y, text, style)
        return x

    def put_centred(self, rect: Rect, y: int, text: str, style: Style) -> None:
        """Write text in the middle of a block's line, cut where it is too long."""
        text = cut(text, rect.width)
        self.put(rect.x + (rect.width - cell_len(text)) // 2, y, text, style)

    def fill(self, rect: Rect, char: str, style: Style) -> None:
        """Fill a block with one character."""
        for y in range(rect.y, rect.bottom):
            self.put(rect.x, y, char * rect.width, style)

    def card(self, x: int, y: int, lines: Iterable[str], style: Style) -> None:
        """Lay a card down with its top left corner at a cell."""
        for number, line in enumerate(lines):
            self.put(x, y + number, line, style)

    def text(self) -> list[str]:
        """Return what is written, without styles."""
        return ["".join(char for char, _ in row) for row in self._cells]

    def line(self, y: int) -> list[Segment]:
        """Return one line, neighbours of the same style joined."""
        segments: list[Segment] = []
        run, style = "", None
        for char, cell_style in self._cells[y]:
            if style is not None and cell_style != style:
                segments.append(Segment(run, style))
                run = ""
            run, style = run + char, cell_style
        segments.append(Segment(run, style))
        return segments
