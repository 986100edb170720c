"""Where one mistake ends: what goes wrong with a letter or a view stays with it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TOLD, TOLD_EVERY = 50, 1000
"""So many are logged whole, later ones only now and then: a log must not fill a disk."""

log = logging.getLogger(__name__)


class Mishaps:
    """Contains what nobody foresaw, so that nothing that one peer sends ends a table for all.

    Refusals are no mishaps: they are answered. This is for whatever else is raised while
    a letter is taken, a view is made or sent, or time passes; `count` says how often.
    """

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def contained(
        self, what: str, then: Callable[[Exception], None] = lambda _: None
    ) -> Iterator[None]:
        """Log what is raised inside, and let the table go on without it; `then` hears of it."""
        try:
            yield
        except Exception as error:
            self.count += 1
            if self.count <= TOLD or not self.count % TOLD_EVERY:
                log.exception("mishap %d: %s went wrong", self.count, what)
            then(error)
