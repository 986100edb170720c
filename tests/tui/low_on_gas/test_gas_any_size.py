"""The table of Low on Gas and what lies over it, at any size: seen whole, read, and unharmed."""

from __future__ import annotations

import pytest

from tui.low_on_gas.colour import ColourDialog
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.screen import GasScreen
from tui.low_on_gas.standings import StandingsScreen
from tui.table.help import MomentHelp

MOMENTS = {
    "play": (lambda match: match.to_our_turn("play", "M"), (), GasScreen),
    "owe": (lambda match: match.to_our_turn("owe"), (), GasScreen),
    "must_play": (lambda match: match.to_our_turn("must_play"), (), GasScreen),
    "window": (lambda match: match.to_our_call(), (), GasScreen),
    "colour": (lambda match: match.to_our_turn("play", "M"), ("m", "enter"), ColourDialog),
    "help": (lambda match: match.to_our_turn("owe"), ("question_mark",), MomentHelp),
    "standings": (lambda match: match.to_phase("deal"), (), StandingsScreen),
    "over": (lambda match: match.to_phase("over"), (), MatchResult),
}
"""When, what is pressed then, and what is to be seen."""


@pytest.mark.parametrize("moment", MOMENTS)
async def test_all_is_seen_and_read_at_80x24(
    gas_match, at_table, cut_off, hard_to_read, moment
) -> None:
    there, keys, shown = MOMENTS[moment]
    async with at_table(there(gas_match.shuffled(7, seed=4, wins=2))) as at:
        await at.press(*keys)
        assert isinstance(at.screen, shown)
        assert cut_off(at.screen) == []
        assert len(at.footer) <= 6
        if shown in (GasScreen, ColourDialog):  # the others put the table into the background
            assert hard_to_read(at.screen) == set()


@pytest.mark.parametrize("moment", ["play", "colour", "help", "standings", "over"])
async def test_no_size_does_harm(gas_match, at_table, resized, moment) -> None:
    there, keys, shown = MOMENTS[moment]
    async with at_table(there(gas_match.shuffled(3, seed=4, wins=2))) as at:
        await at.press(*keys)
        assert isinstance(at.screen, shown)
        await resized(at.pilot, "x", "enter")
        assert at.sent == []
