"""Everything that can happen in Low on Gas, and what each seat may see of it (F46).

Hidden cards stand as their number. Every discard is public; what is drawn is
its drawer's business.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from core.kernel.event import Event, Public, Viewer
from core.kernel.hidden import count
from core.low_on_gas.view import Cards

Why = Literal["owed", "unable", "penalty"]
"""Why cards are drawn: a total is owed (F-R24), nothing fits (F-R16), a call was forgotten."""


class DealerChosen(Public, frozen=True):
    """Who deals a game of the match, numbered from 1 (F-R4, F5)."""

    game_no: int
    seat: int


class DeckShuffled(Event, frozen=True):
    """All 54 cards were shuffled; a game of the match begins (F-R1)."""

    game_no: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:  # noqa: ARG002
        """They lie face down."""
        return DeckShuffled(self.game_no, count(self.cards))


class Dealt(Event, frozen=True):
    """Seven cards were dealt to a seat (F-R7)."""

    seat: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """Its owner sees the faces."""
        return self if viewer == self.seat else Dealt(self.seat, count(self.cards))


class StartTurned(Public, frozen=True):
    """The start card was turned over (F-R8).

    `buried` were turned before it and put to the bottom of the draw pile (`redraw_specials`).
    """

    card: str
    buried: tuple[str, ...] = ()


class TurnCame(Public, frozen=True):
    """It is a seat's turn, clockwise (F-R6). It may owe cards: `GasTable.owed`."""

    seat: int


class Played(Public, frozen=True):
    """A card was discarded (F-R10).

    `colour` is what a wild selected, None with any other card and with a wild as the winning
    one (F20). `called` is whether "low on gas" came with it.
    """

    seat: int
    card: str
    colour: str | None = None
    called: bool = False


class Called(Public, frozen=True):
    """A seat said "low on gas" inside its window (F-R21)."""

    seat: int


class LastCardRefused(Public, frozen=True):
    """A last card that was not called stays in the hand (F-R22, F31)."""

    seat: int
    card: str


class Drew(Event, frozen=True):
    """A seat drew cards from the draw pile.

    One draw may be told in parts, with a `Reshuffled` between them (F25).
    """

    seat: int
    cards: Cards
    why: Why

    def seen_by(self, viewer: Viewer) -> Event:
        """Its owner sees the faces."""
        return self if viewer == self.seat else Drew(self.seat, count(self.cards), self.why)


class Waived(Public, frozen=True):
    """So many cards of a draw were waived: there was nothing to draw (F-R20, F26)."""

    seat: int
    count: int
    why: Why


class PickedUp(Public, frozen=True):
    """A seat has drawn the whole total, and plays a normal turn now (F-R31)."""

    seat: int
    total: int


class DrawnFits(Public, frozen=True):
    """The card that a seat drew, the last of its hand, fits and must be played (F-R17)."""

    seat: int


class Reshuffled(Event, frozen=True):
    """The discard pile without its top became the new draw pile (F-R19)."""

    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:  # noqa: ARG002
        """They lie face down; how many there are is public."""
        return Reshuffled(count(self.cards))


class WindowOpened(Public, frozen=True):
    """After a forgotten call the penalty left a seat with one card, which it may call.

    Only with the option `discard_stands`, and when most of the penalty was waived.
    """

    seat: int


class TurnEnded(Public, frozen=True):
    """A turn ended without a discard: what was owed is over (F-R18, F-R33, F12)."""

    seat: int


class GameWon(Public, frozen=True):
    """A seat has no card left and wins the game at once (F-R38)."""

    game_no: int
    seat: int


class DealDue(Public, frozen=True):
    """The dealer of the next game of the match is to deal (F5)."""

    seat: int


class MatchWon(Public, frozen=True):
    """A seat won as many games as the match asks for (option `wins`)."""

    seat: int


GasEvent: TypeAlias = (
    DealerChosen
    | DeckShuffled
    | Dealt
    | StartTurned
    | TurnCame
    | Played
    | Called
    | LastCardRefused
    | Drew
    | Waived
    | PickedUp
    | DrawnFits
    | Reshuffled
    | WindowOpened
    | TurnEnded
    | GameWon
    | DealDue
    | MatchWon
)
"""All of them, as they are read back from a message."""
