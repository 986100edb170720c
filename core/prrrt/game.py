"""How a game of PRRRT goes: rounds, laps, the Revelation, the end.

The questions (`core.prrrt.questions`) say what is waited for, the events
(`core.prrrt.table`) what changes; this is what follows from what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import UNSET

from core.kernel.chance import Chance
from core.kernel.event import Viewer
from core.kernel.game import EventGame, Folds
from core.kernel.hidden import count, faces
from core.kernel.options import OptionValue
from core.prrrt import events as ev
from core.prrrt.cards import (
    CONTEXTS,
    HAND,
    LAPS,
    LOCATIONS,
    MARKER_FROM_BOTTOM,
    SHAME_DECK,
    SMELL_DECKS,
    STEP,
)
from core.prrrt.questions import CHOOSING, Question
from core.prrrt.table import FOLDS, PrrrtTable, blank
from core.prrrt.verdict import culprit_of
from core.prrrt.view import Cards, Centre, Effect, PrrrtResult
from core.prrrt.view import PrrrtTable as TableView


class PrrrtGame(EventGame[PrrrtTable]):
    """A game of PRRRT under way, for three to seven players."""

    name: ClassVar[str] = "prrrt"
    folds: ClassVar[Folds] = FOLDS

    def __init__(self, seats: int, options: Mapping[str, OptionValue], chance: Chance) -> None:
        """Shuffle the decks, once (P-R8, P15), and let somebody be first (P8)."""
        self.open_scores = options["open_scores"] is True
        self.third_lap_shame = options["third_lap_shame"] is True
        self.smell = SMELL_DECKS[str(options["smell_deck"])]
        table = blank(seats, range(seats), open_scores=self.open_scores)
        super().__init__(seats, table, chance)
        first = options["first_player"]
        if not isinstance(first, int):
            first = chance.order("first", range(seats))[0]
        locations = chance.order("locations", tuple(LOCATIONS))
        self.emit(ev.DecksShuffled(locations, chance.order("shame", SHAME_DECK)))
        self.emit(ev.FirstPlayerChosen(first))
        self.close_log()

    # -- a round

    def open_round(self) -> None:
        """Turn the top Location, lay its Shame cards, shuffle and deal (P-R49, P16).

        Who deals in round one is the first player too (P18).
        """
        table = self.table
        smell = self.chance.order(f"smell/{table.round + 1}", self.smell)
        location = LOCATIONS[faces(table.location_deck)[0]]
        first = table.first
        self.emit(ev.LocationTurned(first, location.id, location.direction))
        laid = faces(table.shame_deck)[: location.up + location.down]
        self.emit(ev.ShameLaid(laid[: location.up], laid[location.up :]))
        self._watch_marker()
        self.emit(ev.SmellShuffled(smell))
        for seat in range(self.seats):
            self.emit(ev.Dealt(seat, smell[seat * HAND : (seat + 1) * HAND]))
        self.emit(ev.QuestionDue(first, self._next(first)))

    def flow(self) -> None:
        """A question is settled: the one asked asks the next (P-R26), or the lap ends (P-R27).

        Within a lap everybody is questioned once, the first player last (P19),
        and the same circle goes on in the next (P20).
        """
        table = self.table
        asked = table.asked
        if table.over or asked is None:
            return
        if asked == table.first:
            self._end_lap()
        if not table.questions:
            self.emit(ev.QuestionDue(asked, self._next(asked)))

    def _end_lap(self) -> None:
        """A Shame card, face up (P31), opens laps 2 and 3 (P-R28, P-R29), none the vote (P-R30).

        The option `third_lap_shame` lays one before the vote too (P32).
        """
        table = self.table
        lays = table.lap < LAPS or self.third_lap_shame
        deck = faces(table.shame_deck)
        self.emit(ev.LapEnded(table.lap, deck[0] if lays and deck else None))
        self._watch_marker()

    def _next(self, seat: int) -> int:
        """Return the neighbour in the arrow's direction, the same all round long (P-R16)."""
        return (seat + STEP[self.table.direction]) % self.seats

    def questioned(self) -> tuple[int, ...]:
        """Return the seats in the order in which a lap questions them, first player last."""
        first, step = self.table.first, STEP[self.table.direction]
        return tuple([(first + step * n) % self.seats for n in range(1, self.seats + 1)])

    # -- what an answer leads to

    def own_up(self, seat: int) -> None:
        """Stop the round: the centre is theirs, nothing else is due (P-R20 to P-R22, P27)."""
        self.emit(ev.OwnedUp(seat))
        self._take_centre(seat)
        self._end_round(seat)

    def draw_blind(self, cards: Cards, slots: tuple[int, ...]) -> tuple[int, ...]:
        """Return the positions in `cards` that the drawer's slots show (P30, P41)."""
        table = self.table
        label = f"blind/{table.round}/{table.blind_draws + 1}"
        order = self.chance.order(label, range(count(cards)))
        return tuple([order[slot] for slot in slots])

    def play_effect(self, card: int, seat: int) -> None:
        """Play the effect of a card just revealed before `seat` (P-R25, P-R56).

        Only 3 to 7 have one (P-R6, P3).

        Only here does a card trigger anything (P39). It is not optional (P37),
        and nothing is asked when it can do nothing (P-R60, P-R67, P44, P52).
        """
        if card == 7:
            self.emit(ev.EffectBegan(7, seat))
            self.emit(ev.HandDiscarded(seat, self.table.hands[seat]))
        elif card in CHOOSING:
            void = CHOOSING[card](card, seat).void(self.table)
            self.emit(ev.EffectVoid(card, seat) if void else ev.EffectBegan(card, seat))

    # -- the end of a round

    def reveal(self) -> None:
        """Open all hands (P-R37), find the culprit (P-R39) and let everybody pay (P-R40 to P-R44).

        The culprit takes the centre and a card for each finger at them; then
        whoever pointed at somebody else takes one, the culprit's own finger
        included (P59), in the order of questioning (P61).
        """
        table = self.table
        hands = tuple([faces(hand) for hand in table.hands])
        points = tuple([target if isinstance(target, int) else None for target in table.targets])
        questioned = self.questioned()
        cards = [hand + row for hand, row in zip(hands, table.rows, strict=True)]
        culprit, because = culprit_of(cards, questioned)
        wrong = [seat for seat in questioned if points[seat] not in (None, culprit)]
        bill = [(culprit, points.count(culprit)), *((seat, 1) for seat in wrong)]
        charges = self._charges(bill)
        charged = [0] * self.seats
        for seat, drawn in charges:
            charged[seat] += len(drawn)
        self.emit(ev.HandsShown(hands, points))
        totals = tuple([sum(held) for held in cards])
        self.emit(ev.Verdict(culprit, because, totals, tuple(charged)))
        self._take_centre(culprit)
        for seat, drawn in charges:
            self.emit(ev.ShameCharged(seat, drawn))
            self._watch_marker()
        self._end_round(culprit)

    def _charges(self, bill: list[tuple[int, int]]) -> list[tuple[int, tuple[int, ...]]]:
        """Return who draws which cards of the Shame deck; what it lacks is waived (P67)."""
        deck = faces(self.table.shame_deck)
        charges = []
        for seat, number in bill:
            drawn, deck = deck[:number], deck[number:]
            if drawn:
                charges.append((seat, drawn))
        return charges

    def _take_centre(self, seat: int) -> None:
        self.emit(ev.CentreTaken(seat, self.table.up, self.table.down))

    def _watch_marker(self) -> None:
        """Once the marker is drawn, wherever that happens, the round is the last (P-R51, P69)."""
        table = self.table
        if not table.last_round and count(table.shame_deck) < MARKER_FROM_BOTTOM:
            self.emit(ev.MarkerDrawn())

    def tell_scores(self) -> None:
        """With `open_scores` everybody's points are public (P76)."""
        if self.open_scores:
            self.emit(ev.ScoresChanged(self._points()))

    def _points(self) -> tuple[int, ...]:
        """Return everybody's Shame points (P-R53)."""
        return tuple([sum(faces(pile)) for pile in self.table.piles])

    def _end_round(self, blamed: int) -> None:
        """The culprit or confessor opens the next round (P-R48, P28), unless this was the last.

        That is the one in which the fifth context was played (P-R50, P29) or
        the marker drawn (P-R51), both only when the round is finished (P70).
        """
        table = self.table
        assert table.location is not None
        self.tell_scores()
        self.emit(ev.RoundEnded(table.round, table.location, blamed))
        contexts = {LOCATIONS[location].context for location in table.played}
        if table.last_round or len(contexts) == CONTEXTS:
            self._end_game()

    def _end_game(self) -> None:
        """Most points is Master of the Fart; those who tie for it share the title (P-R54, P74)."""
        points = self._points()
        most = max(points)
        masters = tuple([seat for seat, total in enumerate(points) if total == most])
        self.emit(ev.PilesOpened(tuple([faces(pile) for pile in self.table.piles])))
        self.emit(ev.GameEnded(masters, points))

    # -- what one sees

    def blank(self, viewer: Viewer) -> PrrrtTable:
        """Return the table as `viewer` sees it before anything happened."""
        own = range(0) if viewer is None else range(viewer, viewer + 1)
        return blank(self.seats, own, open_scores=self.open_scores)

    def drawn(self, table: PrrrtTable, viewer: Viewer) -> TableView:
        """Return a table as JSON has it (`journal.md`, "`table`, PRRRT")."""
        # In the order of the fields: msgspec takes five times as long over so many names.
        view = TableView(
            table.round,
            table.lap,
            table.location,
            table.direction if table.location else None,
            table.first,
            table.asker,
            table.asked,
            table.hands,
            table.rows,
            table.piles,
            table.discards,
            Centre(table.up, table.down),
            count(table.shame_deck),
            table.last_round,
            table.played,
            _effect(table),
            table.moved,
            table.reveal,
            UNSET if table.scores is None else table.scores,
            table.pointed,
        )
        if viewer is not None and table.targets:
            view.my_point = table.targets[viewer]
        return view

    def result(self, table: PrrrtTable) -> PrrrtResult | None:
        """Return who is Master of the Fart, once the game is over."""
        return PrrrtResult(table.masters, table.points) if table.over else None

    def clone(self) -> PrrrtGame:
        """Return a copy that plays on alike and shares nothing that changes."""
        copy = super().clone()
        copy.open_scores = self.open_scores
        copy.third_lap_shame = self.third_lap_shame
        copy.smell = self.smell
        return copy


def _effect(table: PrrrtTable) -> Effect | None:
    question = table.questions[-1] if table.questions else None
    return question.effect if isinstance(question, Question) else None
