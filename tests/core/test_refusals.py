"""Everything that the rules turn down has words that say why."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tui.words.en import WORDS

CORE = Path(__file__).parents[2] / "core"
RAISED = {"Illegal", "BadOption", "BadChance", "JournalError", "error"}


def codes_of(path: Path) -> set[str]:
    """The first argument of every refusal made in a file, as far as it is written out."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        first = node.args[0]
        if name in RAISED and isinstance(first, ast.Constant) and isinstance(first.value, str):
            found.add(first.value)
    return found


CODES = sorted({code for path in CORE.rglob("*.py") for code in codes_of(path)})


@pytest.mark.parametrize("code", CODES)
def test_a_refusal_has_words(code: str) -> None:
    assert f"refused.{code}" in WORDS


def test_they_are_found() -> None:
    assert {"not_your_turn", "yourself", "bad_option", "bad_order", "broken_chain"} <= set(CODES)
