"""What a command prints: whoever reads it may go away, or have no room for it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tui.complaints import FAILED, failed

UNWRITTEN = frozenset({errno.EPIPE, errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF})
"""How writing to the standard output fails; other errors are somebody else's."""


@contextmanager
def written_out() -> Iterator[None]:
    """Have all that is printed inside written by the end.

    Raises `Complaint` where there is no room for it, and leaves without a word when
    the reader has seen enough (`prrrt games | head -1`).
    """
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in UNWRITTEN:
            raise
        _let_go()
        if isinstance(error, BrokenPipeError):
            sys.exit(FAILED)
        raise failed("cli.output", why=error.strerror) from error


def _let_go() -> None:
    """Drop what is still unwritten, so that Python doesn't try again on its way out."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
