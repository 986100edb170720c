"""The tables that are kept on this account, as a list shows them: what can't be read is left out.

Of a table's files this reads no more than the list needs; `net.table_file` brings one back.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import msgspec

from net.private_files import read_ours
from net.saves import TABLE_FILE, home, journals


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
        return msgspec.json.decode(read_ours(folder / TABLE_FILE), type=_TableFile)
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
        lines = read_ours(path).splitlines()
        header = msgspec.json.decode(lines[0], type=_Header)
    except (OSError, IndexError, msgspec.MsgspecError, RecursionError):
        return None
    try:
        msgspec.json.decode(lines[-1], type=_EndLine)
        finished = True
    except (msgspec.MsgspecError, RecursionError):
        finished = False
    return SavedGame(path, header.game, header.seats, len(lines) - 1 - finished, finished)
