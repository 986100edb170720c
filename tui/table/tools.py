"""What is done at a table whatever is played there: order, hand over, pause, and the bell."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from textual import work
from textual.screen import Screen

from net.orders import Pause, SeatToBot
from tui import preferences
from tui.commands import Commanded
from tui.screens.owning import ask_owner, ask_seat
from tui.session import Session
from tui.table.log import GameLog
from tui.table.sight import Sight
from tui.table.status_line import StatusLine
from tui.table.story import Told
from tui.words import say

SightT = TypeVar("SightT", bound=Sight[Any, Any])


class TableTools(Commanded, Screen[None], Generic[SightT]):
    """The part of a table's screen that knows nothing of the game."""

    session: Session
    sight: SightT | None = None

    @property
    def plays(self) -> bool:
        """Whether a seat is ours in a game that goes on."""
        sight = self.sight
        return sight is not None and sight.me is not None and not sight.view.over

    @property
    def is_owner(self) -> bool:
        """Whether the game that goes on is ours to order."""
        sight = self.sight
        return sight is not None and self.plays and sight.room.owner == sight.me

    @property
    def bot_plays(self) -> bool:
        """Whether a bot plays our cards."""
        return self.sight is not None and self.sight.bot_plays

    def action_pause(self) -> None:
        """Pause the game or go on."""
        if self.sight is not None:
            self.session.order(Pause(on=not self.sight.room.paused))

    @work(group="owner", exclusive=True)
    async def action_owner(self) -> None:
        """Ask the owner what is to be done with the table, and order it."""
        order = await ask_owner(self.app, self.session)
        if isinstance(order, str):
            await self.run_action("app.leave")
        elif order is not None:
            self.session.order(order)

    @work(group="owner", exclusive=True)
    async def action_bot(self) -> None:
        """Take our cards back from the bot at once; hand them to one only when asked again."""
        sight = self.sight
        if sight is None or sight.me is None:
            return
        if sight.bot_plays:
            self.session.order(SeatToBot(sight.me, on=False))
        elif (order := await ask_seat(self.app, self.session, sight.me)) is not None:
            self.session.order(order)

    def action_bell(self) -> None:
        """Switch the bell off or on, here and from now on."""
        preferences.remember_bell(not preferences.load().bell)
        on = preferences.load().bell  # as it was, where nothing can be kept
        self.query_one(StatusLine).note(say("table.bell.on" if on else "table.bell.off"))

    def note(self, text: str, *, refused: bool = False) -> None:
        """Say something where everybody looks, and in the log for who looked away."""
        self.query_one(StatusLine).note(text, refused=refused)
        self.query_one(GameLog).add([Told(text, "room")])
