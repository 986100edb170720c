"""Nobody is silenced before they had a moment to speak up (F44), and nobody waits without need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from achoo.questions import Play, Sorry

from core.kernel.illegal import Illegal, Refused
from net.fair_moment import AT_LEAST, LONGEST_TRIP
from net.host_game import Asked
from net.lobby import Lobby
from net.room import Clock
from net.table import Patience, Table
from net.views import Shown, compose

SHY, HASTY = 0, 1
"""Who sneezes first, and whose card would close their moment."""


class Evening:
    """A table where every card makes sneeze: no wire, and a clock that is set by hand."""

    def __init__(self, rules: Any, dealer: Any, kinds: tuple[str, ...], turn: float) -> None:
        self.now = 100.0
        self.dealer = dealer
        self.aids = self.rev = 0
        lobby = Lobby(rules, len(kinds), {"sneeze": 1})
        self.table = Table(
            lobby,
            dealer,
            table_id="t",
            title="Cellar",
            level="easy",
            patience=Patience(turn=turn, think=0),
            now=lambda: self.now,
        )
        for number, kind in enumerate(kinds):
            if kind == "bot":
                self.table.add_bot("easy")
            else:
                self.table.sit(f"Guest {number}", kind, f"peer {number}", b"key")
        self.table.start()

    def seat(self, number: int) -> Any:
        return self.table.lobby.at(number)

    @property
    def done(self) -> list[tuple[int, str]]:
        """The seats that acted, and what they did, as the journal has it."""
        lines = self.dealer.journals[-1].lines
        return [(seat, str(action.__struct_config__.tag)) for seat, action, *_ in lines]

    def card(self, number: int) -> Play:
        view = self.table.game._game.view(number)
        return Play((view.table.hands[number][0],))

    def act(self, number: int, action: Any, question: int | None = None, aid: str = "") -> bool:
        game = self.table.game
        asked = Asked(game.number, game.question if question is None else question)
        if self.seat(number).played_by_bot:
            before = game.actions
            self.table.bot_acts(number, action, asked)
            return bool(game.actions > before)
        self.aids += 1
        return self.table.act(self.seat(number), action, asked, aid or f"aid {self.aids}")

    def show(self, trip: float = 0.2) -> None:
        """Show everybody the game, who say so after their lines' round trip."""
        self.rev += 1
        seats = range(len(self.table.lobby.seats))
        for number in seats:
            self.table.fair.shown(number, self.rev)
        self.now += trip
        for number in seats:
            self.table.fair.confirmed(number, self.rev)

    def clock_told(self, who: int | None) -> Clock | None:
        """Return the clock of the view that somebody would get now."""
        return compose(self.table, who, Shown(), (), 0).room.clock

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.table.tick(watching=True)


MakeEvening = Callable[..., Evening]


@pytest.fixture
def evening(toy: Any, dealer: Any) -> MakeEvening:
    """Return what opens a table at which seat 0 has just sneezed, and was shown that."""

    def make(*kinds: str, turn: float = 30.0, trip: float = 0.2) -> Evening:
        made = Evening(toy, dealer, kinds or ("person", "person", "person"), turn)
        assert made.act(SHY, made.card(SHY))
        made.show(trip)
        return made

    return make


def test_a_card_waits_until_who_sneezed_had_their_moment(evening: MakeEvening) -> None:
    e = evening(trip=0.4)
    assert not e.act(HASTY, e.card(HASTY), aid="hasty")
    e.wait(AT_LEAST + 0.4 - 0.1)
    assert e.done == [(SHY, "play")]
    assert not e.table.fair.settled
    e.wait(0.2)
    assert e.done == [(SHY, "play"), (HASTY, "play")]
    assert [tuple(each) for each in e.table.fair.settled] == [(HASTY, "hasty", None)]


def test_it_waits_no_longer_than_until_they_have_spoken(evening: MakeEvening) -> None:
    e = evening()
    e.act(HASTY, e.card(HASTY))
    e.wait(0.5)
    assert e.act(SHY, Sorry())
    assert e.done == [(SHY, "play"), (SHY, "sorry"), (HASTY, "play")]


def test_who_takes_their_time_anyway_waits_for_nobody(evening: MakeEvening) -> None:
    e = evening()
    e.wait(3)
    assert e.act(HASTY, e.card(HASTY))


@pytest.mark.parametrize("kind", ["bot", "guest_bot"])
def test_bots_need_no_moment(evening: MakeEvening, kind: str) -> None:
    e = evening(kind, "person")
    assert e.act(HASTY, e.card(HASTY))


def test_bots_leave_people_their_moment(evening: MakeEvening) -> None:
    e = evening("person", "bot")
    assert not e.act(HASTY, e.card(HASTY))
    assert HASTY not in e.table.may_act, "it isn't asked again"
    e.wait(3)
    assert e.done[-1] == (HASTY, "play")
    assert not e.table.fair.settled, "nobody is to be told"


