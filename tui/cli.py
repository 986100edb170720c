"""The entry point of `prrrt`.

Exit status: 0 done, 1 failed, 2 wrong usage or a bad file, 130 interrupted.
"""

from __future__ import annotations

import sys

from tui.interrupt import end_at_once


def main() -> None:
    """Run the command line, or the home screen when there is none to read.

    The usual start needs no parser, and paints 80 ms earlier without one.
    """
    end_at_once()
    if len(sys.argv) > 1:
        from tui.command_line import run

        sys.exit(run())
    else:
        from tui.opening import Home
        from tui.start import open_app

        sys.exit(open_app(Home()))


if __name__ == "__main__":
    main()
