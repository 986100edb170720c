"""What can be done on the screen below: every key and what it does, from the same definitions."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from tui.commands import Command, Commanded, key_names
from tui.widgets.choice import CHANGE, Choice
from tui.widgets.footer import Keys
from tui.words import known, say


class HelpScreen(Commanded, ModalScreen[None]):
    """The keys of one screen, and a line or two on what the screen is for."""

    KEYS = (
        Command("help.rules", "r", "rules", footer=True),
        Command("help.close", "escape,q,enter,question_mark,f1", "close", footer=True, key="Esc"),
    )

    def __init__(self, of: Commanded) -> None:
        super().__init__()
        self._of = of

    def compose(self) -> ComposeResult:
        """Build the box."""
        about = f"help.{type(self._of).__name__}"
        with VerticalScroll(classes="dialog help") as box:
            box.border_title = say("help.title")
            if known(about):
                yield Static(Content(say(about)), classes="dialog-text")
            yield Static(self._keys(), markup=False)
            yield Static(Content(say("help.everywhere")), classes="dialog-text quiet")
        yield Keys()

    def _keys(self) -> Content:
        commands = (*self._of_focused(), *self._of.possible())
        rows = [(key_names(command), command.help) for command in commands]
        width = max((len(keys) for keys, _ in rows), default=0)
        return Content("\n").join(
            Content.assemble((f" {keys:>{width}} ", "bold $accent"), f" {text}")
            for keys, text in rows
        )

    def _of_focused(self) -> Iterator[Command]:
        """Yield what a setting under the cursor can be told: its key stands in the footer, too."""
        assert isinstance(self._of, Screen)
        if isinstance(self._of.focused, Choice) and not self._of.focused.locked:
            yield CHANGE

    def action_rules(self) -> None:
        """Read the rules."""
        self.dismiss(None)
        self.app.action_rules()  # type: ignore[attr-defined]

    def action_close(self) -> None:
        """Back to the screen below."""
        self.dismiss(None)
