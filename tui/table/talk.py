"""Where keys go at a table: to the cards, to the log, or to the line that one talks in."""

from __future__ import annotations

from typing import Any, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input

from tui.table.log import GameLog
from tui.table.sight import Sight
from tui.table.tools import TableTools
from tui.widgets.field import Field
from tui.words import say

CHAT_LIMIT = 200
"""Characters of a chat line."""

SightT = TypeVar("SightT", bound=Sight[Any, Any])


class TalkingScreen(TableTools[SightT]):
    """The part of a table's screen that talks."""

    def story(self) -> ComposeResult:
        """Lay out the log and the line to talk; a game's `compose` says where."""
        with Vertical(id="story"):
            yield GameLog()
            yield Field(id="chat", placeholder=say("table.chat.hint"), max_length=CHAT_LIMIT)

    @property
    def at_hand(self) -> bool:
        """Whether keys go to our cards."""
        return self.hand.has_focus

    @property
    def talks(self) -> bool:
        """Whether keys go to the chat."""
        return self.focused is self.query_one("#chat", Input)

    @property
    def types(self) -> bool:
        """Whether something is typed and not yet said."""
        return self.talks and bool(self.query_one("#chat", Input).value)

    def action_chat(self) -> None:
        """Say something."""
        self.query_one("#chat", Input).focus()

    def action_log(self) -> None:
        """Scroll through what happened."""
        self.query_one(GameLog).focus()

    def action_back(self) -> None:
        """Leave the chat or the log."""
        self.set_focus(None)
        self.action_hand()

    def action_hush(self) -> None:
        """Leave the chat with nothing said."""
        self.action_back()

    def action_hand(self) -> None:
        """Look at one's cards."""
        if self.sight is not None and self.sight.me is not None:
            self.hand.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send a chat line; an empty one only leaves the field."""
        event.stop()
        text = event.value.strip()
        if text:
            self.session.say(text)
            event.input.value = ""
        self.action_back()
        self.consider()

    def consider(self) -> None:
        """Go on with the table, now that nobody is typing."""
        raise NotImplementedError

    # What a game fills in

    @property
    def hand(self) -> Widget:
        """The widget with our cards, where keys go by themselves."""
        raise NotImplementedError
