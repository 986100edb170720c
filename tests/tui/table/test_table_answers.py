"""What a table's screen remembers of the questions that were put to it."""

from __future__ import annotations

from net.room import ChatLine, Notice
from tui.table.answers import Answers
from tui.table.beside import Beside


def test_a_question_that_was_answered_is_not_asked_again_until_it_is_refused() -> None:
    answers = Answers()
    answers.send(7, "a1")
    assert answers.given(7)
    assert answers.waits(7)
    assert not answers.waits(8)
    assert answers.refused("a1")
    assert not answers.given(7)
    assert answers.waits(7), "it isn't thrown at whoever reads why"
    answers.bring_back()
    assert not answers.waits(7)


def test_what_was_said_beside_a_question_leaves_its_answer_alone() -> None:
    answers = Answers()
    answers.send(7, "a1")
    assert not answers.refused("a2")
    assert answers.given(7)


def test_a_question_put_aside_to_talk_comes_back_once() -> None:
    answers = Answers()
    answers.put_aside(7, to_talk=True)
    assert answers.waits(7)
    assert answers.have_talked()
    assert not answers.waits(7)
    assert not answers.have_talked()
    answers.put_aside(8, to_talk=False)
    assert not answers.have_talked()
    assert answers.waits(8)


def test_what_was_said_and_noted_is_told_once() -> None:
    beside = Beside()
    chat = (ChatLine(1, "Ada", 0, "hello"), ChatLine(2, "Bruno", 1, "\x1b[2Joh"))
    notices = (Notice(1, "joined", {"name": "Ada", "seat": 0}), Notice(2, "from_the_future", {}))
    lines = beside.news(chat[:1], notices, "prrrt")
    assert [(line.text, line.kind) for line in lines] == [
        ("Ada sat down.", "room"),
        ("Ada: hello", "talk"),
    ]
    assert [line.text for line in beside.news(chat, notices, "prrrt")] == ["Bruno: [2Joh"]
    beside.restart()
    assert len(beside.news(chat, notices, "prrrt")) == 3
