"""Reading and writing journals: the chain, torn ends, damage, and cutting anywhere."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.journal import JournalError, action_line, end_line, first_chain, header_line
from core.kernel.chance import new_fair1, read_chance
from core.registry import GAMES
from core.replay import answer, replay

NAMES = ("Ada", "Zoë", "Ada")
HEADER = (
    b'{"journal":1,"game":"prrrt","seats":["a","b","c"],"chance":{"scheme":"scripted","orders":{}}}'
)
TURN = b'{"seat":0,"do":"turn_location"}'
ASK = b'{"seat":0,"do":"ask"}'


def words(code: str, facts: object) -> str:
    return f"{code}."


def recorded(walk, seed: int = 2, game: str = "prrrt") -> tuple[bytes, list[str]]:
    """A whole game as a host writes it, and the true table after each action as JSON."""
    w = walk(seed, game)
    names = tuple(f"Nose {seat}" for seat in range(w.seats))
    chance = new_fair1("table", bytes([seed]) * 32, w.seats)
    header = header_line(game, names, w.options, chance)
    w.chance = read_chance(
        chance,
        game=game,
        options=w.options,
        names=names,
        labels=w.rules.labels(w.seats, w.options),
    )
    w.game = w.rules.start(w.seats, w.options, w.chance)
    lines, chain = [header], first_chain(header)
    states = [repr(w.game.revealed())]
    for seat, action in w.steps():
        line, chain = action_line(chain, seat, action, aid=f"aid{len(lines)}", by="seat")
        lines.append(line)
    lines.append(end_line(chain, w.game.revealed().result, None))
    again = w.rules.start(w.seats, w.options, w.chance)
    for seat, action in w.done:
        again.act(seat, action)
        states.append(repr(again.revealed()))
    return b"".join(lines), states


@pytest.mark.parametrize("game", GAMES)
def test_what_a_host_writes_is_read_back(game: str, walk) -> None:
    data, states = recorded(walk, game=game)
    replayed = replay(data)
    assert repr(replayed.game.revealed()) == states[-1]
    assert replayed.ended
    assert replayed.whole == len(data)
    assert not replayed.torn
    assert not replayed.unended
    assert replayed.lines[2].aid == "aid3"


@pytest.fixture(scope="module", params=GAMES)
def to_cut(walk, request) -> tuple[bytes, list[str]]:
    return recorded(walk, 7, request.param)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_journal_cut_anywhere_resumes_to_the_same_state(to_cut, data) -> None:
    """What is left after the cut is a beginning; going on from there comes to the same end."""
    journal, states = to_cut
    cut = data.draw(st.integers(journal.index(b"\n"), len(journal)))
    left = journal[:cut]
    replayed = replay(left)
    assert repr(replayed.game.revealed()) == states[replayed.game.actions]
    complete = left.count(b"\n") - 1
    assert replayed.game.actions in (complete, complete + 1, len(states) - 1)
    assert replayed.torn == (replayed.whole < len(left))
    repaired = left[: replayed.whole] + (b"\n" if replayed.unended else b"")
    assert journal.startswith(repaired)
    assert repr(replay(journal).game.revealed()) == states[-1]
    again = replay(repaired)
    assert again.chain == replayed.chain
    assert not again.torn
    assert not again.unended


def test_a_replay_stops_after_n_actions(walk) -> None:
    data, states = recorded(walk)
    for n in (0, 1, 10, len(states) - 1, len(states) + 5):
        replayed = replay(data, upto=n)
        assert replayed.game.actions == min(n, len(states) - 1)
        assert repr(replayed.game.revealed()) == states[replayed.game.actions]


def test_a_changed_line_breaks_the_chain(walk) -> None:
    data, _ = recorded(walk)
    lines = data.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"do":"ask"' in line)
    lines[at] = lines[at].replace(b'"do":"ask"', b'"do":"ask","words":"psst"')
    with pytest.raises(JournalError) as refused:
        replay(b"".join(lines))
    assert (refused.value.code, refused.value.line) == ("broken_chain", at + 1)


def test_a_changed_header_breaks_the_chain(walk) -> None:
    data, _ = recorded(walk)
    with pytest.raises(JournalError) as refused:
        replay(data.replace(b"Nose 0", b"Nase 0", 1))
    assert (refused.value.code, refused.value.line) == ("broken_chain", 2)


def test_the_end_is_checked(walk) -> None:
    data, _ = recorded(walk)
    lines = data.splitlines(keepends=True)
    end = json.loads(lines[-1])["end"]

    def code(last: bytes, before: list[bytes] = lines[:-1]) -> str:
        with pytest.raises(JournalError) as refused:
            replay(b"".join(before) + last)
        assert refused.value.line == len(before) + 1
        return refused.value.code

    def line(**changes: object) -> bytes:
        return json.dumps({"end": {**end, **changes}}).encode() + b"\n"

    assert code(line(chain="00")) == "broken_chain"
    assert code(line(result={"masters": [], "points": []})) == "other_result"
    assert code(b'{"end": null}\n') == "bad_end"
    assert code(lines[-1], lines[:-2]) == "ended_early"
    assert code(TURN, lines) == "after_the_end"


@pytest.mark.parametrize(
    ("data", "line", "code"),
    [
        (b"", 1, "empty_line"),
        (b"\n" + HEADER, 1, "empty_line"),
        (HEADER[:-1], 1, "not_json"),
        (b"[1]\n", 1, "not_an_object"),
        (b"\xef\xbb\xbf" + HEADER, 1, "not_json"),
        (HEADER.replace(b"1", b"2", 1), 1, "unknown_journal"),
        (HEADER.replace(b"1", b"true", 1), 1, "unknown_journal"),
        (HEADER.replace(b"1", b"1.0", 1), 1, "unknown_journal"),
        (HEADER.replace(b"prrrt", b"chess"), 1, "unknown_game"),
        (HEADER.replace(b'"prrrt"', b"7"), 1, "bad_header"),
        (HEADER.replace(b'"a"', b"7"), 1, "bad_header"),
        (HEADER.replace(b'"seats"', b'"chairs"'), 1, "bad_header"),
        (HEADER.replace(b'"chance"', b'"luck"'), 1, "bad_header"),
        (HEADER.replace(b'"scripted"', b'"dice"'), 1, "bad_chance"),
        (HEADER.replace(b'"orders":{}', b'"orders":[]'), 1, "bad_orders"),
        (HEADER.replace(b'"orders":{}', b'"orders":{"lid":[]}'), 1, "unknown_label"),
        (HEADER.replace(b',"c"', b""), 1, "bad_seats"),
        (HEADER.replace(b'"chance"', b'"options":{"wins":1},"chance"'), 1, "unknown_option"),
        (HEADER.replace(b'"chance"', b'"options":{"first_player":3},"chance"'), 1, "bad_option"),
        (HEADER.replace(b'"chance"', b'"options":{"first_player":true},"chance"'), 1, "bad_option"),
        (HEADER.replace(b'"chance"', b'"options":{"open_scores":1},"chance"'), 1, "bad_option"),
        (HEADER.replace(b'"chance"', b'"options":{"smell_deck":"x"},"chance"'), 1, "bad_option"),
        (HEADER.replace(b'"chance"', b'"options":null,"chance"'), 1, "bad_header"),
        (HEADER + b"\n\n" + TURN, 2, "empty_line"),
        (HEADER + b"\n" + TURN + b"\n\n", 3, "empty_line"),
        (HEADER + b"\n{\n" + TURN, 2, "not_json"),
        (HEADER + b"\n" + TURN + b"\n{\n", 3, "not_json"),
        (HEADER + b"\n" + TURN + b"\n12", 3, "not_an_object"),
        (HEADER + b"\n" + TURN + b"\n" + b"[" * 100_000 + b"\n", 3, "not_json"),
        (HEADER + b'\n{"seat":true,"do":"turn_location"}', 2, "missing"),
        (HEADER + b'\n{"seat":0.0,"do":"turn_location"}', 2, "missing"),
        (HEADER + b'\n{"seat":3,"do":"turn_location"}', 2, "no_such_seat"),
        (HEADER + b'\n{"seat":-1,"do":"turn_location"}', 2, "no_such_seat"),
    ],
    ids=itertools.count(),
)
def test_a_bad_file_is_refused_and_the_line_named(data: bytes, line: int, code: str) -> None:
    with pytest.raises(JournalError) as refused:
        replay(data)
    assert (refused.value.code, refused.value.line) == (code, line)


def test_a_torn_end_is_dropped_with_a_warning_and_a_whole_one_counts() -> None:
    torn = answer(HEADER + b"\n" + TURN + b"\n" + ASK[:-1], "everything", reveal=False, words=words)
    assert (torn.status, torn.warning) == (0, "torn_end.")
    assert json.loads(torn.json)["actions"] == 1
    whole = answer(HEADER + b"\n" + TURN + b"\n" + ASK, "everything", reveal=False, words=words)
    assert (whole.status, whole.warning) == (0, None)
    assert json.loads(whole.json)["actions"] == 2
    alone = answer(HEADER, "everything", reveal=False, words=words)
    assert json.loads(alone.json)["actions"] == 0


def test_a_header_may_end_its_options_and_hold_unknown_keys() -> None:
    data = HEADER.replace(b'"chance"', b'"x":1,"options":{},"chance"') + b"\n" + TURN
    assert replay(data).game.actions == 1


def test_bad_blind_chance_is_an_error_of_line_1_when_it_is_asked() -> None:
    header = HEADER.replace(b'"orders":{}', b'"orders":{"blind/1/1":[9]}')
    start = header + b"\n" + TURN + b"\n" + ASK + b'\n{"seat":1,"do":"deny"}\n'
    assert replay(start).game.actions == 3
    illegal = b'{"seat":0,"do":"draw","slots":[5]}\n'
    for line, data in ((5, start + illegal), (1, start + illegal.replace(b"5", b"0"))):
        said = answer(data, "everything", reveal=False, words=words)
        assert said.status == 2
        assert json.loads(said.json)["error"]["line"] == line


def test_the_reason_says_what_would_have_been_legal() -> None:
    def told(code: str, facts) -> str:
        if code == "legal_for":
            return f"seat {facts['seat']} may {facts['may']}"
        return facts["legal"] if code == "legal_now" else f"{code}:"

    data = HEADER + b"\n" + TURN + b"\n" + ASK + b'\n{"seat":2,"do":"own_up"}\n'
    said = answer(data, "everything", reveal=False, words=told)
    assert json.loads(said.json) == {
        "error": {
            "line": 4,
            "seat": 2,
            "do": "own_up",
            "reason": "not_your_turn: seat 1 may deny, own_up",
        }
    }


def test_seat_and_do_of_an_error_are_what_the_line_says_if_it_can() -> None:
    for line, seat, do in (
        (b'{"seat":"0","do":7}', None, None),
        (b'{"do":"fart"}', None, "fart"),
        (b'{"seat":99}', 99, None),
        (b"7", None, None),
    ):
        said = answer(HEADER + b"\n" + line + b"\n", "everything", reveal=False, words=words)
        error = json.loads(said.json)["error"]
        assert (error["line"], error["seat"], error["do"]) == (2, seat, do)


def test_an_unfinished_fair_game_is_opened_only_with_reveal(walk) -> None:
    data, _ = recorded(walk)
    cut = data[: data.rindex(b'{"seat"')]
    closed = answer(cut, "everything", reveal=False, words=words)
    assert closed.status == 2
    assert json.loads(closed.json)["error"]["line"] is None
    assert answer(cut, 0, reveal=False, words=words).status == 2
    assert answer(cut, "everything", reveal=True, words=words).status == 0
    assert answer(data, "everything", reveal=False, words=words).status == 0


def test_views_of_seats_and_spectators() -> None:
    data = HEADER + b"\n" + TURN + b"\n"
    own = json.loads(answer(data, 1, reveal=False, words=words).json)
    assert own["table"]["hands"] == [5, [3, 4, 4, 4, 4], 5]
    nobody = json.loads(answer(data, "spectator", reveal=False, words=words).json)
    assert nobody["table"]["hands"] == [5, 5, 5]
    assert nobody["awaiting"] == [{"seat": 0}]
    for seat in (3, -1):
        said = answer(data, seat, reveal=False, words=words)
        assert said.status == 2
        assert json.loads(said.json)["error"]["line"] is None
