"""What a bot remembers of a round: cards that passed through its hands, and where they are now."""

from __future__ import annotations

from collections import Counter

from core.kernel.event import Event
from core.kernel.hidden import count
from core.prrrt.events import (
    CardRevealed,
    Dealt,
    HandDiscarded,
    HandGiven,
    HandTaken,
    LocationTurned,
    RoundEnded,
)
from core.prrrt.view import PrrrtTable


class Memory:
    """Cards known to be in others' hands or thrown away unseen, from 4s and 6s one took part in.

    It holds certainties only: what may have moved unseen is forgotten. It is
    never trusted blindly either, since a bot may sit down, or come back, in the
    middle of a round and have missed anything: see `checked`.
    """

    def __init__(self) -> None:
        self.me: int | None = None
        self.location: str | None = None
        self.hands: dict[int, Counter[int]] = {}
        self.thrown: Counter[int] = Counter()

    def forget(self) -> None:
        """Start a round afresh."""
        self.hands = {}
        self.thrown = Counter()

    def note(self, event: Event) -> None:
        """Take an event in."""
        match event:
            case LocationTurned(location=location):
                self.forget()
                self.location = location
            case RoundEnded():
                self.forget()
            case Dealt(seat=seat, cards=tuple()):
                self.me = seat
            case CardRevealed(seat=seat, card=card):
                self._lose(seat, [card])
            case HandTaken(seat=seat, player=player, cards=cards):
                self._taken(seat, player, cards)
            case HandGiven(seat=seat, player=player, cards=cards):
                self._given(seat, player, cards)
            case HandDiscarded(seat=seat):
                self.thrown += self.hands.pop(seat, Counter())

    def checked(self, table: PrrrtTable, me: int) -> Memory:
        """Return itself after dropping what can't be true at the table one sees."""
        self.me = me
        if self.location != table.location:
            if self.location is not None:
                self.forget()
            self.location = table.location
        for seat, cards in tuple(self.hands.items()):
            if seat == me or seat >= len(table.hands) or cards.total() > count(table.hands[seat]):
                del self.hands[seat]
        gone = sum(count(cards) for seat, cards in enumerate(table.discards) if seat != me)
        if self.thrown.total() > gone:
            self.thrown = Counter()
        return self

    def _taken(self, seat: int, player: int, cards: tuple[int, ...] | int) -> None:
        if isinstance(cards, int):  # between two others: some of what was known moved on
            self.hands.pop(player, None)
        elif player == self.me:
            self.hands.setdefault(seat, Counter()).update(cards)
        else:
            self._lose(player, cards)

    def _given(self, seat: int, player: int, cards: tuple[int, ...] | int) -> None:
        if isinstance(cards, int):
            self.hands.pop(seat, None)
        elif player == self.me:
            self._lose(seat, cards)
        else:
            self.hands.setdefault(player, Counter()).update(cards)

    def _lose(self, seat: int, cards: tuple[int, ...] | list[int]) -> None:
        if seat in self.hands:
            self.hands[seat] -= Counter(cards)
