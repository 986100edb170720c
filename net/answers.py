"""What became of what a peer asked for, kept until the peer has seen it.

A peer sends an action, order or chat line again until a view answers its
`aid`; the answer to an aid never changes, however often it comes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from net.messages import Answer

KEPT = 64
"""Answers kept of one peer, those it hasn't seen among them."""


class Answers:
    """The answers to one peer; of those it has seen the oldest is forgotten first."""

    def __init__(self, kept: Iterable[Answer] = ()) -> None:
        self._answers = OrderedDict((answer.aid, answer) for answer in kept)
        self._unseen = set(self._answers)

    @property
    def full(self) -> bool:
        """Whether the peer must see some of its answers before it can have another."""
        return len(self._unseen) >= KEPT

    def give(self, answer: Answer) -> None:
        """Note an answer; only when it isn't `full`."""
        self._answers[answer.aid] = answer
        self._unseen.add(answer.aid)
        for aid in [aid for aid in self._answers if aid not in self._unseen]:
            if len(self._answers) <= KEPT:
                break
            del self._answers[aid]

    def knows(self, aid: str) -> bool:
        """Say whether this aid was answered, lately at least."""
        return aid in self._answers

    def repeat(self, aid: str) -> bool:
        """Say whether this aid was answered before; if so, it is told again."""
        if aid in self._answers:
            self._unseen.add(aid)
        return aid in self._answers

    def seen(self, aids: Iterable[str]) -> None:
        """Note that the peer has seen these answers."""
        self._unseen.difference_update(aids)

    def unseen(self) -> tuple[Answer, ...]:
        """Return what the peer hasn't seen yet, oldest first."""
        return tuple(a for aid, a in self._answers.items() if aid in self._unseen)

    def all(self) -> tuple[Answer, ...]:
        """Return everything kept, oldest first, for `table.json`."""
        return tuple(self._answers.values())
