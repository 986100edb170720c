"""Cards that somebody may see and somebody may not, with one arithmetic for both.

A tuple is cards in their order, first to last; an integer is as many cards
seen from behind. Where the two meet the result is a number, so that a mistake
hides a card and never shows one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

C = TypeVar("C")


def count(cards: tuple[C, ...] | int) -> int:
    """Return how many cards there are, seen or unseen.

    >>> count((4, 4, 9)), count(3)
    (3, 3)
    """
    return cards if isinstance(cards, int) else len(cards)


def faces(cards: tuple[C, ...] | int) -> tuple[C, ...]:
    """Return cards that have to be open here, as all are on the true table.

    Raises `ValueError` when they are seen from behind: a mistake of ours.
    """
    if isinstance(cards, int):
        raise ValueError("these cards are face down")
    return cards


def nothing_like(cards: tuple[C, ...] | int) -> tuple[C, ...] | int:
    """Return an empty pile that is seen as `cards` are: `()` or 0."""
    return 0 if isinstance(cards, int) else ()


def joined(cards: tuple[C, ...] | int, more: tuple[C, ...] | int) -> tuple[C, ...] | int:
    """Return `cards` with `more` appended.

    >>> joined((1, 2), (3,)), joined(2, (3,)), joined(2, 1)
    ((1, 2, 3), 3, 3)
    """
    if isinstance(cards, tuple) and isinstance(more, tuple):
        return cards + more
    return count(cards) + count(more)


def after(cards: tuple[C, ...] | int, taken: int) -> tuple[C, ...] | int:
    """Return what is left when the first `taken` are gone.

    >>> after((1, 2, 3), 2), after(3, 2)
    ((3,), 1)
    """
    return cards - taken if isinstance(cards, int) else cards[taken:]


def without(cards: tuple[C, ...] | int, gone: tuple[C, ...] | int) -> tuple[C, ...] | int:
    """Return what is left when `gone` are taken out; of equal cards the one nearest the start.

    Raises `ValueError` when one of them isn't there.

    >>> without((3, 5, 3), (3,)), without(3, (3,)), without(3, 1)
    ((5, 3), 2, 2)
    """
    if isinstance(cards, tuple) and isinstance(gone, tuple):
        left = list(cards)
        for card in gone:
            left.remove(card)
        return tuple(left)
    return count(cards) - count(gone)


def without_one(cards: tuple[C, ...] | int, at: int | None) -> tuple[C, ...] | int:
    """Return what is left when the card at a position is taken out; None is an unknown one.

    >>> without_one((3, 5, 3), 2), without_one(3, None)
    ((3, 5), 2)
    """
    if at is None or isinstance(cards, int):
        return count(cards) - 1
    return cards[:at] + cards[at + 1 :]


def without_at(
    cards: tuple[C, ...] | int, positions: Iterable[int], number: int
) -> tuple[C, ...] | int:
    """Return what is left when the `number` cards at `positions` are taken out.

    >>> without_at((3, 5, 3), (2, 0), 2), without_at(3, (), 2)
    ((5,), 1)
    """
    if isinstance(cards, int):
        return cards - number
    for at in sorted(positions, reverse=True):
        cards = cards[:at] + cards[at + 1 :]
    return cards


def put(by_seat: tuple[C, ...], seat: int, value: C) -> tuple[C, ...]:
    """Return `by_seat` with another value for one seat.

    >>> put((7, 8, 9), 1, 0)
    (7, 0, 9)
    """
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
