"""Pictures of the table of Low on Gas at both sizes, few and many players, cell by cell."""

from __future__ import annotations

import pytest

from tui.app import PrrrtApp
from tui.opening import Join, Target

SIZES = [(80, 24), (120, 40)]
MOMENTS = {
    "play": lambda match: match.to_our_turn("play"),
    "owe": lambda match: match.to_our_turn("owe"),
    "must_play": lambda match: match.to_our_turn("must_play"),
    "colour": lambda match: match.to_our_turn("play", "M"),
    "window": lambda match: match.to_our_call(),
    "standings": lambda match: match.to_phase("deal"),
    "over": lambda match: match.to_phase("over"),
}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
@pytest.mark.parametrize("players", [2, 7])
@pytest.mark.parametrize("moment", MOMENTS)
def test_table(snap_compare, gas_match, sits_down, moment, players, size):
    match = MOMENTS[moment](gas_match.shuffled(players, seed=4, wins=2))
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))

    async def look(pilot):
        at = await sits_down(pilot, match)
        if moment == "colour":
            await at.press("m", "enter")
        for below in app.screen_stack[1:-1]:  # a dialog may lie above what was not drawn yet
            below._refresh_layout()
            await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=look)
