"""One definition for everything a person can do on a screen.

A screen lists its `Command`s; keys, footer, help screen and command palette all
come from that list. Labels are `command.<id>` in the words, and the longer line
for help and palette is `command.<id>.help`.

    class LobbyScreen(Commanded, Screen[None]):
        KEYS = (Command("lobby.start", "s", footer=True, when=lambda s: s.is_owner), ...)
        def action_start(self) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.css.query import NoMatches
from textual.keys import format_key
from textual.screen import Screen
from textual.widgets import Input

from tui.everywhere import LiesOver
from tui.screens.small import TooSmall
from tui.words import known, say

FOOTER_ROOM = 6
"""More than six don't fit a footer at 80 columns, help always among them."""


@dataclass(frozen=True)
class Command:
    """Something a person can do: its id, its keys (`"enter,space"`), and when it can be done.

    The action it runs is `action_<last part of id>`, or `action` where that is given (with
    arguments, if any). `when` is asked with the screen; a command that can't be done now leaves
    footer and palette, and its key does nothing. `key` is how the key is shown (`"↑↓"`).

    With `everywhere` it can be done as well from whatever lies over its screen: a dialog, help,
    the rules. A field with the focus keeps its letters, so such a command has another key too.
    """

    id: str
    keys: str
    action: str = ""
    footer: bool = False
    when: Callable[[Any], bool] | None = None
    key: str | None = None
    priority: bool = False
    everywhere: bool = False

    @property
    def label(self) -> str:
        """The short name, for the footer."""
        return say(f"command.{self.id}")

    @property
    def help(self) -> str:
        """The line for the help screen and the palette; the label where there is none."""
        key = f"command.{self.id}.help"
        return say(key) if known(key) else self.label

    @property
    def run(self) -> str:
        """The Textual action that does it."""
        return self.action or self.id.rpartition(".")[2]

    def bindings(self) -> list[Binding]:
        """Return a Textual binding for each key, the one named in the footer first.

        Where a field with the focus takes that one as a letter, the footer names the next.
        """
        names = {key: _key_name(key) for key in self.keys.split(",")}
        named = self.key in names.values()
        return [
            Binding(
                key,
                self.run,
                self.label,
                show=self.footer,
                key_display=name if named else self.key,
                priority=self.priority,
            )
            for key, name in sorted(names.items(), key=lambda each: each[1] != self.key)
        ]


_KEY_NAMES = {
    "question_mark": "?",
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "slash": "/",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "delete": "Del",
    "tab": "Tab",
    "backspace": "⌫",
}


def key_names(command: Command) -> str:
    """Return the keys of a command as people call them.

    >>> key_names(Command("a.b", "enter,ctrl+s"))
    'Enter Ctrl+S'
    >>> key_names(Command("a.b", "escape,tilde,f1"))
    'Esc ~ F1'
    """
    return " ".join(_key_name(key) for key in command.keys.split(","))


def _key_name(key: str) -> str:
    *modifiers, last = key.split("+")
    upper = bool(modifiers) or last[1:].isdigit()
    name = _KEY_NAMES.get(last) or (last.upper() if upper else format_key(last))
    return "+".join([*(m.capitalize() for m in modifiers), name])


HELP = Command("help", "question_mark,f1", "app.help", footer=True, key="?")
"""Every screen has it."""


def typed(id: str) -> Command:  # noqa: A002 - as in `Command`
    """Return the Enter that ends a typed line, under the name that it has on a screen.

    Textual's field takes Enter without a word in the footer, so it goes through the screen.
    """
    return Command(
        id,
        "enter",
        "submit_line",
        footer=True,
        key="Enter",
        when=lambda screen: isinstance(screen.focused, Input),
        priority=True,
    )


class Commanded(LiesOver):
    """A screen whose keys, footer, help and palette come from its `KEYS`. Mix in first.

    It is covered by a notice while the terminal is too small for it: no key acts then.
    """

    KEYS: ClassVar[tuple[Command, ...]] = ()
    BINDINGS: ClassVar[list[BindingType]] = []
    _to_dismiss: tuple[Any] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "KEYS" in cls.__dict__:
            if HELP not in cls.KEYS:
                cls.KEYS = (*cls.KEYS, HELP)
            shown = [command for command in cls.KEYS if command.footer]
            if len(shown) > FOOTER_ROOM and all(command.when is None for command in shown):
                raise ValueError(f"{cls.__name__} shows {len(shown)} keys; a footer has room for 6")
            cls.BINDINGS = [each for command in cls.KEYS for each in command.bindings()]
        super().__init_subclass__(**kwargs)

    def on_mount(self) -> None:
        """Be ready for a terminal that is too small, also for a dialog: no screen shows half."""
        assert isinstance(self, Screen)
        self.mount(TooSmall())

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close this screen; if another lies on it, as soon as that one is gone.

        Textual would close the other one instead.
        """
        assert isinstance(self, Screen)
        if self.is_active:
            return super().dismiss(result)  # type: ignore[misc,no-any-return]
        self._to_dismiss = (result,)
        return AwaitComplete()

    def on_screen_resume(self) -> None:
        """Close now what could not be closed while another screen lay on it."""
        if self._to_dismiss is not None:
            (result,), self._to_dismiss = self._to_dismiss, None
            self.dismiss(result)

    async def do(self, command: Command) -> None:
        """Do what a command says, whoever's it is."""
        assert isinstance(self, Screen)
        if command in self.KEYS:
            await self.app.run_action(command.run, default_namespace=self)
        else:
            await self.action_everywhere(command.id)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what can't be done now from footer and keys (called by Textual)."""
        if action == "everywhere":
            return super().check_action(action, parameters)
        meant = [c for c in self.KEYS if c.run.partition("(")[0] == action]
        try:
            return not meant or any(c.when is None or c.when(self) for c in meant)
        except NoMatches:  # the screen lacks its widgets: it is just being taken away
            return False

    async def action_submit_line(self) -> None:
        """End the typed line, as Enter in its field would: after all that was typed before it."""
        assert isinstance(self, Screen)
        if isinstance(self.focused, Input):
            self.focused.call_later(self.focused.action_submit)

    def help_screen(self) -> Screen[Any] | None:
        """Return a help screen of its own, or None for the list of keys."""
        return None

    def possible(self) -> Iterable[Command]:
        """Yield the commands that can be done now, those of the screens below at the end."""
        yield from (c for c in self.KEYS if c.when is None or c.when(self))
        yield from self.possible_below()


class CommandPalette(Provider):
    """The palette's commands: those of the screen it was opened on."""

    async def discover(self) -> Hits:
        """Show all of them before anything is typed."""
        for command in self._commands():
            yield DiscoveryHit(command.label, self._runner(command), help=command.help)

    async def search(self, query: str) -> Hits:
        """Show those whose name matches."""
        matcher = self.matcher(query)
        for command in self._commands():
            if (score := matcher.match(command.label)) > 0:
                yield Hit(score, matcher.highlight(command.label), self._runner(command))

    def _commands(self) -> Iterable[Command]:
        return self.screen.possible() if isinstance(self.screen, Commanded) else ()

    def _runner(self, command: Command) -> Callable[[], Any]:
        async def run() -> None:
            if isinstance(self.screen, Commanded):
                await self.screen.do(command)

        return run
