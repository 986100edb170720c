"""Every card tells which one it is: without colour, in sixteen, and under the next one."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem

from core.low_on_gas.cards import CARDS, COLOURS
from tui.low_on_gas import cards, paint
from tui.table.cards import LARGE, MEDIUM, SMALL

SIZES = [SMALL, MEDIUM, LARGE]


@pytest.mark.parametrize("size", SIZES)
def test_every_card_fills_its_size(size):
    for card in CARDS:
        lines = cards.face(card, size)
        assert len(lines) == size.height
        assert {cell_len(line) for line in lines} == {size.width}


@pytest.mark.parametrize("size", SIZES)
def test_what_is_left_of_an_overlapped_card_tells_it_from_all_others(size):
    corners = {tuple(line[: cards.CORNER] for line in cards.face(card, size)[:2]) for card in CARDS}
    assert len(corners) == len(CARDS)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("card", [card for card in CARDS if card not in ("M", "S")])
def test_a_card_has_its_type_and_its_colours_letter_in_the_corner(card, size):
    corner = "".join(line[: cards.CORNER] for line in cards.face(card, size)[:2])
    assert card[0].upper() in corner
    assert {"C": "+1", "B": "+2"}.get(card[1:], card[1:]) in corner


@pytest.mark.parametrize("size", [MEDIUM, LARGE])
def test_a_card_has_the_shape_of_its_colour(size):
    shapes = set()
    for letter in COLOURS:
        drawn = {"".join(cards.face(letter + kind, size)) for kind in ("1", "10", "C", "B")}
        (shape,) = {char for char in "■▲●◆" if all(char in each for each in drawn)}
        shapes.add(shape)
    assert len(shapes) == 4


@pytest.mark.parametrize("number", range(1, 11))
def test_a_large_card_has_as_many_shapes_as_its_type_and_its_name(number):
    lines = cards.face(f"p{number}", LARGE)
    assert "".join(lines[2:5]).count("◆") == number
    assert cards.title(f"p{number}") in lines[5]


def test_the_words_on_cards_fit_and_are_all_different():
    one_of_each = [f"b{number}" for number in range(1, 11)] + ["bC", "bB", "M", "S"]
    assert len({cards.short(card) for card in one_of_each}) == 14
    assert all(cell_len(cards.short(card)) <= 4 for card in one_of_each)
    assert len({cards.title(card) for card in one_of_each}) == 14
    assert all(cell_len(cards.title(card)) <= 8 for card in one_of_each)


def test_a_hand_is_read_by_colour_then_type_and_wilds_come_last():
    hand = ["S", "r2", "M", "bB", "b10", "pC", "b9", "bC", "y1"]
    assert sorted(hand, key=cards.in_order) == [
        *("b9", "b10", "bC", "bB"),
        *("y1", "r2", "pC", "M", "S"),
    ]


def painted():
    for card in CARDS:
        yield paint.bright(card)
        yield paint.dim(card)


def test_the_colours_survive_256_colours():
    for style in painted():
        for color in (style.color, style.bgcolor):
            assert set(color.triplet) <= {0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF}
            eight = color.downgrade(ColorSystem.EIGHT_BIT)
            assert eight.get_truecolor() == color.triplet


def test_in_sixteen_colours_the_four_papers_differ():
    papers = {
        style.bgcolor.downgrade(ColorSystem.STANDARD).number for style in paint.PAPERS.values()
    }
    assert len(papers) == 4


def test_red_and_purple_differ_in_lightness_and_ink():
    red, purple = paint.PAPERS["red"], paint.PAPERS["purple"]
    assert red.color != purple.color
    assert light(purple) > 2 * light(red)
    assert light(paint.PAPERS["yellow"]) > light(purple)


def light(style):
    """Return how light a paper is, as the guidelines for web content reckon it."""
    parts = style.bgcolor.get_truecolor().normalized
    return sum(
        share * ((part + 0.055) / 1.055) ** 2.4
        for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    )
