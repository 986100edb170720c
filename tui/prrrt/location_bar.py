"""The line at the top: where it smells, which way the questions go, and how near the end is."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Static

from tui.prrrt.sight import PrrrtSight, context_of, place_of
from tui.words import say

CONTEXTS = ("home", "work", "travelling", "public", "couple")
ROOMY = 110


class LocationBar(Static):
    """One line; more words where it is wide."""

    DEFAULT_CSS = """
    LocationBar { height: 1; background: $panel; color: $foreground; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, markup=False)
        self._sight: PrrrtSight | None = None

    def show(self, sight: PrrrtSight) -> None:
        """Show another view."""
        self._sight = sight
        self._write()

    def on_resize(self) -> None:
        """Write as much as there is room for."""
        self._write()

    def _write(self) -> None:
        if self._sight is not None:
            self.update(bar(self._sight, self.size.width), layout=False)


def bar(sight: PrrrtSight, width: int) -> Text:
    """Return the line, `width` cells wide."""
    table = sight.table
    left = Text(no_wrap=True, overflow="ellipsis")
    if table.location is not None:
        left.append(place_of(table.location), "bold")
        left.append(f" · {context_of(table.location)}  ")
        left.append(say(f"prrrt.direction.{table.direction}"), "bold")
        if table.lap:
            left.append("  " + say("prrrt.bar.lap", round=table.round, lap=table.lap))
    elif table.round:
        left.append(say("prrrt.bar.between", round=table.round))
    else:
        left.append(say("prrrt.bar.before"))
    right = contexts_played(sight, wide=width >= ROOMY)
    right.append("  ")
    if table.last_round:
        right.append(say("prrrt.bar.last"), "bold reverse")
    else:
        right.append(say("prrrt.bar.marker", n=sight.before_marker))
    left.truncate(max(0, width - right.cell_len - 1), overflow="ellipsis", pad=True)
    return left + Text(" ") + right


def contexts_played(sight: PrrrtSight, *, wide: bool) -> Text:
    """Return the five contexts, those played filled in."""
    done = {location.partition("/")[0] for location in sight.table.played}
    now = (sight.table.location or "").partition("/")[0]
    line = Text()
    for context in CONTEXTS:
        name = say(f"prrrt.context.{context}") if wide else say(f"prrrt.context.{context}.letter")
        mark = "●" if context in done else "◐" if context == now else "○"
        line.append(f"{name}{mark}", "bold" if mark != "○" else "")
        line.append(" ")
    line.right_crop(1)
    return line
