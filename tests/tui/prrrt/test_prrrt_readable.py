"""The table and its dialogs can be read with many colours, with sixteen, and with none."""

from __future__ import annotations

import pytest

from tui.prrrt.revelation import RevelationScreen
from tui.prrrt.shame_pile import ShamePile

MOMENTS = [
    ("ask", None, 1),
    ("deny", None, 1),
    ("draw", None, 1),
    ("draw", 6, 8),
    ("choose", 5, 1),
    ("give", 6, 2),
    ("point", None, 1),
]


@pytest.mark.parametrize(("kind", "card", "seed"), MOMENTS)
async def test_a_question_and_the_table_below(sitting, table_app, hard_to_read, kind, card, seed):
    app = table_app(sitting(7, seed=seed).play_to(kind, card))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        await app.until(pilot, lambda: app.screen is not app.table_screen)
        await pilot.pause()
        assert hard_to_read(app.screen) == set()
        assert shades(app.screen) == set()
        await pilot.press("escape")
        await app.until(pilot, lambda: app.screen is app.table_screen)
        await pilot.pause()
        assert hard_to_read(app.screen) == set()


async def test_the_revelation(sitting, table_app, hard_to_read):
    app = table_app(sitting(7, seed=1).play_to("point"))
    app.sitting.game.act(0, app.sitting.any_action(0))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        app.sitting.play_until(lambda each: each.game.view(0).phase != "point")
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, RevelationScreen))
        await pilot.press("enter")
        await pilot.pause()
        assert hard_to_read(app.screen) == set()


async def test_the_most_shame_there_can_be_is_told_whole(sitting, table_app):
    app = table_app(sitting(3))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.tell(pilot, catching_up=True)
        pile = app.table_screen.query_one(ShamePile)
        pile.show((10,) * 20)
        await pilot.pause()
        top = "".join(s.text for s in app.table_screen._compositor.render_strips()[pile.region.y])
        assert "20 = 200" in top


def shades(screen) -> set[str]:
    """Return the colours on a screen that a terminal of 256 colours would round visibly."""
    levels = (0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF)
    styles = {s.style for strip in screen._compositor.render_strips() for s in strip}
    return {
        colour.name
        for style in styles
        for colour in (style.color, style.bgcolor)
        if colour is not None
        and any(min(abs(part - at) for at in levels) > 1 for part in colour.get_truecolor())
    }
