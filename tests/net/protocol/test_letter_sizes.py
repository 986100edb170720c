"""How long a letter is tells nobody at the broker what is in it (issue 4, "Wire audit").

Two tables whose public story is the same, byte for byte, differ in the cards that their seats
hold. Whatever is sealed for a seat, or by it, must be as long at the one as at the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec
import pytest

from core.kernel.action import Action
from core.kernel.chance import Chance
from core.kernel.illegal import Illegal
from core.kernel.rules import Game, Rules
from core.prrrt.actions import Give, Point
from core.registry import GAMES
from net import messages as m
from net import orders
from net.host_game import Dealt, HostGame, OldLine
from net.keys import HostKeys, SeatKeys
from net.lobby import Lobby
from net.mqtt import MqttTransport
from net.seal import Counters, PeerSeal
from net.table import Patience, Table
from net.views import Shown, compose

encode = msgspec.json.encode


@dataclass
class Swapping:
    """Seeded chance, with some cards in each other's places. `asked` is what it was asked."""

    seed: int
    swaps: list[tuple[str, int, int]] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=dict)

    def order(self, label: str, canonical: Any) -> tuple[Any, ...]:
        items = list(canonical)
        self.asked[label] = len(items)
        Random(f"{self.seed} {label}").shuffle(items)
        for where, one, other in self.swaps:
            if where == label:
                items[one], items[other] = items[other], items[one]
        return tuple(items)


DECKS = ("deck/", "reshuffle/", "smell/", "shame")
"""What orders cards that lie face down."""


@dataclass
class Story:
    """A game so far: how it was dealt, and who did what."""

    chance: Swapping
    done: list[tuple[int, Action]]


class Unwritten:
    """A journal that nobody reads."""

    name = None

    def append(self, *line: object) -> None:
        """Forget it."""

    def close(self) -> None:
        """There is nothing to close."""

    def finish(self, result: bytes) -> None:
        """Forget it."""


class Evening:
    """A random game of every number of seats and all options, to be played again up to anywhere."""

    def __init__(self, name: str, seed: int) -> None:
        self.rules, self.seed, rng = GAMES[name], seed, Random(seed)
        self.seats = self.rules.seats[seed % len(self.rules.seats)]
        self.options = self.rules.check_options(
            {
                option.key: rng.choice(option.choices or (False, True))
                for option in self.rules.options
                if option.kind in ("switch", "choice")
            },
            self.seats,
        )
        self.rng = rng
        self.done: list[tuple[int, Action]] = []
        game = self.start(Swapping(seed))
        while not game.over and len(self.done) < 250:
            seat = rng.choice(game.awaiting())
            offers = [o for o in game.view(seat).offers if o.do != "own_up" or rng.random() < 0.1]
            if offers:
                action = rng.choice(list(self.rules.actions(rng.choice(offers))))
                game.act(seat, action)
                self.done.append((seat, action))

    def start(self, chance: Chance) -> Game:
        return self.rules.start(self.seats, self.options, chance)

    def played(self, story: Story) -> Game:
        game = self.start(story.chance)
        for seat, action in story.done:
            game.act(seat, action)
        return game

    def story(self, cut: int) -> Story:
        return Story(Swapping(self.seed), self.done[:cut])

    def twin(self, cut: int, attempts: int = 20) -> Story:
        """Return another story that is the very same to the public: other cards, other secrets."""
        twin = self.story(cut)
        told = public(self.played(twin))
        for _ in range(attempts):
            changed = (
                self.dealt_otherwise(twin) if self.rng.random() < 0.8 else self.done_otherwise(twin)
            )
            try:
                if public(self.played(changed)) == told:
                    twin = changed
            except Illegal:
                continue
        return twin

    def dealt_otherwise(self, story: Story) -> Story:
        asked = {k: n for k, n in story.chance.asked.items() if n > 1 and k.startswith(DECKS)}
        label = self.rng.choice(list(asked)[-3:] + [k for k in asked if k == "shame"])
        swap = (label, *self.rng.sample(range(asked[label]), 2))
        return Story(Swapping(self.seed, [*story.chance.swaps, swap]), story.done)

    def done_otherwise(self, story: Story) -> Story:
        at = max(0, len(story.done) - self.rng.randint(1, self.seats))
        game = self.played(Story(story.chance, story.done[:at]))
        seat = story.done[at][0]
        action = self.rng.choice(list(self.rules.actions(self.rng.choice(game.view(seat).offers))))
        return Story(story.chance, [*story.done[:at], (seat, action), *story.done[at + 1 :]])

    def table(self, story: Story) -> Table:
        """Return a table of people at which this has happened."""
        table = Table(
            Lobby(self.rules, self.seats, dict(self.options)),
            None,
            table_id="t",
            title="Cellar",
            level="easy",
            patience=Patience(turn=60),
            now=lambda: 0.0,
        )
        for seat in range(self.seats):
            table.sit(f"Guest {seat}", "person", f"peer {seat}", b"key")
        game = HostGame(self.rules, Dealt(self.start(story.chance), Unwritten()), 1, self.seats)
        game.replay([OldLine(seat, action, None) for seat, action in story.done])
        table.play(game)
        return table


