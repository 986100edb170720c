"""Bots: legal whatever they saw, better than chance, blind to what is hidden, and quick."""

from __future__ import annotations

import statistics
from itertools import product
from random import Random
from time import perf_counter

import msgspec
import pytest

from core.kernel.chance import Fair1
from core.low_on_gas.actions import Draw, LowOnGas, PickUp, Play
from core.low_on_gas.bots import BOTS
from core.low_on_gas.bots.memory import Memory
from core.registry import GAMES

RULES = GAMES["low-on-gas"]
LEVELS = ("easy", "medium", "hard")
OPTIONS = (
    {},
    {"pass_it_on": True, "start_card": "redraw_specials"},
    {"discard_stands": True, "wins": 2},
    {"pass_it_on": True, "discard_stands": True, "dealer": 1},
)


class Table:
    """A game with a bot on every seat. `hears` says what share of the events each is told.

    Who may speak up beside the turn is asked first, once after every action.
    """

    def __init__(self, levels, seed=0, *, hears=1.0, fresh=False, wire=False, **options) -> None:
        seats = len(levels)
        self.game = RULES.start(
            seats, RULES.check_options(options, seats), Fair1(b"bots %d" % seed)
        )
        self.levels = levels
        self.bots = [BOTS[level]() for level in levels]
        self.dice = [Random(f"{seed} dice {seat}") for seat in range(seats)]
        self.chance = Random(f"{seed} ears")
        self.hears, self.fresh, self.wire = hears, fresh, wire
        self.told = -1
        self.said: list = []
        self.took: list[float] = []

    def tell(self) -> None:
        for seat, bot in enumerate(self.bots):
            events = self.game.shown(seat, self.told)
            if self.wire:
                events = RULES.decode_events(msgspec.json.encode(list(events)))
            for event in events:
                if self.hears == 1.0 or self.chance.random() < self.hears:
                    bot.saw(event)
        self.told = self.game.actions

    def asked(self, seat: int) -> bool:
        """Ask one bot and do what it wants; say whether it wanted anything."""
        bot = BOTS[self.levels[seat]]() if self.fresh else self.bots[seat]
        view = self.game.view(seat)
        if self.wire:
            view = RULES.decode_view(msgspec.json.encode(view))
        before = msgspec.json.encode(view)
        began = perf_counter()
        action = bot.choose(view, seat, self.dice[seat])
        self.took.append(perf_counter() - began)
        assert msgspec.json.encode(view) == before, "a bot wrote on its view"
        if action is not None:
            self.game.act(seat, action)  # raises Illegal for what isn't allowed
            self.said.append((seat, action))
        return action is not None

    def step(self) -> None:
        if not self.fresh:
            self.tell()
        (turn,) = self.game.waited_for()
        beside = [seat for seat in self.game.awaiting() if seat != turn]
        if not any(self.asked(seat) for seat in beside):
            assert self.asked(turn), "a bot that is waited for has to do something"

    def play(self):
        while not self.game.over:
            self.step()
        return self

    @property
    def winner(self) -> int:
        return self.game.revealed().result.winner


# Always legal


@pytest.mark.parametrize(("level", "seats"), list(product(LEVELS, range(2, 8))))
def test_always_legal(level, seats):
    """Every option set, seat count and level: no game stops, no action is refused."""
    for seed in range(4):
        options = OPTIONS[(seed + seats) % len(OPTIONS)]
        assert Table([level] * seats, seed, **options).play().winner in range(seats)


@pytest.mark.parametrize("hears", [0.0, 0.5, 0.8])
def test_legal_with_holes_in_the_memory(hears):
    """A bot that came late, or missed events, must not trust what it remembers."""
    for seed, options in enumerate(OPTIONS):
        Table(["hard", "easy", "easy", "hard"], seed, hears=hears, **options).play()


@pytest.mark.parametrize("level", LEVELS)
def test_legal_with_no_memory_at_all(level):
    """Another bot for every single choice: as after a takeover or a resume."""
    for seed, options in enumerate(OPTIONS):
        Table([level] * 4, seed, fresh=True, **options).play()


def test_a_bot_may_be_used_for_another_game():
    """What it remembers of one game is no knowledge about the next, or about another seat."""
    first = Table(["hard"] * 3, 1).play()
    second = Table(["hard"] * 3, 2)
    second.bots = first.bots[1:] + first.bots[:1]
    second.play()


