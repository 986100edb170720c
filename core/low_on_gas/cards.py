"""The 54 cards (F-R1 to F-R3), by their codes of `journal.md`, and what each is.

A code is a colour letter and a fart type from 1 to 10, `C` or `B`; or `M` or
`S` alone. Equal codes are equal cards: nobody could tell two Matches apart.
"""

from __future__ import annotations

from typing import Final, NamedTuple

COLOURS: Final = {"b": "blue", "y": "yellow", "r": "red", "p": "purple"}
"""The letter that a code begins with -> the colour as a word, in the order of `journal.md`."""

FARTS: Final = tuple(str(number) for number in range(1, 11))
"""The ten fart types (F-R2). Their names and noises are words: `tui.words`."""

CABBAGE: Final = "C"
BEANS: Final = "B"
MATCH: Final = "M"
SBD: Final = "S"

HAND: Final = 7
"""Cards that are dealt to each player (F-R7)."""

PENALTY: Final = 2
"""Cards for a last card that was not called (F-R22, F35)."""


class Face(NamedTuple):
    """What a card is. `colour` is None for the two that have none (F-R3).

    `pick_up` is how much it adds to what the next player owes (F-R24 to F-R26).
    """

    kind: str
    colour: str | None = None
    pick_up: int = 0

    @property
    def wild(self) -> bool:
        """Whether it fits on anything and asks for a colour (F-R12)."""
        return self.colour is None


PICK_UPS: Final = {CABBAGE: 1, BEANS: 2, SBD: 5}

DECK: Final[tuple[str, ...]] = (
    *(letter + fart for letter in COLOURS for fart in FARTS),
    *(letter + CABBAGE for letter in COLOURS),
    *(letter + BEANS for letter in COLOURS),
    *(MATCH,) * 5,
    SBD,
)
"""All cards in the canonical order of `journal.md`: 40, 4, 4, 5 and 1."""


def _face(code: str) -> Face:
    if code in (MATCH, SBD):
        return Face(code, None, PICK_UPS.get(code, 0))
    return Face(code[1:], COLOURS[code[0]], PICK_UPS.get(code[1:], 0))


CARDS: Final[dict[str, Face]] = {code: _face(code) for code in DECK}
"""Every code -> what it is.

>>> CARDS["rB"]
Face(kind='B', colour='red', pick_up=2)
>>> len(DECK), len(CARDS)
(54, 50)
"""


def fits(card: str, top: str, colour: str | None) -> bool:
    """Say whether a card fits on the visible one (F-R11, F-R12, F7, F8, F9, F19).

    `colour` is the one to be matched; None is open, and everything fits.

    >>> fits("bC", "rC", "red"), fits("bB", "rC", "red"), fits("M", "r4", "red")
    (True, False, True)
    """
    face = CARDS[card]
    return colour is None or face.wild or face.colour == colour or face.kind == CARDS[top].kind
