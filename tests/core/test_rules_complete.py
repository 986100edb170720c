"""No rule without a test: the ids of each game's RULES.md against the ids that its tests name."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import core
from core.registry import GAMES

SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class RuleBook:
    """A game's rules (`P-R1`), readings (`P1`) and what a viewer may see (`P-TV1`), numbered."""

    letter: str
    rules: int
    readings: int
    views: int
    describing: frozenset[str]
    """Readings that only describe, and need no test."""
    lessons: frozenset[int]
    """Lessons from other card games (bug reports, B1 to B54) that concern these rules, and not the
    network, the screens or the other game."""


BOOKS = {
    "prrrt": RuleBook(
        "P",
        rules=74,
        readings=80,
        views=13,
        describing=frozenset({"P14", "P34", "P78", "P79", "P80"}),
        lessons=frozenset({2, 3, 20, *range(29, 36), 39, *range(41, 51), 54}),
    ),
    "low-on-gas": RuleBook(
        "F",
        rules=40,
        readings=46,
        views=12,
        describing=frozenset({"F38", "F40", "F43", "F45"}),
        lessons=frozenset(
            {*range(1, 4), *range(5, 23), 25, *range(32, 36), 37, 39, 41, 43, 44, 45, 53, 54}
        ),
    ),
}

each_game = pytest.mark.parametrize("game", GAMES)


def entries_by_section(game: str) -> dict[str, list[str]]:
    """Return the ids that each section of RULES.md explains."""
    letter = BOOKS[game].letter
    entry = re.compile(rf"^- \*\*({letter}-R\d+|{letter}-TV\d+|{letter}\d+)\*\*", re.MULTILINE)
    path = Path(core.__file__).parent / game.replace("-", "_") / "RULES.md"
    parts = SECTION.split(path.read_text(encoding="utf-8"))
    return {
        title: entry.findall(body) for title, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def ids_named_by_tests(game: str) -> set[str]:
    """Return every id in the docstring of a test function (RULES.md isn't asked)."""
    letter = BOOKS[game].letter
    name = re.compile(rf"\b{letter}-R\d+\b|\b{letter}-TV\d+\b|\b{letter}\d+\b|\bB\d+\b")
    named: set[str] = set()
    for path in Path(__file__).with_name(game.replace("-", "_")).glob("test_*rules_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                named |= set(name.findall(ast.get_docstring(node) or ""))
    return named


@each_game
def test_rules_md_has_every_rule_and_reading_once(game: str) -> None:
    """The items are numbered without a gap, and nothing is explained twice."""
    book = BOOKS[game]
    ids = [i for found in entries_by_section(game).values() for i in found]
    expected = [f"{book.letter}-R{n}" for n in range(1, book.rules + 1)]
    expected += [f"{book.letter}{n}" for n in range(1, book.readings + 1)]
    expected += [f"{book.letter}-TV{n}" for n in range(1, book.views + 1)]
    assert sorted(ids) == sorted(expected)


@each_game
def test_every_rule_and_every_reading_that_matters_has_a_test(game: str) -> None:
    """A reading that only describes needs none; everything else does."""
    sections = entries_by_section(game)
    describing = set(sections.pop("Readings that only describe"))
    assert describing == BOOKS[game].describing
    wanted = {i for found in sections.values() for i in found}
    assert wanted - ids_named_by_tests(game) == set()


@each_game
def test_tests_name_only_ids_that_exist(game: str) -> None:
    """A typing error in a docstring would hide a missing test."""
    known = {i for found in entries_by_section(game).values() for i in found}
    known |= {f"B{n}" for n in BOOKS[game].lessons}
    assert ids_named_by_tests(game) - known == set()


@each_game
def test_every_lesson_has_a_test(game: str) -> None:
    """What went wrong in other people's games is tried in this one."""
    assert {f"B{n}" for n in BOOKS[game].lessons} - ids_named_by_tests(game) == set()
