"""No rule without a test: the ids of RULES.md against the ids that tests name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import core.low_on_gas
from tui.words.en import WORDS

HERE = Path(__file__).parent
RULES_MD = Path(core.low_on_gas.__file__).parent / "RULES.md"

ID = re.compile(r"\bF-R\d+\b|\bF-TV\d+\b|\bF\d+\b|\bB\d+\b")
ENTRY = re.compile(r"^- \*\*(F-R\d+|F-TV\d+|F\d+)\*\*", re.MULTILINE)
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)

# Lessons from other card games (bug reports, B1 to B54) that concern these rules, and not the
# network, the screens or the other game.
LESSONS = {*range(1, 4), *range(5, 23), 25, 32, 33, 34, 35, 37, 39, 41, 43, 44, 45, 53, 54}


def entries_by_section() -> dict[str, list[str]]:
    """Return the ids that each section of RULES.md explains."""
    parts = SECTION.split(RULES_MD.read_text(encoding="utf-8"))
    return {
        title: ENTRY.findall(body) for title, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def ids_named_by_tests() -> set[str]:
    """Return every id in the docstring of a test function (RULES.md isn't asked)."""
    named: set[str] = set()
    for path in HERE.glob("test_gas_rules_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                named |= set(ID.findall(ast.get_docstring(node) or ""))
    return named


def test_rules_md_has_every_rule_and_reading_once():
    """The items are numbered without a gap, and nothing is explained twice."""
    ids = [i for found in entries_by_section().values() for i in found]
    expected = [f"F-R{n}" for n in range(1, 41)]
    expected += [f"F{n}" for n in range(1, 47)]
    expected += [f"F-TV{n}" for n in range(1, 13)]
    assert sorted(ids) == sorted(expected)


def test_every_rule_and_every_reading_that_matters_has_a_test():
    """A reading that only describes needs none; everything else does."""
    sections = entries_by_section()
    describing = set(sections.pop("Readings that only describe"))
    assert describing == {"F38", "F40", "F43", "F45"}
    wanted = {i for found in sections.values() for i in found}
    assert wanted - ids_named_by_tests() == set()


def test_tests_name_only_ids_that_exist():
    """A typing error in a docstring would hide a missing test."""
    known = {i for found in entries_by_section().values() for i in found}
    known |= {f"B{n}" for n in LESSONS}
    assert ids_named_by_tests() - known == set()


def test_every_lesson_has_a_test():
    """What went wrong in other people's games is tried in this one."""
    assert {f"B{n}" for n in LESSONS} - ids_named_by_tests() == set()


def test_the_options_that_are_told_are_those_there_are():
    """What can be set stands in the rules with its name, and nothing else does."""
    text = RULES_MD.read_text(encoding="utf-8").partition("## What can be set")[2]
    told = re.findall(r"^- `(\w+)`", text.partition("\n## ")[0], re.MULTILINE)
    assert told == [option.key for option in core.low_on_gas.rules.GasRules.options]


def test_names_and_noises_are_those_of_the_app():
    """F2, F38: what the rules tell of our own inventions is what the log says."""
    text = RULES_MD.read_text(encoding="utf-8").partition("## Ours")[2]
    told = re.findall(r"^\| (\w+) \| (.+) \| (.+) \|$", text, re.MULTILINE)[1:]
    assert len(told) == 14
    for kind, name, noise in told:
        assert (name, noise) == (WORDS[f"gas.name.{kind}"], WORDS[f"gas.noise.{kind}"])
