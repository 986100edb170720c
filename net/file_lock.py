"""A lock that lives as long as its process: two processes never write one table."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

from net.refused import Refused


def lock(descriptor: int, path: Path) -> None:
    """Lock an open file until it is closed. Raises `Refused("table_open")` if another has it.

    Raises `OSError` where files can't be locked, on some network drives.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Refused("table_open", path=str(path)) from None


class FileLock:
    """A lock file, held from `acquire` to `release`; the kernel releases it after any crash."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> None:
        """Take it. Raises `Refused`: `table_open`, `no_home`."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                lock(descriptor, self._path)
            except BaseException:
                os.close(descriptor)
                raise
        except OSError as why:
            path = str(self._path)
            raise Refused("no_home", path=path, why=why.strerror or str(why)) from None
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go of it."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> FileLock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
