"""Where one mistake ends: what goes wrong with a letter or a view stays with it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.kernel.illegal import Refused

TOLD, TOLD_EVERY = 50, 1000
"""So many are logged whole, later ones only now and then: a log must not fill a disk."""

log = logging.getLogger(__name__)


class Unsaid(Exception):  # noqa: N818 - it stands for another one
    """An error by its kind alone: what it says may name a card, and the log must not."""


def unsaid(error: BaseException) -> Unsaid:
    """Return an error as it may be logged: where it happened, and what kind of error it is."""
    kind = type(error).__name__
    if isinstance(error, Refused):
        kind += f" {error.code}"
    elif isinstance(error, OSError):
        kind += f" {error.strerror}"
    said = Unsaid(kind).with_traceback(error.__traceback__)
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    said.__cause__ = None if before is None else unsaid(before)
    return said


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
                log.error("mishap %d: %s went wrong", self.count, what, exc_info=unsaid(error))
            then(error)
