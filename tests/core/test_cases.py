"""Rule cases from an independent implementation: see tests/cases/README.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.replay import answer

CASES = Path(__file__).parents[1] / "cases"
NAMES = sorted(
    f"{path.parent.name}/{path.name.removesuffix('.expected.json')}"
    for path in CASES.glob("*/*.expected.json")
)


def differences(wanted: object, got: object, path: str = "") -> list[str]:
    """What an expectation says and an outcome doesn't; keys that it lacks don't count."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        found = []
        for key, value in wanted.items():
            if key not in got:
                found.append(f"{path}.{key} is missing")
            else:
                found += differences(value, got[key], f"{path}.{key}")
        return found
    same = wanted == got and type(wanted) is type(got)
    return [] if same else [f"{path}: wanted {wanted}, got {got}"]


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str) -> None:
    wanted = json.loads((CASES / f"{name}.expected.json").read_text(encoding="utf-8"))
    said = answer(
        (CASES / f"{name}.jsonl").read_bytes(),
        "everything",
        reveal=False,
        words=lambda code, facts: f"{code} {sorted(facts)}.",
    )
    got = json.loads(said.json)
    wanted.pop("about", None)
    if "error" in wanted:
        wanted["error"].pop("reason")
        assert got["error"].pop("reason")
        assert got == wanted
        assert said.status == 2
        return
    for view in (wanted, got):
        view["awaiting"].sort(key=lambda who: who["seat"])
    assert differences(wanted, got) == []
    assert said.status == 0


def test_there_are_cases() -> None:
    assert len(NAMES) >= 125
