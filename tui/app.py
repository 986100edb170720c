"""The app: which screen is shown, and the one session behind it.

The home screen lies at the bottom of the stack. Sitting down at a table puts
one screen on top (`JoiningScreen`), which gives way to the lobby and to the
game's own screen as the table's phase says. What the session learns arrives
here as `TableUpdate` and goes to every screen on the stack.
"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from net.orders import EndTable, SeatToBot
from net.running import wait_for_no_thread
from net.updates import Ended, Line, Seen
from tui.commands import Commanded, CommandPalette
from tui.laid_out import laid_out
from tui.opening import Home, Host, Join, Opening, Replay, Solo
from tui.preferences import my_game, remember_game, remember_name
from tui.refusals import Refusal, ended_text
from tui.screens.home import HomeScreen
from tui.screens.joining import JoiningScreen
from tui.screens.small import fits
from tui.session import Session, SitDown, TableUpdate
from tui.theme import PRRRT
from tui.words import say

GOODBYE = 3.0
"""Seconds that a table has to say goodbye before we leave anyway."""

LEAVING_KEYS = ("ctrl+q", "ctrl+c")


class PrrrtApp(App[None]):
    """The games of the house in a terminal."""

    CSS_PATH = "app.tcss"
    TITLE = "prrrt"
    COMMANDS = {CommandPalette}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False),
        Binding("ctrl+z", "suspend_process", show=False),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (120, "-wide"), (200, "-huge")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-medium"), (40, "-tall")]

    def __init__(self, opening: Opening | None = None) -> None:
        super().__init__()
        self._opening = opening or Home()
        self.register_theme(PRRRT)
        # Setting it the usual way would read all styles twice, before the first paint.
        self.set_reactive(App.theme, PRRRT.name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.session: Session | None = None
        self.sitting = opening if isinstance(opening, Solo | Host | Join) else None
        self._place: Screen[Any] | None = None
        """The lobby's or the table's screen, while there is one."""

    def get_default_screen(self) -> Screen[None]:
        """The home screen lies under all others."""
        return HomeScreen()

    async def on_mount(self) -> None:
        """Open with what the command line asked for, and leave cleanly when told to."""
        wait_for_no_thread()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.exit, None, 128 + number)
        # Back in the foreground: Textual 8.2 would leave the terminal as the shell left it.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        match self._opening:
            case Replay():
                from tui.screens.replay import replay_screen

                await self.push_screen(replay_screen(self._opening))
            case Solo() | Host() | Join():
                await self._sit_down(self._opening)

    # Sitting down and leaving

    async def on_sit_down(self, message: SitDown) -> None:
        """Sit down at another table, or at this one again."""
        await self._sit_down(message.opening)

    async def _sit_down(self, opening: Solo | Host | Join) -> None:
        self.sitting, self._place = opening, None
        self.clear_notifications()  # what was said on leaving would lie over the table
        if opening.name is not None:
            remember_name(opening.name)
        if isinstance(opening, Solo | Host):
            remember_game(opening.settings.game)
        await self._show(JoiningScreen(opening))
        self.run_worker(self._stay(opening), group="table", exclusive=True)

    async def _stay(self, opening: Solo | Host | Join) -> None:
        """Be at a table from the door to the end: the body of the table's one worker."""
        from tui.seating import sit_down

        session: Session | None = None
        try:
            async with sit_down(opening) as place:
                session = Session(place.client, self.post_message, reach=place.reach)
                self.session = session
                await session.run()
                ended = session.ended or Ended("no_answer")
        except Refusal as refused:
            ended = Ended(refused.code, refused.facts)
        finally:
            self.session = None
        if session is not None and session.latest is not None:
            if ended.code == "removed" and isinstance(opening, Join):
                self.sitting = self._place = None
                target = replace(opening.target, table=session.latest.room.table)
                await self._show(JoiningScreen(replace(opening, target=target), ended))
                return
            await self._clear()
            if ended.code != "left":
                closing = [n for n in session.notices if n.code == "closing"]
                facts = closing[-1].facts if closing else ended.facts
                text = ended_text(ended.code, facts)
                self.notify(text, severity="warning", timeout=20, markup=False)
        elif isinstance(self.screen, JoiningScreen):
            self.screen.failed(ended)

    async def on_go_home(self) -> None:
        """Give the table up, or its door."""
        self.workers.cancel_group(self, "table")
        await self._clear()

    async def _clear(self) -> None:
        """Leave what we sat at, and take everything off the home screen."""
        self.sitting = self._place = None
        await self._uncover_home()

    async def _show(self, screen: Screen[Any]) -> None:
        """Put a screen on the home screen, in place of all others."""
        with self.batch_update():  # or the home screen would flash up in between
            await self._uncover_home()
            await self.push_screen(screen)

    async def _uncover_home(self) -> None:
        while len(self.screen_stack) > 1:
            await laid_out(self.screen)
            await self.pop_screen()

    # What the session learns

    async def on_table_update(self, message: TableUpdate) -> None:
        """Show the screen that the table's phase asks for, and hand the update on."""
        update = message.update
        if isinstance(update, Seen):
            await self._show_place(update)
        elif isinstance(update, Line) and self._place is not None:
            from tui.screens.lost import show_line

            show_line(self._place, up=update.up)
        for screen in reversed(self.screen_stack):
            screen.post_message(TableUpdate(update))

    async def _show_place(self, seen: Seen) -> None:
        """Change between lobby and table when the phase does; each is built from the session."""
        from tui.screens.lobby import LobbyScreen

        session = self.session
        in_lobby = seen.room.phase == "lobby"
        if session is None or (
            self._place is not None and isinstance(self._place, LobbyScreen) == in_lobby
        ):
            return
        if in_lobby:
            place: Screen[Any] = LobbyScreen(session, self.sitting)
        else:
            from tui.games import table_screen

            place = table_screen(seen.room.game, session)
        self._place = place
        await self._show(place)

    # Everywhere

    async def on_event(self, event: events.Event) -> None:
        """Let no key act on a screen that can't be seen: too small, or still without its widgets.

        A dialog's own actions look for these, and nobody can have meant a dialog yet.
        """
        acts = isinstance(event, events.Key) and event.key not in LEAVING_KEYS
        if acts and len(self.screen_stack) == 1:  # typed ahead, before the first screen was there
            await laid_out(self.screen)
        if not acts or (fits(self.size) and all(s.is_mounted for s in self.screen_stack[-1:])):
            await super().on_event(event)

    def action_help(self) -> None:
        """Show what can be done on this screen."""
        from tui.screens.help import HelpScreen

        if isinstance(self.screen, Commanded) and not isinstance(self.screen, HelpScreen):
            self.push_screen(self.screen.help_screen() or HelpScreen(self.screen))

    def action_command_palette(self) -> None:
        """Show the palette of this screen."""
        from tui.screens.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(id="--command-palette"))

    def action_rules(self) -> None:
        """Show the rules of the game on the table; away from any, those of every game."""
        from core.registry import GAMES
        from tui.screens.rules import RulesScreen

        here = self._game_here
        first = here or my_game()
        others = () if here else (game for game in GAMES if game != first)
        self.push_screen(RulesScreen(first, *others))

    @property
    def _game_here(self) -> str | None:
        """The game of our table, or of the saved one that is looked at."""
        looked_at = (getattr(screen, "session", None) for screen in self.screen_stack)
        for session in (self.session, *looked_at):
            if isinstance(session, Session) and session.latest is not None:
                return session.latest.room.game
        return None

    def action_leave(self) -> None:
        """Leave the table for the home screen, asking first when somebody would miss us."""
        self.run_worker(self._leave(), group="leaving", exclusive=True)

    async def action_quit(self) -> None:
        """Leave the app, asking first when somebody would miss us."""
        self._quit(0)

    def action_interrupt(self) -> None:
        """Ctrl+C: the same, with the status of an interrupted command."""
        self._quit(130)

    def _quit(self, status: int) -> None:
        if self._place is None or not fits(self.size):
            self.exit(return_code=status)
        else:
            self.run_worker(self._leave(then=status), group="leaving", exclusive=True)

    async def _leave(self, then: int | None = None) -> None:
        """Ask how, and leave; `then` is the status to leave the app with."""
        from tui.screens.leaving import ask_leaving

        how = await ask_leaving(self, self.session, self.sitting)
        if how is None:
            return
        if how == "bot":
            self._let_a_bot_play()
            return
        hint = self._way_back() if how == "leave" else None
        try:
            await self._say_goodbye(end=how == "end")
        except TimeoutError:
            self.notify(say("leaving.no_answer"), severity="warning", markup=False)
        self.workers.cancel_group(self, "table")
        await self._clear()
        if then is not None:
            self.exit(return_code=then, message=None if hint is None else Text(hint))
        elif hint is not None:
            self.notify(hint, timeout=20, markup=False)

    def _way_back(self) -> str | None:
        """Say how to come back to a game that goes on without us."""
        session = self.session
        if session is None or session.latest is None or not session.reach:
            return None
        room = session.latest.room
        plays = room.phase == "playing" and room.you is not None
        return say("leaving.way_back", where=session.reach[0]) if plays else None

    def _let_a_bot_play(self) -> None:
        """Stay, and let a bot play our cards."""
        session = self.session
        seat = session.latest.room.you if session and session.latest else None
        if session is not None and seat is not None:
            session.order(SeatToBot(seat))

    async def _say_goodbye(self, *, end: bool) -> None:
        """Tell the table before the line drops, so that nobody waits for us."""
        session = self.session
        if session is None or session.latest is None or isinstance(self.sitting, Solo):
            return
        if end:
            session.order(EndTable())
        else:
            session.leave()
        async with asyncio.timeout(GOODBYE):
            await session.wait_ended()
