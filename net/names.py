"""What people and tables may be called, and how two names are told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from core.kernel.illegal import Refused
from net.visible import visible

NAME_LENGTH = 24
"""Characters that a name may have, its suffix included."""

TITLE_LENGTH = 60
"""Characters that the title of a table may have."""

MARKUP = frozenset("[]\\")
"""Characters that a screen could take for markup."""


def clean_text(text: str) -> str:
    """Return the text on one line, without what could harm or bend a terminal, or isn't seen.

    Control and format characters, line breaks, emoji, blank letters, selectors
    and heaps of marks go; forms of the same letter become one (NFKC).
    """
    same = unicodedata.normalize("NFKC", text[:4000])
    shown = visible("".join(c for c in same if not _is_picture(c)))
    return " ".join(shown.split())


def _is_picture(character: str) -> bool:
    """Whether it is an emoji or another picture, whose width terminals don't agree about."""
    return unicodedata.category(character) == "So" or "\U0001f3fb" <= character <= "\U0001f3ff"


def clean_name(text: str) -> str:
    """Return the name as it will be shown. Raises `Refused("bad_name")` if none is left or fits.

    >>> clean_name("  Ada [b]  Lovelace ")
    'Ada b Lovelace'
    """
    name = clean_text("".join(c for c in text if c not in MARKUP))
    if not name or len(name) > NAME_LENGTH:
        raise Refused("bad_name", name=name[:NAME_LENGTH], most=NAME_LENGTH, empty=not name)
    return name


def clean_title(text: str) -> str:
    """Return a table's title as it will be shown. Raises `Refused("bad_title")`."""
    title = clean_text(text)
    if not title or len(title) > TITLE_LENGTH:
        raise Refused("bad_title", title=title[:TITLE_LENGTH], most=TITLE_LENGTH)
    return title


_LOOKS_LATIN = str.maketrans(
    "авеѕіјкмнорсԁһӏтухѡԝԛ" + "αβεζηικμνορτυχω",
    "abesijkmhopcdhltyxwwq" + "abezhikmvoptyxw",
)
"""Small letters of Cyrillic and Greek that look like Latin ones, or whose capitals do."""


def alike(name: str) -> str:
    """Return what names have in common that people can't tell apart: no case, spaces, alphabets.

    >>> alike("Ada  L") == alike("ADAL")
    True
    """
    small = unicodedata.normalize("NFKC", clean_text(name).casefold())
    return "".join(small.translate(_LOOKS_LATIN).split())


def unlike(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number behind it if somebody at the table has it already.

    >>> unlike("Ada", ["ada", "Bob"])
    'Ada 2'
    """
    others = {alike(other) for other in taken}
    candidate, number = name, 1
    while alike(candidate) in others:
        number += 1
        suffix = f" {number}"
        candidate = name[: NAME_LENGTH - len(suffix)].rstrip() + suffix
    return candidate
