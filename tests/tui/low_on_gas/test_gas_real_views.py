"""What the engine really shows, drawn: whole matches, with other eyes after each action."""

from __future__ import annotations

from random import Random

import pytest
from rich.cells import cell_len

from core.kernel.fair1 import Fair1
from core.low_on_gas.rules import GasRules
from net.room import Room, SeatInfo
from net.updates import Seen
from tui.low_on_gas import figures
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.table import draw

NAMES = ("Ada", "Bruno", "Camille", "Ludovic", "Sandra", "Bot Quiet", "Zoë")


def sight_of(game, players, you):
    """Return what a seat sees, or somebody who watches."""
    seats = tuple(SeatInfo(name) for name in NAMES[:players])
    room = Room("t", "t", "low-on-gas", "playing", players, {}, seats, you, 0)
    return GasSight.of(Seen(1, game.question, game.view(you), room, ()))


@pytest.mark.parametrize("players", [2, 3, 5, 7])
def test_what_is_seen_of_a_match_is_drawn_with_all_that_it_tells(players):
    rules, rng = GasRules(), Random(players)
    game = rules.start(players, {"wins": 2}, Fair1(b"drawn %d" % players))
    seen = set()
    while not game.over:
        eyes = (*range(players), None)
        sight = sight_of(game, players, eyes[game.actions % len(eyes)])
        check(sight, draw(sight, 80, 13))
        seen |= told(sight)
        seat = rng.choice(game.awaiting())
        offer = rng.choice(game.view(seat).offers)
        game.act(seat, rng.choice(list(rules.actions(offer))))
    end = draw(sight_of(game, players, 0), 80, 13)
    assert "won the match" in "\n".join(end.text())
    assert seen >= {"owe", "must_play", "window", "called", "selected"}


def check(sight, canvas):
    text = "\n".join(canvas.text())
    for y in range(13):
        assert sum(cell_len(segment.text) for segment in canvas.line(y)) == 80
    for seat in range(sight.players):
        assert sight.name(seat) in text
    if sight.table.owed:
        total = f"+{sight.table.owed}"
        forms = (figures.small(total), figures.large(total))
        assert any(all(line.strip() in text for line in form) for form in forms)
    if sight.table.winner is None and sight.table.colour is not None:
        assert sight.table.colour in text
    assert str(sight.in_draw_pile) in text
    assert text.count("not called!") == sum(map(sight.may_call, range(sight.players)))
    assert text.count("LOW ON GAS") == sum(map(sight.called, range(sight.players)))
    if sight.drawn is not None:
        assert sight.playable == (sight.drawn,)


def told(sight):
    """Return what this view has that is worth having been drawn."""
    found = {sight.view.phase}
    found |= {"window"} if any(map(sight.may_call, range(sight.players))) else set()
    found |= {"called"} if any(map(sight.called, range(sight.players))) else set()
    found |= {"selected"} if sight.table.top in "MS" and sight.table.colour else set()
    return found
