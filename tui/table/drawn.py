"""Widgets that are a canvas: drawn when looked at, and again when something has changed."""

from __future__ import annotations

from textual.strip import Strip
from textual.widget import Widget

from tui.table.canvas import Canvas


class Drawn(Widget):
    """Keeps its canvas until its size, its theme or what it `depends_on` changes, or `redraw`."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._canvas: tuple[object, Canvas] | None = None

    def drawn(self, width: int, height: int) -> Canvas:
        """Return it drawn."""
        raise NotImplementedError

    def depends_on(self) -> object:
        """Return what changes by itself and looks different then: cursor and focus, say."""
        return None

    def redraw(self) -> None:
        """Draw anew: it shows something else."""
        self._canvas = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Draw anew in another theme."""
        super().notify_style_update()
        self._canvas = None

    def render_line(self, y: int) -> Strip:
        """Return one line (Textual's line API)."""
        width, height = self.content_size
        state = (width, height, self.depends_on())
        if self._canvas is None or self._canvas[0] != state:
            self._canvas = (state, self.drawn(width, height))
        canvas = self._canvas[1]
        if y >= canvas.height:
            return Strip.blank(width, self.rich_style)
        return Strip(canvas.line(y), canvas.width)
