"""The game under way at a table: acted on, written down, and shown, in this order.

An accepted action is on disk before anybody is shown its outcome. It is tried
on a copy of the game first, so that a refused action and a failed write leave
nothing behind.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import msgspec

from core.kernel.action import Action
from core.kernel.event import Viewer
from core.kernel.illegal import Refused
from core.kernel.options import OptionValue
from core.kernel.rules import Game, Rules
from net.blanks import step_size, view_size
from net.disk import why_not

By = Literal["seat", "bot", "clock"]

Step = tuple[bytes, ...]
"""What somebody is shown of one action: its events, as JSON."""

encode = msgspec.json.Encoder().encode


class GameJournal(Protocol):
    """Where the actions of one game are written down (`journal.md`)."""

    @property
    def name(self) -> str | None:
        """The file, as a person finds it; None when nothing is kept."""
        ...

    def append(self, seat: int, action: Action, aid: str, by: By) -> None:
        """Put an action on disk. Raises `OSError` when it isn't there, with nothing left behind."""
        ...

    def finish(self, result: bytes) -> None:
        """Close the game with its result (JSON). Raises `OSError`."""
        ...

    def try_disk(self) -> None:
        """See whether something could be put on disk now. Raises `OSError` if not."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


@dataclass(frozen=True)
class Dealt:
    """A game that was just dealt, and its journal, whose header is on disk."""

    game: Game
    journal: GameJournal


class Dealer(Protocol):
    """Where a table's games come from: the deck's chance, and a fresh journal."""

    def deal(self, rules: Rules, options: dict[str, OptionValue], names: tuple[str, ...]) -> Dealt:
        """Begin a game. Raises `BadOption`, and `OSError` when its journal can't be begun."""
        ...


class Asked(NamedTuple):
    """The question that an action answers: the number of its game at the table, and its own."""

    game: int
    question: int


class DiskTrouble(Exception):  # noqa: N818 - a condition of the machine
    """An action could not be written down, and so it did not happen."""


@dataclass(frozen=True)
class OldLine:
    """An action that a journal holds already, for a game that goes on."""

    seat: int
    action: Action
    aid: str | None


@dataclass(frozen=True)
class Tried:
    """An action that is legal now, on a copy of the game: nothing has happened yet."""

    seat: int
    action: Action
    after: Game
    beside: bool
    """Whether it leaves the open question open."""
    silences: tuple[int, ...]
    """The seats that could not speak up any more after it."""


