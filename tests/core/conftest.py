"""Random games for the laws: every seat count, all options, rare moments often.

What the laws must know about a game, and `Rules` doesn't tell, is one small
object: `LAWS` of `laws.py` in the folder of that game's tests. It has

    values          option -> the values to try, where not all of them
    likely()        the offers among which a random player chooses
    cards()         all cards of a game under way, wherever they lie; all_cards() as they should be
    ended_well()    whether a game that is over may end like that
    watching()      something that is told every action and makes a viewer's view of the truth
    disguised()     the same game with cards that a viewer can't see in other places
    junk()          a journal line that may be anything
    conceivable()   every action that anybody might try in any position
    plainer()       the same action without what may be left out, if something may
    beside()        whether an action may leave the question open that it met
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec
import pytest

from core.kernel.action import Action
from core.kernel.chance import Fair1
from core.kernel.rules import Game, Rules
from core.registry import GAMES


@cache
def laws_of(game: str) -> Any:
    """What the laws must know about a game."""
    path = Path(__file__).with_name(game.replace("-", "_")) / "laws.py"
    spec = spec_from_file_location(f"laws_of_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LAWS


@dataclass
class Walk:
    """A random game under way. `steps` yields before each action what is about to be done."""

    rules: Rules
    laws: Any
    seats: int
    options: dict[str, object]
    chance: object
    game: Game
    rng: random.Random
    done: list[tuple[int, Action]] = field(default_factory=list)

    def choice(self) -> tuple[int, Action]:
        seat = self.rng.choice(self.game.awaiting())
        offers = self.laws.likely(self, self.game.view(seat).offers)
        offer = self.rng.choice(offers)
        action = self.rng.choice(list(self.rules.actions(offer)))
        return seat, self.shuffled(action)

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
    rules, laws = GAMES[game], laws_of(game)
    seats = rules.seats[seed % len(rules.seats)]
    options: dict[str, object] = {}
    for option in rules.options:
        if option.key in laws.values:
            options[option.key] = rng.choice(laws.values[option.key])
        elif option.kind == "switch":
            options[option.key] = rng.random() < 0.5
        elif option.kind == "seat":
            options[option.key] = rng.choice(["random", *range(seats)])
        else:
            options[option.key] = rng.choice(option.choices)
    chance = Fair1(b"law %d" % seed)
    return Walk(rules, laws, seats, options, chance, rules.start(seats, options, chance), rng)


@pytest.fixture(name="walk", scope="session")
def walk_fixture():
    return walk


@pytest.fixture(scope="session")
def encode():
    return msgspec.json.encode
