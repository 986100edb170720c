"""Reading the values of an action from decoded JSON, exactly as typed: `true` is no number.

Each function raises `Illegal` with the code `missing` or `bad_value`, and the
facts `key` and, for a bad value, `wants` (a code for what belongs there).
`action` chooses by `do` among a game's readers, and raises `unknown_do` as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeGuard, TypeVar

from core.kernel.illegal import Illegal

ActionT = TypeVar("ActionT")


def action(
    line: Mapping[str, object], readers: Mapping[str, Callable[[Mapping[str, object]], ActionT]]
) -> ActionT:
    """Return an action; unknown keys of its line are ignored."""
    do = line.get("do")
    if not isinstance(do, str):
        raise Illegal("missing", key="do")
    if do not in readers:
        raise Illegal("unknown_do", do=do, known=tuple(readers))
    return readers[do](line)


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether a value is a JSON integer: neither `true` nor `1.0` nor `"1"`."""
    return type(value) is int


def value_of(line: Mapping[str, object], key: str) -> object:
    """Return what stands under a key that has to be there."""
    if key not in line:
        raise Illegal("missing", key=key)
    return line[key]


def integer(line: Mapping[str, object], key: str) -> int:
    """Return an integer."""
    value = value_of(line, key)
    if not is_integer(value):
        raise Illegal("bad_value", key=key, wants="integer")
    return value


def integer_or_null(line: Mapping[str, object], key: str) -> int | None:
    """Return an integer, or None for a `null` that is there."""
    return None if value_of(line, key) is None else integer(line, key)


def integers(line: Mapping[str, object], key: str) -> tuple[int, ...]:
    """Return a list of integers."""
    value = value_of(line, key)
    if not isinstance(value, list | tuple):
        raise Illegal("bad_value", key=key, wants="integers")
    numbers = tuple(item for item in value if is_integer(item))
    if len(numbers) < len(value):
        raise Illegal("bad_value", key=key, wants="integers")
    return numbers


def text(line: Mapping[str, object], key: str) -> str:
    """Return a text."""
    value = value_of(line, key)
    if not isinstance(value, str):
        raise Illegal("bad_value", key=key, wants="text")
    return value
