"""One's own Shame pile: faces sorted and counted for its owner, the number for everybody else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget

from tui.prrrt import cards, paint
from tui.table.canvas import Canvas
from tui.table.cards import SMALL
from tui.words import say


def counted(values: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return (value, how many) from the dearest down.

    >>> counted((4, 9, 4))
    ((9, 1), (4, 2))
    """
    return tuple(sorted(Counter(values).items(), reverse=True))


class ShamePile(Widget):
    """The pile before its owner (P76: the owner may look)."""

    COMPONENT_CLASSES = {"shame-pile--quiet"}

    DEFAULT_CSS = """
    ShamePile { height: 3; }
    ShamePile > .shame-pile--quiet { color: $text-muted; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._values: tuple[int, ...] = ()

    def show(self, values: tuple[int, ...]) -> None:
        """Show one's own cards."""
        self._values = values
        self.border_title = Content(say("prrrt.pile.title", n=len(values), points=sum(values)))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line (Textual's line API)."""
        width, height = self.content_size.width, max(1, self.content_size.height)
        canvas = Canvas(width, height, self.rich_style)
        quiet = self.get_component_rich_style("shame-pile--quiet", partial=True)
        if not self._values:
            canvas.put(0, 0, say("prrrt.pile.empty"), quiet)
        x, line = 0, 0
        for value, how_many in counted(self._values):
            times = f"×{how_many}" if how_many > 1 else ""
            if x + SMALL.width + len(times) > width:
                x, line = 0, line + 1
            canvas.card(x, line, cards.shame(value, SMALL), paint.shame_paint(value))
            x = canvas.put(x + SMALL.width, line, times, quiet) + 1
        if y >= height:
            return Strip.blank(width, self.rich_style)
        return Strip(canvas.line(y), width)
