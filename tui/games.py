"""The table screen of each game, by name. A new game is one line here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from textual.screen import Screen

from tui.session import Session

TABLES = {
    "prrrt": ("tui.prrrt.screen", "PrrrtScreen"),
    "low-on-gas": ("tui.low_on_gas.screen", "GasScreen"),
}


def table_class(game: str) -> type[Screen[Any]]:
    """Return the class of a game's table, imported when it is first needed."""
    module, name = TABLES[game]
    found: type[Screen[Any]] = getattr(import_module(module), name)
    return found


def table_screen(game: str, session: Session) -> Screen[Any]:
    """Return the screen of a game's table. Each takes the session and nothing else."""
    make: Callable[[Session], Screen[Any]] = table_class(game)
    return make(session)
