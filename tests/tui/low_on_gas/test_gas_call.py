"""The call of "low on gas": inside its window, from anywhere, with a card, and out of time."""

from __future__ import annotations

import pytest
from textual.command import CommandList
from textual.widgets import Input

from core.low_on_gas.actions import Draw, LowOnGas, Play
from tui.low_on_gas.colour import ColourDialog
from tui.table.log import GameLog


@pytest.fixture
def two_left(gas_match):
    """Our turn with two cards, a yellow 9 (or a wild) and a blue one; the top is yellow."""

    def make(*, plays="y9", keeps="b8", **options):
        ours = f"r1 r2 r3 r4 r5 {plays} {keeps}"
        match = gas_match(ours, "r6 r7 r8 r10 y5 p1 p2", top="r9", pile="p3 p4 p5", **options)
        return match.play_cards("r1 r6 r2 r7 r3 r8 r4 r10 r5 y5")

    return make


@pytest.fixture
def one_left(two_left):
    """We have played a card without a word and one is left; the other one's turn."""
    return lambda **options: two_left(**options).play((0, Play("y9")))


async def test_inside_the_window_one_key_calls(one_left, at_table) -> None:
    async with at_table(one_left()) as at:
        assert at.footer["g"] == "Low on gas!"
        assert "g:" in at.words
        await at.press("g")
        assert at.sent == [LowOnGas()]
        await at.let_it_happen()
        assert "g" not in at.footer
        assert any("Low on gas" in line.text for line in at.table.query_one(GameLog).told)


@pytest.mark.parametrize(
    "way",
    [("question_mark",), ("o",), ("B",), ("q",), ("l",), ("question_mark", "r"), ("o", "1")],
    ids=" ".join,
)
async def test_the_key_calls_whatever_lies_over_the_table(
    one_left, at_table, two_chapters, way
) -> None:
    async with at_table(one_left()) as at:
        await at.press(*way)
        there = at.screen
        assert at.footer["g"] == "Low on gas!"
        await at.press("g")
        assert at.sent == [LowOnGas()]
        assert at.screen is there, "what was open stays open"


async def test_the_window_that_opens_meanwhile_is_in_the_footer_of_what_is_open(
    two_left, at_table
) -> None:
    match = two_left()
    async with at_table(match) as at:
        await at.press("question_mark")
        match.play((0, Play("y9")))  # a bot of ours, say
        await at.tell()
        assert at.footer["g"] == "Low on gas!"
        match.play((1, Draw()))
        await at.tell()
        assert at.footer["g"] == "Low on gas!", "who only draws closes no window"


async def test_whoever_types_has_another_key_for_it(one_left, at_table) -> None:
    async with at_table(one_left()) as at:
        await at.press("c", "g", "o")
        chat = at.table.query_one("#chat", Input)
        assert chat.value == "go"
        assert at.footer["Ctrl+G"] == "Low on gas!"
        await at.press("ctrl+g")
        assert at.sent == [LowOnGas()]
        assert chat.value == "go"


async def test_the_palette_calls_too_by_its_line_and_by_the_key(one_left, at_table, until) -> None:
    async with at_table(one_left()) as at:
        await at.press("question_mark", "ctrl+p", *"low on")
        found = at.screen.query_one(CommandList)
        await until(at.pilot, lambda: found.option_count == 1)
        await at.press("ctrl+g")
        assert at.sent == [LowOnGas()]
        await at.press("enter")
        assert at.sent == [LowOnGas()] * 2


async def test_the_call_goes_with_the_card(two_left, at_table) -> None:
    async with at_table(two_left()) as at:
        assert at.footer["g"] == "Low on gas!"
        await at.press("g")
        assert "goes with your card" in at.words
        await at.press("g")
        assert "goes with your card" not in at.words
        await at.press("g", "space")
        assert at.sent == [Play("y9", call=True)]
        await at.let_it_happen()
        assert at.match.game.view(0).table.called == (True, False)


async def test_the_call_goes_with_a_wild_before_its_colour_or_amid_it(two_left, at_table) -> None:
    async with at_table(two_left(plays="M")) as at:
        await at.press("space", "g")
        assert isinstance(at.screen, ColourDialog)
        assert "Low on gas" in str(at.screen.query_one("#box").border_title)
        await at.press("escape", "space", "r")
        assert at.sent == [Play("M", "red", call=True)]


async def test_a_call_on_the_heels_of_a_card_waits_for_it_to_lie(two_left, at_table) -> None:
    async with at_table(two_left()) as at:
        await at.press("space", "g")
        assert at.sent == [Play("y9")]
        at.match.play((0, Play("y9")))
        await at.tell()
        assert at.sent[1:] == [LowOnGas()]


async def test_a_call_beside_an_answer_leaves_that_alone(one_left, at_table) -> None:
    match = one_left().play((1, Draw()))
    assert match.game.waited_for() == (0,)
    async with at_table(match) as at:
        await at.press("space")
        answered = at.sent[0]
        await at.press("g")
        assert at.sent == [answered, LowOnGas()]
        await at.press("space")
        assert at.sent == [answered, LowOnGas()], "the answer is still on its way"


async def test_outside_its_window_the_table_says_why_not(two_left, at_table) -> None:
    async with at_table(two_left(you=1)) as at:
        assert "g" not in at.footer
        await at.press("g")
        assert at.sent == [LowOnGas()]
        await at.let_it_happen()
        assert "2 cards" in at.words or "hold 2" in at.words


async def test_who_calls_at_the_last_moment_can_play_the_last_card(one_left, at_table) -> None:
    match = one_left(keeps="b9").play((1, Draw()))
    async with at_table(match) as at:
        assert "say low on gas first" in at.words
        await at.press("g")
        await at.let_it_happen()
        assert "last card" in at.words
        await at.press("space")
        assert at.sent == [LowOnGas(), Play("b9")]


async def test_a_card_that_waits_at_the_host_is_not_played_again(two_left, at_table) -> None:
    match = two_left()
    async with at_table(match) as at:
        match.held = True  # played before we were here again, perhaps
        await at.tell(catching_up=True)
        await at.press("space")
        assert at.sent == []
        match.held = False
        await at.tell()
        await at.press("space")
        assert at.sent == [Play("y9")]
