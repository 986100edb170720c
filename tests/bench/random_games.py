"""Play many games by lot and see that none gets stuck: `python tests/bench/random_games.py`.

For each game of the house and each number of players: how many actions a game has, on average
and at most, and how often each thing happened that happens seldom. `GAME` and `NUMBER` (1000)
may follow.
"""

from __future__ import annotations

import runpy
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from core.registry import GAMES  # noqa: E402

TOO_LONG = 20_000
"""A game with so many actions is stuck."""


def play(game: str, seats: int, number: int) -> None:
    """Play so many games of so many players and print what they came to."""
    walk = runpy.run_path(str(ROOT / "tests/core/conftest.py"))["walk"]
    lengths, happened, largest = [], Counter[str](), 0
    span = len(GAMES[game].seats)
    first = GAMES[game].seats.index(seats)
    for seed in range(first, first + span * number, span):
        w = walk(seed, game)
        assert w.seats == seats
        for _ in w.steps():
            assert w.game.waited_for()
            assert w.game.actions < TOO_LONG, f"{game} {seed} is stuck"
            largest = max(largest, getattr(w.game.table, "owed", 0))
        lengths.append(w.game.actions)
        happened.update(type(event).__name__ for events in w.game.log for event in events)
    seldom = {name: count for name, count in happened.items() if count < number * 5}
    mean = sum(lengths) / number
    print(f"{game}, {seats} players: {number} games, {mean:.0f} actions, at most {max(lengths)}")
    print(f"  {f'most owed {largest}, ' if largest else ''}{seldom}")


if __name__ == "__main__":
    given = sys.argv[1:]
    number = int(next((text for text in given if text.isdigit()), "1000"))
    for game in [text for text in given if text in GAMES] or GAMES:
        for seats in GAMES[game].seats:
            play(game, seats, number)
