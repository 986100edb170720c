"""A journal on disk: each action is there, or it has not happened (`journal.md`)."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from core.journal import Header, Journal, Line, action_line, end_line, first_chain, header_line
from core.kernel.action import Action
from core.kernel.options import OptionValue
from net.file_lock import lock
from net.host_game import By
from net.mark import Mark
from net.private_files import open_ours, sync_folder
from net.refused import Refused

ROOM = 4096
"""Bytes that have to fit on a disk that failed before a game goes on."""

Sign = Callable[[str], str]
"""Signs the chain at the end of a game: hex to hex."""


class JournalFile:
    """An open journal that only this process writes. Made by `create` or `resume`.

    Whatever `append` and `finish` return from is on disk; when they raise
    `OSError`, the file is as it was before.
    """

    def __init__(
        self, descriptor: int, path: Path, *, size: int, chain: str, sign: Sign | None
    ) -> None:
        self.path = path
        self.chain = chain
        """The chain after the last line, in hex."""
        self._descriptor = descriptor
        self._mark = Mark(path)
        self._size = size
        self._sign = sign
        self._actions = 0
        self._ended = False
        self._dirty = False

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        game: str,
        seats: tuple[str, ...],
        options: Mapping[str, OptionValue],
        chance: Mapping[str, object],
        sign: Sign | None = None,
    ) -> JournalFile:
        """Begin a journal. Raises `FileExistsError` and other `OSError`; then there is no file."""
        header = header_line(game, seats, options, chance)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND
        descriptor = os.open(path, flags, 0o600)
        journal = cls(descriptor, path, size=0, chain=first_chain(header), sign=sign)
        try:
            lock(descriptor, path)
            journal._write(header)
            sync_folder(path.parent)
            journal._mark.note(0, journal.chain)
        except BaseException:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        return journal

    @classmethod
    def resume(
        cls, path: Path, *, sign: Sign | None = None
    ) -> tuple[JournalFile, Header, list[Line]]:
        """Open a journal to go on with it, its torn end repaired; also return what it says.

        Raises `JournalError` for a file that is no journal, `Refused("table_open")`
        when another process has it, and `OSError`.
        """
        descriptor = open_ours(path, os.O_RDWR | os.O_APPEND)
        try:
            lock(descriptor, path)
            os.fchmod(descriptor, 0o600)  # a copy that was put back may have any
            with os.fdopen(os.dup(descriptor), "rb") as file:
                data = file.read()
            read = Journal(data)
            lines = list(read.lines())
            if read.torn:
                os.ftruncate(descriptor, read.whole)
            journal = cls(descriptor, path, size=read.whole, chain=read.chain, sign=sign)
            journal._actions = sum(not line.is_end for line in lines)
            journal._ended = bool(lines) and lines[-1].is_end
            if read.unended:
                journal._write(b"\n")
            elif read.torn:
                os.fsync(descriptor)
            journal._mark.note(journal._actions, journal.chain)
        except BaseException:
            os.close(descriptor)
            raise
        return journal, read.header, lines

    @property
    def name(self) -> str:
        """The file, as a person finds it."""
        return str(self.path)

    def append(self, seat: int, action: Action, aid: str | None, by: By) -> None:
        """Put an accepted action on disk; one that nobody sent gets an `aid` of its own.

        Raises `OSError` when that fails, and `Refused("finished")` for a game that is over.
        """
        self._check_open()
        line, chain = action_line(
            self.chain, seat, action, aid=aid or f"{by}-{self._actions + 1}", by=by
        )
        self._write(line)
        self._actions += 1
        self.chain = chain
        self._mark.note(self._actions, chain)

    def finish(self, result: bytes) -> None:
        """Close the game with its result, as JSON. Raises like `append`."""
        self._check_open()
        signature = self._sign(self.chain) if self._sign else None
        self._write(end_line(self.chain, msgspec.json.decode(result), signature))
        self._ended = True

    def try_disk(self) -> None:
        """See whether a line could be put on disk now. Raises `OSError` if not.

        A crash in between leaves a torn line, which counts as nothing.
        """
        if not self._ended:
            self._put(b" " * ROOM)
            self._cut_back()

    def close(self) -> None:
        """Let go of the file, and of its lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        self._mark.close()

    def _check_open(self) -> None:
        if self._ended:
            raise Refused("finished", path=self.name)

    def _write(self, data: bytes) -> None:
        self._put(data)
        self._size += len(data)
        self._dirty = False

    def _put(self, data: bytes) -> None:
        self._cut_back()  # what an earlier failure left, if even cutting it back failed then
        self._dirty = True
        try:
            written = 0
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            os.fsync(self._descriptor)
            if not os.fstat(self._descriptor).st_nlink:  # what is written now is found by nobody
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.name)
        except OSError:
            with contextlib.suppress(OSError):
                self._cut_back()
            raise

    def _cut_back(self) -> None:
        if self._dirty:
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)
            self._dirty = False
