"""What is asked of a seat: dialogs one after the other, and what becomes of the answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from textual import work
from textual.screen import ModalScreen

from core.kernel.action import Action
from net.orders import Rematch
from net.updates import Answered
from tui.laid_out import drawn
from tui.session import Session
from tui.table.answers import Answers
from tui.table.dialog import TableDialog
from tui.table.sight import Sight
from tui.table.status import Status
from tui.table.status_line import StatusLine
from tui.table.talk import TalkingScreen
from tui.words import refusal, say

SightT = TypeVar("SightT", bound=Sight[Any, Any])


class AskingScreen(TalkingScreen[SightT]):
    """The part of a table's screen that asks. It waits while something is being typed."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._answers = Answers()
        self._asking = False
        self._result_due = False
        self._result_seen = False

    @property
    def can_play(self) -> bool:
        """Whether something waits for this seat that isn't on its way yet."""
        sight = self.sight
        if sight is None or sight.room.paused:
            return False
        waits = sight.is_asked and not self.answered(sight)
        return waits or sight.view.over or sight.bot_plays

    def answered(self, sight: SightT) -> bool:
        """Say whether our answer to the open question is on its way, or waits at the host (F44)."""
        return sight.room.held or self._answers.given(sight.question)

    def consider(self) -> None:
        """Open what is to be seen or asked next, unless something is open or being typed."""
        if self._asking or not self.is_active or self.types:
            return
        if self._next() is not None:
            self._ask()

    def on_screen_resume(self) -> None:
        """Back from another screen: see what has come up meanwhile."""
        self.call_after_refresh(self.consider)

    def _next(self) -> Callable[[], Awaitable[None]] | None:
        """Return what shows the next screen to its end, or None while there is nothing to ask."""
        sight = self.sight
        if sight is None:
            return None
        if (sighting := self.to_see(sight)) is not None:
            return partial(self._show, sighting)
        if self._result_due:
            return partial(self._show_result, sight)
        if sight.room.paused or sight.bot_plays or self._answers.waits(sight.question):
            return None
        dialog = self.question(sight)
        return None if dialog is None else partial(self._put, dialog)

    @work(group="asking")
    async def _ask(self, first: Callable[[], Awaitable[None]] | None = None) -> None:
        """Open screens one after the other until nothing is left to ask."""
        if self._asking:
            return
        self._asking = True
        self.say_status()
        try:
            await drawn(self)
            while self.is_active and (show := first or self._next()) is not None:
                first = None
                await show()
                await drawn(self)
        finally:
            self._asking = False
        if self.is_attached and not self.query_one(StatusLine).noted:
            self.say_status()

    def ask_now(self, dialog: Callable[[], TableDialog[SightT]]) -> None:
        """Ask something that the player began, before whatever would be next."""
        self._ask(partial(self._put, dialog))

    async def _show(self, make: Callable[[], ModalScreen[None]]) -> None:
        await self.app.push_screen_wait(make())

    async def _show_result(self, sight: SightT) -> None:
        self._result_due, self._result_seen = False, True
        match await self.app.push_screen_wait(self.result(sight)):
            case "again":
                self.session.order(Rematch())
            case "home":
                await self.run_action("app.leave")

    async def _put(self, make: Callable[[], TableDialog[SightT]]) -> None:
        """Ask, and send the answer unless its question is gone; note why a dialog closed."""
        dialog = make()
        action = await self.app.push_screen_wait(dialog)
        latest = self.session.latest
        gone = latest is None or latest.question != dialog.question
        if action is not None and not gone:
            self.answer(action)
        elif gone and dialog.asks:
            self.note(say("table.gone.bot" if self.bot_plays else "table.gone"))
        elif not gone:
            self._answers.put_aside(dialog.question, to_talk=dialog.to_chat)
            if dialog.to_chat:
                self.action_chat()
            else:
                self.query_one(StatusLine).note(say(dialog.ASIDE))

    def answer(self, action: Action) -> None:
        """Answer the open question."""
        if self.session.latest is not None:
            self.action_hand()  # whoever read the log before answering follows the game again
            self._answers.send(self.session.latest.question, self.session.act(action))
            self.say_status()

    def speak_up(self, action: Action) -> None:
        """Do something beside the open question, which stays as it is, and so does its answer."""
        self.session.act(action)

    def action_play(self) -> None:
        """Do what is to be done, or bring the question, the result or one's cards back."""
        sight = self.sight
        if sight is None or self._asking:
            return
        if sight.view.over:
            self._result_due = True
        elif sight.bot_plays:
            self.action_bot()
            return
        elif self.press(sight):
            return
        self._answers.bring_back()
        if self._next() is not None:
            self._ask()

    def action_back(self) -> None:
        """Leave the chat or the log, for the question if it only waited for that."""
        super().action_back()
        if self._answers.have_talked():
            self.consider()

    def on_status_line_pressed(self) -> None:
        """The status line is a button too."""
        self.action_play()

    def hear(self, answered: Answered) -> None:
        """A refusal is said where everybody looks; the question can then be answered again."""
        if answered.code is None:
            return
        if self._answers.refused(answered.aid):
            self.say_status()
        self.note(refusal(answered.code, answered.facts), refused=True)

    def note_end(self, sight: SightT) -> None:
        """Let the result be shown by itself, once."""
        if sight.view.over and not self._result_seen:
            self._result_due = True

    def begin_again(self) -> None:
        """Forget the last game: in a rematch questions are numbered from the start again."""
        self._answers = Answers()
        self._result_due = self._result_seen = False

    def say_status(self) -> None:
        """Say whose turn it is and what can be done."""
        sight = self.sight
        if sight is not None:
            # A vote stays one question until all have pointed: ours is in when nothing is offered.
            waiting = self.answered(sight) and bool(sight.view.offers)
            shown = self.status(sight, waiting=waiting, asking=self._asking)
            self.query_one(StatusLine).show(shown, sight.room.clock)

    # What a game fills in

    def status(self, sight: SightT, *, waiting: bool, asking: bool) -> Status:
        """Return what the status line says.

        `waiting` while our own answer is on its way, `asking` while a dialog is open.
        """
        raise NotImplementedError

    def result(self, sight: SightT) -> ModalScreen[str | None]:
        """Return the screen of the end: it returns `again`, `home`, or None to look on."""
        raise NotImplementedError

    def to_see(self, sight: SightT) -> Callable[[], ModalScreen[None]] | None:  # noqa: ARG002
        """Return what makes a screen to be seen before anything is asked; it is asked for twice.

        Whoever makes it notes that it has been seen.
        """
        return None

    def question(self, sight: SightT) -> Callable[[], TableDialog[SightT]] | None:  # noqa: ARG002
        """Return what makes the dialog of the open question; None where it needs none."""
        return None

    def press(self, sight: SightT) -> bool:  # noqa: ARG002
        """Do what Space does without a dialog; say whether there was something."""
        return False
