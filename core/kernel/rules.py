"""What a game tells the rest of the program about itself: one `Rules` for each game.

`core.registry` lists them. Host, bots, replay and app know games only through
this, so that a third game needs its own folder, its widgets and one line there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

from core.kernel.action import Action
from core.kernel.bot import Bot
from core.kernel.chance import Chance, Label
from core.kernel.event import Event, Viewer
from core.kernel.illegal import BadOption
from core.kernel.options import Option, Options, OptionValue, check_options
from core.kernel.view import Offer, View


class Game(ABC):
    """A game under way. Only events change its table; `act` checks, then emits."""

    actions: int
    """How many actions were applied."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether nobody may act any more."""

    @property
    @abstractmethod
    def question(self) -> int:
        """The number of the open question: it grows whenever another one opens.

        Actions name the question they answer; a stale one is refused (B34).
        """

    @abstractmethod
    def act(self, seat: int, action: Action) -> None:
        """Apply an action of a seat, or raise `Illegal` and change nothing."""

    @abstractmethod
    def awaiting(self) -> tuple[int, ...]:
        """Return the seats that have a legal action now, ascending."""

    def waited_for(self) -> tuple[int, ...]:
        """Return those of `awaiting` for whom the game stands still, ascending.

        Clocks run for these alone. The others may speak up, and may as well not.
        What those say leaves the question open, and so its number as it is.
        """
        return self.awaiting()

    def still_meant(self, seat: int, action: Action, question: int) -> bool:  # noqa: ARG002
        """Say whether what a seat did when `question` was open still means what is open now.

        A late action is refused and never meant for something else (B34). A game in which
        seats may speak up beside the open question overrides this.
        """
        return question == self.question

    def silences(self, seat: int, action: Action) -> tuple[int, ...]:  # noqa: ARG002
        """Return the seats, ascending, that could still speak up and can't after this action.

        It is a legal one. The host gives the people at these seats a fair moment first (F44).
        """
        return ()

    @abstractmethod
    def view(self, viewer: Viewer) -> View[Any, Any]:
        """Return what `viewer` may see: the fold of what it was shown, and its offers."""

    @abstractmethod
    def revealed(self) -> View[Any, Any]:
        """Return the true table, everything open: for `prrrt replay --json`, never in play."""

    @abstractmethod
    def shown(self, viewer: Viewer, since: int) -> tuple[Event, ...]:
        """Return, as `viewer` may see them, the events of all actions after the first `since`.

        With `since` -1 the events of the set-up come first.
        """

    @abstractmethod
    def clone(self) -> Game:
        """Return a copy that plays on alike and shares nothing that changes."""


class Rules(ABC):
    """One game of the house: its facts, how it begins, how its values are read."""

    name: ClassVar[str]
    """As in journals and on the command line, `low-on-gas` say."""

    title: ClassVar[str]
    seats: ClassVar[range]
    """How many players there may be, `range(3, 8)` say."""

    options: ClassVar[tuple[Option, ...]]
    bots: ClassVar[Mapping[str, Callable[[], Bot[Any]]]]
    """Bot makers by level: `easy`, `medium`, `hard` (levels may share a bot)."""

    def check_options(self, given: Mapping[str, object], seats: int) -> dict[str, OptionValue]:
        """Return all options, defaults filled in; raise `BadOption` for what the game lacks."""
        return check_options(self.options, given, seats)

    def check_seats(self, seats: int) -> None:
        """Raise `BadOption` unless the game can be played by so many."""
        if seats not in self.seats:
            fewest, most = self.seats.start, self.seats.stop - 1
            raise BadOption("bad_seats", seats=seats, fewest=fewest, most=most)

    @abstractmethod
    def start(self, seats: int, options: Options, chance: Chance) -> Game:
        """Begin a game. Raises `BadOption` and `BadChance`."""

    @abstractmethod
    def action(self, line: Mapping[str, object]) -> Action:
        """Read an action from a decoded journal line or message, or raise `Illegal`.

        Unknown keys are ignored; an unknown `do`, a missing key or a value of
        the wrong type is refused (`true`, `1.0` and `"1"` are no numbers).
        """

    def labels(self, seats: int, options: Options) -> tuple[Label, ...]:  # noqa: ARG002
        """Return the labels of `journal.md` that a game with these options may ask."""
        return ()

    def actions(self, offer: Offer) -> Iterator[Action]:
        """Yield every action that an offer of a view stands for, for bots and random play.

        Cards or slots that are taken together are told in one order only, and
        equal cards count once. A game whose offers mean more overrides this.
        """
        yield from (self.action(line) for line in lines_of(offer))

    @abstractmethod
    def decode_view(self, data: bytes) -> View[Any, Any]:
        """Read a view's JSON back. Raises `msgspec.MsgspecError`."""

    @abstractmethod
    def decode_events(self, data: bytes) -> Sequence[Event]:
        """Read a JSON list of shown events back. Raises `msgspec.MsgspecError`."""

    def could_be(self, view: View[Any, Any], events: Sequence[Event], seats: int) -> bool:  # noqa: ARG002
        """Say whether a decoded view, with the events before it, is one of a table of so many.

        A guest asks before anything is shown: the host that sends it may be anybody's.
        """
        return view.game == self.name and all(
            offer.take <= max(offer.slots, len(offer.cards)) for offer in view.offers
        )


def lines_of(offer: Offer) -> Iterator[dict[str, object]]:
    """Yield the journal lines, without seat, that an offer stands for."""
    if offer.pairs:
        for player, card in offer.pairs:
            yield {"do": offer.do, "player": player, "card": card}
    elif offer.players:
        for target in offer.players:
            yield {"do": offer.do, "player": target}
    elif offer.cards:
        for cards in dict.fromkeys(combinations(sorted(offer.cards, key=str), offer.take)):
            yield {"do": offer.do, "cards": cards}
    elif offer.slots:
        for slots in combinations(range(offer.slots), offer.take):
            yield {"do": offer.do, "slots": slots}
    else:
        yield {"do": offer.do}
