"""Where cards, seats and words lie: pure geometry and drawing, without an app."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.low_on_gas import figures
from tui.low_on_gas.cards import CORNER
from tui.low_on_gas.felt import words
from tui.low_on_gas.hand_layout import lay
from tui.low_on_gas.layout import PANEL_LEAST, on_felt, places
from tui.low_on_gas.table import draw
from tui.table.cards import LARGE, MEDIUM, SMALL
from tui.table.layout import Rect

SCREENS = [(80, 11), (80, 13), (80, 14), (100, 20), (120, 26), (160, 30), (200, 45)]


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_seats_and_felt_lie_apart_and_inside_the_table(players, width, height):
    laid = places(players, width, height)
    blocks = (*laid.seats, laid.felt)
    assert len(laid.seats) == players
    for one, other in combinations(blocks, 2):
        assert not one.meets(other)
    assert_inside(blocks, Rect(0, 0, width, height))


@given(st.integers(32, 72), st.integers(6, 16))
def test_piles_and_words_lie_apart_and_inside_the_felt(width, height):
    felt = Rect(3, 2, width, height)
    laid = on_felt(felt)
    blocks = (laid.pile, laid.top, laid.panel)
    for one, other in combinations(blocks, 2):
        assert not one.meets(other)
    assert_inside(blocks, felt)
    assert laid.panel.width >= PANEL_LEAST


def assert_inside(blocks, around):
    for block in blocks:
        assert around.holds(block.x, block.y)
        assert around.holds(block.right - 1, block.bottom - 1)


def test_the_next_seat_sits_on_the_left_and_the_last_one_on_the_right():
    mine, *others = places(7, 80, 13).seats
    assert mine.y > others[2].y
    assert others[0].x == others[1].x == 0  # F-R6: clockwise
    assert others[0].y > others[1].y
    assert others[2].x < others[3].x
    assert others[-1].right == 80


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_top_card_is_large_wherever_the_table_has_13_lines(width, height):
    laid = on_felt(places(7, width, height).felt)
    assert laid.top_size == (LARGE if height >= 13 else MEDIUM)


@given(st.integers(1, 54), st.integers(5, 200), st.integers(1, 20), st.booleans())
def test_no_corner_of_a_hand_is_covered(count, width, height, apart):
    laid = lay(count, width, height, apart=apart)
    assert len(laid.at) == count
    for (x, y), (next_x, next_y) in zip(laid.at, laid.at[1:], strict=False):
        assert next_y > y or next_x - x >= CORNER
    assert all(x >= 0 and x + laid.size.width <= max(width, 5) for x, _ in laid.at)
    if laid.size != SMALL:
        assert laid.lines <= height


@given(st.integers(1, 54), st.integers(5, 200), st.integers(1, 20), st.booleans())
def test_a_click_on_a_corner_finds_its_card(count, width, height, apart):
    laid = lay(count, width, height, apart=apart)
    assert [laid.slot_at(x + 1, y) for x, y in laid.at] == list(range(count))


@pytest.mark.parametrize(("width", "height"), [(80, 5), (46, 5), (40, 6)])
def test_45_cards_are_seen_at_once(width, height):
    assert lay(45, width, height).lines <= height


def test_a_hand_is_as_large_as_it_can_be():
    assert lay(7, 80, 5).size == MEDIUM
    assert lay(7, 80, 8).size == LARGE
    assert lay(26, 80, 5).size == MEDIUM
    assert lay(27, 80, 5).size == SMALL
    assert lay(45, 80, 10).size == MEDIUM  # in two rows
    assert len({y for _, y in lay(45, 80, 10).at}) == 2


def test_the_drawn_card_lies_apart():
    for width, height in ((80, 8), (80, 5), (80, 3)):
        (first, _), (second, _), (third, _) = lay(3, width, height, apart=True).at
        assert second - first > third - second


def test_up_and_down_lead_to_the_nearest_card_of_the_next_row():
    laid = lay(20, 41, 3)  # ten a row
    assert laid.beside(3, 1) == 13
    assert laid.beside(13, -1) == 3
    assert laid.beside(3, -1) == 3
    assert laid.beside(13, 1) == 13


@given(st.integers(0, 999))
def test_figures_are_as_wide_as_they_say_and_all_different(number):
    for drawn, wide, gap in ((figures.small, 3, 1), (figures.large, 6, 2)):
        lines = drawn(f"+{number}")
        signs = len(str(number)) + 1
        assert {len(line) for line in lines} == {signs * wide + (signs - 1) * gap}
        assert drawn(f"+{number + 1}") != lines


@settings(max_examples=50)
@given(
    width=st.integers(PANEL_LEAST, 26),
    height=st.integers(4, 9),
    sum_=st.lists(st.sampled_from([1, 2, 5]), min_size=1, max_size=20),
    drawn=st.booleans(),
    turn=st.sampled_from([0, 1]),
    name=st.text(max_size=24),
)
def test_what_is_owed_keeps_to_its_room_and_is_always_told(
    gas_sight, width, height, sum_, drawn, turn, name
):
    sight = gas_sight(
        2,
        names=("Camille", name),
        turn=turn,
        phase="play" if drawn else "owe",
        owed=sum(sum_),
        sum=tuple(sum_),
        colour="purple",
        top="S",
    )
    lines = [line for line, _ in words(sight, width, height)]
    assert len(lines) <= height
    assert all(cell_len(line) <= width for line in lines)
    assert any(line.strip() == "◆ P purple" for line in lines)
    told = [line.rstrip() for line in lines]
    forms = (figures.small, figures.large, lambda text: (text,))
    total = f"+{sum(sum_)}"
    assert any(
        all(any(line.startswith(part.rstrip()) for line in told) for part in form(total))
        for form in forms
    )
    does = ("you drew" if drawn else "you owe") if turn == 0 else ("drew" if drawn else "owes")
    assert any(line.endswith(does) for line in told)


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_seven_players_and_all_that_matters_are_shown(gas_sight, width, height):
    sight = gas_sight(
        phase="owe",
        owed=7,
        sum=(1, 1, 5),
        top="S",
        colour="purple",
        held={2: 1, 3: 1, 4: 1, 5: 23},
        called=(2,),
        windows=(3,),
        to_win=3,
        wins=(0, 2, 0, 0, 0, 0, 1),
    )
    drawn = "\n".join(draw(sight, width, height).text())
    for name in ("Camille", "Ada", "Bruno", "Ludovic", "Sandra", "Bot Quiet", "Zoë"):
        assert name in drawn
    for told in ("▶Ada", "owes 7", "next", " 23 ", "LOW ON GAS", "not called!", "1 card!"):
        assert told in drawn
    for told in ("uncalled", "won 2", "clockwise", "◆ P purple", "Ada owes", "1+1+5", "20"):
        assert told in drawn
    big = (figures.small("+7"), figures.large("+7"))
    assert any(all(line.strip() in drawn for line in form) for form in big)


def test_who_really_plays_is_told_beside_any_call(gas_sight):
    for call in ({"called": (5,)}, {"windows": (5,)}, {}):
        drawn = shown(gas_sight(held={5: 1}, bots=(5,), to_win=2, **call))
        assert "bot plays" in drawn


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("players", range(2, 8))
def test_what_is_owed_never_gets_smaller_when_it_grows(gas_sight, players, width, height):
    panel = on_felt(places(players, width, height).felt).panel
    areas = []
    for owed in (1, 2, 9, 10, 33):
        sight = gas_sight(players, phase="owe", owed=owed, sum=(owed,))
        lines = [line for line, _ in words(sight, panel.width, panel.height)]
        areas.append(sum(line.count("█") + line.count("▀") + line.count("▄") for line in lines))
    assert max(areas[:3]) < min(areas[3:])


def test_a_wild_on_top_says_that_the_colour_was_selected(gas_sight):
    assert "selected" in shown(gas_sight(top="M", colour="red"))
    assert "selected" not in shown(gas_sight(top="r7", colour="red"))


@pytest.mark.parametrize(
    ("top", "told"),
    [("r7", "or 7 Duck"), ("b10", "or 10 Creaker"), ("yC", "or +1 Cabbage"), ("pB", "or +2 Beans")],
)
def test_what_else_fits_is_said_beside_the_colour(gas_sight, top, told):
    assert told in shown(gas_sight(top=top))


def test_an_open_colour_and_an_empty_pile_are_said_in_words(gas_sight):
    drawn = shown(gas_sight(top="M", colour=None, draw_pile=0))
    assert "any colour" in drawn
    assert "none" in drawn


def test_who_has_drawn_what_was_owed_is_said(gas_sight):
    assert "Ada drew" in shown(gas_sight(owed=2, sum=(2,), phase="play"))
    assert "you owe" in shown(gas_sight(owed=2, sum=(2,), phase="owe", turn=0))
    assert "you drew" in shown(gas_sight(owed=2, sum=(2,), phase="must_play", turn=0))


def test_who_has_won_is_said(gas_sight):
    won = gas_sight(turn=None, winner=2, phase="deal", dealer=1, colour=None, to_win=2, held={2: 0})
    drawn = shown(won)
    assert "won game 1" in drawn
    assert "▶Ada" in drawn
    assert "deals" in drawn
    assert "★Bruno" in drawn
    assert "any colour" not in drawn
    over = gas_sight(turn=None, winner=0, phase="over", over=True, colour=None, hand=())
    assert "won the match" in shown(over)
    assert "You" in shown(over)


def shown(sight):
    return "\n".join(draw(sight, 80, 13).text())


def test_somebody_who_watches_sees_every_count_and_nobodys_cards(gas_sight):
    drawn = draw(gas_sight(3, you=None, held={0: 4, 1: 9, 2: 12}), 80, 13).text()
    text = "\n".join(drawn)
    for told in ("4 cards", " 9", " 12"):
        assert told in text
    assert "you" not in text


@given(
    st.integers(2, 7),
    st.integers(1, 210),
    st.integers(1, 60),
    st.sampled_from(["r7", "M", "S", "p10", "bC", "yB"]),
)
def test_a_table_of_any_size_is_drawn(gas_sight, players, width, height, top):
    sight = gas_sight(players, top=top, owed=12, sum=(5, 5, 2), phase="owe", to_win=2)
    canvas = draw(sight, width, height)
    for y in range(height):
        assert sum(cell_len(segment.text) for segment in canvas.line(y)) == width


def test_a_name_that_looks_like_markup_or_is_wide_breaks_nothing(gas_sight):
    names = ("A", "[bold red]x[/]", "臭い臭い臭い臭い臭い臭い臭い", "D", "E", "F", "G")
    canvas = draw(gas_sight(names=names, phase="owe", owed=5, sum=(5,), turn=2), 80, 13)
    assert "[bold red]x[/]" in "\n".join(canvas.text())
    for y in range(13):
        assert sum(cell_len(segment.text) for segment in canvas.line(y)) == 80
