"""Pictures of the table of Low on Gas at both sizes, few and many players, cell by cell."""

from __future__ import annotations

import pytest

from tui.app import PrrrtApp
from tui.low_on_gas.screen import GasScreen
from tui.opening import Join, Target

SIZES = [(80, 24), (120, 40)]


def our_turn(phase, card=""):
    def there(match):
        view = match.game.view(0)
        mine = match.game.waited_for() == (0,) and view.phase == phase
        return mine and (not card or card in view.table.hands[0])

    return there


def in_window(match):
    view = match.game.view(0)
    return view.table.windows[0] and view.table.turn != 0


MOMENTS = {
    "play": (our_turn("play"), ()),
    "owe": (our_turn("owe"), ()),
    "must_play": (our_turn("must_play"), ()),
    "colour": (our_turn("play", "M"), ("M", "enter")),
    "window": (in_window, ()),
    "standings": (lambda match: match.game.view(0).phase == "deal", ()),
    "over": (lambda match: match.game.over, ()),
}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize("moment", MOMENTS)
def test_table(snap_compare, gas_match, lan, tell, until, moment, players, size):
    there, keys = MOMENTS[moment]
    match = gas_match.shuffled(players, seed=4, wins=2).play_until(there)
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))

    async def look(pilot):
        await until(pilot, lambda: lan.openings)
        await tell(pilot, match.seen(catching_up=True))
        await until(pilot, lambda: any(isinstance(s, GasScreen) for s in app.screen_stack))
        await tell(pilot)
        await pilot.press(*keys)
        await tell(pilot)

    assert snap_compare(app, terminal_size=size, run_before=look)
