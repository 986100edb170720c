"""Where the styles are that all tables share; a game's own file comes after it."""

from __future__ import annotations

from pathlib import Path, PurePath

STYLES: list[str | PurePath] = [Path(__file__).with_name("table.tcss")]
