"""How the game is chosen: which there are, what each is in a sentence, and which one to begin with.

The command line and the screens ask here and nowhere else. A new game needs its line in
`core.registry` and its words.
"""

from __future__ import annotations

from core.kernel.illegal import BadOption
from core.kernel.rules import Rules
from core.registry import GAMES
from tui.complaints import wrong
from tui.words import known, say

DEFAULT_GAME = "prrrt"
"""What `prrrt solo` plays when nothing else is said, and the home screen before the first game."""

USUAL_PLAYERS = 4
"""The chairs of a table when nothing else is said; of a game for fewer or more the nearest."""


def rules_of(game: str) -> Rules:
    """Return a game's rules. Raises `Complaint` for a game that there isn't."""
    if game not in GAMES:
        raise wrong("error.game", game=game, known=tuple(GAMES))
    return GAMES[game]


def title_of(game: str) -> str:
    """Return what a game is called; of one that isn't here, its own word for itself."""
    return GAMES[game].title if game in GAMES else game


def game_line(rules: Rules) -> str:
    """Return a game in a line: its title, how many can play it, what it is about."""
    about = say(f"game.{rules.name}")
    fewest, most = rules.seats.start, rules.seats.stop - 1
    return say("game.line", title=rules.title, fewest=fewest, most=most, about=about)


def players_line(rules: Rules) -> str:
    """Return what there is to know about the number of players, and with how many it is best."""
    best = f"game.{rules.name}.players"
    about = say("setup.players.help")
    return f"{about} {say(best)}" if known(best) else about


def usual_players(rules: Rules) -> int:
    """Return how many chairs a table of this game has when nothing else is said."""
    return nearest_players(rules, USUAL_PLAYERS)


def nearest_players(rules: Rules, players: int) -> int:
    """Return the number of players that the game allows and that is nearest to the one wished."""
    return min(max(players, rules.seats.start), rules.seats.stop - 1)


def levels() -> tuple[str, ...]:
    """Return every level that bots of some game have: a visiting bot learns the game there."""
    return tuple(dict.fromkeys(level for rules in GAMES.values() for level in rules.bots))


def no_option(rules: Rules, key: str) -> BadOption:
    """Return why a game doesn't have this option: it is another game's, or nobody's."""
    mine = tuple(option.key for option in rules.options)
    for other in GAMES.values():
        if any(option.key == key for option in other.options):
            return BadOption(
                "foreign_option", key=key, known=mine, game=rules.title, other=other.title
            )
    return BadOption("unknown_option", key=key, known=mine)
