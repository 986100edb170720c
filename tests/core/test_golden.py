"""What seats were shown of whole games, byte for byte as on record (golden/record.py)."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
RECORD = runpy.run_path(str(GOLDEN / "record.py"))


@pytest.mark.parametrize("name", RECORD["PLAYED"])
def test_each_seat_sees_what_it_saw(name: str) -> None:
    assert RECORD["played"](name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_no_record_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(RECORD["PLAYED"])
