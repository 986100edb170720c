"""What each seat saw of a few whole games, line by line: `python tests/core/golden/record.py`.

Run it when what seats are shown is meant to change, and read the difference
before it is committed.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[3]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from core.kernel.chance import Fair1  # noqa: E402
from core.registry import GAMES  # noqa: E402

GOLDEN = Path(__file__).parent
PLAYED: dict[str, tuple[str, int, dict[str, object]]] = {
    "prrrt-3": ("prrrt", 3, {}),
    "prrrt-4-deodorant-open-scores": (
        "prrrt",
        4,
        {"smell_deck": "deodorant", "open_scores": True},
    ),
    "prrrt-7-third-lap": ("prrrt", 7, {"third_lap_shame": True, "first_player": 5}),
    "low-on-gas-2": ("low-on-gas", 2, {}),
    "low-on-gas-4-all-options": (
        "low-on-gas",
        4,
        {"pass_it_on": True, "discard_stands": True, "start_card": "redraw_specials"},
    ),
    "low-on-gas-7-wins-2": ("low-on-gas", 7, {"wins": 2, "dealer": 3}),
}
LAST_OFFER = 0.12
"""How often somebody owns up, most rounds see the second lap, some the vote; or draws what is
owed, holding a Match."""


def played(name: str) -> str:
    """Play one game and return its lines: each action, then what each viewer was shown of it."""
    game_name, seats, options = PLAYED[name]
    rules, rng = GAMES[game_name], random.Random(name)
    game = rules.start(seats, rules.check_options(options, seats), Fair1(name.encode()))
    viewers = (*range(seats), None)
    lines: list[str] = []

    def tell(since: int) -> None:
        """Who was shown the same is named together."""
        for events in zip(*(game.shown(viewer, since) for viewer in viewers), strict=True):
            shown: dict[str, list[str]] = {}
            for viewer, event in zip(viewers, events, strict=True):
                eyes = "spectator" if viewer is None else str(viewer)
                shown.setdefault(msgspec.json.encode(event).decode(), []).append(eyes)
            for event, eyes in shown.items():
                who = "all" if len(shown) == 1 else " ".join(eyes)
                lines.append(f"  {who}: {event}")

    tell(-1)
    while not game.over:
        seat = rng.choice(game.awaiting())
        offers = game.view(seat).offers
        offer = offers[-1] if rng.random() < LAST_OFFER else offers[0]
        action = rng.choice(list(rules.actions(offer)))
        game.act(seat, action)
        lines.append(f"{seat} {msgspec.json.encode(action).decode()}")
        tell(game.actions - 1)
    for viewer in viewers:
        eyes = "spectator" if viewer is None else viewer
        lines.append(f"at the end {eyes}: {msgspec.json.encode(game.view(viewer)).decode()}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for each in PLAYED:
        (GOLDEN / f"{each}.txt").write_text(played(each), encoding="utf-8")
