"""Names and lines as people may see them: clean, short, counted."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.illegal import Refused
from net.board import (
    CHAT_LENGTH,
    LINES_IN_A_ROW,
    NOTICES_KEPT,
    REFILL,
    SPECTATORS_IN_A_ROW,
    Chat,
    Notices,
)
from net.names import NAME_LENGTH, clean_name, clean_text, clean_title, unlike
from net.visible import MARKS, visible


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace\t", "Ada Lovelace"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Ａｄａ", "Ada"),
        ("李雷", "李雷"),
        ("a\u0301\u0301\u0301\u0301", "á\u0301"),
        ("\u0301a", "a"),
        ("A\x1b]0;x\x07da", "A0;xda"),
        ("[red]Ada[/]", "redAda/"),
        ("Ada\u200d\ufe0f👻", "Ada"),
        ("\u202eadA", "adA"),
        ("A\u00adda\u2028B", "Ada B"),
        ("A\u034fd\U000e0100a\u180b\u3164\uffa0", "Ada"),
        ("A\u115fd\u2800a\U000e0041", "Ada"),
        ("Zoe\u034f\u0308", "Zoë"),
        ("a" + "\u0e47" * 20, "a\u0e47\u0e47"),
        ("a" + "\u0903" * 20, "a\u0903\u0903\u0903"),
        ("a \u0e47b", "a b"),
        ("\u1112\u1161\u11ab", "한"),
        ("\ud55c" + "\u1161" * 20, "한"),
        ("ผู้", "ผู้"),
        ("น้ำ", "น้ํา"),
        ("ज़ीं", "\u091c\u093c\u0940\u0902"),
        ("Nguyễn", "Nguyễn"),
        ("Ada\U0001f3fd", "Ada"),
    ],
)
def test_a_name_is_what_a_terminal_can_show(given: str, shown: str) -> None:
    assert clean_name(given) == shown


@pytest.mark.parametrize(
    "nothing",
    [
        "\u3164",
        "\u115f\u1160",
        "\u2800",
        "\u0e47",
        "\u0903",
        "\u034f \U000e0100",
        "\u17b4",
        "\U00013441",
    ],
)
def test_a_name_or_a_title_of_nothing_visible_is_none(nothing: str) -> None:
    with pytest.raises(Refused, match="bad_name"):
        clean_name(nothing)
    with pytest.raises(Refused, match="bad_title"):
        clean_title(nothing)
    with pytest.raises(Refused, match="chat_empty"):
        Chat().say("p", "Ada", 0, nothing, now=0.0)


@given(
    st.text(
        st.sampled_from(
            "Aaé \u0301\u0308\u034f\u0903\u09c7\u09be\u0e47\u1100\u1161\u11a8가"
            "\u3164👻\u00a0\ufb01Å\u212b"
        )
    )
)
def test_what_was_cleaned_stays_as_it_is_and_shows_all_it_has(text: str) -> None:
    once = clean_text(text)
    assert clean_text(once) == once
    assert visible(once) == once
    longest = max(
        (len(run) for run in re.findall("[\u0301\u0308\u0903\u09be\u09c7\u0e47]+", once)), default=0
    )
    assert longest <= MARKS


@pytest.mark.parametrize(
    "other",
    [
        "ada l",
        "ADAL",
        "A d a L",
        "Ａｄａ　Ｌ",
        "Ada\u2003L",
        "Ada\u034f L",
        "ᴬda L",
        "Аdа L",
        "ΑDA L",
    ],
)
def test_names_that_look_the_same_are_told_apart(other: str) -> None:
    name = unlike(clean_name(other), ["Ada L"])
    assert name.endswith(" 2")
    assert unlike(clean_name(other), ["Ada L", name]).endswith(" 3")


def test_a_number_behind_a_name_makes_no_twin() -> None:
    assert unlike("Ada", ["Ada", "Ada2"]) == "Ada 3"


def test_a_name_has_a_length() -> None:
    assert clean_name("x" * NAME_LENGTH) == "x" * NAME_LENGTH
    with pytest.raises(Refused) as refused:
        clean_name("x" * (NAME_LENGTH + 1))
    assert refused.value.facts["most"] == NAME_LENGTH


def test_a_suffix_keeps_within_the_length() -> None:
    taken = ["x" * NAME_LENGTH]
    for number in range(2, 15):
        name = unlike("x" * NAME_LENGTH, taken)
        assert name.endswith(f" {number}")
        assert len(name) <= NAME_LENGTH
        taken.append(name)


def test_a_huge_text_costs_nothing() -> None:
    assert len(clean_text("a\u0301" * 10**6)) <= 4000


def test_chat_numbers_its_lines_and_slows_down_who_never_stops() -> None:
    chat = Chat()
    for number in range(LINES_IN_A_ROW):
        chat.say("p", "Ada", 0, f"line {number}", now=100.0)
    with pytest.raises(Refused, match="chat_fast"):
        chat.say("p", "Ada", 0, "more", now=100.1)
    chat.say("q", "Bob", 1, "me too", now=100.1)
    chat.say("p", "Ada", 0, "more", now=100.0 + LINES_IN_A_ROW * REFILL)
    assert [line.number for line in chat.lines] == list(range(1, LINES_IN_A_ROW + 3))
    again = Chat(chat.lines)
    again.say("p", "Ada", 0, "after a restart", now=0.0)
    assert again.lines[-1].number == chat.lines[-1].number + 1


def test_many_spectators_are_no_flood_and_silence_no_seat() -> None:
    chat = Chat()
    said = 0
    for number in range(100):
        with contextlib.suppress(Refused):
            chat.say(f"eve-{number}", "", None, "hello", now=100.0)
            said += 1
    assert said == SPECTATORS_IN_A_ROW
    chat.say("ada", "Ada", 0, "quiet, please", now=100.0)
    with pytest.raises(Refused, match="chat_fast"):
        chat.say("somebody new", "", None, "hello", now=100.0 + REFILL / 2)
    chat.say("somebody new", "", None, "hello", now=100.0 + REFILL)


def test_chat_refuses_what_is_no_line() -> None:
    chat = Chat()
    for text, code in ((" \x00 ", "chat_empty"), ("x" * (CHAT_LENGTH + 1), "chat_long")):
        with pytest.raises(Refused, match=code):
            chat.say("p", "Ada", 0, text, now=0.0)
    assert not chat.lines


def test_notices_forget_the_oldest_but_not_their_numbers() -> None:
    notices = Notices()
    for _ in range(NOTICES_KEPT + 5):
        notices.post("joined", name="Ada")
    numbers = [notice.number for notice in notices.newest]
    assert numbers == list(range(6, NOTICES_KEPT + 6))
