"""The line of keys at the foot of every screen."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widgets import Footer
from textual.widgets._footer import FooterKey


class Keys(Footer):
    """The keys that work now, laid out anew only when they are others than before.

    Textual's own is built anew each time that a key might have changed - whenever the focus moves
    or a screen comes back -, and styles every key twice: half of what a screen costs.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._shown: list[tuple[Binding, bool, str]] = []

    async def recompose(self) -> None:
        """Build the line anew, unless it would be the same."""
        active = self.screen.active_bindings.values() if self.is_attached else ()
        keys = [
            (binding, enabled, tooltip) for _, binding, enabled, tooltip in active if binding.show
        ]
        if keys != self._shown:
            self._shown = keys
            await super().recompose()

    def compose(self) -> ComposeResult:
        """Build a key for each binding, in the style that it will have."""
        for key in super().compose():
            if isinstance(key, FooterKey):
                key.set_reactive(FooterKey.compact, self.compact)
            yield key
