"""What the cards of Low on Gas look like, as lines of text: pure, no Textual.

A corner says which card it is, like that of a playing card: the type above the
colour. In the three leftmost columns there stands all that tells it from any other,
so that it stays readable under the next one. Nothing needs colour: each colour is a
letter and a shape, and what a special card does is its type: `+1` Cabbage, `+2`
Beans, `+5` Silent But Deadly, `=0` Match.
"""

from __future__ import annotations

from typing import Final

from core.low_on_gas.cards import BEANS, CABBAGE, CARDS, COLOURS, MATCH, PICK_UPS, SBD
from tui.table.cards import LARGE, MEDIUM, SMALL, Size, block
from tui.words import say

CORNER: Final = 3
"""Columns that tell a card from all others; an overlapped one shows at least these."""

SHAPES: Final = {"blue": "■", "yellow": "▲", "red": "●", "purple": "◆"}
"""Each colour's shape."""

LETTERS: Final = {word: letter.upper() for letter, word in COLOURS.items()}
"""Each colour's letter, as it stands on a card."""

MARKS: Final = {**{kind: f"+{n}" for kind, n in PICK_UPS.items()}, MATCH: "=0"}
"""What a special card does to what is owed, short."""

_PIPS: Final = {  # shapes on a large card, as many as its type
    1: ("", "   @", ""),
    2: ("", " @   @", ""),
    3: ("", " @ @ @", ""),
    4: (" @   @", "", " @   @"),
    5: (" @   @", "   @", " @   @"),
    6: (" @   @", " @   @", " @   @"),
    7: (" @   @", " @ @ @", " @   @"),
    8: (" @ @ @", " @   @", " @ @ @"),
    9: (" @ @ @", " @ @ @", " @ @ @"),
    10: (" @ @ @", "@ @ @ @", " @ @ @"),
}

_PICTURES: Final = {
    CABBAGE: (" .--.", "( {} )", " '--'"),
    BEANS: (" (_)", "   (_)", " (_)"),
    MATCH: ("   )", "  (_)", "   |"),
    SBD: (" . o .", "o . o", " . o ."),
}

_SMALL_PICTURES: Final = {CABBAGE: "({})", BEANS: "(_)o", MATCH: "--=*", SBD: "o..o"}


def corner(card: str) -> tuple[str, str]:
    """Return a card's type, and its colour as letter and shape (or what wild it is).

    >>> corner("r10"), corner("pB"), corner("M")
    (('10', 'R●'), ('+2', 'P◆'), ('=0', 'M'))
    """
    face = CARDS[card]
    rank = MARKS.get(face.kind, face.kind)
    return rank, face.kind if face.colour is None else LETTERS[face.colour] + SHAPES[face.colour]


def face(card: str, size: Size) -> tuple[str, ...]:
    """Return a card's lines, face up.

    >>> face("r7", SMALL), face("pC", SMALL), face("b10", SMALL), face("S", SMALL)
    (('R7●',), ('P+1',), ('B10',), ('S+5',))
    """
    kind, (rank, suit) = CARDS[card].kind, corner(card)
    if size == SMALL:
        return block([suit[0] + rank + suit[1:]], size)
    if size == MEDIUM:
        middle = _SMALL_PICTURES.get(kind, "")
        return block([f"▏{rank}", f"▏{suit}", f"▏{middle}", f"▏{short(card)}"], size)
    shape = suit[1:]
    rows = _PICTURES[kind] if kind in _PICTURES else _PIPS[int(kind)]
    picture = [f"▏{row.replace('@', shape)}" for row in rows]
    return block([f"▏{rank}", f"▏{suit}", *picture, f"▏{title(card)}", f"▏{rank:>7}"], size)


def short(card: str) -> str:
    """Return the noise or the nature of a card in four letters, as they stand on a medium one."""
    return say(f"gas.short.{CARDS[card].kind}")


def title(card: str) -> str:
    """Return the name of a card in eight letters, as they stand on a large one."""
    return say(f"gas.title.{CARDS[card].kind}")


def colour_sign(colour: str) -> str:
    """Return a colour as its shape, its letter and its word.

    >>> colour_sign("red")
    '● R red'
    """
    return f"{SHAPES[colour]} {LETTERS[colour]} {say(f'colour.{colour}')}"


def in_order(card: str) -> tuple[int, int]:
    """Return where a card stands in a hand: by colour, then by type, wilds last."""
    return _ORDER[card]


_KINDS: Final = (*(str(number) for number in range(1, 11)), CABBAGE, BEANS, MATCH, SBD)
_ORDER: Final = {
    card: (
        len(COLOURS) if each.colour is None else tuple(COLOURS.values()).index(each.colour),
        _KINDS.index(each.kind),
    )
    for card, each in CARDS.items()
}

__all__ = ["LARGE", "MEDIUM", "SMALL", "corner", "face", "in_order", "short", "title"]
