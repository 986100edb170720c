"""Small dialogs: one question with a few answers, or one line to type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tui.commands import Command, Commanded, typed
from tui.widgets.field import Field
from tui.widgets.footer import Keys

LINE_LIMIT = 200
"""Characters of a line that is typed: more than any answer needs, and a refusal can quote it."""


@dataclass(frozen=True)
class Answer:
    """One answer to a question: what it is called, what it does, and its key."""

    id: str
    key: str
    label: str
    explained: str = ""


class AskScreen(Commanded, ModalScreen[str | None]):
    """A question with a few answers; None is Escape, which changes nothing."""

    KEYS = (
        Command("ask.choose", "enter,space", "choose", footer=True, key="Enter"),
        Command("ask.back", "escape", "back", footer=True, key="Esc"),
    )

    def __init__(self, title: str, text: str, answers: tuple[Answer, ...]) -> None:
        super().__init__()
        self._heading = title
        self._text = text
        self._answers = answers

    def compose(self) -> ComposeResult:
        """Build the box."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(self._heading)
            if self._text:
                yield Static(Content(self._text), classes="dialog-text")
            yield OptionList(
                *(Option(_answer_line(answer), id=answer.id) for answer in self._answers)
            )
        yield Keys()

    def action_choose(self) -> None:
        """Take the answer under the cursor."""
        self.query_one(OptionList).action_select()

    def action_back(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Answers can be given by their letter."""
        for answer in self._answers:
            if answer.key == event.key:
                event.stop()
                self.dismiss(answer.id)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


def _answer_line(answer: Answer) -> Content:
    line = Content.assemble((f" {answer.key} ", "$accent bold"), f" {answer.label}")
    if answer.explained:
        line += Content.assemble("\n    ", (answer.explained, "$pale"))
    return line


class PromptScreen(Commanded, ModalScreen[str | None]):
    """One line to type; `check` returns what is wrong with it, in words, or None."""

    KEYS = (
        typed("prompt.done"),
        Command("prompt.back", "escape", "back", footer=True, key="Esc"),
    )

    def __init__(
        self,
        title: str,
        text: str,
        *,
        value: str = "",
        placeholder: str = "",
        secret: bool = False,
        check: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        super().__init__()
        self._heading = title
        self._text = text
        self._value = value
        self._placeholder = placeholder
        self._secret = secret
        self._check = check

    def compose(self) -> ComposeResult:
        """Build the box."""
        with Vertical(classes="dialog") as box:
            box.border_title = Content(self._heading)
            yield Static(Content(self._text), classes="dialog-text")
            yield Field(
                self._value,
                placeholder=self._placeholder,
                password=self._secret,
                max_length=LINE_LIMIT,
            )
            yield Static("", classes="dialog-wrong", markup=False)
        yield Keys()

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _take(self) -> None:
        """Take what was typed, if it can be taken."""
        typed = self.query_one(Input).value.strip()
        wrong = self._check(typed)
        if wrong is None:
            self.dismiss(typed)
        else:
            self.query_one(".dialog-wrong", Static).update(Content(wrong))

    def action_back(self) -> None:
        """Leave everything as it is."""
        self.dismiss(None)
