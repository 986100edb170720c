"""Everything that can happen in a game of PRRRT, and what each seat may see of it.

Hidden cards stand as their number. Positions in a hand or a pile are told only
to whoever can see those cards anyway.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, UnsetType

from core.kernel.event import Event, Public, Viewer
from core.kernel.hidden import count as count
from core.prrrt.view import Cards


class DecksShuffled(Event, frozen=True):
    """The Location and Shame decks were shuffled, once for the whole game (P-R8, P15)."""

    locations: tuple[str, ...] | int
    shame: Cards

    def seen_by(self, viewer: Viewer) -> Event:  # noqa: ARG002
        """They lie face down; how many there are is public."""
        return DecksShuffled(count(self.locations), count(self.shame))


class FirstPlayerChosen(Public, frozen=True):
    """Who opens the first round (P8)."""

    seat: int


class LocationTurned(Public, frozen=True):
    """The first player turned the top Location (P-R11); a round begins."""

    seat: int
    location: str
    direction: str


class ShameLaid(Event, frozen=True):
    """The Location's Shame cards were laid in the centre (P-R12): face up, then face down."""

    up: tuple[int, ...]
    down: Cards

    def seen_by(self, viewer: Viewer) -> Event:  # noqa: ARG002
        """Nobody looks under a face-down centre card (P77)."""
        return ShameLaid(self.up, count(self.down))


class SmellShuffled(Event, frozen=True):
    """All Smell cards were gathered and shuffled, as before every deal (P-R14)."""

    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:  # noqa: ARG002
        """Nobody sees what was not dealt (P17)."""
        return SmellShuffled(count(self.cards))


class Dealt(Event, frozen=True):
    """Five Smell cards were dealt to a seat (P-R13)."""

    seat: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """Its owner sees the faces."""
        return self if viewer == self.seat else Dealt(self.seat, count(self.cards))


class QuestionDue(Public, frozen=True):
    """It is somebody's turn to question the next player (P-R17, P-R26)."""

    asker: int
    asked: int


class Asked(Public, frozen=True):
    """A question was put to somebody's face (P-R17, P-R18)."""

    asker: int
    asked: int
    words: str | None = None


class OwnedUp(Public, frozen=True):
    """The one asked owned up; the round stops at once (P-R20)."""

    seat: int


class Denied(Public, frozen=True):
    """The one asked denied. `shows` is false for a player without a hand (P-R71)."""

    seat: int
    shows: bool


class CardRevealed(Event, frozen=True):
    """A card drawn blind from the denier's hand now lies face up before them (P-R24)."""

    seat: int
    drawer: int
    card: int
    position: int | None

    def seen_by(self, viewer: Viewer) -> Event:
        """Only the owner may know where in the hand it was."""
        if viewer == self.seat:
            return self
        return CardRevealed(self.seat, self.drawer, self.card, None)


class EffectBegan(Public, frozen=True):
    """A revealed card's effect begins (P-R25); `card` is 3, 4, 5, 6 or 7."""

    card: int
    seat: int


class EffectVoid(Public, frozen=True):
    """A revealed card's effect can do nothing (P-R60, P-R67, P44)."""

    card: int
    seat: int


class Chosen(Public, frozen=True):
    """The denier picked an opponent; `card` is the visible one they want, for a 5."""

    card_effect: int
    seat: int
    player: int
    card: int | None = None


class ShameMoved(Event, frozen=True):
    """[3] The card drawn and all its equals moved from one pile to another (P-R59)."""

    seat: int
    to: int
    value: int
    count: int

    def seen_by(self, viewer: Viewer) -> Event:  # noqa: ARG002
        """Value and number are public (P42)."""
        return self


class HandTaken(Event, frozen=True):
    """[4, 6] The denier drew cards blind from an opponent's hand (P-R61, P-R68)."""

    seat: int
    player: int
    cards: Cards
    positions: tuple[int, ...]

    def seen_by(self, viewer: Viewer) -> Event:
        """The two of them know the faces (P47); only the owner knows where they were."""
        if viewer == self.player:
            return self
        cards = self.cards if viewer == self.seat else count(self.cards)
        return HandTaken(self.seat, self.player, cards, ())


