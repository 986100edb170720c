"""A mark beside a file: how far the table had written it, and what it said there.

A journal's chain and the form of `table.json` tell that something is wrong inside a file;
they can't tell that its end was cut off between two lines, that it was changed and chained
anew, or that an older copy was put in its place. The mark can: `game-1.mark` beside
`game-1.jsonl`, `table.mark` beside `table.json`. It is written after its file, and no file
waits for it, so after any crash it is as old as the file or older, never newer.

It keeps nobody out who may write the folder, and is not meant to: whoever knows better
deletes it, and the table goes on with what is there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import Annotated

import msgspec

from core.journal import Journal
from core.kernel.illegal import Refused
from net.private_files import read_ours

SUFFIX = ".mark"


class Noted(msgspec.Struct, frozen=True):
    """What a mark says. `count` grows with the file: of a journal, its actions.

    `digest` is the chain after them, or SHA-256 of the whole file, in hex.
    """

    count: Annotated[int, msgspec.Meta(ge=0)]
    digest: str
    check: str
    """Of the two before: what a crash left half written over an older mark is none."""


def _check(count: int, digest: str) -> str:
    return hashlib.sha256(f"{count} {digest}".encode()).hexdigest()[:16]


class Mark:
    """The mark of one file; `note` is for whoever holds the table."""

    def __init__(self, file: Path) -> None:
        self.path = file.with_suffix(SUFFIX)
        self._descriptor = -1

    def read(self) -> Noted | None:
        """Return what it says; None where there is none, or one that a crash left half written."""
        try:
            noted = msgspec.json.decode(read_ours(self.path), type=Noted)
        except (OSError, msgspec.MsgspecError, RecursionError):
            return None
        return noted if noted.check == _check(noted.count, noted.digest) else None

    def note(self, count: int, digest: str) -> None:
        """Say how far the file is written. Where that fails the mark stays behind: no harm."""
        check = _check(count, digest)
        line = f'{{"count": {count:>12}, "digest": "{digest}", "check": "{check}"}}\n'.encode()
        with contextlib.suppress(OSError):
            if self._descriptor < 0:
                flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
                self._descriptor = os.open(self.path, flags, 0o600)
            os.pwrite(self._descriptor, line, 0)

    def close(self) -> None:
        """Let go of it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def check_journal(path: Path, data: bytes, noted: Noted | None) -> None:
    """Raise `Refused` for a journal that isn't what the table wrote, as far as its mark tells.

    `shorter_journal` says that actions are missing at its end: more than the one whose line
    a crash may have torn; `edited_journal` that others stand in it. Raises `JournalError`.
    """
    if noted is None:
        return
    journal = Journal(data)
    chains = [journal.chain, *(line.chain for line in journal.lines() if not line.is_end)]
    actions, mark = len(chains) - 1, Mark(path).path.name
    if actions + journal.torn < noted.count:
        facts = {"actions": actions, "written": noted.count}
        raise Refused("shorter_journal", path=str(path), mark=mark, **facts)
    if actions >= noted.count and chains[noted.count] != noted.digest:
        raise Refused("edited_journal", path=str(path), mark=mark)
