"""Random games for the laws: every seat count, both decks, all options, rare moments often."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
import pytest

from core.kernel.action import Action
from core.kernel.chance import Fair1
from core.kernel.rules import Game, Rules
from core.registry import GAMES


@dataclass
class Walk:
    """A random game under way. `steps` yields before each action what is about to be done."""

    rules: Rules
    seats: int
    options: dict[str, object]
    chance: object
    game: Game
    rng: random.Random
    done: list[tuple[int, Action]] = field(default_factory=list)

    def choice(self) -> tuple[int, Action]:
        seat = self.rng.choice(self.game.awaiting())
        offers = self.game.view(seat).offers
        if len(offers) > 1 and self.rng.random() < self.eager_to_deny:
            offers = offers[:1]
        offer = self.rng.choice(offers)
        action = self.rng.choice(list(self.rules.actions(offer)))
        return seat, self.shuffled(action)

    @property
    def eager_to_deny(self) -> float:
        """Some tables own up at once, others never: laps, votes and effects all come up."""
        return (0.5, 0.9, 0.97, 1.0)[self.seats % 4]

    def shuffled(self, action: Action) -> Action:
        line = msgspec.to_builtins(action)
        for key in ("slots", "cards"):
            if key in line:
                line[key] = self.rng.sample(line[key], len(line[key]))
        return self.rules.action(line)

    def steps(self) -> Iterator[tuple[int, Action]]:
        while not self.game.over:
            seat, action = self.choice()
            yield seat, action
            self.game.act(seat, action)
            self.done.append((seat, action))


def walk(seed: int, game: str = "prrrt") -> Walk:
    rng = random.Random(seed)
    rules = GAMES[game]
    seats = rules.seats[seed % len(rules.seats)]
    options: dict[str, object] = {}
    for option in rules.options:
        if option.kind == "switch":
            options[option.key] = rng.random() < 0.5
        elif option.kind == "seat":
            options[option.key] = rng.choice(["random", *range(seats)])
        else:
            options[option.key] = rng.choice(option.choices)
    chance = Fair1(b"law %d" % seed)
    return Walk(rules, seats, options, chance, rules.start(seats, options, chance), rng)


@pytest.fixture(name="walk", scope="session")
def walk_fixture():
    return walk


@pytest.fixture(scope="session")
def encode():
    return msgspec.json.encode
