"""Setting a table up: against bots, or for everybody on this network."""

from __future__ import annotations

from secrets import randbelow
from typing import Any, Generic, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from core.kernel.options import OptionValue
from core.kernel.rules import Rules
from core.registry import GAMES
from net.names import TITLE_LENGTH
from tui.choosing import nearest_players, players_line, usual_players
from tui.commands import Command, Commanded
from tui.opening import Host, Solo
from tui.preferences import my_game
from tui.widgets.choice import Choice, Pick
from tui.widgets.field import Field
from tui.widgets.footer import Keys
from tui.widgets.game_choice import GameChoice
from tui.widgets.option_choice import option_choices, option_of, seat_picks
from tui.words import say

TURN_TIMES = (0, 30, 60, 90, 120, 180)

MOVES = (
    Command("setup.next", "down", "app.focus_next", footer=True, key="↑↓"),
    Command("setup.previous", "up", "app.focus_previous"),
    Command("setup.change", "left,right", "none"),
    Command("setup.back", "escape", "back", footer=True, key="Esc"),
)
"""What can be done in a form, whatever it sets up."""

OpeningT = TypeVar("OpeningT", Solo, Host)


class Fields(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Settings below each other: the arrow keys go to the next one and don't scroll."""


class Options(Vertical):
    """The options of one game."""


class SetupScreen(Commanded, Screen[OpeningT | None], Generic[OpeningT]):
    """A form of one-line settings; the line at the bottom explains the one in focus.

    It begins with the game of the last time. Another game has other options and other numbers of
    players; everything else stays, and what was set is there again when the game is.
    """

    WORDS = ""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._who = name
        self._game = my_game()
        self._set: dict[str, dict[str, OptionValue]] = {}
        """What was set in each game before another one was chosen."""

    @property
    def rules(self) -> Rules:
        """The game chosen."""
        return GAMES[self._game]

    def settings(self) -> tuple[Choice, ...]:
        """Return the settings above the game's own options."""
        return ()

    def fields(self) -> tuple[Horizontal, ...]:
        """Return what is typed, between the game and the settings."""
        return ()

    def compose(self) -> ComposeResult:
        """Build the form."""
        with Vertical(classes="form") as form:
            form.border_title = say(f"{self.WORDS}.title")
            with Fields(id="setup-fields"):
                yield GameChoice(self._game)
                yield from self.fields()
                yield from self.settings()
                yield Static(Content(say("setup.options")), classes="setup-head")
                with Options():
                    yield from option_choices(self.rules, {}, usual_players(self.rules))
            yield Static("", id="explained", markup=False)
            yield Button(say(f"command.{self.WORDS}.begin"), id="begin", variant="primary")
        yield Keys()

    def on_mount(self) -> None:
        """Begin at the first setting."""
        self.query(Choice).first().focus()

    def players_choice(self) -> Choice:
        """Return the choice of how many play."""
        return Choice(
            say("setup.players"),
            player_picks(self.rules),
            usual_players(self.rules),
            explained=players_line(self.rules),
            id="players",
        )

    def level_choice(self) -> Choice:
        """Return the choice of how well bots play."""
        picks = _level_picks(self.rules)
        explained = say("setup.level.help")
        return Choice(say("setup.level"), picks, "medium", explained=explained, id="level")

    def value(self, setting: str) -> Any:
        """Return what a setting is set to."""
        return self.query_one(f"#{setting}", Choice).value

    def options(self) -> dict[str, OptionValue]:
        """Return the game's options as they are set."""
        given = {option_of(c): c.value for c in self.query(Choice) if option_of(c)}
        return self.rules.check_options(
            {key: value for key, value in given.items() if key}, self.value("players")
        )

    def opening(self) -> OpeningT:
        """Return what was set up."""
        raise NotImplementedError

    @on(Choice.Changed)
    async def _changed(self, event: Choice.Changed) -> None:
        if event.choice.id == "players":
            self.players_changed(self.value("players"))
        elif event.choice.id == "game":
            await self._play(str(event.choice.value))

    async def _play(self, game: str) -> None:
        """Offer what another game has."""
        self._set[self._game] = self.options()
        self._game = game
        players, level = (self.query_one(f"#{one}", Choice) for one in ("players", "level"))
        seats = nearest_players(self.rules, self.value("players"))
        players.offer(player_picks(self.rules))
        players.explained = players_line(self.rules)
        players.choose(seats)
        level.offer(_level_picks(self.rules))
        async with self.batch():
            options = self.query_one(Options)
            await options.remove_children()
            await options.mount(*option_choices(self.rules, self._set.get(game, {}), seats))
        self.players_changed(seats)

    def players_changed(self, players: int) -> None:
        """Offer only the seats that there are."""
        for option in self.rules.options:
            if option.kind == "seat":
                choice = self.query_one(f"#option-{option.key}", Choice)
                choice.offer(seat_picks(self.rules, option, players))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Explain what has the focus."""
        explained = getattr(event.widget, "explained", None) or event.widget.tooltip or ""
        self.query_one("#explained", Static).update(Content(str(explained)))

    @on(Button.Pressed, "#begin")
    def action_begin(self) -> None:
        """Begin with what is set."""
        self.dismiss(self.opening())

    @on(Input.Submitted)
    def _next(self) -> None:
        self.focus_next()

    def action_back(self) -> None:
        """Go back to the home screen."""
        self.dismiss(None)

    def action_none(self) -> None:
        """The focused setting takes these keys itself."""


class SoloSetup(SetupScreen[Solo]):
    """A game against bots, without any network."""

    KEYS = (Command("solo.begin", "ctrl+s", footer=True, key="^s"), *MOVES)
    WORDS = "solo"

    def settings(self) -> tuple[Choice, ...]:
        """How many players, and how well the bots play."""
        return (self.players_choice(), self.level_choice())

    def opening(self) -> Solo:
        """Return the table as it is set up."""
        from net.settings import TableSettings

        players = self.value("players")
        settings = TableSettings(
            game=self._game,
            players=players,
            bots=players - 1,
            level=self.value("level"),
            discovery=False,
            options=self.options(),
        )
        return Solo(settings, self._who)


class HostSetup(SetupScreen[Host]):
    """A table that others on this network find by themselves."""

    KEYS = (Command("host.begin", "ctrl+s", footer=True, key="^s"), *MOVES)
    WORDS = "host"

    def fields(self) -> tuple[Horizontal, ...]:
        """What the table is called."""
        return (
            Horizontal(
                Static(Content(say("setup.title")), classes="field-label"),
                Field(
                    say("setup.title.default", name=self._who),
                    id="title",
                    max_length=TITLE_LENGTH,
                    compact=True,
                    tooltip=say("setup.title.help"),
                ),
                classes="field",
            ),
        )

    def settings(self) -> tuple[Choice, ...]:
        """Seats, bots, and who is let in."""
        seats = range(usual_players(self.rules))
        return (
            self.players_choice(),
            Choice(
                say("setup.bots"),
                [Pick(n, str(n)) for n in seats],
                0,
                explained=say("setup.bots.help"),
                id="bots",
            ),
            self.level_choice(),
            Choice(
                say("setup.pin"),
                [Pick(None, say("option.off")), Pick(new_pin := any_pin(), new_pin)],
                None,
                explained=say("setup.pin.help"),
                id="pin",
            ),
            Choice(
                say("setup.turn_time"),
                [
                    Pick(s, say("setup.seconds", n=s) if s else say("option.off"))
                    for s in TURN_TIMES
                ],
                0,
                explained=say("setup.turn_time.help"),
                id="turn-time",
            ),
        )

    def players_changed(self, players: int) -> None:
        """Keep a chair for whoever hosts."""
        super().players_changed(players)
        self.query_one("#bots", Choice).offer([Pick(n, str(n)) for n in range(players)])

    def opening(self) -> Host:
        """Return the table as it is set up."""
        from net.settings import TableSettings

        settings = TableSettings(
            game=self._game,
            players=self.value("players"),
            bots=self.value("bots"),
            level=self.value("level"),
            title=self.query_one("#title", Input).value.strip() or None,
            pin=self.value("pin"),
            turn_time=float(self.value("turn-time")),
            options=self.options(),
        )
        return Host(settings, self._who)


def player_picks(rules: Rules) -> list[Pick]:
    """Return how many can play a game."""
    return [Pick(n, str(n)) for n in rules.seats]


def _level_picks(rules: Rules) -> list[Pick]:
    return [Pick(level, say(f"level.{level}")) for level in rules.bots]


def any_pin() -> str:
    """Return a PIN that nobody can guess any better than another."""
    return f"{randbelow(1_000_000):06d}"
