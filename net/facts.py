"""The facts of a refusal as they are sent and kept: small, whoever's words they repeat."""

from __future__ import annotations

from core.kernel.illegal import Fact as AnyFact
from core.kernel.illegal import Refused
from net.messages import Fact, Facts

LONGEST_TEXT = 80
MOST_ITEMS = 100
GREATEST_NUMBER = 2**53
"""What a fact may measure; what is beyond is cut, since it only repeats what somebody sent."""


def facts_of(refusal: Refused) -> Facts:
    """Return what a refusal tells whoever was refused, of bounded size.

    >>> facts_of(Refused("unknown_do", do="x" * 1000, known=("ask",)))["do"]
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    return {key: _cut(fact) for key, fact in refusal.facts.items()}


def _cut(fact: AnyFact) -> Fact:
    if isinstance(fact, tuple):
        return tuple(_cut_one(item) for item in fact[:MOST_ITEMS])
    return _cut_one(fact)


def _cut_one(fact: int | str | None) -> int | str | None:
    if isinstance(fact, str) and len(fact) > LONGEST_TEXT:
        return fact[: LONGEST_TEXT - 1] + "…"
    if isinstance(fact, int) and not isinstance(fact, bool):
        return max(-GREATEST_NUMBER, min(fact, GREATEST_NUMBER))
    return fact