# Worth playing against


@pytest.mark.parametrize(("level", "seats", "share"), [("medium", 4, 0.62), ("hard", 2, 0.62)])
def test_thinking_beats_chance(level, seats, share):
    """Half of the table thinks, places changing: about seven games of ten are theirs."""
    won = 0
    games = 100
    for seed in range(games):
        levels = [(level, "easy")[(seat + seed) % 2] for seat in range(seats)]
        won += levels[Table(levels, seed).play().winner] == level
    assert won > share * games


def test_thinking_beats_chance_that_never_forgets():
    """Not only by the calls that others forget."""
    won = 0
    games = 100
    for seed in range(games):
        levels = [("medium", "easy")[(seat + seed) % 2] for seat in range(4)]
        table = Table(levels, seed)
        table.bots = [
            Careful(bot) if level == "easy" else bot
            for level, bot in zip(levels, table.bots, strict=True)
        ]
        won += levels[table.play().winner] == "medium"
    assert won > 0.57 * games


class Careful:
    """A bot that plays as another one does and calls whenever it can."""

    def __init__(self, bot) -> None:
        self.bot = bot
        self.saw = bot.saw

    def choose(self, view, seat, rng):
        if any(offer.do == "low_on_gas" for offer in view.offers):
            return LowOnGas()
        return self.bot.choose(view, seat, rng)


# Single decisions


def choice(p, level="medium", seat=None, seed=0):
    """What a bot does in a position, told all that its seat saw."""
    seat = p.game.waited_for()[0] if seat is None else seat
    bot = BOTS[level]()
    for event in p.events(seat):
        bot.saw(event)
    return bot.choose(p.view(seat), seat, Random(seed))


BOTH = pytest.mark.parametrize("level", ["medium", "hard"])


@BOTH
def test_calls_with_the_discard(play, level):
    """The call travels with the last card but one, a wild too."""
    assert choice(play("b1 y1", "b2 b3", top="b9"), level) == Play("b1", None, call=True)
    action = choice(play("M y1", "b2 b3", top="r9"), level)
    assert action == Play("M", "yellow", call=True)


@BOTH
def test_calls_whenever_it_still_can(play, level):
    """Whoever played the card: beside somebody's turn and before its own."""
    p = play("b1 b4", "r5 r2", top="b9", pile="r3").plays("b1")
    assert choice(p, level, seat=0) == LowOnGas()
    assert choice(p.draws(), level, seat=0) == LowOnGas()


def test_easy_forgets_now_and_then(play):
    """A quarter of its last cards but one go without a word, and it never makes up for it."""
    p = play("b1 y1", "r5 r2", top="b9", pile="r3")
    said = [choice(p, "easy", seed=seed) for seed in range(200)]
    assert {action.card for action in said} == {"b1"}
    assert 20 < sum(not action.call for action in said) < 90
    p.plays("b1")
    assert {choice(p, "easy", seat=0, seed=seed) for seed in range(20)} == {None}


@pytest.mark.parametrize("level", LEVELS)
def test_says_nothing_when_there_is_nothing_to_say(play, level):
    """A seat that may do nothing is asked by mistake: no harm done."""
    p = play("b1 b2", "b3 b4", top="b9")
    assert choice(p, level, seat=1) is None


@BOTH
def test_burns_much_and_draws_little(play, level):
    """A Match against seven, none against one."""
    p = play("bC y1 y3", "yC r1 r4", "S r2 p3", "M r3 p4", top="b9")
    p.plays("bC").picks_up().plays("yC").picks_up().plays("S", "blue")
    assert choice(p, level).card == "M"
    assert choice(play("bC y1", "M r1", top="b9").plays("bC"), level) == PickUp()


@BOTH
def test_a_match_that_wins_is_played(play, level):
    """The last card, called: against a single card too."""
    p = play("b1 M", "bC r1", top="b9").plays("b1", call=True).plays("bC")
    assert choice(p, level) == Play("M")


@BOTH
def test_a_match_that_would_be_refused_is_not(play, level):
    """Without a call it would cost two more than what is owed."""
    p = play("b1 M", "bC r1", top="b9").plays("b1").plays("bC")
    assert choice(p, level) == PickUp()


