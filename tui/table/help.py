"""The help screen of the table: the rules of the moment, then the keys."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.commands import Command, Commanded, key_names
from tui.table.styles import STYLES
from tui.table.topic import Topic
from tui.widgets.footer import Keys
from tui.words import say


class MomentHelp(Commanded, ModalScreen[None]):
    """What fits the moment, most urgent first; it scrolls."""

    KEYS = (
        Command("help.rules", "r", "rules", footer=True),
        Command(
            "help.close", "escape,q,enter,space,question_mark,f1", "close", footer=True, key="Esc"
        ),
    )

    CSS_PATH = STYLES

    def __init__(self, topics: Sequence[Topic], of: Commanded) -> None:
        super().__init__()
        self._topics = topics
        self._of = of

    def compose(self) -> ComposeResult:
        """Lay the topics out, then the keys."""
        with VerticalScroll() as box:
            box.border_title = Content(say("table.help.title"))
            for topic in self._topics:
                yield Static(Content.assemble((topic.title, "bold $accent")), markup=False)
                for line in topic.lines:
                    yield Static(Content(line), markup=False)
            yield Static(Content.assemble((say("table.help.keys"), "bold $accent")))
            rows = [(key_names(each), each.help) for each in self._of.possible()]
            width = max(len(keys) for keys, _ in rows)
            for keys, text in rows:
                yield Static(Content.assemble((f"{keys:>{width}} ", "bold"), text))
        yield Keys()

    def on_mount(self) -> None:
        """Scroll with the arrow keys at once."""
        self.query_one(VerticalScroll).focus()

    def action_rules(self) -> None:
        """Read the rules."""
        self.dismiss(None)
        self.app.action_rules()  # type: ignore[attr-defined]

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)
