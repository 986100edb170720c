"""The next round and the end: P-R47 to P-R55, P-R74 and P67 to P77."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

FIVE = ["work/lift", "home/car", "travelling/tent", "public/museum", "couple/duvet"]
NINE = [
    "work/lift",
    "work/office",
    "home/car",
    "home/sunday-lunch",
    "travelling/tent",
    "travelling/night-train",
    "public/cinema",
    "public/museum",
    "couple/dinner",
]


def test_the_location_joins_those_before(play):
    """P-R47, P73: open to all, oldest first, and nobody's."""
    p = play(3, locations=FIVE)
    for n in range(1, 4):
        p.confession()
        assert p.view(None).table.played == tuple(FIVE[:n])
        assert p.table.location is None


def test_the_culprit_opens_the_next_round(plain):
    """P-R48, P-R49: seat 0 was the culprit, turns the next Location, lays and deals."""
    p = plain(4, first=2, locations=FIVE).turn().lap(3).points(None, None, None, None)
    assert (p.phase, p.actor, p.table.first) == ("turn_location", 0, 0)
    for seat in (1, 2, 3):
        p.refused("turn_location", by=seat)
    p.turn()
    assert (p.table.round, p.table.location, p.table.asker) == (2, "home/car", 0)
    assert [len(hand) for hand in p.table.hands] == [5] * 4


def test_five_contexts_in_five_rounds(play):
    """P-R50, P-R52, P29, P-TV12: W H T P C, every round owned up."""
    p = play(3, locations=FIVE)
    for n in range(5):
        assert not p.over
        assert p.table.round == n
        p.confession()
    assert p.over
    assert (p.phase, p.game.awaiting()) == ("over", ())
    assert p.table.played == tuple(FIVE)
    assert p.table.last_round is False  # that is the marker's flag and nothing else


def test_five_contexts_in_nine_rounds(play):
    """P-R50, P-R52, P72, P-TV12: W W H H T T P P C, the longest there is."""
    p = play(3, locations=NINE)
    for _ in range(9):
        assert not p.over
        p.confession()
    assert p.over
    assert len(p.table.played) == 9


def test_the_fifth_context_is_played_to_its_end(play):
    """P70: turning the Location ends nothing."""
    p = play(3, locations=FIVE)
    for _ in range(4):
        p.confession()
    p.turn()
    assert not p.over
    p.denial()
    assert not p.over
    p.ask().own_up()
    assert p.over


@pytest.mark.parametrize("seed", range(20))
def test_five_to_nine_rounds_and_a_location_left(play, seed):
    """P-R52, P10, P72: in any order of the ten Locations."""
    places = list(play(3).chance.asked["locations"])
    Random(seed).shuffle(places)
    p = play(3, locations=places)
    rounds = 0
    while not p.over:
        p.confession()
        rounds += 1
    assert 5 <= rounds <= 9
    contexts = [place.split("/")[0] for place in places[:rounds]]
    assert len(set(contexts)) == 5
    assert len(set(contexts[:-1])) == 4


def all_wrong(p):
    """A whole round in which everybody denies and points at somebody wrong (seat 0 is guilty)."""
    return p.turn().lap(3).points(1, *[2 if s == 1 else 1 for s in range(1, p.seats)])


def test_the_marker_as_a_penalty(plain):
    """P-R51, P69, P71, P-TV5: the very last card of a round; that round was the last."""
    p = plain(7, locations=["work/lift", "work/office", "home/car", "home/sunday-lunch", *NINE[4:]])
    # Fingers that cost exactly so many cards that the 52nd is the last of round 5.
    drawn = 0
    for round_, place_cards in enumerate((3, 2, 2, 3, 2), 1):
        wanted = 52 - drawn - place_cards - 2 if round_ == 5 else 6
        drawn += place_cards + 2 + wanted
        fingers = [1 if s < wanted else None for s in range(7)]
        if wanted > 1:
            fingers[1] = 2
        p.turn().lap(3)
        assert p.table.last_round is False
        p.points(*fingers)
    assert 64 - p.table.shame_left == drawn == 52
    assert p.table.last_round is True
    assert p.over


