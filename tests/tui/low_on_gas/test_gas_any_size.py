"""The table of Low on Gas and what lies over it, at any size: seen whole, read, and unharmed."""

from __future__ import annotations

import pytest

from tui.low_on_gas.colour import ColourDialog
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.screen import GasScreen
from tui.low_on_gas.standings import StandingsScreen
from tui.table.help import MomentHelp

SIZES = ((60, 20), (1, 1), (130, 40), (300, 10), (200, 60), (80, 24))


def our_turn(phase: str, card: str = ""):
    """Return whether it is our turn, in a phase, with some card in the hand."""

    def there(match) -> bool:
        view = match.game.view(0)
        mine = match.game.waited_for() == (0,) and view.phase == phase
        return mine and (not card or card in view.table.hands[0])

    return there


def in_window(match) -> bool:
    """Return whether we may call, while somebody else plays."""
    view = match.game.view(0)
    return view.table.windows[0] and view.table.turn != 0


MOMENTS = {
    "play": (our_turn("play", "M"), (), GasScreen),
    "owe": (our_turn("owe"), (), GasScreen),
    "must_play": (our_turn("must_play"), (), GasScreen),
    "window": (in_window, (), GasScreen),
    "colour": (our_turn("play", "M"), ("m", "enter"), ColourDialog),
    "help": (our_turn("owe"), ("question_mark",), MomentHelp),
    "standings": (lambda match: match.game.view(0).phase == "deal", (), StandingsScreen),
    "over": (lambda match: match.game.over, (), MatchResult),
}
"""When, what is pressed then, and what is to be seen."""


@pytest.mark.parametrize("moment", MOMENTS)
async def test_all_is_seen_and_read_at_80x24(
    gas_match, at_table, cut_off, hard_to_read, moment
) -> None:
    there, keys, shown = MOMENTS[moment]
    match = gas_match.shuffled(7, seed=4, wins=2).play_until(there)
    async with at_table(match) as at:
        await at.press(*keys)
        assert isinstance(at.screen, shown)
        assert cut_off(at.screen) == []
        assert len(at.footer) <= 6
        if shown in (GasScreen, ColourDialog):  # the others put the table into the background
            assert hard_to_read(at.screen) == set()


@pytest.mark.parametrize("moment", MOMENTS)
async def test_no_size_does_harm(gas_match, at_table, cut_off, covered, until, moment) -> None:
    there, keys, shown = MOMENTS[moment]
    match = gas_match.shuffled(3, seed=4, wins=2).play_until(there)
    async with at_table(match) as at:
        await at.press(*keys)
        screen, card = at.screen, at.table.hand.under_cursor
        assert isinstance(screen, shown)
        for size in SIZES:
            await at.pilot.resize_terminal(*size)
            small = size[0] < 80 or size[1] < 24
            await until(at.pilot, lambda small=small: covered(screen) == small)
            if not small:
                await until(at.pilot, lambda: cut_off(screen) == [])
            assert at.screen is screen
            assert at.table.hand.under_cursor == card
        assert at.sent == []
