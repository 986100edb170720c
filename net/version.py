"""Which version of the program this is, and which version of the rules of a table's files."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

RULES = 1
"""The number of the rules in `fair-1` headers and advertisements."""


def _app() -> str:
    try:
        return version("prrrt")
    except PackageNotFoundError:  # run from a checkout that isn't installed
        return "0"


APP = _app()
