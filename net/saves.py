"""Where things are kept, and how: settings, seats' keys, tables with their journals.

    PRRRT_HOME/
        settings.json
        seats/<table id>/<name>         a seat's secret key: who has it, has the seat
        seats/<table id>/.proved        that this table knew its PIN
        tables/<table id>/table.json    what a table needs besides its journals (`net.table_file`)
        tables/<table id>/game-1.jsonl  a journal a game, in their order
        tables/<table id>/*.mark        how far each of these was written (`net.mark`)
        logs/                           what table processes said

Folders have mode 700 and files 600, from the moment they are there. Whatever is replaced is
replaced at once: after a crash there is the old file or the new one, never half of one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec
import platformdirs

from net.file_lock import FileLock
from net.keys import SeatKeys
from net.refused import Refused

TABLE_FILE = "table.json"
LOCK_FILE = ".lock"
PROVED = ".proved"
NOT_OURS = "it belongs to somebody else"
LONGEST_NAME = 150
"""Bytes of a file name made from a person's name; a longer one is cut and told apart by a hash."""


def home() -> Path:
    """Return the state folder, made if needed: `PRRRT_HOME`, or the system's own place.

    Raises `Refused("no_home")` when there can't be one.
    """
    chosen = os.environ.get("PRRRT_HOME")
    try:
        path = Path(chosen).expanduser() if chosen else platformdirs.user_state_path("prrrt")
    except RuntimeError as why:  # an account without a home, in a container say
        raise Refused("no_home", path=chosen or "~", why=str(why)) from None
    path = path.absolute()
    with _refusing(path):
        _make_private(path)
        _let_nobody_else_write(path)
    return path


def _owners() -> set[int]:
    """Return whose files are taken for ours: on a container's drive they may be its owner's."""
    return {os.geteuid(), home().stat().st_uid}


def settings_path() -> Path:
    """Return where the settings are kept."""
    return home() / "settings.json"


def log_path(table: str) -> Path:
    """Return where a table process writes what it has to say. Raises `Refused("no_home")`."""
    return home() / "logs" / f"{_segment(table)}.log"


def open_log(table: str) -> int:
    """Return a descriptor for the end of a table's log. Raises `OSError`, `Refused("no_home")`."""
    _folder("logs")
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    return os.open(log_path(table), flags, 0o600)


# Seats


def seat_keys(table: str, name: str) -> SeatKeys:
    """Return the keys of somebody's seat at a table, made and kept when they first sit down.

    A file that holds no key is set aside (`.broken`); no such file is ever overwritten.
    Raises `Refused("no_home")`.
    """
    path = _folder("seats", table) / _segment(name)
    with _refusing(path):
        for _ in range(10):
            try:
                return SeatKeys.from_secret(_read_ours(path))
            except FileNotFoundError:
                keys = SeatKeys.new()
                if _write_new(path, keys.secret):
                    return keys  # otherwise another terminal was quicker: that key counts
            except ValueError:
                path.replace(path.with_name(f"{path.name}.{secrets.token_hex(4)}.broken"))
    raise Refused("no_home", path=str(path), why="the key can't be kept")


def keep_seat_keys(table: str, name: str, keys: SeatKeys) -> None:
    """Keep keys that were made before their table was: those of whoever opened it.

    Raises `Refused("no_home")`.
    """
    path = _folder("seats", table) / _segment(name)
    with _refusing(path):
        write_private(path, keys.secret)


def proved(table: str) -> bool:
    """Say whether a table has proved to this account that it knows its PIN."""
    return (home() / "seats" / _segment(table) / PROVED).exists()


def note_proved(table: str) -> None:
    """Remember that a table knows its PIN; where that can't be kept it proves it again."""
    with contextlib.suppress(OSError, Refused):
        _write_new(_folder("seats", table) / PROVED, b"")


def seats_kept(table: str) -> tuple[str, ...]:
    """Return the names under which this account has sat at a table, the latest first."""
    folder = home() / "seats" / _segment(table)
    try:
        files = [file for file in folder.iterdir() if _is_key(file)]
        files.sort(key=lambda file: file.stat().st_mtime, reverse=True)
    except OSError:
        return ()
    return tuple(unquote(file.name) for file in files)


def _is_key(file: Path) -> bool:
    return not file.name.startswith(".") and not file.name.endswith(".broken")


# Tables


def table_folder(table: str) -> Path:
    """Return a table's folder, made if needed. Raises `Refused("no_home")`."""
    return _folder("tables", table)


def table_path(table: str) -> Path:
    """Return where a table's folder is, or would be. Raises `Refused("no_home")`."""
    return home() / "tables" / _segment(table)


def table_lock(table: str) -> FileLock:
    """Return the lock that a table's process holds as long as it runs."""
    return FileLock(table_folder(table) / LOCK_FILE)


def clear_unused(table: str) -> None:
    """Remove the folder of a table that could not be opened, if nothing was kept there."""
    folder = table_path(table)
    with contextlib.suppress(OSError):
        if all(path.name == LOCK_FILE for path in folder.iterdir()):
            (folder / LOCK_FILE).unlink(missing_ok=True)
            folder.rmdir()


