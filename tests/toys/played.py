"""A table with bots alone, played for a while: real views and letters to bend."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from core.kernel.action import Action
from core.kernel.chance import Fair1
from core.kernel.options import OptionValue
from core.kernel.rules import Rules
from core.registry import GAMES
from net.host_game import By, Dealt
from net.lobby import Lobby
from net.messages import ViewMsg
from net.table import Patience, Table
from net.views import Shown, compose


class _Forgetful:
    """A dealer of the same game each time, and a journal that keeps nothing."""

    name = None

    def deal(self, rules: Rules, options: dict[str, OptionValue], names: tuple[str, ...]) -> Dealt:
        return Dealt(rules.start(len(names), options, Fair1(b"played")), self)

    def append(self, seat: int, action: Action, aid: str, by: By) -> None: ...
    def finish(self, result: bytes) -> None: ...
    def try_disk(self) -> None: ...
    def close(self) -> None: ...


def new_table(game: str) -> Table:
    """Return a table of a game in its lobby, with three bots."""
    table = Table(
        Lobby(GAMES[game], 4),
        _Forgetful(),
        table_id="t",
        title="Cellar",
        level="easy",
        patience=Patience(think=0),
        now=lambda: 0.0,
    )
    for _ in range(3):
        table.add_bot("easy")
    return table


def moments(game: str, actions: int = 12) -> Iterator[tuple[Table, bytes]]:
    """Yield a table after each of its first actions, with the last one's journal line."""
    table = new_table(game)
    table.start()
    for _ in range(actions):
        assert table.game is not None
        seat = table.may_act[0]
        view = table.rules.decode_view(table.game.view(seat))
        action = next(table.rules.actions(view.offers[0]))
        table.bot_acts(seat, action, table.game.asked)
        yield table, msgspec.json.encode({"seat": seat} | msgspec.to_builtins(action))


def true_views(game: str) -> list[bytes]:
    """Return views of a table as they should be, from the lobby into the game."""
    shown: list[ViewMsg] = [compose(new_table(game), None, Shown(), (), 0)]
    for table, _ in moments(game):
        shown += [compose(table, viewer, Shown(), (), 1) for viewer in (0, None)]
    return [msgspec.json.encode(view) for view in shown]
