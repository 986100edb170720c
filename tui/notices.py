"""What happened and who spoke at the table beside the game, as words to read."""

from __future__ import annotations

from core.registry import GAMES
from net.room import ChatLine, Notice
from tui import words
from tui.widgets.option_choice import option_label, value_label

Facts = dict[str, str | int | bool | None]


def told(notice: Notice, game: str) -> str:
    """Return the line for a notice at a table of `game`; nothing for a code of a newer host."""
    facts = _named(notice.facts, game) if notice.code == "option" else notice.facts
    return words.notice(notice.code, facts)


def speaker(line: ChatLine) -> str:
    """Return who said a line; spectators have no names."""
    return words.plain(line.name) or words.say("chat.spectator")


def _named(facts: Facts, game: str) -> Facts:
    """Return what was set and to what in the words of the options' own screen."""
    key, value = facts.get("key"), facts.get("value")
    if key == "players":
        return {"key": words.say("setup.players"), "value": value}
    for option in GAMES[game].options if game in GAMES else ():
        if option.key == key and isinstance(value, str | int):
            return {"key": option_label(game, option), "value": value_label(game, option, value)}
    return facts
