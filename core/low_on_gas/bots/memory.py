"""What a bot keeps of what its seat was shown: the cards that are gone, and what others lack."""

from __future__ import annotations

from collections import Counter

from core.kernel.event import Event
from core.kernel.hidden import count
from core.low_on_gas.cards import CARDS
from core.low_on_gas.events import DeckShuffled, Drew, Played, Reshuffled, StartTurned, TurnEnded
from core.low_on_gas.view import GasTable


class Memory:
    """The discard pile, and who could answer nothing: seat -> the colour that they lack.

    It is never trusted blindly, since a bot may sit down, or come back, in the
    middle of a game and have missed anything: see `checked`.
    """

    def __init__(self) -> None:
        self.discards: list[str] = []
        """As far as it was seen, the top last."""
        self.lacks: dict[int, str] = {}
        self._colour: str | None = None
        self._drew: int | None = None
        """Who drew one card just now, unable to answer."""

    def note(self, event: Event) -> None:
        """Take an event in."""
        match event:
            case DeckShuffled():
                self.discards, self.lacks = [], {}
            case StartTurned(card=card):
                self._laid(card, CARDS[card].colour)
            case Played(card=card, colour=colour):
                self._laid(card, CARDS[card].colour or colour)
            case Reshuffled():
                del self.discards[:-1]
            case Drew(seat=seat, why=why):
                self.lacks.pop(seat, None)
                self._drew = seat if why == "unable" else None
            case TurnEnded(seat=seat) if seat == self._drew and self._colour:
                self.lacks[seat] = self._colour

    def checked(self, table: GasTable) -> Memory:
        """Return itself after dropping what can't be true at the table one sees."""
        seen = self.discards[-1:] == [table.top] and len(self.discards) == count(table.discard_pile)
        if not seen:
            self.discards, self.lacks = [table.top], {}
        return self

    def gone(self) -> Counter[str]:
        """Return the cards that are known to lie in the discard pile."""
        return Counter(self.discards)

    def _laid(self, card: str, colour: str | None) -> None:
        self.discards.append(card)
        self._colour = colour
        self._drew = None
