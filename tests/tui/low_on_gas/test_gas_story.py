"""What the log, the status line and the help tell of Low on Gas, without an app."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from rich.cells import cell_len

from core.kernel.chance import Chance, Fair1, Scripted
from core.kernel.event import Event
from core.low_on_gas import actions as do
from core.low_on_gas import events as e
from core.low_on_gas.cards import CARDS
from core.low_on_gas.view import GasOffer
from core.registry import GAMES
from net.room import Room, SeatInfo
from net.updates import Seen
from tui.low_on_gas.moment import moment
from tui.low_on_gas.screen import card_words
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.status import status
from tui.low_on_gas.story import sum_words, tell
from tui.table.story import Names
from tui.words import say

NAMES = Names(("Ada", "Bruno", "Camille"), me=0)
LONG = tuple(f"{'W' * 23}{seat}" for seat in range(7))
"""As long as names get."""


class Match:
    """A match under way, and how one seat or a spectator sees it."""

    def __init__(
        self,
        players: int = 3,
        seed: int = 1,
        you: int | None = 0,
        names: Sequence[str] = NAMES.names,
        deck: Sequence[str] = (),
        **options: Any,
    ) -> None:
        self.rules = GAMES["low-on-gas"]
        chosen = self.rules.check_options({"dealer": players - 1, **options}, players)
        chance: Chance = Fair1(b"story %d" % seed)
        if deck:
            chance = Scripted({"deck/1": tuple(deck)}, self.rules.labels(players, chosen))
        self.game = self.rules.start(players, chosen, chance)
        self.you, self.names = you, Names(tuple(names[:players]), you)
        self.rng = random.Random(seed)
        self.room: dict[str, Any] = {
            "table": "T",
            "title": "",
            "game": "low-on-gas",
            "phase": "playing",
            "players": players,
            "options": chosen,
            "seats": tuple(SeatInfo(name) for name in self.names.names),
            "you": you,
            "owner": 0,
        }
        self.told = -1

    def sight(self) -> GasSight:
        game = self.game
        view = game.view(self.you)
        seen = Seen(game.actions + 1, game.question, view, Room(**self.room), ())
        sight = GasSight.of(seen)
        assert sight is not None
        return sight

    def news(self) -> tuple[Event, ...]:
        news = self.game.shown(self.you, self.told)
        self.told = self.game.actions
        return news

    def act(self, seat: int, *actions: Any) -> list[str]:
        """Let a seat do something, and return what is told of it."""
        before = self.sight()
        self.news()
        for action in actions:
            self.game.act(seat, action)
        return [line.text for line in tell(self.news(), self.names, before)]

    def step(self, calls: float) -> None:
        """Let somebody do anything legal; a call is made as often as `calls` says, from 0 to 1."""
        may = {seat: self.game.view(seat).offers for seat in self.game.awaiting()}
        low = [seat for seat, offers in may.items() if any(o.do == "low_on_gas" for o in offers)]
        if low and self.rng.random() < calls:
            self.game.act(low[0], do.LowOnGas())
            return
        (seat,) = self.game.waited_for()
        offer = self.rng.choice([each for each in may[seat] if each.do != "low_on_gas"])
        ways = [
            action
            for action in self.rules.actions(offer)
            if not (isinstance(action, do.Play) and action.call)
        ]
        self.game.act(seat, self.rng.choice(ways))


def told(*events: Event, names: Names = NAMES) -> list[str]:
    return [line.text for line in tell(events, names)]


def test_each_card_makes_its_noise():
    assert told(e.Played(1, "r7")) == ["Bruno plays the red Duck: quack!"]
    assert told(e.Played(0, "pB")) == ["You play the purple Baked Beans: poot-poot-poot"]
    assert told(e.Played(1, "S", "blue")) == ["Bruno lets go a Silent But Deadly: ... Now blue."]
    assert told(e.Played(0, "M", "red")) == ["You light a Match: fssssht! Now red."]
    assert told(e.Played(0, "M")) == ["You light a last Match: fssssht!"]
    assert told(e.StartTurned("b5", ("M", "rC"))) == [
        "2 specials went under the draw pile first.",
        "On top to begin: the blue Foghorn. BWOOORP!",
    ]
    assert told(e.StartTurned("M"))[0].endswith("Any card fits.")
    assert told(e.StartTurned("rC"))[0].endswith("burble... Nobody owes for it.")


def test_a_total_grows_with_the_sum_that_made_it():
    chain = [
        e.Played(0, "rC"),
        e.TurnCame(1),
        e.Drew(1, 1, "owed"),
        e.PickedUp(1, 1),
        e.Played(1, "bC"),
        e.TurnCame(2),
        e.Drew(2, 2, "owed"),
        e.PickedUp(2, 2),
        e.Played(2, "S", "red"),
        e.TurnCame(0),
    ]
    lines = told(*chain)
    assert [line for line in lines if "owe" in line] == [
        "Bruno owes 1.",
        "1+1: Camille owes 2.",
        "1+1+5: you owe 7.",
    ]
    assert told(*chain, e.Played(0, "M", "red"), e.TurnCame(1))[-1] == (
        "Up in smoke: the 7 that you owed."
    )
    assert sum_words((2,) * 9) == "…+2+2+2+2+2"


def test_a_total_goes_on_from_the_table_that_was_seen_before():
    deck = ("rC", "r1", "r2", "r3", "r4", "r5", "r6", "bC", "b1", "b2", "b3", "b4", "b5", "b6")
    match = Match(2, names=("Ada", "Bruno"), deck=(*deck, "r8", "y1", "M"))
    assert match.act(0, do.Play("rC"))[-1] == "Bruno owes 1."
    assert match.act(1, do.PickUp()) == ["Bruno picks up 1."]
    assert match.act(1, do.Play("bC"))[-1] == "1+1: you owe 2."
    assert status(match.sight()).text == "You owe 2 (1+1): Space picks up."
    assert match.act(0, do.PickUp())[0].startswith("You pick up 2: M, ")
    after_drawing = match.act(0, do.Play("M", "blue"))
    assert after_drawing == ["You light a Match: fssssht! Now blue."]


def test_one_draw_is_one_line_though_a_shuffle_lies_between():
    parts = (e.Drew(1, 3, "owed"), e.Reshuffled(9), e.Drew(1, 4, "owed"), e.PickedUp(1, 7))
    assert told(*parts) == [
        "Bruno picks up 7.",
        "The draw pile is empty: 9 discards shuffled into it.",
    ]
    assert told(e.Drew(0, ("r7",), "owed"), e.Reshuffled(2), e.Drew(0, ("M", "pB"), "owed"))[0] == (
        "You pick up 3: R7, M, P+2."
    )
    assert told(e.Drew(1, 2, "owed"), e.Drew(1, 2, "penalty")) == [
        "Bruno picks up 2.",
        "Bruno draws 2 for not calling.",
    ]
    assert told(e.Waived(0, 1, "unable"), e.TurnEnded(0)) == [
        "Nothing is left to draw: you are let off 1 card."
    ]
    assert told(e.Drew(1, 1, "owed"), e.Waived(1, 4, "owed")) == [
        "Bruno picks up 1.",
        "Nothing is left to draw: Bruno is let off 4 cards.",
    ]
    most = told(e.Drew(0, ("p10",) * 33, "owed"))
    assert cell_len(most[0]) <= 78


def test_what_a_drawn_card_leads_to_is_told_with_it():
    assert told(e.Drew(1, 1, "unable"), e.DrawnFits(1)) == [
        "Bruno draws a card. It fits, so it must go."
    ]
    assert told(e.Drew(0, ("r7",), "unable"), e.Reshuffled(3), e.TurnEnded(0)) == [
        "You draw the red Duck, and still can't play.",
        "The draw pile is empty: 3 discards shuffled into it.",
    ]


def test_a_call_is_heard_and_a_forgotten_one_is_caught():
    assert told(e.Played(1, "r7", called=True))[1] == "Bruno: “Low on gas!”"
    assert told(e.Called(0)) == ["You: “Low on gas!”"]
    assert told(e.LastCardRefused(1, "y10"), e.Drew(1, 2, "penalty"), e.TurnEnded(1)) == [
        "Bruno slips the last card out without a word.",
        "Caught! It stays in the hand: the yellow Creaker.",
        "Bruno draws 2 for not calling.",
    ]
    assert told(e.WindowOpened(0)) == ["One card again for you: it may be called."]


def test_a_single_game_has_no_match_to_speak_of():
    assert told(e.GameWon(1, 0), e.MatchWon(0)) == ["You have let it all go and win!"]
    assert told(e.GameWon(3, 1), e.DealerChosen(4, 0), e.DealDue(0)) == [
        "Bruno has let it all go and wins game 3!",
        "Next to deal: you.",
    ]
    assert told(e.GameWon(3, 1), e.MatchWon(1))[-1] == "Bruno wins the match!"


def test_names_and_cards_of_others_are_data():
    names = Names(("[b]A{n}\x1b[2J", "Bruno"), me=1)
    assert told(e.Played(0, "r7"), names=names) == ["[b]A{n}[2J plays the red Duck: quack!"]
    assert told(e.Dealt(0, 7), e.Drew(0, 2, "owed"), names=names) == ["[b]A{n}[2J picks up 2."]


def moments(match: Match, calls: float) -> Iterator[tuple[GasSight, list[str]]]:
    """Yield every moment of a match, with all that is said at it."""
    before: GasSight | None = None
    while True:
        sight = match.sight()
        lines = [line.text for line in tell(match.news(), match.names, before)]
        said = [status(sight), status(sight, asking=True), status(sight, waiting=True)]
        yield sight, [*lines, *(each.text for each in said)]
        if match.game.over:
            return
        before = sight
        match.step(calls)


@pytest.mark.parametrize("players", [2, 3, 7])
@pytest.mark.parametrize("you", [0, None])
@pytest.mark.parametrize(
    "options", [{}, {"discard_stands": True, "wins": 2}, {"pass_it_on": True, "wins": 2}]
)
def test_a_whole_match_can_be_told_and_every_moment_has_status_and_help(players, you, options):
    match = Match(players, seed=players, you=you, names=LONG, **options)
    for sight, lines in moments(match, calls=0.5):
        for line in lines:
            assert line
            assert cell_len(line) <= 78
            assert not re.search(r"\bof you\b|\b[Yy]ou('s| is| has| was)\b|\b[Yy]ou \w+s\b", line)
        said = status(sight)
        assert said.mine == bool(sight.view.offers or sight.view.over)
        topics = moment(sight)
        assert len({topic.title for topic in topics}) == len(topics)
        assert all(line for topic in topics for line in topic.lines)


def at(phase: str = "play", *offers: GasOffer, hand: Sequence[str] = (), **table: Any) -> GasSight:
    """Return a table of three at a moment of our choice, seen by its first seat."""
    sight = Match(3).sight()
    facts = {"turn": 0, "hands": (tuple(hand), 3, 3), **table}
    view = structs.replace(
        sight.view, phase=phase, offers=offers, table=structs.replace(sight.table, **facts)
    )
    return replace(sight, view=view)


PLAY = GasOffer("play", cards=("r7",), take=1)
MATCH = GasOffer("play", cards=("M",), take=1, ask_colour=("M",))
CALL = GasOffer("low_on_gas")
OWED = {"owed": 7, "sum": (1, 1, 5)}


@pytest.mark.parametrize(
    ("sight", "text"),
    [
        (at("play", PLAY, hand=("r7", "b1", "b2")), "Your turn: play a card that fits."),
        (
            at("play", structs.replace(PLAY, call=True), hand=("r7", "b1")),
            "Your turn. After this card one is left: g says low on gas.",
        ),
        (at("play", PLAY, hand=("r7",)), "Your turn: play your last card, and you have won."),
        (
            at("play", structs.replace(PLAY, costs=2), hand=("r7",)),
            "Your last card, uncalled: trying it is a must, and costs 2.",
        ),
        (
            at("play", structs.replace(PLAY, costs=2), CALL, hand=("r7",)),
            "g: say low on gas first! Then your last card may go.",
        ),
        (at("play", GasOffer("draw"), hand=("r7",)), "Nothing fits: Space draws a card."),
        (
            at("play", GasOffer("draw"), draw_pile=0, discard_pile=1),
            "Nothing fits, nothing is left to draw: Space passes.",
        ),
        (
            at("must_play", PLAY, hand=("b1", "b2", "r7")),
            "You drew the red Duck: Space plays it, it must go.",
        ),
        (
            at("owe", GasOffer("pick_up"), hand=("r7",), **OWED),
            "You owe 7 (1+1+5): Space picks up.",
        ),
        (
            at("owe", MATCH, GasOffer("pick_up"), hand=("M", "r7"), **OWED),
            "You owe 7 (1+1+5): Space picks up, Enter plays a Match.",
        ),
        (
            at("owe", structs.replace(PLAY, cards=("rC",)), GasOffer("pick_up"), **OWED),
            "You owe 7 (1+1+5): Space picks up, Enter passes it on.",
        ),
        (  # the last Match, uncalled, would put out nothing
            at("owe", structs.replace(MATCH, costs=9), GasOffer("pick_up"), hand=("M",), **OWED),
            "You owe 7 (1+1+5): Space picks up.",
        ),
        (
            at("play", CALL, turn=1, hand=("r7",)),
            "One card left! g: say low on gas, before the next card lies.",
        ),
        (at("deal", GasOffer("deal"), turn=None, dealer=0), "You deal the next game: Space."),
        (at("deal", turn=None, dealer=2), "Camille deals the next game."),
        (at("owe", turn=1, owed=2, sum=(2,)), "Bruno owes 2: draws, or a Match."),
    ],
)
def test_the_status_says_what_can_be_done_and_with_which_key(sight, text):
    assert status(sight).text == text
    assert status(sight).mine == bool(sight.view.offers)


def test_the_status_says_for_whose_sake_the_host_lets_our_card_wait():
    sent = at("play", PLAY, hand=("r7", "b1"), windows=(False, True, False))
    assert status(sent, waiting=True).text == say("table.status.sent"), "it may not wait at all"
    held = replace(sent, room=structs.replace(sent.room, held=True))
    assert status(held, waiting=True).text == "Your card waits a moment: Bruno may still call."
    paused = replace(held, room=structs.replace(held.room, paused=True))
    assert "Paused" in status(paused, waiting=True).text


def test_the_status_says_who_is_away_and_whose_bot_plays():
    sight = at("play", turn=1)
    seats = (SeatInfo("Ada"), SeatInfo("Bruno", here=False), SeatInfo("Camille"))
    away = replace(sight, room=structs.replace(sight.room, seats=seats))
    assert "away" in status(away).text
    ours = (SeatInfo("Ada", bot_plays=True), *seats[1:])
    assert "Space" in status(replace(sight, room=structs.replace(sight.room, seats=ours))).text
    watched = replace(sight, room=structs.replace(sight.room, you=None))
    assert status(watched).text == "You watch. Bruno plays."


def test_the_status_knows_whether_a_last_card_goes():
    costly = at("play", structs.replace(PLAY, costs=2), hand=("r7",))
    stands = replace(costly, room=structs.replace(costly.room, options={"discard_stands": True}))
    assert status(stands).text == "Your last card, uncalled: it must go, and costs 2."


def test_help_begins_with_what_is_most_urgent():
    costly = at("play", structs.replace(PLAY, costs=2), CALL, hand=("r7",))
    titles = [topic.title for topic in moment(costly)]
    assert titles[:2] == [say("gas.help.call.title"), say("gas.help.costs.title")]
    stands = replace(costly, room=structs.replace(costly.room, options={"discard_stands": True}))
    assert moment(stands)[1].lines != moment(costly)[1].lines
    owing = at("owe", GasOffer("pick_up"), **OWED)
    assert "7 (1+1+5)" in moment(owing)[0].lines[0]
    passing = replace(owing, room=structs.replace(owing.room, options={"pass_it_on": True}))
    assert "pick-up that fits" in moment(passing)[0].lines[0]


@pytest.mark.parametrize("card", CARDS)
def test_what_a_card_does_has_room_under_the_hand(card):
    words = card_words(card)
    assert len(textwrap.wrap(words, 48)) <= 2, "48 cells and two lines at 80x24"
    assert say("gas.noise." + CARDS[card].kind) in words or CARDS[card].wild


@pytest.mark.parametrize("card", CARDS)
def test_every_card_can_be_told_of_in_the_first_person_and_the_third(card):
    colour = "purple" if CARDS[card].wild else None
    for seat in (0, 1):
        (line,) = told(e.Played(seat, card, colour), names=Names(LONG, me=0))
        assert cell_len(line) <= 78
        (line, *_) = told(e.Drew(seat, (card,) if seat == 0 else 1, "unable"), e.DrawnFits(seat))
        assert cell_len(line) <= 78


def test_the_status_knows_what_else_can_be_done_with_what_is_owed():
    owes = at("owe", turn=1, owed=2, sum=(2,))
    passes = replace(owes, room=structs.replace(owes.room, options={"pass_it_on": True}))
    assert status(passes).text == "Bruno owes 2: draws, or answers it."
