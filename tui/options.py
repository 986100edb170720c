"""Options of a game as people write them: `smell_deck=deodorant`, `third_lap_shame=on`."""

from __future__ import annotations

from collections.abc import Iterable

from core.kernel.illegal import BadOption
from core.kernel.rules import Option, OptionValue, Rules

_SWITCH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


def read_options(rules: Rules, pairs: Iterable[str], seats: int) -> dict[str, OptionValue]:
    """Return all options of the game for `KEY=VALUE` pairs, defaults filled in.

    Raises `BadOption` for a pair that it doesn't have: `option_form`, `option_empty`, or what
    the game says.
    """
    known = {option.key: option for option in rules.options}
    given: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals:
            raise BadOption("option_form", given=pair)
        key = key.strip().replace("-", "_")
        if key not in known:
            raise BadOption("unknown_option", key=key, known=tuple(known))
        given[key] = _value(known[key], text.strip())
    try:
        return rules.check_options(given, seats)
    except BadOption as refused:
        if refused.facts.get("value") != "":
            raise
        facts = {name: refused.facts[name] for name in ("key", "wants")}
        raise BadOption("option_empty", **facts) from None


def _value(option: Option, text: str) -> OptionValue:
    """Read one value; what it cannot be read as stays text, for the game to refuse."""
    if option.kind == "switch":
        return _SWITCH.get(text.lower(), text)
    if option.kind in ("seat", "number") and text.isascii() and text.isdigit():
        return int(text)
    return text
