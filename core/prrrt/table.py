"""The table of PRRRT and what each event does to it.

One table serves the truth and everybody's knowledge of it: cards that may not
be seen stand there as their number. `FOLDS` is the only code that changes one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, UnsetType

from core.kernel.event import Event
from core.kernel.hidden import (
    after,
    count,
    joined,
    nothing_like,
    put,
    without,
    without_at,
    without_one,
)
from core.kernel.table import Table
from core.prrrt import events as ev
from core.prrrt import questions
from core.prrrt.cards import EXCHANGED, HAND, LAPS
from core.prrrt.view import Cards, Moved, Reveal

Target = int | None | UnsetType
"""Whom a finger points at; None is the air, unset is unknown or not yet."""


class PrrrtTable(Table, kw_only=True):
    """What lies on the table, in the words of `journal.md`; tuples are by seat."""

    seats: int
    round: int = 0
    lap: int = 0
    location: str | None = None
    direction: str = "left"
    first: int = 0
    asker: int | None = None
    asked: int | None = None
    hands: tuple[Cards, ...]
    rows: tuple[tuple[int, ...], ...]
    piles: tuple[Cards, ...]
    discards: tuple[Cards, ...]
    up: tuple[int, ...] = ()
    down: Cards
    """The centre's face-up and face-down Shame cards."""
    location_deck: tuple[str, ...] | int = 0
    shame_deck: Cards = 0
    smell_deck: Cards = 0
    """The decks, top first: what is not yet turned, drawn, dealt."""
    last_round: bool = False
    played: tuple[str, ...] = ()
    blind_draws: int = 0
    """Blind draws of this round, whatever for."""
    pointed: tuple[bool, ...] = ()
    """Whose finger is fixed in the vote under way; empty outside one."""
    targets: tuple[Target, ...] = ()
    moved: Moved | None = None
    reveal: Reveal | None = None
    scores: tuple[int, ...] | None = None
    """Points by seat; None unless `open_scores` is on."""
    masters: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    """Who is Master of the Fart, and the points by seat, when the game is over."""


def blank(seats: int, own: range, *, open_scores: bool) -> PrrrtTable:
    """Return an empty table as seen by whoever owns the seats in `own`.

    The truth owns them all, a player one, a spectator none.
    """
    cards: tuple[Cards, ...] = tuple(() if seat in own else 0 for seat in range(seats))
    everything = len(own) == seats
    return PrrrtTable(
        seats=seats,
        hands=cards,
        rows=((),) * seats,
        piles=cards,
        discards=cards,
        down=() if everything else 0,
        scores=(0,) * seats if open_scores else None,
    )


def _decks_shuffled(table: PrrrtTable, event: ev.DecksShuffled) -> None:
    table.location_deck = event.locations
    table.shame_deck = event.shame


def _first_player_chosen(table: PrrrtTable, event: ev.FirstPlayerChosen) -> None:
    table.first = event.seat
    table.open(questions.TurningLocation(event.seat))


def _location_turned(table: PrrrtTable, event: ev.LocationTurned) -> None:
    table.close()
    table.location_deck = after(table.location_deck, 1)
    table.location = event.location
    table.direction = event.direction
    table.round += 1
    table.lap = 1
    table.blind_draws = 0
    table.moved = None


def _shame_laid(table: PrrrtTable, event: ev.ShameLaid) -> None:
    table.shame_deck = after(table.shame_deck, len(event.up) + count(event.down))
    table.up = event.up
    table.down = event.down


def _smell_shuffled(table: PrrrtTable, event: ev.SmellShuffled) -> None:
    table.smell_deck = event.cards
    table.rows = ((),) * table.seats
    table.discards = tuple([nothing_like(cards) for cards in table.discards])


def _dealt(table: PrrrtTable, event: ev.Dealt) -> None:
    table.smell_deck = after(table.smell_deck, HAND)
    table.hands = put(table.hands, event.seat, event.cards)


def _question_due(table: PrrrtTable, event: ev.QuestionDue) -> None:
    table.asker = event.asker
    table.asked = event.asked
    table.open(questions.Asking(event.asker, event.asked))


def _asked(table: PrrrtTable, event: ev.Asked) -> None:
    table.close()
    table.open(questions.Answering(event.asker, event.asked))


def _owned_up(table: PrrrtTable, event: ev.OwnedUp) -> None:  # noqa: ARG001
    table.close()


def _denied(table: PrrrtTable, event: ev.Denied) -> None:
    table.close()
    if event.shows and table.asker is not None:
        table.open(questions.DrawingFromDenier(table.asker, event.seat))


def _card_revealed(table: PrrrtTable, event: ev.CardRevealed) -> None:
    table.close()
    table.blind_draws += 1
    seat = event.seat
    table.hands = put(table.hands, seat, without_one(table.hands[seat], event.position))
    table.rows = put(table.rows, seat, (*table.rows[seat], event.card))


def _effect_began(table: PrrrtTable, event: ev.EffectBegan) -> None:
    choosing = questions.CHOOSING.get(event.card)
    if choosing is not None:
        table.open(choosing(event.card, event.seat))


def _effect_void(table: PrrrtTable, event: ev.EffectVoid) -> None:
    """It leaves the table as it was."""


def _chosen(table: PrrrtTable, event: ev.Chosen) -> None:
    table.close()
    if event.card_effect == 3:
        table.open(questions.DrawingShame(event.seat, event.player))
    elif event.card_effect != 5:
        taken = min(EXCHANGED[event.card_effect], count(table.hands[event.player]))
        exchange = questions.Exchange(event.card_effect, event.seat, event.player, taken)
        table.open(questions.DrawingFromHand(exchange))