def next_journal(table: str) -> Path:
    """Return the path of the journal of a table's next game; nothing is there yet."""
    folder = table_folder(table)
    last = max((_number(path) for path in journals(folder)), default=0)
    return folder / f"game-{last + 1}.jsonl"


def kept_here(table: str) -> bool:
    """Say whether a table is, or was, held on this account."""
    return table_path(table).is_dir()


def journals(folder: Path) -> list[Path]:
    """Return the journals in a table's folder, first game first."""
    found = [path for path in folder.glob("game-*.jsonl") if path.stem[5:].isdecimal()]
    return sorted(found, key=_number)


def _number(journal: Path) -> int:
    return int(journal.stem[5:])


@dataclass(frozen=True)
class SavedGame:
    """A journal, as far as its first and last lines tell."""

    path: Path
    game: str
    seats: tuple[str, ...]
    actions: int
    finished: bool


@dataclass(frozen=True)
class SavedTable:
    """A table with its games, first to last. `changed` is in seconds since 1970."""

    table: str
    title: str
    folder: Path
    games: tuple[SavedGame, ...]
    changed: float
    resumable: bool
    """Whether `prrrt host --resume` can go on with it: its keys are there, and it isn't closed."""


class _TableFile(msgspec.Struct):
    """The little of `table.json` that a list shows."""

    title: str = ""
    phase: str = "lobby"


def table_folders() -> list[Path]:
    """Return the folders of all tables kept on this account, the latest changed first."""
    try:
        dated = [(_changed(folder), folder) for folder in (home() / "tables").iterdir()]
    except OSError:
        return []
    return [folder for _, folder in sorted(dated, reverse=True)]


def table_in(folder: Path) -> str:
    """Return the id of the table that is kept in a folder."""
    return unquote(folder.name)


def title_in(folder: Path) -> str:
    """Return what the table kept in a folder is called, its id where that can't be read."""
    told = _told(folder)
    return (told.title if told else "") or table_in(folder)


def saved_tables() -> list[SavedTable]:
    """Return the tables kept on this account, the latest first; what can't be read is left out."""
    found = []
    for folder in table_folders():
        try:
            found.append(_saved_table(folder))
        except (OSError, ValueError):
            continue
    return found


def _changed(folder: Path) -> float:
    """Return when something of a table was last written, in seconds since 1970."""
    times = [0.0]
    for path in (folder / TABLE_FILE, *journals(folder)):
        with contextlib.suppress(OSError):
            times.append(path.stat().st_mtime)
    return max(times)


def _saved_table(folder: Path) -> SavedTable:
    told = _told(folder)
    games = tuple(game for game in map(_saved_game, journals(folder)) if game is not None)
    if told is None and not games:
        raise ValueError("neither a table nor a game")
    return SavedTable(
        table=table_in(folder),
        title=told.title if told else "",
        folder=folder,
        games=games,
        changed=_changed(folder),
        resumable=told is not None and told.phase != "closed",
    )


def _told(folder: Path) -> _TableFile | None:
    try:
        return msgspec.json.decode((folder / TABLE_FILE).read_bytes(), type=_TableFile)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return None


class _Header(msgspec.Struct):
    journal: int
    game: str
    seats: tuple[str, ...]


class _EndLine(msgspec.Struct):
    end: msgspec.Raw


def _saved_game(path: Path) -> SavedGame | None:
    try:
        lines = path.read_bytes().splitlines()
        header = msgspec.json.decode(lines[0], type=_Header)
    except (OSError, IndexError, msgspec.MsgspecError, RecursionError):
        return None
    try:
        msgspec.json.decode(lines[-1], type=_EndLine)
        finished = True
    except (msgspec.MsgspecError, RecursionError):
        finished = False
    return SavedGame(path, header.game, header.seats, len(lines) - 1 - finished, finished)


# Files


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


def _write_new(path: Path, data: bytes) -> bool:
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


def _read_ours(path: Path) -> bytes:
    """Return what we wrote into a file, and let nobody else read it.

    Raises `OSError`, and `ValueError` for what somebody else put there, a link for one.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as why:
        if why.errno == errno.ELOOP:
            raise ValueError("a link") from None
        raise
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_uid not in _owners():
            raise ValueError(NOT_OURS)
        os.fchmod(descriptor, 0o600)
        return file.read()


def _folder(*parts: str) -> Path:
    path, owners = home(), _owners()
    for part in parts:
        path = path / _segment(part)
        with _refusing(path):
            _make_private(path)
            if not {path.lstat().st_uid, path.stat().st_uid} <= owners:
                raise PermissionError(errno.EPERM, NOT_OURS)
            path.chmod(0o700)
    return path


@contextlib.contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Let what the system has against a place of ours be a refusal that names it."""
    try:
        yield
    except OSError as why:
        raise Refused("no_home", path=str(path), why=why.strerror or str(why)) from None


def _make_private(path: Path) -> None:
    """Make a folder that isn't there, and those above it, for us alone from the beginning."""
    if not path.is_dir():
        if not path.parent.is_dir():
            _make_private(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def _let_nobody_else_write(path: Path) -> None:
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


def _segment(text: str) -> str:
    """Return a file name for any text: never a path, never hidden, another one for another text."""
    name = quote(text, safe=" ").replace(".", "%2E").replace("~", "%7E") or "%"
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return name
