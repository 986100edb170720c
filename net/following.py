"""Making one story of the views that arrive: none out of order, no event twice, none missing."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.kernel.event import Event
from core.kernel.rules import Rules
from net.messages import ViewMsg
from net.updates import Seen


class Following:
    """Follows a table through its views.

    `rev` is the newest view that was passed on, `have` the number of actions of
    game `game_no` whose events are known. A view whose events don't join on is
    kept back, and `behind` says that the host must be asked for what is missing.
    """

    def __init__(self, games: Mapping[str, Rules]) -> None:
        self._games = games
        self.restart()

    def restart(self) -> None:
        """Begin again, with a new session."""
        self.rev = -1
        self.game_no = -1
        self.have = -1
        self.behind = False
        self._kept: list[Event] = []
        self._first = True

    def take(self, view: ViewMsg) -> Seen | None:
        """Return what is to be shown; None while something is missing, and for old views.

        Raises `msgspec.MsgspecError` and `KeyError` for what no game of ours says.
        """
        if view.rev < self.rev:
            return None
        rules = self._games[view.room.game]
        game = None if isinstance(view.game, msgspec.UnsetType) else bytes(view.game)
        shown = None if game is None else rules.decode_view(game)
        if view.game_no != self.game_no:
            self.game_no, self.have = view.game_no, -1
        if game is not None:
            self._take_events(view, tuple(rules.decode_events(bytes(view.room.events))))
            if self.have < view.n:
                self.behind = True
                return None
        seen = Seen(
            rev=view.rev,
            question=view.question,
            game=shown,
            room=view.room,
            events=tuple(self._kept),
            catching_up=self._first,
        )
        self.rev = view.rev
        self.behind = self._first = False
        self._kept.clear()
        return seen

    def _take_events(self, view: ViewMsg, events: tuple[Event, ...]) -> None:
        known = self.have - view.since
        if known < 0:
            return
        self._kept.extend(events[sum(view.counts[:known]) :])
        self.have = max(self.have, view.since + len(view.counts))
