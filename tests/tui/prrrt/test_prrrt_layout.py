"""Where cards and seats lie: pure geometry and drawing, without an app."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style

from tui.cells import cut
from tui.prrrt import cards, paint
from tui.prrrt.layout import places
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.table import draw
from tui.table.canvas import Canvas
from tui.table.cards import LARGE, MEDIUM, SMALL, back
from tui.table.layout import Rect, card_at, fan, fan_width
from tui.table.paint import BACK, FELT, FELT_LOUD, FELT_QUIET


@given(st.integers(0, 40), st.sampled_from([3, 5, 9]), st.integers(9, 120))
def test_a_fan_shows_two_columns_of_every_card_and_fits_while_it_can(count, card, space):
    edges = fan(count, card, space)
    assert len(edges) == count
    steps = {b - a for a, b in pairwise(edges)}
    assert len(steps) <= 1
    assert all(2 <= step <= card + 1 for step in steps)
    if count and card + 2 * (count - 1) <= space:
        assert fan_width(edges, card) <= space


@given(st.integers(1, 20), st.sampled_from([3, 5, 9]), st.integers(9, 60))
def test_a_click_on_the_left_columns_of_a_card_finds_that_card(count, card, space):
    edges = fan(count, card, space)
    assert [card_at(edges, card, edge + 1) for edge in edges] == list(range(count))
    assert card_at(edges, card, edges[-1] + card) is None


SCREENS = [(80, 13), (80, 14), (100, 20), (120, 25), (160, 30), (200, 45)]


@pytest.mark.parametrize("players", range(3, 8))
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_seats_and_felt_lie_apart_and_inside_the_table(players, width, height):
    laid = places(players, width, height)
    blocks = (*laid.seats, laid.felt)
    assert len(laid.seats) == players
    for one, other in combinations(blocks, 2):
        assert not one.meets(other)
    table = Rect(0, 0, width, height)
    for block in blocks:
        assert table.holds(block.x, block.y)
        assert table.holds(block.right - 1, block.bottom - 1)


def test_the_next_seat_sits_on_the_left_and_the_last_one_on_the_right():
    mine, *others = places(7, 80, 13).seats
    assert mine.y > others[2].y
    assert others[0].x == others[1].x == 0  # P9: left is the next seat, clockwise
    assert others[0].y > others[1].y
    assert others[2].x < others[3].x
    assert others[-1].right == 80


@pytest.mark.parametrize("size", [SMALL, MEDIUM, LARGE])
def test_every_card_fills_its_size_with_its_value_in_the_two_leftmost_columns(size):
    faces = {value: cards.smell(value, size, "swap") for value in range(9)}
    shame = {value: cards.shame(value, size) for value in range(1, 11)}
    for each in (*faces.values(), *shame.values(), back(size)):
        assert len(each) == size.height
        assert {cell_len(line) for line in each} == {size.width}
    for drawn in (faces, shame):
        for value, lines in drawn.items():
            assert lines[0][:2].strip("▏ ") == str(value)


@pytest.mark.parametrize("value", range(9))
def test_a_smell_card_has_as_many_waves_as_its_value(value):
    for size in (MEDIUM, LARGE):
        assert "".join(cards.smell(value, size)).count(cards.WAVE) == value


def test_the_colours_of_cards_and_felt_survive_256_and_16_colours():
    def shown(color, system):
        return color.downgrade(system).get_truecolor()

    painted = [
        *map(paint.smell_paint, range(9)),
        *map(paint.shame_paint, range(11)),
        BACK,
        paint.SHAME_BACK,
        FELT,
        FELT + FELT_LOUD,
        FELT + FELT_QUIET,
    ]
    for style in painted:
        for color in (style.color, style.bgcolor):
            assert set(color.triplet) <= {0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF}
            assert shown(color, ColorSystem.EIGHT_BIT) == color.triplet
        ink, paper = (shown(c, ColorSystem.STANDARD) for c in (style.color, style.bgcolor))
        assert sum(abs(a - b) for a, b in zip(ink, paper, strict=True)) > 100


@given(st.text(max_size=30), st.integers(0, 30))
def test_cut_text_never_takes_more_cells_than_it_may(text, width):
    assert cell_len(cut(text, width)) <= width


@given(st.lists(st.tuples(st.integers(-5, 12), st.integers(-2, 5), st.text(max_size=8))))
@example([(0, 0, "𠀀"), (0, 0, "0")])
@example([(0, 0, "𠀀"), (1, 0, "0")])
@example([(0, 0, "𠀀𠀀"), (1, 0, "𠀀")])
def test_whatever_is_put_on_a_canvas_keeps_its_lines_as_wide_as_it_is(puts):
    canvas = Canvas(10, 3, Style())
    for x, y, text in puts:
        canvas.put(x, y, text, Style())
    for y in range(3):
        assert sum(cell_len(segment.text) for segment in canvas.line(y)) == 10


@pytest.mark.parametrize(("width", "height"), [(80, 13), (120, 25), (200, 45)])
def test_seven_players_are_shown_whole_with_every_open_card(sitting, width, height):
    game = sitting(7, you=2)
    game.play_until(lambda each: each.game.view(2).phase == "point")
    sight = PrrrtSight.of(game.seen())
    drawn = "\n".join(draw(sight, width, height).text())
    for name in ("Ada", "Bruno", "Camille", "Ludovic", "Sandra", "Bot Quiet"):
        assert name in drawn
    for seat in range(7):
        assert f"shows {sum(sight.row(seat))}" in drawn
    if height == 13:
        open_cards = [value for row in sight.table.rows for value in row]
        small = [line for line in drawn.splitlines() if any(c.isdigit() for c in line)]
        shown = sum(line.count(f" {value} ") > 0 for line in small for value in set(open_cards))
        assert shown > 0


def test_a_name_that_looks_like_markup_or_is_wide_breaks_nothing(sitting):
    game = sitting(7)
    seats = list(game.room["seats"])
    seats[1] = type(seats[1])("[bold red]x[/]")
    seats[2] = type(seats[2])("臭い臭い臭い臭い臭い臭い臭い")
    game.room["seats"] = tuple(seats)
    canvas = draw(PrrrtSight.of(game.play_to("ask").seen()), 80, 13)
    assert "[bold red]x[/]" in "\n".join(canvas.text())
    for y in range(13):
        assert sum(cell_len(segment.text) for segment in canvas.line(y)) == 80
