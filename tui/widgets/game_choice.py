"""The choice of the game, with all games in sight."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from textual import events
from textual.content import Content

from core.registry import GAMES
from tui.choosing import game_line
from tui.widgets.choice import LABEL_WIDTH, Choice, Pick
from tui.words import say

CHOSEN, OTHER = "●", "○"
APART = 3
"""Cells between two games."""


class GameChoice(Choice):
    """All games on one line, the chosen one marked; the explanation has a line on each."""

    def __init__(self, game: str) -> None:
        super().__init__(
            say("setup.game"),
            [Pick(name, rules.title) for name, rules in GAMES.items()],
            game,
            explained="\n".join(game_line(rules) for rules in GAMES.values()),
            id="game",
        )

    def render(self) -> Content:
        """Draw the name of the setting, and every game with its mark."""
        games = [
            Content.styled(name, "bold" if number == self.index else "")
            for number, name in enumerate(self._names())
        ]
        label = Content(f"{self.label:<{LABEL_WIDTH + 2}}")
        return label + Content(" " * APART).join(games)

    def on_click(self, event: events.Click) -> None:
        """Take the game that was clicked, instead of the next one."""
        event.stop()
        event.prevent_default()
        for at, name, pick in zip(self._places(), self._names(), self.picks, strict=True):
            if at <= event.x - self.gutter.left < at + cell_len(name):
                self.pick(pick.value)

    def _names(self) -> list[str]:
        return [
            f"{CHOSEN if number == self.index else OTHER} {pick.label}"
            for number, pick in enumerate(self.picks)
        ]

    def _places(self) -> Iterator[int]:
        """Yield in which cell each game begins."""
        at = LABEL_WIDTH + 2
        for name in self._names():
            yield at
            at += cell_len(name) + APART
