"""What happened at a table of Low on Gas, told in our own voice, with the noise of each card.

Pure: events and names in, text out. What a seat may not see is not in its
events, so nothing here can give it away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from typing import Any, Literal, TypeGuard

from core.kernel.event import Event
from core.kernel.hidden import count, joined
from core.low_on_gas import events as e
from core.low_on_gas.cards import CARDS, MATCH
from core.low_on_gas.view import Cards
from tui.low_on_gas.sight import GasSight
from tui.table.story import Kind, Names, Told
from tui.words import say

MOST_LISTED = 12
"""Cards that are named one by one when they are drawn; the log says of more that there are more."""


@dataclass(frozen=True)
class Owed:
    """What is owed at some moment of the story."""

    sum: tuple[int, ...] = ()
    """The pick-ups that make the total up, oldest first."""

    drawn: bool = False
    """Whether it has been drawn, so that a Match puts nothing out any more."""

    @classmethod
    def at(cls, sight: GasSight | None) -> Owed:
        """Return what is owed at a table; nothing before the first one was seen."""
        return cls() if sight is None else cls(sight.table.sum, drawn=not sight.owing)

    def after(self, event: Event) -> Owed:
        """Return what is owed when that has happened, too."""
        match event:
            case e.Played(card=card):
                more = CARDS[card].pick_up
                return Owed((*self.sum, more)) if more else Owed()
            case e.PickedUp():
                return Owed(self.sum, drawn=True)
            case e.TurnEnded() | e.GameWon() | e.DeckShuffled():
                return Owed()
        return self


@dataclass(frozen=True)
class Drawing:
    """One draw, told in however many parts: a shuffle may lie between, or cards be lacking."""

    seat: int
    why: e.Why
    cards: Cards
    waived: int
    shuffled: tuple[int, ...]
    """How many discards each shuffle put into the draw pile."""

    leads: Literal["", "fits", "ends"] = ""
    """What it leads to: the one card drawn fits, or it doesn't and the turn ends."""


@dataclass(frozen=True)
class Teller:
    """Says sentences about somebody: `who` is their name, and `me` whether that is the reader."""

    names: Names

    def by(self, seat: int, key: str, kind: Kind = "game", **facts: object) -> Told:
        """Return a sentence that begins with the one who does something."""
        return self._told(key, self.names.subject(seat), seat, kind, facts)

    def about(self, seat: int, key: str, kind: Kind = "game", **facts: object) -> Told:
        """Return a sentence with somebody in the middle of it."""
        return self._told(key, self.names.object(seat), seat, kind, facts)

    def _told(self, key: str, who: str, seat: int, kind: Kind, facts: dict[str, object]) -> Told:
        return Told(say(key, who=who, me=seat == self.names.me, **facts), kind)


def tell(
    happened: Sequence[Event], names: Names, before: GasSight | None = None
) -> tuple[Told, ...]:
    """Return the lines for some events, in order; events that need no line have none.

    `before` is the table as it was seen before them: a total that was owed there is what they
    add to or put out. None is where the story begins.
    """
    teller, owed = Teller(names), Owed.at(before)
    lines: list[Told] = []
    at = 0
    while at < len(happened):
        event, parts = happened[at], _parts(happened[at:])
        if parts:
            lines += _drew(_drawing(parts, happened[at + len(parts) :]), teller)
            at += len(parts)
            continue
        if isinstance(event, e.Played):
            lines += _played(event, teller, owed)
        elif isinstance(event, e.TurnCame):
            lines += _owes(event, teller, owed)
        elif isinstance(event, e.GameWon):
            lines += _won(event, teller, happened[at + 1 :])
        elif type(event) in _TELLERS:
            lines += _TELLERS[type(event)](event, teller)
        owed = owed.after(event)
        at += 1
    return tuple(lines)


def _owes(event: e.TurnCame, teller: Teller, owed: Owed) -> list[Told]:
    total = sum(owed.sum)
    if len(owed.sum) > 1:
        return [teller.about(event.seat, "gas.log.owes.sum", n=total, sum=sum_words(owed.sum))]
    return [teller.by(event.seat, "gas.log.owes", n=total)] if total else []


def sum_words(parts: Sequence[int]) -> str:
    """Return the pick-ups of a total as a sum; of a long one how it ends.

    >>> sum_words((1, 1, 5)), sum_words((2,) * 9)
    ('1+1+5', '…+2+2+2+2+2')
    """
    shown = "+".join(str(part) for part in parts[-5:])
    return shown if len(parts) <= 6 else f"…+{shown}"


def _played(event: e.Played, teller: Teller, owed: Owed) -> list[Told]:
    face = CARDS[event.card]
    key = "gas.log.played"
    if face.wild:
        key = f"gas.log.{'last' if event.colour is None else 'played'}.{face.kind}"
    lines = [teller.by(event.seat, key, "noise", card=event.card, colour=event.colour)]
    if face.kind == MATCH and owed.sum and not owed.drawn:
        lines.append(teller.about(event.seat, "gas.log.put_out", "noise", n=sum(owed.sum)))
    if event.called:
        lines += _called(event, teller)
    return lines


