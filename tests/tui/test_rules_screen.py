"""The rules of each game, read in the app."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets._markdown import MarkdownBlock, MarkdownTableCellContents

from core.registry import GAMES
from tui import preferences
from tui.app import PrrrtApp
from tui.opening import Replay
from tui.screens.rules import CHAPTER, RulesScreen, rules_text

RULES_TAKE = 60
"""Seconds for all of the rules to be laid out, on a busy machine."""

CASES = Path(__file__).parents[1] / "cases"


def laid_out(app: PrrrtApp, game: str) -> bool:
    """Say whether all chapters of a game's rules are there."""
    headings = app.screen.query("MarkdownH2")
    return isinstance(app.screen, RulesScreen) and (
        len(headings) == rules_text(game).count(CHAPTER)
        and app.screen.query_one("#rules").max_scroll_y > 100
    )


def heading(app: PrrrtApp) -> str:
    """Return what stands over the rules."""
    headings = app.screen.query("MarkdownH1")
    return str(headings.first().render()) if headings else ""


def written(text: str) -> Counter[str]:
    """Return the words of a text, and how often each is there."""
    return Counter(re.findall(r"[a-z]+", text.lower()))


def read(screen: Screen[Any]) -> Counter[str]:
    """Return the words that are laid out, and how often each can be read."""
    blocks = [block._content.plain for block in screen.query(MarkdownBlock)]
    cells = [str(cell.content) for cell in screen.query(MarkdownTableCellContents)]
    return written(" ".join((*blocks, *cells)))


@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_begin_with_what_fits_a_minute_and_are_all_there(lan, until, game) -> None:
    preferences.remember_game(game)
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: laid_out(app, game), RULES_TAKE)
        reader = app.screen.query_one("#rules")
        assert reader.border_title == f"The rules of {GAMES[game].title}"
        first = app.screen.query("MarkdownH2").first()
        assert "minute" in str(first.render())
        assert first.region.bottom < 24
        missing = written(rules_text(game)) - read(app.screen)
        assert missing == Counter()


async def test_from_home_the_rules_of_every_game_are_there(lan, two_chapters, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        reader = app.screen.query_one("#rules")
        assert (reader.border_title, reader.border_subtitle) == (
            "The rules of PRRRT...",
            "o: Low on Gas",
        )
        await pilot.press("end", "o")
        assert (reader.border_title, reader.border_subtitle) == (
            "The rules of Low on Gas",
            "o: PRRRT...",
        )
        await until(pilot, lambda: heading(app).startswith("Low on Gas"))
        assert reader.scroll_y == 0


@pytest.mark.parametrize("game", GAMES)
async def test_at_a_table_the_rules_are_those_of_its_game(
    seated, two_chapters, until, game
) -> None:
    options = {option.key: option.default for option in GAMES[game].options}
    async with seated(game=game, options=options) as pilot:
        app = pilot.app
        await pilot.press("question_mark", "r")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        assert app.screen.games == (game,)
        assert "rules.other" not in {command.id for command in app.screen.possible()}


async def test_at_a_saved_game_too(home, two_chapters, until) -> None:
    app = PrrrtApp(Replay(CASES / "prrrt" / "random-prrrt-00001-full.jsonl"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.screen.query("Reel"))
        app.action_rules()
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        assert app.screen.games == ("prrrt",)
