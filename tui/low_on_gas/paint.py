"""The colours of the cards of Low on Gas: 256-colour-exact, and never the only sign of anything.

The four papers differ in lightness too, red and purple most of all: whoever can't
tell these two apart sees white ink on a dark paper, and black ink on a pale one.
"""

from __future__ import annotations

from typing import Final

from rich.style import Style

from core.low_on_gas.cards import CARDS, MATCH, SBD

_WHITE: Final = "#ffffff"
_BLACK: Final = "#000000"

PAPERS: Final = {
    "blue": Style(color=_WHITE, bgcolor="#005fff", bold=True),
    "yellow": Style(color=_BLACK, bgcolor="#ffd700", bold=True),
    "red": Style(color=_WHITE, bgcolor="#d70000", bold=True),
    "purple": Style(color=_BLACK, bgcolor="#d787ff", bold=True),
}
"""Paper and ink of each colour."""

_WILD: Final = {
    MATCH: Style(color=_BLACK, bgcolor=_WHITE, bold=True),
    SBD: Style(color=_WHITE, bgcolor="#5f5f87", bold=True),
}

_DIM: Final = {
    "blue": Style(color="#5f87ff", bgcolor=_BLACK, bold=False),
    "yellow": Style(color="#d7af00", bgcolor=_BLACK, bold=False),
    "red": Style(color="#ff5f5f", bgcolor=_BLACK, bold=False),
    "purple": Style(color="#af5fff", bgcolor=_BLACK, bold=False),
    None: Style(color="#87afaf", bgcolor=_BLACK, bold=False),
}

OWED: Final = Style(color="#ffaf00", bold=True)
"""What is owed."""


def bright(card: str) -> Style:
    """Return the paper and ink of a card that lies there, or that can be played."""
    face = CARDS[card]
    return _WILD[face.kind] if face.colour is None else PAPERS[face.colour]


def dim(card: str) -> Style:
    """Return the look of a card that can't be played now: ink of its colour on the dark."""
    return _DIM[CARDS[card].colour]