def _won(event: e.GameWon, teller: Teller, following: Sequence[Event]) -> list[Told]:
    match = any(isinstance(each, e.MatchWon) for each in following)
    if match and event.game_no == 1:  # there is only one
        return [teller.by(event.seat, "gas.log.won", "verdict")]
    lines = [teller.by(event.seat, "gas.log.won.game", "verdict", n=event.game_no)]
    return [*lines, teller.by(event.seat, "gas.log.match", "verdict")] if match else lines


# Draws


def _parts(events: Sequence[Event]) -> list[Event]:
    """Return the events at the beginning that tell of one draw; none if no draw begins there."""
    first = events[0]
    if not _draws(first):
        return []
    whose = (first.seat, first.why)
    return list(
        takewhile(
            lambda event: (
                isinstance(event, e.Reshuffled)
                or (_draws(event) and (event.seat, event.why) == whose)
            ),
            events,
        )
    )


def _draws(event: Event) -> TypeGuard[e.Drew | e.Waived]:
    return isinstance(event, e.Drew | e.Waived)


def _drawing(parts: Sequence[Event], following: Sequence[Event]) -> Drawing:
    """Return one draw for its parts and what follows them."""
    first = parts[0]
    assert _draws(first)
    drawn = [part.cards for part in parts if isinstance(part, e.Drew)]
    leads: Literal["", "fits", "ends"] = ""
    if first.why == "unable" and following:
        leads = "fits" if isinstance(following[0], e.DrawnFits) else "ends"
    return Drawing(
        first.seat,
        first.why,
        reduce(joined, drawn) if drawn else 0,
        sum(part.count for part in parts if isinstance(part, e.Waived)),
        tuple(count(part.cards) for part in parts if isinstance(part, e.Reshuffled)),
        leads,
    )


def _drew(drawing: Drawing, teller: Teller) -> list[Told]:
    cards, n, seat = drawing.cards, count(drawing.cards), drawing.seat
    key = f"gas.log.drew.{drawing.why}"
    lines = []
    if n:
        seen = () if isinstance(cards, int) else cards
        key += ".seen" if seen else ""
        key += f".{drawing.leads}" if drawing.leads else ""
        listed = (*seen[:MOST_LISTED], "…") if n > MOST_LISTED else seen
        lines.append(teller.by(seat, key, n=n, cards=listed))
    if drawing.waived:
        lines.append(teller.about(seat, "gas.log.waived", n=drawing.waived))
    return [*lines, *(Told(say("gas.log.reshuffled", n=each)) for each in drawing.shuffled)]


# All others


def _dealer_chosen(event: e.DealerChosen, teller: Teller) -> list[Told]:
    key = "gas.log.dealer" if event.game_no == 1 else "gas.log.dealer.again"
    return [teller.about(event.seat, key)]


def _shuffled(event: e.DeckShuffled, teller: Teller) -> list[Told]:  # noqa: ARG001
    return [Told(say("gas.log.game", n=event.game_no), "round")]


def _dealt(event: e.Dealt, teller: Teller) -> list[Told]:
    if isinstance(event.cards, int):
        return []
    return [teller.by(event.seat, "gas.log.dealt", cards=event.cards)]


def _start_turned(event: e.StartTurned, teller: Teller) -> list[Told]:  # noqa: ARG001
    face = CARDS[event.card]  # nobody discarded it, so nobody owes for it (F-R9)
    key = "gas.log.start" + (".open" if face.wild else ".free" if face.pick_up else "")
    lines = [Told(say(key, card=event.card), "noise")]
    if event.buried:
        lines.insert(0, Told(say("gas.log.buried", n=len(event.buried))))
    return lines


def _called(event: e.Called | e.Played, teller: Teller) -> list[Told]:
    return [teller.by(event.seat, "gas.log.called", "verdict")]


def _refused(event: e.LastCardRefused, teller: Teller) -> list[Told]:
    return [
        teller.by(event.seat, "gas.log.refused"),
        teller.by(event.seat, "gas.log.refused.back", "noise", card=event.card),
    ]


def _window_opened(event: e.WindowOpened, teller: Teller) -> list[Told]:
    return [teller.about(event.seat, "gas.log.window")]


def _reshuffled(event: e.Reshuffled, teller: Teller) -> list[Told]:  # noqa: ARG001
    return [Told(say("gas.log.reshuffled", n=count(event.cards)))]


_TELLERS: dict[type[Event], Callable[[Any, Teller], list[Told]]] = {
    e.DealerChosen: _dealer_chosen,
    e.DeckShuffled: _shuffled,
    e.Dealt: _dealt,
    e.StartTurned: _start_turned,
    e.Called: _called,
    e.LastCardRefused: _refused,
    e.WindowOpened: _window_opened,
    e.Reshuffled: _reshuffled,
}
"""Who tells what else. Events without a teller are told with another one, or seen elsewhere."""
