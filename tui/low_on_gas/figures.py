"""Numbers that are seen from across the room: figures of blocks, three cells high or larger.

Drawn from one set of dots, 3 wide and 5 high. Small figures take two dots a cell
with half blocks; large ones take two cells a dot, so that they are as square.
"""

from __future__ import annotations

from typing import Final

_DOTS: Final = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": (" # ", "## ", " # ", " # ", "###"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "+": ("   ", " # ", "###", " # ", "   "),
}

_HALVES: Final = {"  ": " ", "# ": "▀", " #": "▄", "##": "█"}

SMALL_HEIGHT: Final = 3
LARGE_HEIGHT: Final = 5


def small(number: str) -> tuple[str, ...]:
    """Return a number (digits and `+`) in three lines, each figure 3 cells wide and 1 apart.

    >>> small("+7")
    (' ▄  ▀▀█', '▀█▀   █', '      ▀')
    """
    return tuple(
        " ".join(
            "".join(_HALVES[above + below] for above, below in zip(top, bottom, strict=True))
            for top, bottom in (_pair(figure, row) for figure in number)
        )
        for row in range(SMALL_HEIGHT)
    )


def _pair(figure: str, row: int) -> tuple[str, str]:
    dots = (*_DOTS[figure], "   ")
    return dots[2 * row], dots[2 * row + 1]


def large(number: str) -> tuple[str, ...]:
    """Return a number in five lines, each figure 6 cells wide and 2 apart.

    >>> large("1")[1]
    '████  '
    """
    return tuple(
        "  ".join(
            "".join("█" * 2 if dot == "#" else "  " for dot in _DOTS[figure][row])
            for figure in number
        )
        for row in range(LARGE_HEIGHT)
    )
