"""Who is responsible: the largest total, with every tie decided (P-R38, P-R39, P-R45, P5)."""

from __future__ import annotations

from collections.abc import Sequence

from core.prrrt.cards import HAND


def culprit_of(cards: Sequence[tuple[int, ...]], questioned: Sequence[int]) -> tuple[int, str]:
    """Return the culprit's seat and which rule names them, as `Reveal.because` has it.

    `cards` are everybody's Smell cards, row and hand, by seat (P-R38; what a 7
    threw away does not count, P63); `questioned` is the order of questioning.

    Five cards that are all zeros are it, whatever the totals (P-R45, P64). Else
    the largest total; among equals whoever has the smelliest single card, then
    the next one, a missing card below any (P5, P66); then who was asked earliest.

    >>> culprit_of([(7, 1, 0, 0, 0), (2, 2, 2, 2, 0), (1,)], (1, 2, 0))
    (0, 'smelliest_card')
    >>> culprit_of([(7, 7), (0, 0, 0, 0, 0), (8, 8)], (1, 2, 0))
    (1, 'five_zeros')
    """
    for seat, held in enumerate(cards):
        if held == (0,) * HAND:
            return seat, "five_zeros"
    totals = [sum(held) for held in cards]
    tied = [seat for seat in questioned if totals[seat] == max(totals)]
    if len(tied) == 1:
        return tied[0], "total"
    smelliest = max(sorted(cards[seat], reverse=True) for seat in tied)
    worst = [seat for seat in tied if sorted(cards[seat], reverse=True) == smelliest]
    return worst[0], "smelliest_card" if len(worst) == 1 else "asked_earlier"