def public(game: Game) -> bytes:
    """Return all that a spectator was shown."""
    return encode(game.view(None)) + encode(game.shown(None, -1))


def twins(name: str, seeds: range, moments: int) -> Iterator[tuple[Table, Table, int, int]]:
    """Yield pairs of tables that look the same from outside, and how far they have come."""
    for seed in seeds:
        evening = Evening(name, seed)
        cuts = range(1, len(evening.done) + 1)
        secret = [cut for cut in cuts if isinstance(evening.done[cut - 1][1], Point | Give)]
        chosen = evening.rng.sample(cuts, min(moments, len(cuts)))
        for cut in chosen + evening.rng.sample(secret, len(secret) // 12):
            plain, twin = evening.table(evening.story(cut)), evening.table(evening.twin(cut))
            yield plain, twin, evening.seats, cut


def pages(table: Table, seat: int, since: int, answers: tuple[m.Answer, ...] = ()) -> list[int]:
    """Return the bytes of each page that brings a seat from there to the newest view."""
    shown, sizes = Shown(1, since), []
    while not sizes or shown.n < table.game.actions:
        sizes.append(len(encode(compose(table, seat, shown, answers, 0))))
    return sizes


TELLING = {"prrrt": range(5, 9), "low-on-gas": range(2, 6)}
"""Evenings with twins whose letters would be longer or shorter if nothing was done about it."""


def other_lengths(one: Table, other: Table, seats: int) -> list[int]:
    """Return the seats that would tell by the length of their history that they hold others."""

    def told(table: Table, seat: int) -> int:
        return sum(len(event) for step in table.game.steps(seat, -1) for event in step)

    return [seat for seat in range(seats) if told(one, seat) != told(other, seat)]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_views_length_follows_from_what_everybody_knows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest view and the whole history of a seat, at tables that deal it other cards."""
    monkeypatch.setattr("net.blanks.whole_steps", None)  # for games with longer cards than ours
    seen: Counter[str] = Counter()
    for one, other, seats, cut in twins(name, TELLING[name], 4):
        seen["other lengths"] += len(other_lengths(one, other, seats))
        for seat in range(seats):
            seen["other cards"] += one.game.view(seat) != other.game.view(seat)
            for since in (-1, cut - 1):
                assert pages(one, seat, since) == pages(other, seat, since)
    assert seen["other cards"] > 20
    assert seen["other lengths"] > 2


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_page_of_history_is_cut_where_everybody_knows(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How much of a history fits doesn't depend on which cards are in it."""
    tried = 0
    for one, other, seats, _ in twins(name, range(4, 7), 4):
        for seat in other_lengths(one, other, seats)[:1]:
            for most in range(4000, 4300, 4):
                monkeypatch.setattr("net.views.MAX_LETTER", most)
                mine = pages(one, seat, -1)
                assert mine == pages(other, seat, -1)
                tried += len(mine) > 1
    assert tried > 50


DONE = m.Answer("0123456789abcdef-1")
REFUSALS = {
    "done": DONE,
    "refused": m.Answer("0123456789abcdef-1", "not_your_turn", {"seat": 1, "awaiting": (2,)}),
    "with cards": m.Answer(
        "0123456789abcdef-1", "must_play", {"cards": ("M",) * 20, "awaiting": (1,), "may": ("a",)}
    ),
}


@pytest.mark.parametrize("answer", sorted(REFUSALS))
def test_an_answer_makes_no_view_longer(answer: str) -> None:
    """Whether something was asked, done or refused (for the cards one holds) isn't to be seen.

    Of several in one view, only how many they are.
    """
    evening = Evening("low-on-gas", 3)
    table = evening.table(evening.story(40))
    assert pages(table, 0, 39, (REFUSALS[answer],)) == pages(table, 0, 39)
    assert pages(table, 0, 39, (REFUSALS[answer],) * 7) == pages(table, 0, 39, (DONE,) * 7)


def test_whether_ones_action_waits_makes_no_view_longer() -> None:
    """F44: that somebody has acted already is nobody else's business."""
    evening = Evening("low-on-gas", 3)
    table = evening.table(evening.story(40))
    (seat,) = table.game.waited_for
    plain = pages(table, seat, 39)
    table.fair._waiting[seat] = []
    table._watch_clock()
    held = compose(table, seat, Shown(1, 39), (), 0)
    assert held.room.held
    assert held.room.clock is None
    assert pages(table, seat, 39) == plain


@pytest.mark.parametrize("name", sorted(GAMES))
def test_whatever_a_seat_does_its_letter_is_as_long_as_a_heartbeat(name: str) -> None:
    """Only words take more room, a question's and the chat's, and those are for everybody."""
    keys, host = SeatKeys.new(), HostKeys.new()
    seal = PeerSeal(keys, host.public, Counters())

    def size(body: m.Up, number: int = 10**6) -> int:
        return len(
            seal.seal(
                m.UpLetter(
                    table=host.table_id,
                    peer=keys.peer_id,
                    epoch="e" * 32,
                    session="s" * 32,
                    counter=number,
                    body=body,
                )
            )
        )

    aid, before = f"{'a' * 16}-12345", f"{'a' * 16}-12344"
    done = {action for seed in range(6) for _, action in Evening(name, seed).done}
    assert len(done) > 40
    letters = [m.Act(aid, 99, 99_999, msgspec.Raw(encode(action)), before) for action in done]
    beats = [m.Beat(0), m.Beat(10**6, (aid,) * 8), m.Sync(99, 99_999), m.Ready("n" * 32), m.Leave()]
    assert {size(body) for body in (*letters, *beats)} == {size(m.Beat(1), 1)}


class Dealing:
    """Deals a story's cards to the table that plays it."""

    def __init__(self, chance: Swapping) -> None:
        self.chance = chance

    def deal(self, rules: Rules, options: Any, names: tuple[str, ...]) -> Dealt:
        return Dealt(rules.start(len(names), options, self.chance), Unwritten())


class Lengths:
    """Somebody at the broker who hears how long everything is, and on which topic."""

    def __init__(self, line: Any) -> None:
        self.line = line
        self.heard: list[tuple[str, int]] = []
        self.marks = 0

    async def since(self) -> list[tuple[str, int]]:
        """Return what was heard since the last time, all that the broker had by now."""
        self.marks += 1
        await self.line.publish("ears", b"%d" % self.marks)
        while True:
            topic, payload = await self.line.receive()
            if topic == "ears" and payload == b"%d" % self.marks:
                heard, self.heard = self.heard, []
                return heard
            self.heard.append((topic, len(payload)))


async def traffic(
    party: Any, eventually: Any, real_broker: Any, ears: Lengths, evening: Evening, story: Story
) -> list[Counter[tuple[str, int]]]:
    """Play a story at a table of people, and return what each action brought on the wire.

    Clocks stand still, so that nothing is said only because time passes.
    """
    host_line = await MqttTransport.open(real_broker.host_line.address)
    table = party(
        evening.rules,
        broker=real_broker,
        host_line=host_line,
        players=evening.seats,
        options=evening.options,
        speed=0.0,
    )
    table.table._dealer = Dealing(story.chance)
    guests = [await table.seat(f"Guest {seat}") for seat in range(evening.seats)]
    names = {guest.keys.peer_id: f"seat {seat}" for seat, guest in enumerate(guests)}
    names[table.keys.table_id] = "the table"

    async def everybody_knows(actions: int) -> None:
        for guest in guests:
            await guest.sees(lambda seen: seen.game is not None and seen.game.actions == actions)
        awaited = [guests[seat].keys.peer_id for seat in table.table.game.awaiting]
        sessions = [session for peer, session in table.host.door.live() if peer.id in awaited]
        await eventually(lambda: all(each.confirmed >= each.shown.rev for each in sessions))

    assert await guests[0].answered(guests[0].client.order(orders.Start())) is None
    await everybody_knows(0)
    await ears.since()
    told = []
    for number, (seat, action) in enumerate(story.done):
        assert await guests[seat].answered(guests[seat].client.act(action)) is None
        await everybody_knows(number + 1)
        steps: Counter[tuple[str, int]] = Counter()
        for topic, size in await ears.since():
            steps["/".join(names.get(part, part) for part in topic.split("/")), size] += 1
        told.append(steps)
    await table.close()
    await host_line.close()
    await ears.since()
    return told


@pytest.mark.parametrize("name", sorted(GAMES))
async def test_twins_make_the_same_traffic(
    party: Any,
    eventually: Any,
    real_broker: Any,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    """Same public story, other hands: at each action as many letters, as long, on the same topics.

    Nothing that a client or the host says by itself depends on what a seat holds.
    """
    monkeypatch.setattr("net.fair_moment.AT_LEAST", 0.0)  # no time passes here
    monkeypatch.setattr("net.fair_moment.LONGEST_TRIP", 0.0)
    ears = Lengths(await real_broker.line())
    await ears.line.subscribe("#")
    evening = Evening(name, 1)
    story, twin = evening.story(20), evening.twin(20, attempts=60)
    assert story != twin
    first = await traffic(party, eventually, real_broker, ears, evening, story)
    second = await traffic(party, eventually, real_broker, ears, evening, twin)
    assert all(sum(step.values()) > evening.seats for step in first)
    assert first == second