class HandGiven(Event, frozen=True):
    """[4, 6] The denier gave as many cards back (P-R62, P-R68)."""

    seat: int
    player: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """The two of them know the faces (P47)."""
        if viewer in (self.seat, self.player):
            return self
        return HandGiven(self.seat, self.player, count(self.cards))


class FiveSwapped(Public, frozen=True):
    """[5] The denier's five changed places with a visible card of an opponent (P-R64, P-R65)."""

    seat: int
    player: int
    card: int


class HandDiscarded(Event, frozen=True):
    """[7] The denier threw the whole hand away, face down (P-R70, P54)."""

    seat: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """Its owner knows what it was."""
        return self if viewer == self.seat else HandDiscarded(self.seat, count(self.cards))


class LapEnded(Public, frozen=True):
    """Everybody was questioned (P-R27). `shame` is the card laid face up, if one was (P-R28)."""

    lap: int
    shame: int | None


class Pointed(Event, frozen=True):
    """A seat's finger is fixed; where to is nobody else's business yet (P-R33).

    `player` is the target or None for a finger in the air; absent where it may not be seen.
    """

    seat: int
    player: int | UnsetType | None = UNSET

    def seen_by(self, viewer: Viewer) -> Event:
        """Others see only that a finger is fixed."""
        return self if viewer == self.seat else Pointed(self.seat)


class HandsShown(Public, frozen=True):
    """The Revelation: all hands lie open (P-R37), and every finger with its target."""

    hands: tuple[tuple[int, ...], ...]
    points: tuple[int | None, ...]


class Verdict(Public, frozen=True):
    """Who is to blame, and which rule says so: see `Reveal.because`."""

    culprit: int
    because: str
    totals: tuple[int, ...]
    charged: tuple[int, ...]


class CentreTaken(Event, frozen=True):
    """A culprit or confessor took the whole centre face down into their pile (P-R21, P-R40)."""

    seat: int
    up: tuple[int, ...]
    down: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """The face-down ones are known to whoever took them (P27)."""
        if viewer == self.seat:
            return self
        return CentreTaken(self.seat, self.up, count(self.down))


class ShameCharged(Event, frozen=True):
    """A seat took cards from the Shame deck for a vote (P-R41 to P-R43)."""

    seat: int
    cards: Cards

    def seen_by(self, viewer: Viewer) -> Event:
        """They go face down on the pile; the owner may look (P-R46)."""
        return self if viewer == self.seat else ShameCharged(self.seat, count(self.cards))


class MarkerDrawn(Public, frozen=True):
    """The sideways card, the 52nd, was drawn: this round is the last (P-R51)."""


class RoundEnded(Public, frozen=True):
    """The round is over; its Location goes to the centre, and `first` opens the next (P-R48)."""

    round: int
    location: str
    first: int


class ScoresChanged(Public, frozen=True):
    """With `open_scores` everybody's points by seat are public whenever they change (P76)."""

    points: tuple[int, ...]


class PilesOpened(Public, frozen=True):
    """The game is over: everybody's Shame pile lies open."""

    piles: tuple[tuple[int, ...], ...]


class GameEnded(Public, frozen=True):
    """Who is Master of the Fart (P-R54), and the points by seat."""

    masters: tuple[int, ...]
    points: tuple[int, ...]


PrrrtEvent: TypeAlias = (
    DecksShuffled
    | FirstPlayerChosen
    | LocationTurned
    | ShameLaid
    | SmellShuffled
    | Dealt
    | QuestionDue
    | Asked
    | OwnedUp
    | Denied
    | CardRevealed
    | EffectBegan
    | EffectVoid
    | Chosen
    | ShameMoved
    | HandTaken
    | HandGiven
    | FiveSwapped
    | HandDiscarded
    | LapEnded
    | Pointed
    | HandsShown
    | Verdict
    | CentreTaken
    | ShameCharged
    | MarkerDrawn
    | RoundEnded
    | ScoresChanged
    | PilesOpened
    | GameEnded
)
"""All of them, as they are read back from a message."""
