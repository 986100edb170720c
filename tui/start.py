"""Starting the app from the command line, and leaving the terminal as it was found."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from tui.complaints import complain, failed
from tui.interrupt import end_in_order
from tui.opening import Opening
from tui.words import say


def open_app(opening: Opening) -> int:
    """Run the app until it is left; return the exit status. Refuses what isn't a terminal."""
    if not (
        sys.__stdin__ and sys.__stdin__.isatty() and sys.__stderr__ and sys.__stderr__.isatty()
    ):
        return complain(failed("error.no_terminal"))
    if os.environ.get("TERM", "dumb") == "dumb":
        return complain(failed("error.dumb_terminal"))
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    os.environ.setdefault("TEXTUAL_FPS", "15")

    from tui.app import PrrrtApp
    from tui.cue import KEEP_TITLE, PUT_TITLE_BACK, title
    from tui.hangup import leave_with_the_terminal

    end_in_order()
    leave_with_the_terminal()
    app = PrrrtApp(opening)
    print(KEEP_TITLE, title(say("title")), sep="", end="", file=sys.__stderr__, flush=True)
    try:
        app.run()
    finally:
        with suppress(OSError):  # the terminal may be gone
            print(PUT_TITLE_BACK, end="", file=sys.__stderr__, flush=True)
    return app.return_code or 0
