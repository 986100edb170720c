"""The cards of PRRRT: Smell decks, Shame values, Locations.

The Shame values and nine of the ten Locations are ours; the rulebook gives
neither (P11, P12).
"""

from __future__ import annotations

from typing import NamedTuple

SMELL_DECKS: dict[str, tuple[int, ...]] = {
    "rulebook": tuple(n for n in range(1, 9) for _ in range(n)),
    "deodorant": tuple(n for n in range(8) for _ in range(8 - n)),
}
"""36 Smell cards, ascending: n copies of n for 1..8, or 8-n copies of n for 0..7 (P-R5, P1)."""

SHAME_DECK: tuple[int, ...] = tuple(
    value for value in range(1, 11) for _ in range(7 if value <= 4 else 6)
)
"""64 Shame cards, ascending: 7 copies of 1 to 4, 6 copies of 5 to 10 (P-R7, P12)."""

MARKER_FROM_BOTTOM = 13
"""The marker is the 13th Shame card from the bottom, so the 52nd drawn (P-R9, P13)."""

HAND = 5
"""Smell cards dealt to each player (P-R13)."""

LAPS = 3
"""How often everybody is questioned in a round (P-R30)."""


class Location(NamedTuple):
    """A Location card with its four elements (P-R3): the place is the end of its id."""

    id: str
    context: str
    direction: str
    """`left` is clockwise, to the next seat number; `right` the other way (P9)."""
    up: int
    down: int


LOCATIONS: dict[str, Location] = {
    place: Location(place, place.partition("/")[0], direction, up, down)
    for place, direction, up, down in (
        ("work/lift", "left", 2, 1),
        ("work/office", "right", 1, 1),
        ("home/car", "right", 2, 0),
        ("home/sunday-lunch", "left", 1, 2),
        ("travelling/tent", "left", 1, 1),
        ("travelling/night-train", "right", 3, 0),
        ("public/cinema", "right", 2, 1),
        ("public/museum", "left", 1, 2),
        ("couple/duvet", "left", 1, 1),
        ("couple/dinner", "right", 2, 1),
    )
}
"""Ten Locations, two of each of five contexts, in canonical order (P-R1, P-R2, P10).

The lift is the rulebook's own example (P-R4). None shows more than three Shame
cards: so the marker can't end a game before round five (P67, P68).
"""

CONTEXTS = len({location.context for location in LOCATIONS.values()})
"""The game stops when so many different contexts were played (P-R50)."""

STEP = {"left": 1, "right": -1}
"""What a direction adds to a seat number (P9)."""

EXCHANGED = {4: 1, 6: 3}
"""How many cards a 4 and a 6 draw from an opponent's hand, at most (P-R61, P-R68)."""
