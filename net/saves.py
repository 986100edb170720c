"""Where things are kept: settings, seats' keys, tables with their journals.

    PRRRT_HOME/
        settings.json
        seats/<table id>/<name>         a seat's secret key: who has it, has the seat
        seats/<table id>/.proved        that this table knew its PIN
        tables/<table id>/table.json    what a table needs besides its journals (`net.table_file`)
        tables/<table id>/game-1.jsonl  a journal a game, in their order
        tables/<table id>/*.mark        how far each of these was written (`net.mark`)
        logs/                           what table processes said

How these are written is `net.private_files`'s, what a list shows of them `net.saved_tables`'s.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
from pathlib import Path
from urllib.parse import quote, unquote

import platformdirs

from net.file_lock import FileLock
from net.keys import SeatKeys
from net.private_files import (
    NOT_OURS,
    let_nobody_else_write,
    make_private,
    read_secret,
    refusing,
    write_new,
    write_private,
)
from net.refused import Refused

TABLE_FILE = "table.json"
LOCK_FILE = ".lock"
PROVED = ".proved"
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
    with refusing(path):
        make_private(path)
        let_nobody_else_write(path)
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
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    return os.open(log_path(table), flags, 0o600)


# Seats


def seat_keys(table: str, name: str) -> SeatKeys:
    """Return the keys of somebody's seat at a table, made and kept when they first sit down.

    A file that holds no key is set aside (`.broken`); no such file is ever overwritten.
    Raises `Refused("no_home")`.
    """
    path = _folder("seats", table) / _segment(name)
    with refusing(path):
        for _ in range(10):
            try:
                return SeatKeys.from_secret(read_secret(path))
            except FileNotFoundError:
                keys = SeatKeys.new()
                if write_new(path, keys.secret):
                    return keys  # otherwise another terminal was quicker: that key counts
            except ValueError:
                path.replace(path.with_name(f"{path.name}.{secrets.token_hex(4)}.broken"))
    raise Refused("no_home", path=str(path), why="the key can't be kept")


def keep_seat_keys(table: str, name: str, keys: SeatKeys) -> None:
    """Keep keys that were made before their table was: those of whoever opened it.

    Raises `Refused("no_home")`.
    """
    path = _folder("seats", table) / _segment(name)
    with refusing(path):
        write_private(path, keys.secret)


def proved(table: str) -> bool:
    """Say whether a table has proved to this account that it knows its PIN."""
    return (home() / "seats" / _segment(table) / PROVED).exists()


def note_proved(table: str) -> None:
    """Remember that a table knows its PIN; where that can't be kept it proves it again."""
    with contextlib.suppress(OSError, Refused):
        write_new(_folder("seats", table) / PROVED, b"")


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


# Names


def _folder(*parts: str) -> Path:
    path, owners = home(), _owners()
    for part in parts:
        path = path / _segment(part)
        with refusing(path):
            make_private(path)
            if not {path.lstat().st_uid, path.stat().st_uid} <= owners:
                raise PermissionError(errno.EPERM, NOT_OURS)
            path.chmod(0o700)
    return path


def _segment(text: str) -> str:
    """Return a file name for any text: never a path, never hidden, another one for another text."""
    name = quote(text, safe=" ").replace(".", "%2E").replace("~", "%7E") or "%"
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return name
