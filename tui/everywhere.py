"""What can be done everywhere: a screen passes such keys on to the one below whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.binding import Binding, BindingsMap
from textual.screen import Screen

if TYPE_CHECKING:
    from tui.commands import Command, Commanded


class LiesOver:
    """A screen that may lie over others and knows what those let be done everywhere. Mix in first.

    Textual binds the keys of the uppermost screen only, and of a modal not even the app's: so
    the bindings of `Command.everywhere` are taken over when it is mounted.
    """

    _bindings: BindingsMap

    def on_mount(self) -> None:
        """Take the keys over."""
        self._bindings = BindingsMap.merge((self._bindings, BindingsMap(self._bindings_below())))

    def _below(self) -> Iterator[tuple[Commanded, Command]]:
        assert isinstance(self, Screen)
        stack: list[Any] = self.app.screen_stack
        for screen in stack[: stack.index(self)] if self in stack else ():
            for command in getattr(screen, "KEYS", ()):
                if command.everywhere:
                    yield screen, command

    def _bindings_below(self) -> Iterator[Binding]:
        for _, command in self._below():
            for binding in command.bindings():
                yield replace(binding, action=f"everywhere({command.id!r})")

    def possible_below(self) -> Iterator[Command]:
        """Yield what the screens below let be done here, and can be done now."""
        return (c for screen, c in self._below() if c.when is None or c.when(screen))

    async def action_everywhere(self, id: str) -> None:  # noqa: A002 - as in `Command`
        """Do what a screen below lets be done everywhere."""
        for screen, command in tuple(self._below()):
            if command.id == id:
                await screen.do(command)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what can't be done now (called by Textual)."""
        if action == "everywhere":
            return any(command.id in parameters for command in self.possible_below())
        return True
