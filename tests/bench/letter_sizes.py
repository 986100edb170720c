"""Deal many games two ways that look alike from outside: `python tests/bench/letter_sizes.py`.

Whatever is sealed for a seat must be as long at the one table as at the other, the newest view
and each page of the history. `NUMBER` (100) games of each kind may follow. It ends with an
error at the first difference, and prints how many pairs of seats there were, how many of them
held other cards, and how many would have told by their lengths if these were not made equal.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.registry import GAMES  # noqa: E402

FIRST = 1000
"""The seed of the first game: the tests have the smaller ones."""


def compare(game: str, number: int) -> None:
    """Compare so many games at eight moments each, and print what came up."""
    tests = runpy.run_path(str(ROOT / "tests/net/protocol/test_letter_sizes.py"))
    pairs = others = told = 0
    for one, other, seats, cut in tests["twins"](game, range(FIRST, FIRST + number), 8):
        told += len(tests["other_lengths"](one, other, seats))
        for seat in range(seats):
            pairs += 1
            others += one.game.view(seat) != other.game.view(seat)
            for since in (-1, cut - 1):
                mine, theirs = (tests["pages"](table, seat, since) for table in (one, other))
                assert mine == theirs, f"{game} after {cut} actions, seat {seat}"
    print(f"{game}: {pairs} pairs, {others} with other cards, {told} would have told")


if __name__ == "__main__":
    for name in GAMES:
        compare(name, int(sys.argv[1]) if len(sys.argv) > 1 else 100)
