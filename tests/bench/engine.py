"""How fast the rules are: `python tests/bench/engine.py`. No part of the tests.

Games are played at random first, so that what is timed is validating, logging
and folding, and not choosing. A number alone says more about the machine than
about the code, so each stands beside a plain loop that was timed in the same
run, and beside public engines where these are installed.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.kernel.action import Action
from core.kernel.chance import Fair1
from core.kernel.rules import Game
from core.registry import GAMES

RULES = GAMES["prrrt"]
SEATS = 4
ROUNDS = 5
OPTIONS = RULES.check_options({}, SEATS)
Recorded = tuple[bytes, list[tuple[int, Action]]]


def record(seed: int) -> Recorded:
    """Play one game at random, most questions denied."""
    rng, secret = random.Random(seed), b"%d" % seed
    game, done = RULES.start(SEATS, OPTIONS, Fair1(secret)), []
    while not game.over:
        seat = rng.choice(game.awaiting())
        offers = game.view(seat).offers
        offer = offers[-1] if rng.random() < 0.1 else offers[0]
        done.append((seat, rng.choice(list(RULES.actions(offer)))))
        game.act(*done[-1])
    return secret, done


def replayed(games: list[Recorded], after: Callable[[Game], object] | None) -> int:
    """Play recorded games again; return how many actions that were."""
    for secret, done in games:
        game = RULES.start(SEATS, OPTIONS, Fair1(secret))
        act = game.act
        if after is None:
            for seat, action in done:
                act(seat, action)
        else:
            for seat, action in done:
                act(seat, action)
                after(game)
    return sum(len(done) for _, done in games)


def actors_view(game: Game) -> None:
    """Make the view of the one who acts next."""
    for seat in game.awaiting()[:1]:
        game.view(seat)


def all_views(game: Game) -> None:
    """Make everybody's view."""
    for seat in range(SEATS):
        game.view(seat)


def plain_loop() -> int:
    """A yardstick: a million steps of arithmetic on a small list."""
    cells = list(range(100))
    for step in range(1_000_000):
        cells[step % 100] += step
    return 1_000_000


def rlcard_uno() -> int:
    """RLCard's UNO, a random legal action at a time."""
    import rlcard

    game, rng, steps = rlcard.make("uno").game, random.Random(1), 0
    for _ in range(200):
        game.init_game()
        while not game.is_over():
            game.step(rng.choice(game.get_legal_actions()))
            steps += 1
    return steps


def crazy_eights() -> int:
    """OpenSpiel's crazy_eights with the actor's observation."""
    import pyspiel

    game, rng, steps = pyspiel.load_game("crazy_eights(players=4)"), random.Random(1), 0
    for _ in range(100):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                state.observation_tensor(state.current_player())
                steps += 1
            state.apply_action(rng.choice(state.legal_actions()))
    return steps


def best(work: Callable[[], int]) -> float:
    """Return the most steps a second in some rounds, by the process's own time."""
    rates = []
    for _ in range(ROUNDS):
        start = time.process_time()
        steps = work()
        rates.append(steps / (time.process_time() - start))
    return max(rates)


def main() -> None:
    """Print the table."""
    games = [record(seed) for seed in range(60)]
    rates = {
        "plain loop": best(plain_loop),
        "actions, validated and logged": best(lambda: replayed(games, None)),
        "with the actor's view": best(lambda: replayed(games, actors_view)),
        "with everybody's view": best(lambda: replayed(games, all_views)),
    }
    game = RULES.start(SEATS, OPTIONS, Fair1(games[0][0]))
    for seat, action in games[0][1][:-1]:
        game.act(seat, action)
    rates["clones"] = best(lambda: sum(game.clone() is not game for _ in range(20_000)))
    for name, engine in (("RLCard uno", rlcard_uno), ("crazy_eights, observed", crazy_eights)):
        try:
            rates[name] = best(engine)
        except ImportError:
            print(f"({name}: not installed)")
    for name, rate in rates.items():
        ratio = rate / rates["plain loop"]
        print(f"{name:32}{rate:12,.0f} a second  {1e6 / rate:7.2f} us  {ratio:.4f} of the loop")


if __name__ == "__main__":
    main()