def test_nobody_waits_for_who_isnt_here(evening: MakeEvening) -> None:
    e = evening()
    e.table.away(e.seat(SHY))
    assert e.act(HASTY, e.card(HASTY))


def test_nobody_waits_any_longer_for_who_goes(evening: MakeEvening) -> None:
    e = evening()
    e.act(HASTY, e.card(HASTY))
    e.table.away(e.seat(SHY))
    e.wait(0.1)
    assert e.done[-1] == (HASTY, "play")


def test_nobody_is_silenced_by_an_order_that_a_bot_shall_play_for_them(
    evening: MakeEvening,
) -> None:
    """Whose card waits may own the table; who is here hears of it, and may still speak."""
    e = evening()
    e.act(HASTY, e.card(HASTY))
    e.table.seat_to_bot(e.seat(SHY), True, "owner")
    e.wait(0.5)
    assert e.table.act(e.seat(SHY), Sorry(), e.table.game.asked, "sorry")
    assert not e.seat(SHY).played_by_bot
    assert e.done == [(SHY, "play"), (SHY, "sorry"), (HASTY, "play")]


def test_who_is_back_has_the_whole_moment(evening: MakeEvening) -> None:
    e = evening()
    e.table.away(e.seat(SHY))
    e.wait(10)
    e.table.back(e.seat(SHY))
    e.show()
    assert not e.act(HASTY, e.card(HASTY))


def test_who_goes_and_comes_again_holds_nobody_up(evening: MakeEvening) -> None:
    """However soon they are back, before the next look at the clock: a moment has one length."""
    e = evening()
    assert not e.act(HASTY, e.card(HASTY))
    e.table.leave(e.seat(SHY))
    e.table.back(e.seat(SHY))
    assert e.done == [(SHY, "play"), (HASTY, "play")]


def test_on_a_slow_line_what_is_said_may_get_lost_once(evening: MakeEvening) -> None:
    """TCP says it again after about a round trip, and whatever comes behind it waits for that."""
    e = evening(trip=1.6)
    assert not e.act(HASTY, e.card(HASTY))
    e.wait(AT_LEAST + 1.5)
    assert e.act(SHY, Sorry())
    assert e.done == [(SHY, "play"), (SHY, "sorry"), (HASTY, "play")]


def test_a_pretended_slow_line_wins_no_time(evening: MakeEvening) -> None:
    e = evening(trip=LONGEST_TRIP - 0.1)
    assert not e.act(HASTY, e.card(HASTY))
    e.wait(AT_LEAST + 0.2)
    assert e.done == [(SHY, "play"), (HASTY, "play")]


@pytest.mark.parametrize("shown", [True, False])
def test_a_moment_has_an_end_whatever_a_peer_pretends(toy: Any, dealer: Any, shown: bool) -> None:
    e = Evening(toy, dealer, ("person", "person"), 30.0)
    e.act(SHY, e.card(SHY))
    if shown:
        e.table.fair.shown(SHY, 7)
        e.table.fair.confirmed(SHY, 6)
    assert not e.act(HASTY, e.card(HASTY))
    e.wait(AT_LEAST + LONGEST_TRIP - 0.1)
    assert len(e.done) == 1
    e.wait(0.2)
    assert len(e.done) == 2


def test_what_is_not_legal_is_refused_at_once(evening: MakeEvening) -> None:
    e = evening()
    with pytest.raises(Illegal, match="not_in_hand"):
        e.act(HASTY, Play((99,)))
    with pytest.raises(Illegal, match="not_your_turn"):
        e.act(2, e.card(2))
    assert not e.table.fair.waiting


def test_a_second_action_is_none_and_the_same_one_again_neither(evening: MakeEvening) -> None:
    e = evening()
    first, second = e.table.game._game.view(HASTY).table.hands[HASTY][:2]
    assert not e.act(HASTY, Play((first,)), aid="first")
    assert not e.act(HASTY, Play((first,)), aid="first")
    with pytest.raises(Refused, match="held"):
        e.act(HASTY, Play((second,)))
    with pytest.raises(Refused, match="held"):
        e.act(HASTY, Play((99,)))
    e.wait(3)
    assert e.done == [(SHY, "play"), (HASTY, "play")]
    assert e.table.game._game.view(None).table.played[-1] == (HASTY, first)
    assert e.act(HASTY, Play((first,)), aid="first"), "it is done, however often it comes"


