"""What the log, the status line and the help tell, without an app."""

from __future__ import annotations

import re

import pytest
from msgspec import structs

from core.prrrt import events as e
from tui.prrrt.location_bar import bar
from tui.prrrt.moment import moment
from tui.prrrt.result import ranking
from tui.prrrt.revelation import Revelation, draw, reasons, verdict
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.status import status
from tui.prrrt.story import tell
from tui.table.story import Names

NAMES = Names(("Ada", "Bruno", "Camille"), me=0)


def told(*events) -> list[str]:
    return [line.text for line in tell(events, NAMES)]


def test_the_story_says_you_to_the_reader_and_names_to_the_others():
    assert told(e.Asked(1, 0, "Was it you?")) == ["Bruno to you: “Was it you?”"]
    assert told(e.Denied(0, True)) == ["You denied."]
    assert told(e.CardRevealed(1, 0, 8, None)) == ["BRRROOOAAARP!! You drew Bruno's 8."]
    assert told(e.ShameMoved(0, 2, 4, 2)) == ["2 of your Shame cards worth 4 went to Camille."]


def test_faces_are_told_only_where_they_were_shown():
    assert told(e.HandTaken(1, 2, 3, ())) == ["Bruno drew 3 cards from Camille's hand."]
    assert told(e.HandTaken(0, 2, (8, 1, 1), ())) == ["You drew from Camille's hand: 8, 1, 1."]
    assert told(e.Pointed(1)) == ["Bruno pointed."]
    assert told(e.Dealt(1, 5)) == []


def test_no_cards_value_is_taken_for_a_number_of_cards():
    assert told(e.HandGiven(0, 1, (4,))) == ["You gave back to Bruno: 4."]
    assert told(e.CentreTaken(0, (6, 1), (3,))) == [
        "You took the 3 Shame cards of the middle. Face down lay: 3."
    ]
    assert told(e.ShameLaid((6, 1), 1)) == ["Shame in the middle: 6, 1 open, 1 face down."]
    assert told(e.ShameLaid((6, 1), 0)) == ["Shame in the middle: 6, 1."]


def test_words_of_others_cannot_move_the_cursor_or_become_markup():
    (line,) = told(e.Asked(1, 2, "[red]\x1b[2J\nboo"))
    assert line == "Bruno to Camille: “[red][2J boo”"


def test_a_question_of_nothing_visible_is_a_stare():
    assert told(e.Asked(1, 2, "\u3164 \u200b")) == told(e.Asked(1, 2, None))


@pytest.mark.parametrize("players", [3, 7])
@pytest.mark.parametrize("you", [0, 1, None])
def test_a_whole_game_can_be_told_and_every_moment_has_status_help_and_bar(sitting, players, you):
    game = sitting(players, seed=players, you=you, smell_deck="deodorant", third_lap_shame=True)
    while True:
        seen = game.seen()
        sight = PrrrtSight.of(seen)
        names = Names(tuple(info.name for info in sight.room.seats), you)
        said = status(sight)
        assert said.text
        for text in (said.text, *(line.text for line in tell(seen.events, names))):
            assert not re.search(r"\bof you\b|\b[Yy]ou('s| is| has| was)\b", text)
        assert said.mine == bool(sight.view.offers or sight.view.over)
        assert status(sight, asking=True).text
        assert moment(sight)
        for width in (80, 120):
            assert bar(sight, width).cell_len <= width
        revelation = Revelation.of(sight, 5)
        if revelation is not None:
            assert verdict(revelation)
            assert reasons(revelation)
        if game.game.over:
            break
        game.step()


def test_the_status_says_why_not_and_how_long_and_who_is_away(sitting):
    game = sitting(3)
    game.play_until(lambda each: each.game.view(0).phase == "answer" and not each.offer(0, "deny"))
    sight = PrrrtSight.of(game.seen())
    seat = sight.awaited[0]
    assert sight.name(seat) in status(sight).text
    info = game.room["seats"][seat]
    game.room["seats"] = tuple(
        structs.replace(each, here=False) if each is info else each for each in game.room["seats"]
    )
    assert "away" in status(PrrrtSight.of(game.seen())).text
    game.room["paused"] = True
    assert "Paused" in status(PrrrtSight.of(game.seen())).text


def test_a_revelation_builds_up_and_hides_what_is_not_yet_turned(sitting):
    game = sitting(3, seed=2).play_to("point")
    while game.game.view(0).phase == "point":
        game.step()
    revelation = Revelation.of(PrrrtSight.of(game.seen()), taken=4)
    assert revelation is not None
    screens = ["\n".join(draw(revelation, n, 80, 21).text()) for n in range(revelation.steps + 1)]
    totals = [f"={total}" for total in revelation.reveal.totals]
    assert not any(total in screens[1] for total in totals)
    assert all(total in screens[-1] for total in totals)
    assert "☞" not in screens[0]
    assert verdict(revelation) not in screens[-3]
    assert verdict(revelation) in screens[-2]
    assert reasons(revelation)[0] in screens[-1]
    culprit = revelation.seats[-1]
    assert culprit == revelation.reveal.culprit


def test_everybody_pays_what_the_reasons_say(sitting):
    game = sitting(7, seed=1).play_to("point")
    while game.game.view(0).phase == "point":
        game.step()
    revelation = Revelation.of(PrrrtSight.of(game.seen()), taken=5)
    wrong, right = revelation.accusers(False), revelation.accusers(True)
    for seat, charged in enumerate(revelation.reveal.charged):
        own = (len(right) if seat == revelation.reveal.culprit else 0) + (seat in wrong)
        assert charged == own


def test_equal_points_share_a_place():
    assert ranking((5, 5, 1)) == ((1, 2), (2, 0), (2, 1))
