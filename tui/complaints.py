"""What is wrong with a command line, in one line: what happened, why, what to do.

Whatever somebody typed, or a file or the network said, is shown clipped and
with its control characters visible.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from core.kernel.illegal import Refused
from tui.refusals import code_text, ended_text
from tui.words import plain, say

FAILED = 1
WRONG_USAGE = 2

WRONGLY_ASKED = frozenset(
    {
        *("bad_address", "bad_port", "bad_broker", "bad_bind", "bad_settings"),
        *("bad_name", "bad_title"),
        *("bad_option", "option_form", "option_empty", "unknown_option", "foreign_option"),
        *("bad_seats", "tables_broker"),
        *("unknown_game", "no_such_level", "no_saved_table", "several_saved"),
        *("no_table_file", "nothing_saved", "table_closed", "bad_table_file", "bad_journal"),
    }
)
"""Refusals that the command line itself, or a file that it names, is to blame for."""

ROOM = 60
PATH_ROOM = 300
"""Characters of one fact that are shown, or of a path; of a longer one its beginning and end."""


class Complaint(Exception):  # noqa: N818 - named after what it is to whoever reads it
    """A command that can't be done. `status` is the exit status: 1 failed, 2 wrong usage."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.text = text
        self.status = status


def wrong(key: str, /, **facts: object) -> Complaint:
    """Return a complaint about wrong usage, in the words of `key`."""
    return Complaint(say(key, **_shown(facts)), WRONG_USAGE)


def failed(key: str, /, **facts: object) -> Complaint:
    """Return a complaint that something can't be done now, in the words of `key`."""
    return Complaint(say(key, **_shown(facts)), FAILED)


def turned_down(refused: Refused) -> Complaint:
    """Return what core or net refused as a complaint."""
    status = WRONG_USAGE if refused.code in WRONGLY_ASKED else FAILED
    return Complaint(reason(refused.code, refused.facts), status)


def turned_away(code: str, facts: Mapping[str, object]) -> Complaint:
    """Return why a table wouldn't have us, or not any longer, as a complaint."""
    return Complaint(ended_text(code, _shown(facts)), FAILED)


def reason(code: str, facts: Mapping[str, object]) -> str:
    """Say a refusal's code and facts as they can stand in a line."""
    return code_text(code, _shown(facts))


def complain(complaint: Complaint) -> int:
    """Print a complaint where errors go; return its exit status."""
    tell(complaint.text)
    return complaint.status


def tell(text: str) -> None:
    """Print a line beside the output proper."""
    print(f"prrrt: {text}", file=sys.stderr, flush=True)


def shown(text: str, room: int = ROOM) -> str:
    r"""Return a text as it can stand in a line.

    >>> shown("a\x1b[2Jb\n"), shown("")
    ('a\\x1b[2Jb\\n', '""')
    """
    if len(text) > room:
        text = f"{text[: room - 16]}…{text[-15:]}"
    return "".join(c if plain(c) == c else _escaped(c) for c in text) or '""'


def _escaped(c: str) -> str:
    return c.encode("unicode_escape", "backslashreplace").decode("ascii")


def _shown(facts: Mapping[str, object]) -> dict[str, object]:
    return {key: _shown_fact(key, value) for key, value in facts.items()}


def _shown_fact(key: str, value: object) -> object:
    if isinstance(value, str):
        return shown(value, PATH_ROOM if key in ("path", "home", "log") else ROOM)
    if isinstance(value, tuple | list):
        return tuple(shown(one) if isinstance(one, str) else one for one in value)
    return value
