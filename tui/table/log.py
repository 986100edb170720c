"""The log: what happened and what was said, newest at the bottom, with scrollback."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual import events
from textual.widgets import RichLog

from tui.table.story import Told

KEPT = 600
"""Lines of scrollback."""

_STYLES = {
    "game": "",
    "noise": "bold",
    "round": "bold underline",
    "talk": "italic",
    "room": "dim",
    "verdict": "bold reverse",
}


class GameLog(RichLog, can_focus=True):
    """Lines of plain text, wrapped anew whenever the width changes."""

    DEFAULT_CSS = """
    GameLog { background: transparent; scrollbar-size-vertical: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, wrap=True, markup=False, highlight=False, max_lines=KEPT)
        self.min_width = 10
        self._told: list[Told] = []
        self._wrapped_at = 0

    @property
    def told(self) -> tuple[Told, ...]:
        """The lines so far."""
        return tuple(self._told)

    def add(self, lines: Iterable[Told]) -> None:
        """Append lines; stay where somebody reads who has scrolled up and is still at it."""
        at_end = self.is_vertical_scroll_end or not (self.has_focus or self.is_mouse_over)
        for line in lines:
            self._told.append(line)
            self.write(_styled(line), scroll_end=at_end)
        del self._told[:-KEPT]
        if at_end:
            self._show_newest()

    def restart(self, lines: Iterable[Told]) -> None:
        """Begin again with these lines: after a reconnect they are the whole story."""
        self._told.clear()
        self.clear()
        self.add(lines)

    def on_blur(self) -> None:
        """Whoever goes elsewhere has read enough: show the newest again."""
        self.scroll_end(animate=False)

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Wrap at the new width."""
        width = self.scrollable_content_region.width
        if width and width != self._wrapped_at:
            known, self._wrapped_at = bool(self._wrapped_at), width
            if known:
                self.clear()
                for line in self._told:
                    self.write(_styled(line), scroll_end=True)
            else:  # what was told before it had a size is written first
                self.call_later(self._show_newest)

    def _show_newest(self) -> None:
        """Scroll at once: what waits for a refresh waits for a dialog to go that lies above."""
        self.scroll_end(animate=False, immediate=True, x_axis=False)


def _styled(line: Told) -> Text:
    return Text(line.text, _STYLES[line.kind])
