"""What was said and what happened at the table, newest at the bottom."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from net.room import ChatLine, Notice
from tui.notices import speaker, told
from tui.words import plain


class ChatLog(VerticalScroll, can_focus=False):
    """Chat lines and notices in one column. Whatever came over the network is plain text here."""

    DEFAULT_CSS = "ChatLog { height: 1fr; scrollbar-size-vertical: 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[int, int] = (0, 0)

    def compose(self) -> ComposeResult:
        """All lines are one text."""
        yield Static("", markup=False)

    def on_mount(self) -> None:
        """Stay at the newest line."""
        self.anchor()

    def show(self, lines: Sequence[ChatLine | Notice], game: str) -> None:
        """Show these lines, in this order."""
        shown = (
            _chat_line(line) if isinstance(line, ChatLine) else _notice_line(line, game)
            for line in lines
        )
        self.query_one(Static).update(Content("\n").join(line for line in shown if line))


def _notice_line(line: Notice, game: str) -> Content:
    text = told(line, game)
    return Content.assemble((f" {text}", "$text-muted")) if text else Content("")


def _chat_line(line: ChatLine) -> Content:
    return Content.assemble((f" {speaker(line)}: ", "bold $secondary"), plain(line.text))
