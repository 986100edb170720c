"""The one implementation of a game under way: a true table, a log, and each viewer's fold.

Data goes round in one direction: a seat acts, the open question checks and
answers, the answer emits events, one table of folds applies them. What a
viewer knows is the same folds over what `Event.seen_by` gave them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

from core.kernel.action import Action
from core.kernel.chance import Chance
from core.kernel.event import Event, Viewer
from core.kernel.illegal import Illegal
from core.kernel.rules import Game
from core.kernel.table import Table
from core.kernel.view import Awaiting, Offer, View

TableT = TypeVar("TableT", bound=Table)

Folds = Mapping[type[Event], Callable[[Any, Any], None]]
"""What each kind of event does to a table, whoever's it is."""


class EventGame(Game, Generic[TableT]):
    """A game whose table is changed by events only. A game of the house is a small subclass."""

    name: ClassVar[str]
    folds: ClassVar[Folds]

    table: TableT
    """The true table. Nobody but the rules and their tests reads it."""

    log: list[tuple[Event, ...]]
    """The true events: those of the set-up, then those of each action."""

    def __init__(self, seats: int, table: TableT, chance: Chance) -> None:
        self.seats = seats
        self.table = table
        self.chance = chance
        self.actions = 0
        self.log = []
        self._now: list[Event] = []
        self._seen: dict[Viewer, tuple[TableT, int]] = {}

    @abstractmethod
    def blank(self, viewer: Viewer) -> TableT:
        """Return the table as `viewer` sees it before anything happened."""

    @abstractmethod
    def flow(self) -> None:
        """Go on by itself until a question is open or the game is over."""

    @abstractmethod
    def drawn(self, table: TableT, viewer: Viewer) -> Any:
        """Return a table as JSON has it; `viewer`'s own things are marked as theirs."""

    @abstractmethod
    def result(self, table: TableT) -> Any:
        """Return the result as JSON has it; None until the game is over."""

    def emit(self, event: Event) -> None:
        """Let something happen: the only way in which a table ever changes."""
        self.folds[type(event)](self.table, event)
        self._now.append(event)

    def close_log(self) -> None:
        """File what was emitted since the last time, as one action's events or the set-up's."""
        self.log.append(tuple(self._now))
        self._now.clear()

    @property
    def over(self) -> bool:
        """Whether nobody may act any more."""
        return self.table.over

    @property
    def question(self) -> int:
        """The number of the open question."""
        return self.table.question

    def act(self, seat: int, action: Action) -> None:
        """Apply an action of a seat, or raise `Illegal` and change nothing.

        `Illegal` carries, beside its own facts, `awaiting` (who may act now)
        and `may` (what this seat may do now). Raises `BadChance`, and changes
        nothing, when scripted chance cannot answer.
        """
        table = self.table
        if not table.questions:
            raise Illegal("game_over", awaiting=(), may=())
        question = table.questions[-1]
        try:
            if seat not in question.seats(table):
                raise self.not_asked(seat, action)
            question.check(table, seat, action)
        except Illegal as refusal:
            refusal.facts["awaiting"] = question.seats(table)
            refusal.facts["may"] = tuple([offer.do for offer in self.offers(seat)])
            raise
        question.answer(self, seat, action)
        if not table.questions:
            self.flow()
        self.actions += 1
        self.close_log()

    def not_asked(self, seat: int, action: Action) -> Illegal:  # noqa: ARG002
        """Return why a seat that nothing is open to can't do anything."""
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.seats:
            return Illegal("no_such_seat", seat=seat, seats=self.seats)
        return Illegal("not_your_turn", seat=seat)

    def awaiting(self) -> tuple[int, ...]:
        """Return the seats that have a legal action now, ascending."""
        table = self.table
        return table.questions[-1].seats(table) if table.questions else ()

    def waited_for(self) -> tuple[int, ...]:
        """Return the seats for whom the game stands still, ascending."""
        table = self.table
        return table.questions[-1].waits_for(table) if table.questions else ()

    def offers(self, seat: int) -> tuple[Offer, ...]:
        """Return everything a seat may do now, made from what that seat can see."""
        return self._offers(self.seen(seat), seat)

    def seen(self, viewer: Viewer) -> TableT:
        """Return the table as `viewer` knows it: the fold of all they were shown. Read only."""
        table, done = self._seen.get(viewer) or (self.blank(viewer), 0)
        if done < len(self.log):
            folds = self.folds
            for events in self.log[done:]:
                for event in events:
                    shown = event.seen_by(viewer)
                    if shown is not None:
                        folds[type(shown)](table, shown)
            self._seen[viewer] = (table, len(self.log))
        return table

    def view(self, viewer: Viewer) -> View[Any, Any]:
        """Return what `viewer` may see, as it goes out on the wire."""
        table = self.seen(viewer)
        offers = () if viewer is None else self._offers(table, viewer)
        may = tuple([offer.do for offer in offers])
        waiting = table.questions[-1].seats(table) if table.questions else ()
        awaiting = tuple(
            [Awaiting(seat, may) if seat == viewer else Awaiting(seat) for seat in waiting]
        )
        return self._view(table, viewer, awaiting, offers)

    def revealed(self) -> View[Any, Any]:
        """Return the true table, everything open."""
        table = self.table
        awaiting = tuple(
            Awaiting(seat, tuple(offer.do for offer in self._offers(table, seat)))
            for seat in self.awaiting()
        )
        return self._view(table, None, awaiting, ())

    def _offers(self, table: TableT, seat: int) -> tuple[Offer, ...]:
        if not table.questions:
            return ()
        question = table.questions[-1]
        return question.offers(table, seat) if seat in question.seats(table) else ()

    def _view(
        self,
        table: TableT,
        viewer: Viewer,
        awaiting: tuple[Awaiting, ...],
        offers: tuple[Offer, ...],
    ) -> View[Any, Any]:
        return View(
            game=self.name,
            over=table.over,
            actions=self.actions,
            phase=table.questions[-1].phase if table.questions else "over",
            awaiting=awaiting,
            table=self.drawn(table, viewer),
            result=self.result(table),
            offers=offers,
        )

    def shown(self, viewer: Viewer, since: int) -> tuple[Event, ...]:
        """Return, as `viewer` may see them, the events of all actions after the first `since`.

        With `since` -1 the events of the set-up come first.
        """
        seen = (event.seen_by(viewer) for events in self.log[since + 1 :] for event in events)
        return tuple(event for event in seen if event is not None)

    def clone(self) -> Self:
        """Return a copy that plays on alike and shares nothing that changes."""
        copy = self.__class__.__new__(self.__class__)
        copy.seats = self.seats
        copy.table = self.table.copy()
        copy.chance = self.chance
        copy.actions = self.actions
        copy.log = self.log.copy()
        copy._now = []
        copy._seen = {viewer: (table.copy(), done) for viewer, (table, done) in self._seen.items()}
        return copy
