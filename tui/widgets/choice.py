"""A setting on one line: its name, and its value between two arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from tui.commands import Command

LABEL_WIDTH = 20

CHANGE = Command("setup.change", "right,l,space,enter", "step(1)", footer=True, key="◂▸")
"""Its key stands in the footer while a setting that can be changed has the focus."""


@dataclass(frozen=True)
class Pick:
    """One value a setting can have, and what it is called."""

    value: object
    label: str


class Choice(Widget, can_focus=True):
    """Left and right (or the arrows under the mouse) change the value; Enter takes the next one.

    `explained` is the line that a set-up screen shows while this has the focus; a `locked` setting
    can be read and not changed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", show=False),
        *CHANGE.bindings(),
    ]
    DEFAULT_CSS = """
    Choice { height: 1; width: 1fr; padding: 0 1; }
    Choice:focus { background: $block-cursor-background; color: $block-cursor-foreground; }
    """

    index: reactive[int] = reactive(0)

    class Changed(Message):
        """The value is another one now, and `choice` may have gone on since."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice
            self.value = choice.value

        @property
        def control(self) -> Choice:
            """The setting it happened to."""
            return self.choice

    def __init__(
        self,
        label: str,
        picks: Sequence[Pick],
        value: object,
        *,
        explained: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name for it
    ) -> None:
        super().__init__(id=id)
        self.label = label
        self.picks = tuple(picks)
        self.explained = explained
        self.locked = False
        self.set_reactive(Choice.index, self._index_of(value))

    @property
    def value(self) -> object:
        """The value chosen."""
        return self.picks[self.index].value

    def choose(self, value: object) -> None:
        """Set the value without telling anybody."""
        with self.prevent(Choice.Changed):
            self.index = self._index_of(value)

    def offer(self, picks: Sequence[Pick]) -> None:
        """Change what can be chosen; the value stays if it still can be, else the last one is."""
        value = self.value
        self.picks = tuple(picks)
        known = [pick.value for pick in picks]
        self.set_reactive(Choice.index, known.index(value) if value in known else len(known) - 1)
        self.refresh()

    def render(self) -> Content:
        """Draw name, arrows and value; an arrow that leads nowhere is missing."""
        before = "◂" if self.index > 0 else " "
        after = "▸" if self.index < len(self.picks) - 1 else " "
        arrows = "" if self.has_focus else "$text-muted"
        return Content.assemble(
            f"{self.label:<{LABEL_WIDTH}}",
            (f"{before} ", arrows),
            (self.picks[self.index].label, "bold"),
            (f" {after}", arrows),
        )

    def watch_index(self) -> None:
        """Tell the screen."""
        self.post_message(self.Changed(self))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Leave the keys out of the footer where nothing can be changed (called by Textual)."""
        return action != "step" or not self.locked

    def action_step(self, by: int) -> None:
        """Take the next value that way; past the last one comes the first."""
        if not self.locked:
            self.index = (self.index + by) % len(self.picks)

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, anything else goes on."""
        event.stop()
        self.action_step(-1 if event.x <= LABEL_WIDTH + 2 and event.x >= LABEL_WIDTH else 1)

    def pick(self, value: object) -> None:
        """Take a value as if by hand."""
        if not self.locked:
            self.index = self._index_of(value)

    def _index_of(self, value: object) -> int:
        return next((i for i, pick in enumerate(self.picks) if pick.value == value), 0)