def test_who_has_acted_may_speak_up_for_themselves_and_is_heard_right_after(
    evening: MakeEvening,
) -> None:
    """They don't know that their card waits, and say sorry for it at the question they saw."""
    e = evening()
    question = e.table.game.question
    assert not e.act(HASTY, e.card(HASTY), question, aid="card")
    assert not e.act(HASTY, Sorry(), question, aid="sorry")
    e.wait(3)
    assert e.done == [(SHY, "play"), (HASTY, "play"), (HASTY, "sorry")]
    assert [(each.aid, each.refusal) for each in e.table.fair.settled] == [
        ("card", None),
        ("sorry", None),
    ]


def test_who_has_acted_may_speak_up_for_what_was_before(evening: MakeEvening) -> None:
    """Of two players, whose turn it is may have sneezed last."""
    e = evening("person", "person")
    e.table.game._game.sneeze = 1000  # nobody sneezes any more
    assert e.act(HASTY, e.card(HASTY))
    assert e.table.waits_for == (SHY,)
    assert e.table.may_act == (SHY,)
    assert e.act(SHY, Sorry())
    assert e.act(SHY, e.card(SHY))


def test_a_pause_holds_it_and_gives_the_whole_moment_again(evening: MakeEvening) -> None:
    e = evening()
    card = e.card(HASTY)
    e.act(HASTY, card, aid="card")
    e.wait(1)
    e.table.pause(True)
    e.wait(100)
    assert not e.act(HASTY, card, aid="card"), "said again it isn't refused: it waits"
    assert len(e.done) == 1
    e.table.pause(False)
    e.show()
    e.wait(1)
    assert len(e.done) == 1
    e.wait(1)
    assert len(e.done) == 2


def test_the_clock_of_who_has_acted_stands_still(evening: MakeEvening) -> None:
    e = evening(turn=2, trip=0)
    e.wait(1)
    e.act(HASTY, e.card(HASTY))
    assert e.table.clock_running() is None
    e.dealer.journals[-1].broken = True
    e.wait(3)
    assert e.seat(HASTY).stand_in is None
    assert [each.refusal.code for each in e.table.fair.settled] == ["disk"]
    assert e.table.clock_running() == ((HASTY,), 1, 2), "it never happened: they have what was left"


def test_only_who_has_acted_sees_by_the_clock_that_it_waits(evening: MakeEvening) -> None:
    e = evening(turn=9, trip=0)
    e.wait(1)
    assert not e.act(HASTY, e.card(HASTY))
    e.now += 0.5
    told = {who: e.clock_told(who) for who in (SHY, HASTY, 2, None)}
    others = Clock(seats=(HASTY,), left=7.5, total=9)
    assert told == {SHY: others, HASTY: None, 2: others, None: others}


def test_what_the_disk_refuses_never_happened_and_is_done_when_asked_again(
    evening: MakeEvening,
) -> None:
    e = evening()
    card = e.card(HASTY)
    e.act(HASTY, card, aid="card")
    e.dealer.journals[-1].broken = True
    e.wait(3)
    assert e.done == [(SHY, "play")]
    assert [each.refusal.code for each in e.table.fair.settled] == ["disk"]
    e.dealer.journals[-1].broken = False
    e.table.pause(False)
    e.act(HASTY, card, aid="card")
    e.wait(10)
    assert e.done == [(SHY, "play"), (HASTY, "play")]


@pytest.mark.parametrize("how", ["away", "leave", "to_bot", "remove"])
def test_whoever_goes_has_acted_once(evening: MakeEvening, how: str) -> None:
    e = evening()
    e.act(HASTY, e.card(HASTY))
    seat = e.seat(HASTY)
    match how:
        case "away":
            e.table.away(seat)
        case "leave":
            e.table.leave(seat)
        case "to_bot":
            e.table.seat_to_bot(seat, True, "owner")
        case "remove":
            e.table.remove(seat)
    assert HASTY not in e.table.may_act, "no bot acts in their place"
    e.wait(3)
    assert e.done == [(SHY, "play"), (HASTY, "play")]


def test_what_a_bot_was_about_to_do_is_nothing_once_its_person_is_back(
    evening: MakeEvening,
) -> None:
    e = evening()
    seat = e.seat(HASTY)
    e.table.seat_to_bot(seat, True, "owner")
    e.act(HASTY, e.card(HASTY))
    e.table.back(seat)
    e.wait(3)
    assert e.done == [(SHY, "play")]
    assert e.table.clock_running()[0] == (HASTY,)


def test_a_person_who_acts_does_so_instead_of_their_bot(evening: MakeEvening) -> None:
    e = evening()
    seat = e.seat(HASTY)
    e.table.seat_to_bot(seat, True, "owner")
    first, second = e.table.game._game.view(HASTY).table.hands[HASTY][:2]
    e.act(HASTY, Play((first,)))
    with pytest.raises(Illegal, match="not_in_hand"):
        e.table.act(seat, Play((99,)), e.table.game.asked, "wrong")
    assert e.table.fair.waiting == {HASTY}, "what was refused changed nothing"
    assert not e.table.act(seat, Play((second,)), e.table.game.asked, "mine")
    assert seat.stand_in is None
    e.wait(3)
    assert e.table.game._game.view(None).table.played[1:] == ((HASTY, second),)


