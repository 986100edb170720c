"""What people may call themselves: short, printable, one cell where it looks like one."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

from core.kernel.illegal import Refused

NAME_LENGTH = 24
"""Characters that a name may have, its suffix included."""

MARKUP = frozenset("[]\\")
"""Characters that a screen could take for markup."""


def clean_text(text: str) -> str:
    """Return the text on one line, without what could harm or bend a terminal.

    Control and format characters, line breaks, emoji, variation selectors and
    heaps of combining marks go; forms of the same letter become one (NFKC).
    """
    kept: list[str] = []
    for character in unicodedata.normalize("NFKC", text[:4000]):
        category = unicodedata.category(character)
        if category.startswith("Z") or character in "\t\n\r":
            kept.append(" ")
        elif _shown(character, category, kept):
            kept.append(character)
    return " ".join("".join(kept).split())


def _shown(character: str, category: str, before: list[str]) -> bool:
    """Whether a character may be shown: no control, emoji, selector or second accent."""
    if category[0] == "C" or category in ("So", "Me") or "\ufe00" <= character <= "\ufe0f":
        return False
    return category != "Mn" or (bool(before) and not unicodedata.combining(before[-1]))


def clean_name(text: str) -> str:
    """Return the name as it will be shown. Raises `Refused("bad_name")` if none is left or fits.

    >>> clean_name("  Ada [b]  Lovelace ")
    'Ada b Lovelace'
    """
    name = clean_text("".join(c for c in text if c not in MARKUP))
    if not name or len(name) > NAME_LENGTH:
        raise Refused("bad_name", name=name[:NAME_LENGTH], most=NAME_LENGTH, empty=not name)
    return name


def unlike(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number behind it if somebody at the table has it already.

    >>> unlike("Ada", ["ada", "Bob"])
    'Ada 2'
    """
    lowered = {other.casefold() for other in taken}
    candidate, number = name, 1
    while candidate.casefold() in lowered:
        number += 1
        suffix = f" {number}"
        candidate = name[: NAME_LENGTH - len(suffix)].rstrip() + suffix
    return candidate
