"""A fair moment for whoever may speak up beside the question (F44 of Low on Gas).

An action after which somebody could not speak up any more waits here until every person
whom it would silence had time to do so: `AT_LEAST` and their line's round trip, since they
were shown that they could. What tells the round trip is their word that they have that view:
on a steady line, what they say within `AT_LEAST` of seeing it comes no later after that word.
On one that loses things it may: TCP says what was lost again after about a round trip. So they
have that once more, in all never longer than `LONGEST_TRIP` and `AT_LEAST`.

An action that waits is legal and promised, but not written down and shown to nobody. Bots
need no such moment.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from core.kernel.action import Action
from core.kernel.illegal import Refused
from net.clocks import Clock
from net.host_game import Asked, By, HostGame, Tried

AT_LEAST = 1.5
"""Seconds that a person has, beside their line's round trip."""

LONGEST_TRIP = 5.0
"""Seconds that a peer may take to say that it has a view: it could pretend not to."""


@dataclass(frozen=True)
class Intent:
    """What a seat wants to do, for which question, and by whose hand."""

    seat: int
    action: Action
    asked: Asked
    aid: str
    by: By


class Settled(NamedTuple):
    """What became of an action that waited; it happened when `refusal` is None."""

    seat: int
    aid: str
    refusal: Refused | None


@dataclass
class _Chance:
    """A seat may speak, as its view `rev` was the first to show.

    Its person had their moment at `over`.
    """

    over: float
    rev: int | None = None
    shown: float = 0.0
    known: bool = False


class FairMoments:
    """Lets actions happen, each once nobody is silenced by it too soon.

    `person` says whether a seat's own person plays it now, `happen` lets an action
    happen for good, and raises `Refused` when it can't.
    """

    def __init__(
        self,
        person: Callable[[int], bool],
        happen: Callable[[Tried, Intent], None],
        now: Clock,
    ) -> None:
        self.settled: list[Settled] = []
        """What became of actions that waited: the host tells those who asked for them."""
        self._person = person
        self._happen = happen
        self._now = now
        self._chances: dict[int, _Chance] = {}
        self._waiting: dict[int, list[Intent]] = {}
        """By seat: the action that waits, then what its seat would say after it."""

    @property
    def waiting(self) -> frozenset[int]:
        """The seats of which an action waits: they have acted, and aren't asked again."""
        return frozenset(self._waiting)

    def waits(self, seat: int, aid: str) -> bool:
        """Say whether this action of the seat waits."""
        return any(intent.aid == aid for intent in self._waiting.get(seat, ()))

    # Who may speak since when

    def begin(self, game: HostGame) -> None:
        """A game begins, or goes on after a restart."""
        self._waiting.clear()
        self._chances.clear()
        self._look(game)

    def shown(self, seat: int, rev: int) -> None:
        """Note that a seat is sent the game as it is, in the view with this number."""
        chance = self._chances.get(seat)
        if chance is not None and (chance.rev is None or rev < chance.rev):  # or a new session
            chance.rev, chance.shown = rev, self._now()

    def confirmed(self, seat: int, rev: int) -> None:
        """Note that a seat has the view with this number."""
        chance = self._chances.get(seat)
        if chance is None or chance.rev is None or rev < chance.rev or chance.known:
            return
        chance.known = True
        now = self._now()
        chance.over = min(chance.over, now + AT_LEAST + (now - chance.shown))

    def begin_anew(self, seat: int | None = None) -> None:
        """Give a seat, or everybody, the whole moment again: nobody could speak meanwhile."""
        for each in self._chances if seat is None else self._chances.keys() & {seat}:
            self._chances[each] = self._chance()

    def _look(self, game: HostGame, ended: tuple[int, ...] = ()) -> None:
        """See who may speak now; the chances of those in `ended` are over, or are new ones."""
        awaiting = game.awaiting
        for seat in [seat for seat in self._chances if seat in ended or seat not in awaiting]:
            del self._chances[seat]
        for seat in awaiting:
            if seat not in self._chances:
                self._chances[seat] = self._chance()

    def _chance(self) -> _Chance:
        return _Chance(self._now() + LONGEST_TRIP + AT_LEAST)

    def _silences_too_soon(self, tried: Tried) -> bool:
        return any(
            seat != tried.seat and self._person(seat) and not self._had_their_moment(seat)
            for seat in tried.silences
        )

    def _had_their_moment(self, seat: int) -> bool:
        return seat not in self._chances or self._now() >= self._chances[seat].over

    # What happens when

    def act(self, game: HostGame, intent: Intent) -> bool:
        """Let an action happen; say whether it did. If not, it waits, and `settled` tells later.

        Raises `Refused`: what isn't meant or legal now, and `held` for whoever has acted.
        """
        takes_over = intent.by == "seat" and self._a_bot_waits(intent.seat)
        if intent.seat in self._waiting and not takes_over:
            return self._act_beside(game, intent)
        tried = game.tried(intent.seat, intent.action, intent.asked)
        self._waiting.pop(intent.seat, None)
        if self._silences_too_soon(tried):
            self._waiting[intent.seat] = [intent]
            return False
        self._do(game, tried, intent)
        return True

    def go_on(self, game: HostGame) -> None:
        """Let happen what has waited long enough, or for nobody any more."""
        while any(self._settle(game, seat) for seat in tuple(self._waiting)):
            pass  # what happened may be what another one waited for

    def drop_bots(self, seat: int) -> None:
        """Forget what a bot wanted to do for somebody who plays for themselves again."""
        if self._a_bot_waits(seat):
            del self._waiting[seat]

    def _a_bot_waits(self, seat: int) -> bool:
        return any(intent.by != "seat" for intent in self._waiting.get(seat, ()))

    def _act_beside(self, game: HostGame, intent: Intent) -> bool:
        """Let somebody whose action waits speak up beside it: now, or else right after it."""
        try:
            tried = game.tried(intent.seat, intent.action, intent.asked)
        except Refused:
            return self._join(game, intent)
        if not tried.beside:
            raise Refused("held")
        self._do(game, tried, intent)
        return True

    def _join(self, game: HostGame, intent: Intent) -> bool:
        waiting = self._waiting[intent.seat]
        tried: Tried | None = None
        try:
            for each in (*waiting, intent):
                tried = game.tried(each.seat, each.action, each.asked, tried)
        except Refused:
            raise Refused("held") from None
        if tried is None or not tried.beside:
            raise Refused("held")
        waiting.append(intent)
        return False

    def _settle(self, game: HostGame, seat: int) -> bool:
        """Let what waits of a seat happen once it may; say whether it is settled."""
        first = self._waiting[seat][0]
        with contextlib.suppress(Refused):  # it means nothing any more: no reason to wait
            if self._silences_too_soon(game.tried(seat, first.action, first.asked)):
                return False
        for intent in self._waiting.pop(seat):
            refusal = self._refusal(game, intent)
            if intent.by == "seat":
                self.settled.append(Settled(seat, intent.aid, refusal))
        return True

    def _refusal(self, game: HostGame, intent: Intent) -> Refused | None:
        try:
            self._do(game, game.tried(intent.seat, intent.action, intent.asked), intent)
        except Refused as refusal:
            return refusal
        return None

    def _do(self, game: HostGame, tried: Tried, intent: Intent) -> None:
        self._happen(tried, intent)
        self._look(game, (*tried.silences, tried.seat))
