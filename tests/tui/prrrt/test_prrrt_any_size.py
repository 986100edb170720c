"""The table's dialogs in terminals of any size: seen whole at 80x24, and unharmed by a resize."""

from __future__ import annotations

import pytest
from textual.widgets import Input, OptionList

from tui.prrrt.hand import Hand
from tui.prrrt.help import MomentHelp

MOMENTS = [
    ("ask", None, 1),
    ("deny", None, 1),
    ("draw", None, 1),
    ("draw", 6, 8),
    ("choose", 4, 1),
    ("choose", 5, 1),
    ("give", 6, 2),
    ("point", None, 1),
]
"""What is asked, for which card, and a seed whose game comes to that."""

SIZES = ((60, 20), (1, 1), (130, 40), (300, 10), (80, 24))


@pytest.fixture
def asked(sitting, table_app):
    """Runs the table with a question of ours open."""

    class Asked:
        def __init__(self, kind, card, seed):
            self.app = table_app(sitting(7, seed=seed).play_to(kind, card))

        async def __aenter__(self):
            self.test = self.app.run_test(size=(80, 24))
            pilot = await self.test.__aenter__()
            await self.app.tell(pilot, catching_up=True)
            await self.app.until(pilot, lambda: self.app.screen is not self.app.table_screen)
            return self.app, pilot

        async def __aexit__(self, *exc):
            await self.test.__aexit__(*exc)

    return Asked


def state(screen) -> tuple[object, ...]:
    """Return what a person has done in a dialog so far."""
    return (
        screen.focused,
        [each.value for each in screen.query(Input)],
        [each.highlighted for each in screen.query(OptionList)],
        [(each.cursor, each.picked) for each in screen.query(Hand)],
    )


@pytest.mark.parametrize(("kind", "card", "seed"), MOMENTS)
async def test_a_dialog_and_its_help_can_be_seen_whole(asked, cut_off, kind, card, seed):
    async with asked(kind, card, seed) as (app, pilot):
        assert cut_off(app.screen) == []
        await pilot.press("?")
        await app.until(pilot, lambda: isinstance(app.screen, MomentHelp))
        await pilot.pause()
        assert cut_off(app.screen) == []


@pytest.mark.parametrize(("kind", "card", "seed"), MOMENTS)
async def test_a_dialog_is_covered_while_too_small_and_comes_back_as_it_was(
    asked, covered, kind, card, seed
):
    async with asked(kind, card, seed) as (app, pilot):
        dialog = app.screen
        keys = {"ask": ("w", *"half a word"), "give": ("right", "space"), "point": ("2",)}
        await pilot.press(*keys.get(kind, ("right", "down")))
        await pilot.pause()
        before = state(dialog)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            small = size[0] < 80 or size[1] < 24
            await app.until(pilot, lambda small=small: covered(dialog) == small)
            assert app.screen is dialog
            assert state(dialog) == before, size