def test_the_marker_in_the_centre(plain):
    """P-R51, P69: laid with the Location, and the round is still played whole."""
    p = plain(7, third_lap_shame=True, locations=[NINE[0], NINE[3], NINE[6], NINE[7], NINE[5]])
    p.turn().lap(3).points(1, 2, 1, 1, 1, 1, None)  # twelve cards, then three times thirteen
    for _ in range(3):
        all_wrong(p)
    assert (p.table.shame_left, p.table.last_round) == (13, False)
    p.turn()
    assert (p.table.shame_left, p.table.last_round) == (10, True)
    p.lap(3)
    assert not p.over
    p.points(*[None] * 7)
    assert p.over


def test_four_rounds_with_a_third_lap_card(plain):
    """P68: seven players, thirteen cards a round: the last finger of round 4 draws the 52nd."""
    p = plain(7, third_lap_shame=True, locations=[NINE[0], NINE[3], NINE[6], NINE[7], NINE[5]])
    for _ in range(4):
        assert not p.over
        all_wrong(p)
    assert p.table.shame_left == 12
    assert p.over


def test_the_marker_in_a_lap(plain):
    """P-R51, P69: drawn as the card of a lap; both laps left are played, then it's over."""
    p = plain(7, locations=[NINE[0], NINE[3], NINE[6], NINE[7], NINE[5]])
    for _ in range(4):
        all_wrong(p)
    p.turn()
    assert (p.table.shame_left, p.table.last_round) == (13, False)
    p.lap()
    assert (p.table.shame_left, p.table.last_round) == (12, True)
    p.lap(2)
    assert not p.over
    p.points(*[None] * 7)
    assert p.over
    assert len({place.split("/")[0] for place in p.table.played}) == 4


def test_the_marker_and_a_confession(plain):
    """P-R51, P69: owning up ends the last round like any other, and the game."""
    p = plain(7, locations=[NINE[0], NINE[3], NINE[6], NINE[7], NINE[5]])
    for _ in range(4):
        all_wrong(p)
    p.turn().lap().ask().own_up()
    assert p.over
    assert p.result is not None


def test_the_marker_is_a_shame_card_like_others(plain):
    """P69, P13: it has a value of its own and goes to a pile."""
    shame = [1] * 7 + [2] * 7 + [3] * 7 + [4] * 7 + [5] * 6 + [6] * 6 + [7] * 6 + [8] * 5 + [10]
    p = plain(7, shame=shame, locations=[NINE[0], NINE[3], NINE[6], NINE[7], NINE[5]])
    for _ in range(4):
        all_wrong(p)
    p.turn().lap()
    assert p.table.centre.up[-1] == 10
    p.ask().own_up()
    assert 10 in p.table.piles[p.table.first]


def test_both_ends_in_one_round(plain):
    """P71: the marker and the fifth context together end it once."""
    p = plain(7, locations=[NINE[0], NINE[3], NINE[5], NINE[7], "couple/dinner"])
    for _ in range(4):
        all_wrong(p)
    p.turn().lap(3)
    assert p.table.last_round
    p.points(*[None] * 7)
    assert p.over
    assert [type(e).__name__ for e in p.events()].count("GameEnded") == 1


@pytest.mark.parametrize(("third", "fewest"), [(False, 5), (True, 4)])
@pytest.mark.parametrize("seed", range(8))
def test_the_shame_deck_never_runs_out(plain, third, fewest, seed):
    """P67, P68, B20: the most expensive rounds there are, in any order of Locations."""
    places = list(plain(3).chance.asked["locations"])
    Random(seed).shuffle(places)
    p = plain(7, locations=places, third_lap_shame=third)
    rounds = 0
    while not p.over:
        all_wrong(p)
        rounds += 1
        drawn = sum(len(pile) for pile in p.table.piles)
        assert drawn + p.table.shame_left == 64
        assert p.table.reveal.charged == (1, 1, 1, 1, 1, 1, 1)
    assert rounds >= fewest
    assert p.table.shame_left >= 0


