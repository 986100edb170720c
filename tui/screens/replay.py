"""Looking at a saved game again: the game's own table, with keys that move through time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from types import new_class
from typing import Any

from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from core.kernel.action import Action
from net.orders import AnyOrder
from net.updates import Update
from tui.commands import Command, Commanded
from tui.film import Film
from tui.games import table_class
from tui.opening import Replay
from tui.session import Session, TableUpdate
from tui.words import known, plain, say


class Still:
    """A client of a table that nobody sits at: whatever is said is said to nobody."""

    async def run(self) -> None:
        """Nothing ever comes."""

    async def updates(self) -> AsyncIterator[Update]:
        """Nothing ever comes."""
        return
        yield

    def act(self, action: Action) -> str:  # noqa: ARG002
        """Change nothing: what was played was played."""
        return ""

    def order(self, order: AnyOrder) -> str:  # noqa: ARG002
        """Nobody listens."""
        return ""

    def say(self, text: str) -> str:  # noqa: ARG002
        """Nobody listens."""
        return ""

    def leave(self) -> None:
        """Nobody is missed."""

    def refresh(self) -> None:
        """There is nothing newer."""


class Reel(Widget, can_focus=False):
    """One line over the table: where in the game we are, and whose eyes we look through."""

    DEFAULT_CSS = "Reel { dock: top; height: 1; background: $accent; color: $background; }"

    def __init__(self) -> None:
        super().__init__()
        self.line = ""

    def show(self, line: str) -> None:
        """Show another line."""
        self.line = line
        self.refresh()

    def render(self) -> Content:
        """Draw the line."""
        return Content(f" {self.line}")


class Replaying(Commanded):
    """What a replay adds to the table screen of whatever game it is."""

    REPLAY_KEYS = (
        Command("replay.step", "right,space,enter", "step(1)", footer=True, key="→", priority=True),
        Command("replay.back", "left,backspace", "step(-1)", footer=True, key="←", priority=True),
        Command("replay.round", "down,pagedown,n", "round(1)", footer=True, key="↓", priority=True),
        Command("replay.round_back", "up,pageup,p", "round(-1)", priority=True),
        Command("replay.start", "home", "go(0)", priority=True),
        Command("replay.end", "end", "go(-1)", priority=True),
        Command("replay.eyes", "e,tab", "eyes", footer=True, key="e", priority=True),
        Command("replay.verdict", "v"),
        Command("replay.standings", "v"),
        Command("replay.close", "q,escape", "close_film", footer=True, key="q"),
    )

    saved = True
    film: Film
    viewer: int | None
    here: int
    session: Session

    def on_mount(self) -> None:
        """Begin before the first action."""
        self.screen_of_ours.mount(Reel())
        self.call_here(0)

    @property
    def screen_of_ours(self) -> Screen[Any]:
        """What Textual knows us as."""
        assert isinstance(self, Screen)
        return self

    def call_here(self, actions: int) -> None:
        """Show the table as it was after so many actions."""
        self.here = max(0, min(actions, self.film.length))
        seen = self.film.at(self.here, self.viewer)
        self.session.remember(seen)
        screen = self.screen_of_ours
        screen.post_message(TableUpdate(seen))
        screen.call_after_refresh(self._show_reel)

    def _show_reel(self) -> None:
        who = (
            say("replay.spectator") if self.viewer is None else plain(self.film.seats[self.viewer])
        )
        line = say("replay.reel", title=self.film.title, n=self.here, of=self.film.length, who=who)
        for reel in self.screen_of_ours.query(Reel):
            reel.show(line)

    def action_step(self, by: int) -> None:
        """Go one action on or back."""
        self.call_here(self.here + by)

    def action_round(self, by: int) -> None:
        """Go to where the next round begins, or the one before."""
        self.call_here(self.film.next_round(self.here, by))

    def action_go(self, to: int) -> None:
        """Go to the beginning or the end."""
        self.call_here(self.film.length if to < 0 else to)

    def action_eyes(self) -> None:
        """Look through the next player's eyes; after the last comes a spectator's."""
        eyes = (None, *range(len(self.film.seats)))
        self.viewer = eyes[(eyes.index(self.viewer) + 1) % len(eyes)]
        self.call_here(self.here)

    def action_close_film(self) -> None:
        """Back to the home screen."""
        self.screen_of_ours.dismiss(None)


def replay_keys(game: str, table: type[Screen[Any]]) -> tuple[Command, ...]:
    """Return the keys that a replay has at this table, in its game's own words if it has any."""
    keys = []
    for command in Replaying.REPLAY_KEYS:
        own = command.id.replace("replay.", f"replay.{game}.")
        if any(
            hasattr(each, f"action_{command.run.partition('(')[0]}") for each in (Replaying, table)
        ):
            named = (
                replace(command, id=own, action=command.run) if known(f"command.{own}") else command
            )
            keys.append(named)
    return tuple(keys)


def replay_screen(opening: Replay) -> Screen[Any]:
    """Return the table screen of the saved game, with a replay's keys. Raises `JournalError`."""
    film = Film(opening.path, opening.viewer, reveal=opening.reveal)
    session = Session(Still(), lambda _: None)
    first = film.at(0, opening.viewer)
    session.remember(first)
    table = table_class(first.room.game)
    kind = new_class(
        "ReplayScreen",
        (Replaying, table),
        {"inherit_bindings": False},
        lambda body: body.update(KEYS=replay_keys(first.room.game, table)),
    )
    screen: Screen[Any] = kind(session)
    assert isinstance(screen, Replaying)
    screen.film, screen.viewer, screen.here = film, opening.viewer, 0
    return screen
