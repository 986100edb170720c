"""The screen of a table, whatever is played: what comes in is shown, told, and asked about.

Updates come in through `on_table_update`, intents go out through the session. No rule is run
here: what can be done is what the view offers. A game's screen is its widgets and its dialogs;
the hooks that it fills in stand at the end of the four parts: `tools`, `talk`, `asking`, and here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from textual.content import Content

from core.kernel.action import Action
from core.kernel.event import Event
from net.updates import Answered, Line, Seen
from tui import cue
from tui.session import Session, TableUpdate
from tui.table.asking import AskingScreen
from tui.table.beside import Beside
from tui.table.help import MomentHelp
from tui.table.log import GameLog
from tui.table.sight import Sight
from tui.table.status_line import StatusLine
from tui.table.story import Names, Told
from tui.table.styles import STYLES
from tui.table.topic import Topic
from tui.words import say

SightT = TypeVar("SightT", bound=Sight[Any, Any])


class TableScreen(AskingScreen[SightT]):
    """A seat at a table, or a place to watch it from.

    A game lists its `KEYS`, with those of `tui.table.keys` among them.
    """

    SIGHT: ClassVar[type[Sight[Any, Any]]]
    """How the game's views are read."""

    saved: ClassVar[bool] = False
    """Whether this is a saved game, at which nobody sits."""

    CSS_PATH = STYLES

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._beside = Beside()
        self._keys_shown: tuple[str, ...] = ()

    def on_mount(self) -> None:
        """Begin with what was seen before this screen was there."""
        self.query_one(GameLog).border_title = Content(say("table.log.title"))
        if self.session.latest is not None:
            self._see(self.session.latest, self.session.events, news=False)

    # What comes in

    def on_table_update(self, message: TableUpdate) -> None:
        """Take in what the session learned."""
        match message.update:
            case Seen() as seen:
                self._see(seen, seen.events, news=not seen.catching_up)
            case Answered() as answered:
                self.hear(answered)
                self.offer_keys()
            case Line(up=up):
                self.query_one(StatusLine).line(up)

    def _see(self, seen: Seen, events: tuple[Event, ...], *, news: bool) -> None:
        sight: SightT | None = self.SIGHT.of(seen)  # type: ignore[assignment]
        if sight is None or (self.sight is not None and news and sight.rev <= self.sight.rev):
            return
        if self.sight is not None and sight.view.actions < self.sight.view.actions:
            self.begin_again()
            self.forget()
        before, self.sight = self.sight, sight
        self._tell(before, sight, events, news=news)
        self.remember(before, sight, events, news=news)
        self.note_end(sight)
        self.set_class(sight.me is None, "-spectator")
        self.show(sight)
        self.say_status()
        self._call(before, sight)
        self.offer_keys()
        self.consider()

    def _tell(
        self, before: SightT | None, sight: SightT, events: tuple[Event, ...], *, news: bool
    ) -> None:
        names = Names(tuple(info.name for info in sight.room.seats), sight.me)
        played = self.tell(events, names, before if news else None)
        if not news:
            self._beside.restart()
        beside = self._beside.news(
            self.session.chat or sight.room.chat,
            self.session.notices or sight.room.notices,
            sight.room.game,
        )
        log = self.query_one(GameLog)
        if news:
            log.add((*played, *beside))
        else:  # what was played last is what somebody wants to read who comes back
            log.restart((*beside, *played))

    def _call(self, before: SightT | None, sight: SightT) -> None:
        """Call whoever looks elsewhere when the table has come to wait for us."""
        ours = sight.awaits_us
        if before is not None and before.awaits_us == ours:
            return
        cue.show_turn(self.app, ours=ours)
        if ours and sight.has_company:
            cue.ring(self.app)

    def on_unmount(self) -> None:
        """It is nobody's turn any more."""
        cue.show_turn(self.app, ours=False)

    def answer(self, action: Action) -> None:
        """Answer the open question; no key does it again while the answer is on its way."""
        super().answer(action)
        self.offer_keys()

    def offer_keys(self) -> None:
        """Show the keys that work now; only when others do, since the footer is built anew."""
        shown = (each.binding for each in self.active_bindings.values())
        keys = (
            *(command.id for command in self.possible()),
            *(binding.action for binding in shown if binding.show),  # a widget has some, too
        )
        if keys != self._keys_shown:
            self._keys_shown = keys
            self.refresh_bindings()
            if self.app.screen is not self:  # what can be done everywhere stands there too
                self.app.screen.refresh_bindings()

    def help_screen(self) -> MomentHelp | None:
        """Return the help for this moment."""
        return None if self.sight is None else MomentHelp(self.moment(self.sight), self)

    # What a game fills in

    def show(self, sight: SightT) -> None:
        """Show a view in the game's widgets."""
        raise NotImplementedError

    def tell(
        self, events: tuple[Event, ...], names: Names, before: SightT | None
    ) -> Sequence[Told]:
        """Return what happened as lines of the log; `before` is None where the story begins."""
        raise NotImplementedError

    def moment(self, sight: SightT) -> Sequence[Topic]:
        """Return the help for this moment, most urgent first."""
        raise NotImplementedError

    def remember(
        self, before: SightT | None, sight: SightT, events: tuple[Event, ...], *, news: bool
    ) -> None:
        """Keep what later screens need of the events."""

    def forget(self) -> None:
        """Forget the last game: another begins."""
