"""The cue for whoever looks elsewhere: when it is one's turn the bell rings and the title says so.

The title is that of the terminal's window or tab. `tui.start` keeps the one that was there and
puts it back; a terminal that has none, or can't keep one, ignores all of this.
"""

from __future__ import annotations

import os
from typing import Any

from textual.app import App

from tui import preferences
from tui.words import plain, say

KEEP_TITLE = "\x1b[22;2t"
PUT_TITLE_BACK = "\x1b[23;2t"


def title(text: str) -> str:
    """Return what makes `text` the terminal's title; nothing on a console, which may print it."""
    return "" if _is_console() else f"\x1b]2;{plain(text)}\x07"


def show_turn(app: App[Any], *, ours: bool) -> None:
    """Say in the terminal's title whether it is our turn."""
    write(app, title(say("title.turn" if ours else "title")))


def ring(app: App[Any]) -> None:
    """Ring, unless the bell was switched off here."""
    if preferences.load().bell:
        app.bell()


def write(app: App[Any], text: str) -> None:
    """Write to the terminal between two frames, as Textual's own bell does."""
    driver = app._driver
    if driver is not None and not app.is_headless:
        driver.write(text)


def _is_console() -> bool:
    return os.environ.get("TERM", "").startswith("linux")