def test_speaking_up_counts_at_an_older_question_while_one_may(evening: MakeEvening) -> None:
    e = evening()
    e.table.game._game.sneeze = 1000
    said_at = e.table.game.question
    e.act(HASTY, e.card(HASTY))
    e.act(2, e.card(2))
    assert e.table.game.question > said_at
    assert e.act(SHY, Sorry(), said_at)


def test_speaking_up_too_late_is_refused_and_so_is_any_late_card(evening: MakeEvening) -> None:
    e = evening()
    question = e.table.game.question
    e.wait(3)
    e.act(HASTY, e.card(HASTY))
    with pytest.raises(Illegal, match="not_sneezed"):
        e.act(SHY, Sorry(), question)
    with pytest.raises(Refused, match="stale_question"):
        e.act(2, e.card(2), question)
    with pytest.raises(Refused, match="stale_question"):
        e.act(HASTY, Sorry(), question + 1000)


def test_nobody_waits_for_words_and_they_start_no_clock_anew(evening: MakeEvening) -> None:
    e = evening(turn=30, trip=0)
    e.wait(10)
    assert e.table.waits_for == (HASTY,)
    assert e.table.may_act == (SHY, HASTY)
    assert e.table.clock_running() == ((HASTY,), 20, 30)
    e.act(SHY, Sorry())
    assert e.table.clock_running() == ((HASTY,), 20, 30)
    assert e.table.may_act == (HASTY,)


def test_no_clock_runs_for_a_person_who_could_only_speak_up(evening: MakeEvening) -> None:
    e = evening("person", "bot")
    assert SHY in e.table.may_act
    assert e.table.clock_running() is None
    e.wait(1000)
    assert e.seat(SHY).stand_in is None


def test_a_game_that_goes_on_after_a_crash_knows_nothing_of_what_waited(
    evening: MakeEvening,
) -> None:
    e = evening()
    e.act(HASTY, e.card(HASTY), aid="card")
    e.table.play(e.table.game)
    assert not e.table.fair.waiting
    assert not e.act(HASTY, e.card(HASTY), aid="card"), "people who are here have their moment"
    e.wait(10)
    assert len(e.done) == 2


def _crashed(e: Evening) -> None:
    for seat in e.table.lobby.seats:
        seat.here = False
    e.table.people.restarted()
    e.table.play(e.table.game)


def test_who_is_back_first_after_a_crash_silences_nobody_who_is_on_their_way(
    evening: MakeEvening,
) -> None:
    e = evening()
    _crashed(e)
    e.table.back(e.seat(HASTY))
    assert not e.act(HASTY, e.card(HASTY))
    e.wait(4)
    e.table.back(e.seat(SHY))
    e.show()
    e.wait(1)
    assert e.act(SHY, Sorry())
    assert e.done == [(SHY, "play"), (SHY, "sorry"), (HASTY, "play")]


def test_who_does_not_come_back_after_a_crash_is_waited_for_once(evening: MakeEvening) -> None:
    e = evening()
    _crashed(e)
    e.table.back(e.seat(HASTY))
    assert not e.act(HASTY, e.card(HASTY))
    e.wait(AT_LEAST + LONGEST_TRIP + 0.1)
    assert e.done == [(SHY, "play"), (HASTY, "play")]


def test_nobody_plays_for_time_by_a_bot_that_comes_and_goes(evening: MakeEvening) -> None:
    """It never gets to its decision; the time runs on meanwhile, and ends."""
    e = evening(turn=10, trip=0)
    seat = e.seat(HASTY)

    def tease() -> None:
        for _ in range(100):
            e.table.seat_to_bot(seat, True, "self")
            e.wait(0.9)
            e.table.seat_to_bot(seat, False, "self")
            e.wait(0.1)

    with pytest.raises(Refused, match="time_is_up"):
        tease()
    assert e.now < 100 + 2 * 10 + 2
    assert seat.played_by_bot
    e.wait(3)
    assert e.act(HASTY, e.card(HASTY))
    e.table.seat_to_bot(seat, False, "self")
    assert not seat.played_by_bot


def test_who_has_had_their_time_may_still_act_themselves(evening: MakeEvening) -> None:
    e = evening(turn=10, trip=0)
    seat = e.seat(HASTY)
    e.wait(11)
    assert seat.stand_in == "clock"
    e.table.seat_to_bot(seat, False, "self")
    assert e.table.clock_running() == ((HASTY,), 10, 10)
    e.wait(11)
    assert e.table.act(seat, e.card(HASTY), e.table.game.asked, "mine")
    assert not seat.played_by_bot
