"""The options of a game as settings on a line each, explained in a line each."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.options import Option, OptionValue
from core.kernel.rules import Rules
from tui.widgets.choice import Choice, Pick
from tui.words import known, plain, say


def option_label(game: str, option: Option) -> str:
    """Return what an option is called."""
    return say(f"option.{game}.{option.key}")


def value_label(game: str, option: Option, value: OptionValue) -> str:
    """Return what a value of an option is called."""
    if option.kind == "switch":
        return say("option.on" if value else "option.off")
    if option.kind == "seat" and isinstance(value, int):
        return say("option.seat", n=value + 1)
    key = f"option.{game}.{option.key}.{value}"
    return say(key) if known(key) else plain(str(value))


def option_choices(
    rules: Rules, values: Mapping[str, OptionValue], seats: int
) -> tuple[Choice, ...]:
    """Return one setting for each option of the game, in its order."""
    return tuple(
        Choice(
            option_label(rules.name, option),
            [
                Pick(value, value_label(rules.name, option, value))
                for value in _possible(option, seats)
            ],
            values.get(option.key, option.default),
            explained=say(f"option.{rules.name}.{option.key}.help"),
            id=f"option-{option.key}",
        )
        for option in rules.options
    )


def option_of(choice: Choice) -> str | None:
    """Return the key of the option that a setting sets, or None for another setting."""
    name = choice.id or ""
    return name.removeprefix("option-") if name.startswith("option-") else None


def seat_picks(rules: Rules, option: Option, seats: int) -> list[Pick]:
    """Return what a seat option can be at a table of so many."""
    return [Pick(v, value_label(rules.name, option, v)) for v in _possible(option, seats)]


def _possible(option: Option, seats: int) -> tuple[OptionValue, ...]:
    match option.kind:
        case "switch":
            return (False, True)
        case "seat":
            return ("random", *range(seats))
        case _:
            return option.choices
