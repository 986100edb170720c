"""Files and folders that are for this account alone, and of which a crash leaves no half.

Folders have mode 700 and files 600, from the moment they are there. Whatever is replaced is
replaced at once: after a crash there is the old file or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from net.refused import Refused

NOT_OURS, NO_FILE = "it belongs to somebody else", "it is no file"


def write_private(path: Path, data: bytes) -> None:
    """Replace a file at once, with mode 600, and make sure that it is on disk.

    Raises `OSError`; the old file is still there then.
    """
    fresh = _written_beside(path, data)
    try:
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def clear_unfinished(path: Path) -> None:
    """Remove what crashes left of replacing a file; nobody else may be replacing it now."""
    with contextlib.suppress(OSError):
        for fresh in path.parent.glob(f".{path.name}.*"):
            fresh.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make sure that a new or replaced name in a folder is on disk. Raises `OSError`.

    A network drive that can't do that for folders is taken at its word.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as why:
        if why.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def write_new(path: Path, data: bytes) -> bool:
    """Write a file that isn't there yet; say whether it was we who did. Raises `OSError`."""
    fresh = _written_beside(path, data)
    try:
        os.link(fresh, path)
    except FileExistsError:
        return False
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def _written_beside(path: Path, data: bytes) -> Path:
    fresh = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    return fresh


def open_ours(path: Path, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of a file that we wrote, or whoever owns the folder that it lies in.

    Raises `OSError`, also for what somebody else put there, and for what is no file: a pipe or a
    device would be read for ever.
    """
    owners = {os.geteuid(), path.parent.stat().st_uid}
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    try:
        state = os.fstat(descriptor)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(state.st_mode):
            raise OSError(errno.EINVAL, NO_FILE)
        if not {state.st_uid, path.lstat().st_uid} <= owners:
            raise PermissionError(errno.EPERM, NOT_OURS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_ours(path: Path) -> bytes:
    """Return what we wrote into a file. Raises `OSError`, as `open_ours` does."""
    with os.fdopen(open_ours(path), "rb") as file:
        return file.read()


def read_secret(path: Path) -> bytes:
    """Return a secret that we wrote into a file, and let nobody else read it.

    Raises `OSError`, and `ValueError` for what somebody else put there, a link for one.
    """
    try:
        descriptor = open_ours(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as why:
        if why.errno == errno.ELOOP:
            raise ValueError("a link") from None
        if why.strerror in (NOT_OURS, NO_FILE):
            raise ValueError(why.strerror) from None
        raise
    with os.fdopen(descriptor, "rb") as file:
        os.fchmod(descriptor, 0o600)
        return file.read()


@contextlib.contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Let what the system has against a place of ours be a refusal that names it."""
    try:
        yield
    except OSError as why:
        raise Refused("no_home", path=str(path), why=why.strerror or str(why)) from None


def make_private(path: Path) -> None:
    """Make a folder that isn't there, and those above it, for us alone from the beginning."""
    if not path.is_dir():
        if not path.parent.is_dir():
            make_private(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def let_nobody_else_write(path: Path) -> None:
    """Take a state folder that was there before from those who could put theirs in our place.

    Raises `PermissionError` for one that is somebody else's (the administrator may use it).
    Who may look into it is its owner's choice: all that we keep there is for us alone. A folder
    like /tmp, in which nobody can touch what is another's, stays as it is.
    """
    state = path.stat()
    if os.geteuid() not in (0, state.st_uid) and state.st_uid:
        raise PermissionError(errno.EPERM, NOT_OURS)
    lax = state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if lax and state.st_uid == os.geteuid() and not state.st_mode & stat.S_ISVTX:
        path.chmod(stat.S_IMODE(state.st_mode) & ~(stat.S_IWGRP | stat.S_IWOTH))
