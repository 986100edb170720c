"""The status line: whose turn it is, what I can do or why I can't, how long, and is the line up."""

from __future__ import annotations

import time

from rich.text import Text
from textual.message import Message
from textual.widgets import Static

from net.room import Clock
from tui.table.status import Status
from tui.words import say

WARN_AT = 10
"""Seconds left when the clock is shown reversed."""


class StatusLine(Static):
    """One line, with the clock and the line's state at its right end."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; background: $surface; }
    StatusLine.-mine { background: $primary; color: $background; text-style: bold; }
    StatusLine.-refused { background: $error; color: $background; text-style: bold; }
    """

    class Pressed(Message):
        """The line was clicked."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, markup=False)
        self._status = Status("")
        self._note = ""
        self._refused = False
        self._clock: Clock | None = None
        self._clock_read = 0.0
        self._line_up = True

    @property
    def words(self) -> str:
        """What stands there, without clock and line."""
        return self._note or self._status.text

    @property
    def noted(self) -> bool:
        """Whether a note stands there."""
        return bool(self._note)

    def on_click(self) -> None:
        """It is a button, too."""
        self.post_message(self.Pressed())

    def on_mount(self) -> None:
        """Count the clock down."""
        self.set_interval(1, self._tick)

    def on_resize(self) -> None:
        """Write as much as there is room for."""
        self._write()

    def show(self, shown: Status, clock: Clock | None) -> None:
        """Show another view's state; a note gives way to it."""
        self._status = shown
        if clock is not self._clock:  # what the host said of it was true when it came
            self._clock, self._clock_read = clock, time.monotonic()
        self.forget_note()

    def forget_note(self) -> None:
        """Say again what the view says: whoever goes on has read the note."""
        self._note, self._refused = "", False
        self._write()

    def note(self, text: str, *, refused: bool = False) -> None:
        """Say something until the next view, or until somebody goes on: a refusal, say."""
        self._note, self._refused = text, refused
        self._write()

    def line(self, up: bool) -> None:
        """Say whether the line to the table stands."""
        self._line_up = up
        self._write()

    def seconds_left(self) -> int | None:
        """Return how long the decision under way may take."""
        if self._clock is None:
            return None
        return max(0, round(self._clock.left - (time.monotonic() - self._clock_read)))

    def _tick(self) -> None:
        if self._clock is not None:
            self._write()

    def _write(self) -> None:
        self.set_class(self._status.mine and not self._refused, "-mine")
        self.set_class(self._refused, "-refused")
        right = Text()
        left = self.seconds_left()
        if left is not None:
            style = "bold reverse" if left <= WARN_AT else "bold"
            right.append(f" {left // 60}:{left % 60:02} ", style)
        if self._line_up:
            right.append(" " + say("table.status.line_up"))
        else:
            right.append(" " + say("table.status.line_down"), "bold reverse")
        sign = "▶ " if self._status.mine and not self._note else ""
        words = Text(sign + self.words, no_wrap=True)
        words.truncate(max(0, self.size.width - right.cell_len - 1), overflow="ellipsis", pad=True)
        self.update(words + Text(" ") + right, layout=False)