def _shame_moved(table: PrrrtTable, event: ev.ShameMoved) -> None:
    table.close()
    table.blind_draws += 1
    cards = (event.value,) * event.count
    table.piles = put(table.piles, event.seat, without(table.piles[event.seat], cards))
    table.piles = put(table.piles, event.to, joined(table.piles[event.to], cards))
    table.moved = Moved(event.seat, event.to, event.value, event.count)


def _hand_taken(table: PrrrtTable, event: ev.HandTaken) -> None:
    drawing = table.questions[-1]
    table.close()
    table.blind_draws += 1
    seat, player, taken = event.seat, event.player, count(event.cards)
    left = without_at(table.hands[player], event.positions, taken)
    table.hands = put(table.hands, player, left)
    table.hands = put(table.hands, seat, joined(table.hands[seat], event.cards))
    if isinstance(drawing, questions.DrawingFromHand):
        table.open(questions.Giving(drawing.exchange))


def _hand_given(table: PrrrtTable, event: ev.HandGiven) -> None:
    table.close()
    seat, player = event.seat, event.player
    table.hands = put(table.hands, seat, without(table.hands[seat], event.cards))
    table.hands = put(table.hands, player, joined(table.hands[player], event.cards))


def _five_swapped(table: PrrrtTable, event: ev.FiveSwapped) -> None:
    row = (*table.rows[event.seat][:-1], event.card)
    other = list(table.rows[event.player])
    other.remove(event.card)
    other.append(5)
    table.rows = put(put(table.rows, event.seat, row), event.player, tuple(other))


def _hand_discarded(table: PrrrtTable, event: ev.HandDiscarded) -> None:
    table.discards = put(table.discards, event.seat, event.cards)
    table.hands = put(table.hands, event.seat, nothing_like(table.hands[event.seat]))


def _lap_ended(table: PrrrtTable, event: ev.LapEnded) -> None:
    if event.shame is not None:
        table.shame_deck = after(table.shame_deck, 1)
        table.up = (*table.up, event.shame)
    if event.lap < LAPS:
        table.lap += 1
        return
    table.asker = table.asked = None
    table.pointed = (False,) * table.seats
    table.targets = (UNSET,) * table.seats
    table.open(questions.Pointing())


def _pointed(table: PrrrtTable, event: ev.Pointed) -> None:
    table.pointed = put(table.pointed, event.seat, True)
    table.targets = put(table.targets, event.seat, event.player)


def _hands_shown(table: PrrrtTable, event: ev.HandsShown) -> None:
    table.close()
    table.hands = event.hands
    table.targets = event.points


def _verdict(table: PrrrtTable, event: ev.Verdict) -> None:
    points = tuple([None if target is UNSET else target for target in table.targets])
    table.reveal = Reveal(event.totals, points, event.culprit, event.because, event.charged)
    table.pointed = table.targets = ()


def _centre_taken(table: PrrrtTable, event: ev.CentreTaken) -> None:
    pile = joined(joined(table.piles[event.seat], event.up), event.down)
    table.piles = put(table.piles, event.seat, pile)
    table.up = ()
    table.down = nothing_like(table.down)


def _shame_charged(table: PrrrtTable, event: ev.ShameCharged) -> None:
    table.shame_deck = after(table.shame_deck, count(event.cards))
    pile = joined(table.piles[event.seat], event.cards)
    table.piles = put(table.piles, event.seat, pile)


def _marker_drawn(table: PrrrtTable, event: ev.MarkerDrawn) -> None:  # noqa: ARG001
    table.last_round = True


def _round_ended(table: PrrrtTable, event: ev.RoundEnded) -> None:
    table.played = (*table.played, event.location)
    table.location = table.asker = table.asked = None
    table.lap = 0
    table.first = event.first
    table.open(questions.TurningLocation(event.first))


def _scores_changed(table: PrrrtTable, event: ev.ScoresChanged) -> None:
    table.scores = event.points


def _piles_opened(table: PrrrtTable, event: ev.PilesOpened) -> None:
    table.piles = event.piles


def _game_ended(table: PrrrtTable, event: ev.GameEnded) -> None:
    table.close()
    table.over = True
    table.masters = event.masters
    table.points = event.points


FOLDS: dict[type[Event], Callable[[Any, Any], None]] = {
    ev.DecksShuffled: _decks_shuffled,
    ev.FirstPlayerChosen: _first_player_chosen,
    ev.LocationTurned: _location_turned,
    ev.ShameLaid: _shame_laid,
    ev.SmellShuffled: _smell_shuffled,
    ev.Dealt: _dealt,
    ev.QuestionDue: _question_due,
    ev.Asked: _asked,
    ev.OwnedUp: _owned_up,
    ev.Denied: _denied,
    ev.CardRevealed: _card_revealed,
    ev.EffectBegan: _effect_began,
    ev.EffectVoid: _effect_void,
    ev.Chosen: _chosen,
    ev.ShameMoved: _shame_moved,
    ev.HandTaken: _hand_taken,
    ev.HandGiven: _hand_given,
    ev.FiveSwapped: _five_swapped,
    ev.HandDiscarded: _hand_discarded,
    ev.LapEnded: _lap_ended,
    ev.Pointed: _pointed,
    ev.HandsShown: _hands_shown,
    ev.Verdict: _verdict,
    ev.CentreTaken: _centre_taken,
    ev.ShameCharged: _shame_charged,
    ev.MarkerDrawn: _marker_drawn,
    ev.RoundEnded: _round_ended,
    ev.ScoresChanged: _scores_changed,
    ev.PilesOpened: _piles_opened,
    ev.GameEnded: _game_ended,
}
"""Every event and what it does to a table, whoever's table it is."""
