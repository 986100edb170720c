"""`net/SECURITY.md` promises nothing without a test, and names no test that is gone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "net" / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = re.findall(r"^\| (S\d+) \| (.+?) \| (.*?) \|$", TEXT, re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def defined_in(file: str) -> frozenset[str]:
    """Return the names of the tests in a file."""
    module = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(
        each.name
        for each in module.body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
        and each.name.startswith("test_")
    )


def test_promises_are_numbered_in_order() -> None:
    assert [number for number, *_ in PROMISES] == [f"S{n}" for n in range(1, len(PROMISES) + 1)]
    assert len(PROMISES) > 30
    rows = re.findall(r"^\| S\d+.*", TEXT, re.MULTILINE)
    assert len(rows) == len(PROMISES), "each row has a number, a promise and its tests"


def test_every_promise_is_held_by_a_test_that_is_there() -> None:
    for number, _, held in PROMISES:
        tests = TEST.findall(held)
        assert tests, f"{number} names no test"
        assert not TEST.sub("", held).strip(), f"{number} names something else than tests"
        assert max(Counter(tests).values()) == 1, f"{number} names a test twice"
        for file, name in tests:
            assert (ROOT / file).is_file(), f"{number}: there is no {file}"
            assert name in defined_in(file), f"{number}: {file} has no {name}"


def test_every_promise_that_is_spoken_of_is_made() -> None:
    made = {number for number, *_ in PROMISES}
    assert set(re.findall(r"\bS\d+\b", TEXT)) == made
