"""What a host can set, and checking it against what a game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from core.kernel.illegal import BadOption

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]


@dataclass(frozen=True)
class Option:
    """One thing a host can set. The words that explain it live in `tui.words`.

    `kind` is `switch` (true or false), `choice` (one of `choices`), `seat`
    (`"random"` or a seat number) or `number` (one of `choices`, as integers).
    """

    key: str
    kind: Literal["switch", "choice", "seat", "number"]
    default: OptionValue
    choices: tuple[str, ...] | tuple[int, ...] = ()


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
