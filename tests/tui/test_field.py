"""A line to type into: whatever is typed or pasted, it holds what others will see of it."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App
from textual.widgets import Input

from tui.widgets.field import Field


class OneField(App[None]):
    def compose(self):
        yield Field(max_length=12)


def key(letter: str) -> events.Key:
    return events.Key("x", letter)


@pytest.fixture
async def line():
    async with OneField().run_test() as pilot:

        async def enter(*what: events.Event) -> Input:
            field = pilot.app.query_one(Input)
            for each in what:
                pilot.app.post_message(each)
                await pilot.pause()
            return field

        enter.pilot = pilot
        yield enter


@pytest.mark.parametrize(
    ("pasted", "kept"),
    [
        ("Ada\u202eadA", "AdaadA"),
        ("a\x1b]0;title\x07b", "a]0;titleb"),
        ("tab\there", "tab here"),
        ("zero\u200bwidth", "zerowidth"),
        ("\u202e" * 100 + "short", "short"),
        ("e\u0301t\u00e9", "\u00e9t\u00e9"),
        ("a ", "a "),
    ],
)
async def test_what_is_pasted(line, pasted, kept):
    assert (await line(events.Paste(pasted))).value == kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("a\u202eb", "ab"), ("a b ", "a b "), ("e\u0301t", "\u00e9t"), ("\u200f\u0301", "")],
)
async def test_what_is_typed(line, typed, kept):
    field = await line(*map(key, typed))
    assert field.value == kept
    assert field.cursor_position == len(kept)


async def test_what_goes_into_the_middle_leaves_the_cursor_there(line):
    field = await line(events.Paste("abcd"))
    field.cursor_position = 2
    await line(key("\u202e"), key("x"))
    assert (field.value, field.cursor_position) == ("abxcd", 3)
    field.action_delete_left()
    field.action_delete_right()
    assert (field.value, field.cursor_position) == ("abd", 2)


async def test_a_line_has_its_room_for_what_is_kept(line):
    assert (await line(events.Paste("x" * 13))).value == ""
    assert (await line(events.Paste("\u200b".join("x" * 12)))).value == "x" * 12


@pytest.mark.parametrize(
    ("keys", "kept"),
    [
        (("x", "backspace", "y"), "y"),
        (("x", "y", "ctrl+u", "z"), "z"),
        (("x", "home", "y"), "yx"),
        (("x", "y", "left", "z"), "xzy"),
    ],
)
async def test_keys_count_in_the_order_in_which_they_came(line, until, keys, kept):
    field = await line()
    for each in keys:
        field.app.post_message(events.Key(each, each if len(each) == 1 else None))
    await line()
    await until(line.pilot, lambda: field.value == kept)