class HostGame:
    """One game from its deal to its result, with everybody's view of it."""

    def __init__(self, rules: Rules, dealt: Dealt, number: int, seats: int) -> None:
        self.rules = rules
        self.number = number
        self.journal = dealt.journal
        self._game = dealt.game
        self._viewers: tuple[Viewer, ...] = (*range(seats), None)
        self._aids: set[tuple[int, str]] = set()
        self._steps: dict[Viewer, list[Step]] = {v: [] for v in self._viewers}
        self._views: dict[Viewer, bytes] = {}
        self._step_sizes: dict[Viewer, list[int]] = {v: [] for v in self._viewers}
        self._view_sizes: dict[Viewer, int] = {}
        self._unfinished = False
        self._note(self._last_step(self._game))

    def replay(self, lines: Iterable[OldLine]) -> None:
        """Apply what the journal holds already. Raises `Illegal` if it isn't this game's."""
        for line in lines:
            self._game.act(line.seat, line.action)
            if line.aid is not None:
                self._aids.add((line.seat, line.aid))
            self._note(self._last_step(self._game))

    @property
    def over(self) -> bool:
        """Whether nobody may act any more."""
        return self._game.over

    @property
    def actions(self) -> int:
        """How many actions were applied."""
        return self._game.actions

    @property
    def question(self) -> int:
        """The number of the open question."""
        return self._game.question

    @property
    def awaiting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return () if self.over else self._game.awaiting()

    @property
    def waited_for(self) -> tuple[int, ...]:
        """Those of `awaiting` for whom the game stands still; the others may speak up."""
        return () if self.over else self._game.waited_for()

    def done(self, seat: int, aid: str) -> bool:
        """Say whether this action of the seat has happened, before a crash perhaps."""
        return (seat, aid) in self._aids

    @property
    def asked(self) -> Asked:
        """The open question, told from those of every other game."""
        return Asked(self.number, self.question)

    def tried(self, seat: int, action: Action, asked: Asked, then: Tried | None = None) -> Tried:
        """Try what a seat wants to do, now or after something that was tried before.

        Raises `Refused("stale_question")` for what isn't meant any more, or for another game,
        and `Illegal`.
        """
        before = self._game if then is None else then.after
        late = asked.game != self.number or asked.question > before.question
        if late or not before.still_meant(seat, action, asked.question):
            raise Refused("stale_question", asked=asked.question, open=self.question)
        after = before.clone()
        after.act(seat, action)
        beside = after.question == before.question
        return Tried(seat, action, after, beside, before.silences(seat, action))

    def happens(self, tried: Tried, aid: str, by: By) -> None:
        """Let what was tried on the game as it is be done, on disk and for good.

        Raises `DiskTrouble` when it could not be written down.
        """
        step = self._last_step(tried.after)  # before anything is written: it can be shown
        self._written(lambda: self.journal.append(tried.seat, tried.action, aid, by))
        self._game = tried.after
        self._aids.add((tried.seat, aid))
        self._note(step)

    def view(self, viewer: Viewer) -> bytes:
        """Return the `game` part of what a seat (None: a spectator) may see, as JSON."""
        if viewer not in self._views:
            self._views[viewer] = encode(self._game.view(viewer))
        return self._views[viewer]

    def steps(self, viewer: Viewer, since: int) -> list[Step]:
        """Return what the viewer was shown by each action after the first `since`, as JSON.

        With -1 the set-up comes first. One tuple of events for each step.
        """
        return self._steps[viewer][max(0, since + 1) :]

    def view_size(self, viewer: Viewer) -> int:
        """Return the bytes that `view` is to take on the wire, by what everybody knows."""
        if viewer not in self._view_sizes:
            self._view_sizes[viewer] = view_size(self.view(None), self.view(viewer))
        return self._view_sizes[viewer]

    def step_sizes(self, viewer: Viewer, since: int) -> list[int]:
        """Return the same for each of `steps`."""
        return self._step_sizes[viewer][max(0, since + 1) :]

    def finish(self) -> None:
        """Close the journal of a game that is over. Raises `DiskTrouble`."""
        self._unfinished = True
        self._written(lambda: self.journal.finish(self.result))
        self._unfinished = False

    def try_disk(self) -> None:
        """See whether the game can be written down now, and finish what should have been before.

        Raises `DiskTrouble` if not.
        """
        self._written(self.journal.try_disk)
        if self._unfinished:
            self.finish()

    def close(self) -> None:
        """Let go of the journal; what should have been written before is tried once more."""
        if self._unfinished:
            with contextlib.suppress(DiskTrouble):
                self.finish()
        self.journal.close()

    @property
    def result(self) -> bytes:
        """The result as JSON; `null` until the game is over."""
        return encode(self._game.view(None).result)

    def _written(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            raise DiskTrouble(why_not(error)) from error

    def _last_step(self, game: Game) -> dict[Viewer, Step]:
        """Return what everybody is shown of a game's last action, or of its set-up."""
        since = game.actions - 1
        return {
            viewer: tuple(encode(event) for event in game.shown(viewer, since))
            for viewer in self._viewers
        }

    def _note(self, step: dict[Viewer, Step]) -> None:
        self._views.clear()
        self._view_sizes.clear()
        for viewer, events in step.items():
            self._steps[viewer].append(events)
            self._step_sizes[viewer].append(step_size(step[None], events))
