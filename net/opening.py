"""Opening a table: what the settings say, made into a table and its host."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.kernel.illegal import Refused
from core.kernel.rules import Rules
from core.registry import GAMES
from net.clocks import Clock
from net.happenings import Happening
from net.host_game import Dealer
from net.keys import HostKeys
from net.lobby import Lobby
from net.names import clean_title
from net.settings import TableSettings
from net.table import Patience, Table

Tell = Callable[[Happening], None]


def rules_of(settings: TableSettings) -> Rules:
    """Return the rules that are played. Raises `Refused("unknown_game")`."""
    rules = GAMES.get(settings.game)
    if rules is None:
        raise Refused("unknown_game", game=settings.game, known=tuple(GAMES))
    return rules


def patience_of(settings: TableSettings) -> Patience:
    """Return how long the table waits."""
    return Patience(
        turn=settings.turn_time or None,
        think=settings.think,
        away=settings.patience,
        idle=settings.idle,
    )


def new_table(
    settings: TableSettings, keys: HostKeys, dealer: Dealer, tell: Tell, now: Clock = time.monotonic
) -> Table:
    """Return a new table, without its bots. Raises `Refused` for settings that can't be."""
    rules = rules_of(settings)
    if settings.level not in rules.bots:
        raise Refused("no_such_level", level=settings.level, levels=tuple(rules.bots))
    return Table(
        Lobby(rules, settings.players, dict(settings.options), founder=settings.owner),
        dealer,
        table_id=keys.table_id,
        title=clean_title(settings.title) if settings.title else rules.title,
        level=settings.level,
        patience=patience_of(settings),
        now=now,
        start_when_full=settings.start_when_full,
        tell=tell,
    )
