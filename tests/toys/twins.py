"""Twin games: two that one pair of eyes was shown alike, move by move, with other hidden cards.

They are found, not built, so nothing of any game's rules is repeated here: places of a shuffle
are exchanged, others do other things, and whatever the viewer could not tell apart is kept.
What a viewer is shown is the rules' word here; whether that is right is for the laws of
`tests/core`, which have an opinion of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any, TypeVar

import msgspec

from core.kernel.action import Action
from core.kernel.chance import Chance
from core.kernel.illegal import Illegal
from core.kernel.rules import Game, Rules

C = TypeVar("C")

Move = tuple[int, Action]

encode = msgspec.json.encode

walk = run_path(str(Path(__file__).parents[1] / "core" / "conftest.py"))["walk"]
"""`walk(seed, game)` is a random game under way: see tests/core/conftest.py."""


@dataclass
class Exchanged:
    """Chance that answers some labels otherwise than the one behind it."""

    behind: Chance
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Label -> where each place of its order comes from."""
    asked: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def order(self, label: str, canonical: Sequence[C]) -> tuple[C, ...]:
        places = self.places.get(label)
        if places is None or len(places) != len(canonical):
            places = self.behind.order(label, range(len(canonical)))
        self.asked[label] = places
        return tuple(canonical[place] for place in places)


@dataclass(frozen=True)
class Told:
    """A game as it was played: what chance answered, and what everybody did."""

    rules: Rules
    seats: int
    options: dict[str, Any]
    places: dict[str, tuple[int, ...]]
    moves: tuple[Move, ...]
    behind: Chance

    def begun(self) -> Game:
        chance = Exchanged(self.behind, self.places)
        return self.rules.start(self.seats, self.options, chance)

    def moments(self) -> list[Game]:
        """The game before its first move, after it, and so on to the last."""
        games = [self.begun()]
        for seat, action in self.moves:
            games.append(games[-1].clone())
            games[-1].act(seat, action)
        return games


def told(w: Any, moves: int, then: Callable[[Any], bool] = lambda _: True, more: int = 0) -> Told:
    """Let a random game (`walk`) be played for so many moves, until `then`, and some `more`.

    It may be over before that.
    """
    w.chance = Exchanged(w.chance)
    w.game = w.rules.start(w.seats, w.options, w.chance)
    last = None
    for _ in w.steps():
        if last is None and len(w.done) >= moves and then(w.game.table):
            last = len(w.done) + more
        if len(w.done) == last:
            break
    return Told(w.rules, w.seats, w.options, dict(w.chance.asked), tuple(w.done), w.chance.behind)


RARE: dict[str, tuple[Callable[[Any], bool], int]] = {
    "prrrt": (lambda table: table.pointed.count(False) == 1, 0),
    "low-on-gas": (lambda table: any(each is not None for each in table.windows), 9),
}
"""Moments of secrets: all but one have pointed; somebody could speak up, so many moves ago."""


def shown_so(game: Game, viewer: int | None) -> bytes:
    """What a viewer is shown of a game's last action, or of its set-up."""
    return encode(game.shown(viewer, game.actions - 1))


def twin(one: Told, viewer: int | None, rng: Random, tries: int) -> Told:
    """Return a game that `viewer` can't tell from `one`; the same one if there is no other."""
    shown = [shown_so(game, viewer) for game in one.moments()]
    best = one
    for tried in range(20 * tries):
        if tried >= tries and best != one:
            break
        other = _other(best, viewer, rng)
        if other is not None and _shows(other, viewer, shown):
            best = other
    return best


def _other(one: Told, viewer: int | None, rng: Random) -> Told | None:
    """Exchange two places of a shuffle, or let somebody else do something else."""
    if one.moves and rng.random() < 0.3:
        at = rng.randrange(max(0, len(one.moves) - rng.choice((8, 1000))), len(one.moves))
        seat = one.moves[at][0]
        if seat == viewer:
            return None
        game = replace(one, moves=one.moves[:at]).moments()[-1]
        offers = game.view(seat).offers
        actions = [action for offer in offers for action in one.rules.actions(offer)]
        moves = (*one.moves[:at], (seat, rng.choice(actions)), *one.moves[at + 1 :])
        return replace(one, moves=moves)
    label = rng.choice([label for label, places in one.places.items() for _ in places[1:]])
    order = list(one.places[label])
    a, b = rng.sample(range(len(order)), 2)
    order[a], order[b] = order[b], order[a]
    return replace(one, places={**one.places, label: tuple(order)})


def _shows(other: Told, viewer: int | None, shown: list[bytes]) -> bool:
    try:
        game = other.begun()
        if shown_so(game, viewer) != shown[0]:
            return False
        for (seat, action), expected in zip(other.moves, shown[1:], strict=True):
            game.act(seat, action)
            if shown_so(game, viewer) != expected:
                return False
    except Illegal:
        return False
    return True
