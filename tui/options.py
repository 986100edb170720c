"""Options of a game as people write them: `smell_deck=deodorant`, `third_lap_shame=on`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.kernel.illegal import BadOption
from core.kernel.options import Option, OptionValue
from core.kernel.rules import Rules
from tui.choosing import no_option

_WHOLE = re.compile(r"[0-9]{1,9}")
_SWITCH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


def read_options(rules: Rules, pairs: Iterable[str], seats: int) -> dict[str, OptionValue]:
    """Return all options of the game for `KEY=VALUE` pairs, defaults filled in.

    Raises `BadOption` for a pair that it doesn't have: `option_form`, `option_empty`,
    `foreign_option`, or what the game says.
    """
    known = {option.key: option for option in rules.options}
    given: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            example = _example(known.get(key, rules.options[0]))
            raise BadOption("option_form", given=pair, example=example)
        if key not in known:
            raise no_option(rules, key)
        given[key] = _value(known[key], text.strip())
    try:
        return rules.check_options(given, seats)
    except BadOption as refused:
        key, value = str(refused.facts["key"]), refused.facts["value"]
        wants = refused.facts["wants"] if known[key].kind != "switch" else ("on", "off")
        if value == "":
            raise BadOption("option_empty", key=key, wants=wants) from None
        raise BadOption(refused.code, key=key, value=value, wants=wants) from None


def _value(option: Option, text: str) -> OptionValue:
    """Read one value; what it cannot be read as stays text, for the game to refuse."""
    if option.kind == "switch":
        return _SWITCH.get(text.lower(), text)
    if option.kind in ("seat", "number") and _WHOLE.fullmatch(text):
        return int(text)
    return text


def _example(option: Option) -> str:
    """Return an option of a game as it is written."""
    value = "on" if option.kind == "switch" else written(option.default)
    return f"{option.key}={value}"


def values_of(option: Option) -> str:
    """Return what an option can be, as people write it; `SEAT` stands for a seat's number."""
    match option.kind:
        case "switch":
            return "on|off"
        case "seat":
            return "random|SEAT"
        case "number":
            return f"{option.choices[0]}..{option.choices[-1]}"
        case "choice":
            return "|".join(str(choice) for choice in option.choices)


def written(value: OptionValue) -> str:
    """Return a value as people write it.

    >>> written(True), written("random"), written(3)
    ('on', 'random', '3')
    """
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