def test_worst_case_after_the_marker(play):
    """P67: the marker is the 52nd; a round draws at most its Location's cards, 3 and 7 more."""
    places = play(3).chance.asked["locations"]
    most = 0
    for place in places:
        centre = play(7, locations=[place], third_lap_shame=True).turn().table.centre
        most = max(most, len(centre.up) + len(centre.down))
    assert most == 3
    assert 51 + most + 3 + 7 <= 64


def test_points_and_the_master(play):
    """P-R53, P-R54, P-R55, P75: sums of piles; most is the loser, and the order is all there."""
    shame = [10, 9, 8, 1, 2, 3, 4, 5, 6, 7, 1, 2]
    p = play(3, locations=FIVE, shame=shame)
    for _ in range(5):
        p.confession()
    # lift: seat 1 took 27; car: seat 0 took 3; tent: seat 1 took 7; museum: 2 took 18; duvet: 0 3
    assert p.result.points == (6, 34, 18)
    assert p.result.masters == (1,)
    assert [sum(pile) for pile in p.table.piles] == [6, 34, 18]


def test_a_shared_title(play):
    """P74, B49: the same number of points, the same crown."""
    shame = [1, 1, 1, 4, 3, 4, 4, 2, 2, 2, 2, 2]
    p = play(3, locations=FIVE, shame=shame)
    for _ in range(5):
        p.confession()
    assert p.result.points == (11, 11, 6)
    assert p.result.masters == (0, 1)


def test_nothing_is_possible_after_the_end(play):
    """P-R50, B35: the game is over for everybody."""
    p = play(3, locations=FIVE)
    for _ in range(5):
        p.confession()
    for seat in range(3):
        assert p.may(seat) == ()
        p.refused("turn_location", by=seat)
        p.refused("ask", by=seat)
        p.refused("point", by=seat, player=None)


def test_piles_open_at_the_end(play):
    """P76: hidden from others all game long, open when it's over."""
    p = play(3, locations=FIVE)
    for _ in range(4):
        p.confession()
    assert all(isinstance(pile, int) for pile in p.view(None).table.piles)
    p.confession()
    for viewer in (0, 1, 2, None):
        assert p.view(viewer).table.piles == p.table.piles


def test_open_scores(play):
    """P76: with the option everybody sees points, the piles stay closed."""
    p = play(3, locations=FIVE, shame=[10, 9, 8], open_scores=True).confession()
    for viewer in (0, 2, None):
        table = p.view(viewer).table
        assert table.scores == (0, 27, 0)
        assert table.piles == tuple(() if s == viewer else 3 * (s == 1) for s in range(3))


@pytest.mark.parametrize("deck", ["rulebook", "deodorant"])
def test_every_card_is_in_one_place(play, deck):
    """P-R74: 64 Shame and 10 Location cards, and no Smell card twice, at every moment."""
    p = play(7, smell_deck=deck, locations=NINE)
    rng = Random(7)
    while not p.over:
        seat = rng.choice(p.game.awaiting())
        offer = p.offer(rng.choice(p.may(seat)), by=seat)
        p.send(offer.do, seat, **pick(offer, rng))
        table = p.table
        shame = [*table.centre.up, *table.centre.down, *(c for pile in table.piles for c in pile)]
        assert len(shame) + table.shame_left == 64
        assert not Counter(shame) - Counter(p.chance.asked["shame"])
        if table.round:
            stacks = (*table.hands, *table.rows, *table.discards)
            smell = Counter(card for stack in stacks for card in stack)
            assert smell.total() == 35
            assert not smell - Counter(p.chance.asked["smell/1"])
        places = [*table.played, *([table.location] if table.location else [])]
        assert places == NINE[: len(places)]
    assert p.result is not None


def pick(offer, rng):
    """The further keys of one action that an offer allows."""
    keys: dict[str, object] = {}
    if offer.pairs:
        keys["player"], keys["card"] = rng.choice(offer.pairs)
    elif offer.players:
        keys["player"] = rng.choice(offer.players)
    elif offer.slots:
        keys["slots"] = rng.sample(range(offer.slots), offer.take)
    elif offer.cards:
        keys["cards"] = rng.sample(offer.cards, offer.take)
    return keys
