"""Checking what a host sets against what a game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from core.kernel.illegal import BadOption
from core.kernel.rules import Option, OptionValue


def check_options(
    options: Iterable[Option], given: Mapping[str, object], seats: int
) -> dict[str, OptionValue]:
    """Return all options with what was given for them, or their defaults.

    Raises `BadOption` with the code `unknown_option` or `bad_option`.
    """
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise BadOption("unknown_option", key=key, known=tuple(known))
    return {
        key: _checked(option, given[key], seats) if key in given else option.default
        for key, option in known.items()
    }


def _checked(option: Option, value: object, seats: int) -> OptionValue:
    # Types are compared exactly: `true` and `1.0` are no numbers, `1` is no switch.
    if option.kind == "switch" and type(value) is bool:
        return value
    if option.kind == "choice" and isinstance(value, str) and value in option.choices:
        return value
    if option.kind == "number" and type(value) is int and value in option.choices:
        return value
    if option.kind == "seat" and (
        value == "random" or (type(value) is int and value in range(seats))
    ):
        return value if isinstance(value, int) else "random"
    wants = ("true", "false") if option.kind == "switch" else tuple(map(str, option.choices))
    if option.kind == "seat":
        wants = ("random", *map(str, range(seats)))
    shown = value if isinstance(value, bool | int | str) else None
    raise BadOption("bad_option", key=option.key, value=shown, wants=wants)
