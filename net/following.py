"""Making one story of the views that arrive: none out of order, no event twice, none missing."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from core.kernel.event import Event
from core.kernel.rules import Rules
from net.messages import ViewMsg
from net.updates import Seen

MOST_KEPT = 50_000
"""Events of pages that wait to be complete; a long match of many games has some ten thousands."""


class Nonsense(Exception):  # noqa: N818 - a finding about a view
    """A view that no table of ours has. Of a game that we don't have, `game` says which."""

    def __init__(self, game: str | None = None) -> None:
        super().__init__(game)
        self.game = game


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

        Raises `Nonsense` for what no game of ours says: its host may be anybody's.
        """
        if view.rev < self.rev:
            return None
        room = view.room
        rules = self._games.get(room.game)
        if rules is None:
            raise Nonsense(room.game)
        if not room.sound():
            raise Nonsense
        game = None if isinstance(view.game, msgspec.UnsetType) else bytes(view.game)
        try:
            shown = None if game is None else rules.decode_view(game)
            events = () if game is None else tuple(rules.decode_events(bytes(room.events)))
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise Nonsense from None
        if (shown is None) != (room.phase == "lobby") and room.phase != "closed":
            raise Nonsense
        if shown is not None and not rules.could_be(shown, events, len(room.seats)):
            raise Nonsense
        if view.game_no != self.game_no:
            self.game_no, self.have = view.game_no, -1
        if shown is not None:
            self._take_events(view, events)
            if self.have < view.n:
                self.behind = True
                return None
        seen = Seen(
            rev=view.rev,
            question=view.question,
            game=shown,
            room=room,
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
        if len(self._kept) + len(events) > MOST_KEPT:
            raise Nonsense
        self._kept.extend(events[sum(view.counts[:known]) :])
        self.have = max(self.have, view.since + len(view.counts))