@BOTH
def test_passes_it_on(play, level):
    """With the option somebody else may just as well owe it."""
    p = play("bC y1", "bB b1", "b2 b3", top="b9", pass_it_on=True).plays("bC")
    assert choice(p, level) == Play("bB", None, call=True)


@BOTH
def test_keeps_wilds_for_last(play, level):
    """They always go."""
    assert choice(play("M b1", "", top="b9"), level).card == "b1"
    assert choice(play("M S b1 y2 r3", "", top="b9"), level).card == "b1"


@BOTH
def test_selects_the_colour_it_holds_most_of(play, level):
    """So that the next turn finds something."""
    p = play("M y1 y2 y3 r4 p5 p6", "", top="b9", dealer=1)
    assert choice(p, level) == Play("M", "yellow")


@BOTH
@pytest.mark.parametrize("card", ["yC", "yB"])
def test_stops_a_neighbour_who_is_low_on_gas(play, level, card):
    """Whoever has to draw first can't win with the next card."""
    p = play(f"y1 {card}", "M r7", top="r9", pile="p3").draws().plays("M", "yellow", call=True)
    assert p.fitting() == {"y1", card}
    assert choice(p, level).card == card


def test_selects_a_colour_that_the_next_one_lacks(play):
    """Seat 1 drew on yellow and couldn't discard; the medium one has forgotten that."""
    p = play("y1 r1", "b3 b4", "yB p4", top="y9", pile="b6 M M").plays("y1").draws()
    p.plays("yB").picks_up()
    assert choice(p, "hard") == Play("M", "yellow")
    assert choice(p, "medium") == Play("M", "red")


def test_draws_when_it_must(play):
    """There is nothing to weigh then."""
    assert choice(play("y1 r1", "b1 b2", top="b9")) == Draw()


def test_remembers_who_could_not_answer(play):
    """Seat 1 drew on blue and couldn't discard: blue, and no wild, until they draw again."""
    p = play("b1 y2 y3", "r3 r4 r5", "b6 p7 p8", top="b9", pile="r6 r7 r8").plays("b1").draws()
    memory = Memory()
    for event in p.events(0):
        memory.note(event)
    assert memory.lacks == {1: "blue"}
    assert memory.discards[-2:] == ["b9", "b1"]
    assert memory.checked(p.view(0).table).lacks == {1: "blue"}
    p.plays("b6")
    later = Memory()
    for event in p.events(0)[-1:]:
        later.note(event)
    assert later.checked(p.view(0).table).lacks == {}, "it came late, and trusts nothing"


# Blind to what is hidden


@pytest.mark.parametrize("level", LEVELS)
def test_hidden_cards_change_no_choice(play, level):
    """Tables that differ only in what a seat can't see: the same dice, the same choice."""

    def chosen(theirs, pile):
        p = play("bC y1 M b2 b3 p4 r5", theirs, "r7 r8", top="b9", pile=pile)
        return [choice(p, level, seat=0, seed=seed) for seed in range(8)]

    assert chosen("M r1", "p7 p8") == chosen("y7 y8", "S bB")


@pytest.mark.parametrize("level", LEVELS)
def test_what_goes_over_the_wire_is_all_it_needs(level):
    """Views and events as JSON, read back: the same game, move by move."""
    plain = Table([level, "easy", level], 5).play()
    wired = Table([level, "easy", level], 5, wire=True).play()
    assert plain.said == wired.said


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_dice_the_same_game(level):
    """Nothing but the view, the events and the dice it is handed decides."""
    assert Table([level] * 3, 3).play().said == Table([level] * 3, 3).play().said


# Quick


def test_an_answer_is_quick():
    """With seven at the table, against a yardstick of the same run: no slow machine, no luck."""

    def yardstick() -> float:
        """About 5 ms of plain Python on the machine this was written on."""
        began = perf_counter()
        rng = Random(1)
        for _ in range(1000):
            rng.sample(range(31), 15)
        return perf_counter() - began

    table = Table(["hard"] * 7, 4)
    sticks = []
    while not table.game.over:
        if table.game.actions % 20 == 0:
            sticks.append(yardstick())
        table.step()
    assert statistics.median(table.took) < statistics.median(sticks)
