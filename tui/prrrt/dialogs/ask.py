"""The question, asked by name: ready-made words or one's own."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from core.prrrt.actions import WORDS_LIMIT, Ask
from tui.commands import Command, typed
from tui.prrrt.dialogs.dialog import PrrrtDialog
from tui.table.dialog import CHAT, LOOK
from tui.widgets.field import Field
from tui.words import known, say

READY_MADE = 5
"""How many ready-made questions are offered: as many as fit over the table at 80x24."""


def ready_made(name: str, round_number: int, seat: int) -> tuple[str, ...]:
    """Return the questions on offer, others every round and for every seat."""
    count = 0
    while known(f"prrrt.question.{count}"):
        count += 1
    first = round_number * 3 + seat * 2
    picked = (f"prrrt.question.{(first + i) % count}" for i in range(min(READY_MADE, count)))
    return tuple(say(key, name=name)[:WORDS_LIMIT] for key in picked)


class AskDialog(PrrrtDialog):
    """Returns an `Ask` with its words."""

    DO = "ask"
    KEYS = (
        Command("prrrt.say_it", "space", footer=True, key="Enter"),
        Command("prrrt.own_words", "w", footer=True),
        typed("prrrt.ask_it"),
        CHAT,
        LOOK,
    )

    def heading(self) -> str:
        """Name the one who is asked."""
        return say("prrrt.ask.title", name=self.asked_name)

    def hint(self) -> str:
        """Tell the keys."""
        return say("prrrt.ask.hint")

    @property
    def asked_name(self) -> str:
        """Who is asked."""
        asked = self.sight.table.asked
        return self.sight.name(asked) if asked is not None else ""

    def body(self) -> ComposeResult:
        """Yield the ready-made questions and a line for one's own."""
        table = self.sight.table
        self._questions = ready_made(self.asked_name, table.round, (table.asked or 0) + table.lap)
        yield OptionList(
            *(
                Option(Content(f"{number}  {question}"))
                for number, question in enumerate(self._questions, 1)
            )
        )
        yield Field(placeholder=say("prrrt.ask.own", name=self.asked_name), max_length=WORDS_LIMIT)

    def on_key(self, event: events.Key) -> None:
        """Ask the question of a number at once."""
        number = event.character or ""
        if not isinstance(self.focused, Input) and number in ("1", "2", "3", "4", "5"):
            event.stop()
            self._ask(self._questions[int(number) - 1])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask a ready-made question."""
        self._ask(self._questions[event.option_index])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Ask in one's own words; without any, only look them in the eyes."""
        self._ask(event.value.strip())

    def action_say_it(self) -> None:
        """Ask the question under the cursor."""
        self.query_one(OptionList).action_select()

    def action_own_words(self) -> None:
        """Write one's own."""
        self.query_one(Input).focus()

    def _ask(self, words: str) -> None:
        self.dismiss(Ask(words or None))
