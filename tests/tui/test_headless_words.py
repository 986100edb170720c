"""What a table without a screen says to whoever looks at its terminal."""

from __future__ import annotations

from net.happenings import Stopped
from tui.headless import _in_words


def test_a_table_says_at_its_end_what_was_dropped_most_first() -> None:
    said = _in_words(Stopped("signal", {"stale": 1, "unreadable": 20})).splitlines()
    assert len(said) == 2
    assert said[1].startswith("21 messages dropped")
    assert "unreadable 20, stale 1" in said[1]
    assert len(_in_words(Stopped("signal")).splitlines()) == 1


def test_a_table_that_was_started_again_elsewhere_says_so() -> None:
    assert "elsewhere" in _in_words(Stopped("elsewhere"))
    assert "copy" in _in_words(Stopped("elsewhere"))
