"""What stands on the screens can be read with many colours, with sixteen, and with none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.color import Color
from textual.command import CommandList, CommandPalette
from textual.widgets import OptionList
from textual.widgets._footer import FooterKey

from net.settings import TableSettings
from net.updates import Ended
from tui.app import PrrrtApp
from tui.finding import Found
from tui.opening import Host, Join

CELLAR = Found("a", "Cellar table", "prrrt", (("192.0.2.7", 3278),), 6, 3, "open")
ATTIC = replace(CELLAR, table="c", title="Attic", taken=6, state="playing")


@pytest.mark.parametrize("keys", ["", "h", "s", "n", "j", "r", "?"])
async def test_home_and_what_it_opens(lan, two_chapters, until, hard_to_read, keys):
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        lan.announce(CELLAR, ATTIC)
        await until(pilot, lambda: app.screen.query_one("#tables").has_focus)
        await pilot.press(*keys)
        await until(pilot, lambda: len(app.screen_stack) == len(keys) + 1)
        await pilot.pause()
        assert hard_to_read(app.screen) == set()


@pytest.mark.parametrize("keys", ["", "o", "b", "q", "c", "?"])
async def test_the_lobby_and_what_it_opens(seated, until, hard_to_read, keys):
    async with seated(Host(TableSettings(pin="042042"), "Camille")) as pilot:
        below = len(pilot.app.screen_stack)
        await pilot.press(*keys)
        await until(pilot, lambda: len(pilot.app.screen_stack) == below + (keys not in ("", "c")))
        await pilot.pause()
        assert hard_to_read(pilot.app.screen) == set()


async def test_the_door(lan, tell, until, hard_to_read):
    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("wrong_pin"))
        assert hard_to_read(app.screen) == set()


async def test_beside_a_field_no_letter_is_named_that_the_field_takes(lan, tell, until):
    app = PrrrtApp(Join(name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, Ended("bad_name", {"name": "x"}))
        named = [each.key_display for each in app.screen.query(FooterKey)]
        assert named == ["Enter", "Esc", "F1"]


async def test_the_palette_marks_its_line_without_colours(seated, until):
    async with seated() as pilot:
        app = pilot.app
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        lines = app.screen.query_one(CommandList)
        await until(pilot, lambda: lines.option_count and lines.size.height)
        await pilot.pause()
        first, last = papers(lines)
        assert abs(first.brightness - last.brightness) > 0.1


async def test_only_the_list_with_the_focus_has_a_mark(lan, until):
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        lan.announce(CELLAR, ATTIC)
        await until(pilot, lambda: app.screen.query_one("#tables").has_focus)
        await pilot.pause()
        marked = [each for each in app.screen.query(OptionList) if len(set(papers(each))) > 1]
        assert marked == [app.screen.focused]


def papers(lines: OptionList) -> list[Color]:
    """Return what is behind the first and the last line."""
    styles = [next(iter(lines.render_line(y))).style for y in (0, lines.size.height - 1)]
    return [Color.from_rich_color(style.bgcolor) for style in styles if style is not None]
