"""`table.json`: what a table needs besides its journals to go on after any crash.

Keys, seats, lobby, chat and answers; mode 600, replaced at once. Together with
the journal of the game under way it gives the same table again: the same id,
seats and cards, and what was asked for happens once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from core.journal import JournalError, Line
from core.kernel.illegal import Refused
from core.kernel.rules import Rules
from core.replay import Replayed, begin, replay
from net.answers import Answers
from net.board import Chat, Notices
from net.clocks import Clock
from net.dealer import FairDealer, sign_end
from net.disk import why_not
from net.file_lock import FileLock
from net.happenings import Happening
from net.host import Host
from net.host_game import Dealt, HostGame, OldLine
from net.journal_file import JournalFile
from net.keys import HostKeys
from net.lobby import Lobby, Seat
from net.mark import Mark, check_journal
from net.private_files import clear_unfinished, read_ours, write_private
from net.saved_tables import table_folders, table_in, title_in
from net.saves import LOCK_FILE, TABLE_FILE, table_folder, table_path
from net.table import Patience, Table
from net.table_record import (
    TABLE_FORMAT,
    SeatRecord,
    TableRecord,
    check_record,
    digest_of,
    read_record,
)

__all__ = [
    "TableFile",
    "TableRecord",
    "check_can_go_on",
    "check_place",
    "find_saved",
    "keys_of",
    "last_saved",
    "read_record",
    "record",
    "restore",
    "restore_answers",
]


def record(host: Host, port: int | None = None) -> TableRecord:
    """Return everything that has to be kept of a table, the port of its broker included."""
    table, lobby = host.table, host.table.lobby
    signing, sealing = host.keys.secrets
    name = None if table.game is None else table.game.journal.name
    return TableRecord(
        format=TABLE_FORMAT,
        title=table.title,
        game=table.rules.name,
        phase=table.phase_to_keep,
        signing=signing,
        sealing=sealing,
        players=lobby.players,
        options=dict(lobby.options),
        seats=tuple(
            SeatRecord(s.name, s.kind, s.level, s.peer, s.key, s.stand_in) for s in lobby.seats
        ),
        owner=None if lobby.owner is None else lobby.number(lobby.owner),
        founder=lobby.founder,
        level=table.level,
        pin=host.pin.pin,
        paused=table.paused,
        games_played=table.games_played,
        journal=None if name is None else Path(name).name,
        turn=table.patience.turn,
        think=table.patience.think,
        away=table.patience.away,
        idle=table.patience.idle,
        port=port,
        chat=table.chat.lines,
        notices=table.notices.newest,
        answers={s.peer: host.answers[s.peer].all() for s in lobby.seats if s.peer is not None},
        starts=table.starts,
    )


class TableFile:
    """Keeps a table's `table.json` up to date; writes only what has changed."""

    def __init__(self, table: str, port: int | None = None, written: int = 0) -> None:
        """Whoever makes it holds the table; `written` is how often it was written before.

        Raises `Refused("no_home")` when there is no place.
        """
        self._path = table_folder(table) / TABLE_FILE
        clear_unfinished(self._path)
        self._mark = Mark(self._path)
        noted = self._mark.read()
        self._count = max(written, 0 if noted is None else noted.count)
        self._port = port
        self._written = b""

    def keep(self, host: Host) -> None:
        """Put the table on disk, or let it wait for its disk."""
        now = record(host, self._port)
        data = msgspec.json.encode(now)
        if data == self._written:
            host.table.disk_works()
            return
        numbered = msgspec.json.encode(msgspec.structs.replace(now, written=self._count + 1))
        try:
            write_private(self._path, numbered)
        except OSError as error:
            host.table.disk_fails(why_not(error))
        else:
            self._written = data
            self._count += 1
            self._mark.note(self._count, digest_of(numbered))
            self._mark.close()
            host.table.disk_works()


@dataclass(frozen=True)
class PassedOver:
    """A saved table that can't go on now, and why."""

    table: str
    title: str
    why: Refused


def find_saved(wanted: str) -> Path:
    """Return the folder of a saved table: by its id, by a file of it, or the `last` one.

    Raises `Refused`: `no_saved_table`, `several_saved`, `no_table_file`, `nothing_saved`.
    """
    if wanted == "last":
        folder, _ = last_saved()
        if folder is None:
            raise Refused("nothing_saved")
        return folder
    path = Path(wanted)
    if path.name == TABLE_FILE or path.suffix == ".jsonl" or len(path.parts) > 1:
        with contextlib.suppress(OSError, RuntimeError):
            path = path.expanduser()
            folder = path if path.is_dir() else path.parent
            if (folder / TABLE_FILE).is_file():
                return folder
        raise Refused("no_table_file", path=wanted)
    fitting = [folder for folder in table_folders() if wanted and _named(folder, wanted)]
    if len(fitting) != 1:
        raise Refused("several_saved" if fitting else "no_saved_table", table=wanted)
    return fitting[0]


def _named(folder: Path, wanted: str) -> bool:
    return table_in(folder).startswith(wanted) and (folder / TABLE_FILE).exists()


def last_saved() -> tuple[Path | None, tuple[PassedOver, ...]]:
    """Return the folder of the newest table that can go on, and those that were newer but can't.

    Closed tables, and those that never were on a network, are nobody's to miss and not named.
    """
    passed = []
    for folder in table_folders():
        if not (folder / TABLE_FILE).exists():
            continue
        try:
            check_can_go_on(folder)
        except Refused as refused:
            if refused.code != "table_closed":
                passed.append(PassedOver(table_in(folder), title_in(folder), refused))
        else:
            return folder, tuple(passed)
    return None, tuple(passed)


def check_place(folder: Path, keys: HostKeys) -> None:
    """Raise `Refused("saved_elsewhere")` for a copy of a table outside the place where it is held.

    Both could go on at once, as one and the same table.
    """
    place = table_path(keys.table_id)
    if not (place.exists() and folder.samefile(place)):
        raise Refused("saved_elsewhere", path=str(folder), place=str(place))


def check_can_go_on(folder: Path) -> None:
    """Raise `Refused` if a table can't go on, or if there is nothing to go on with.

    `table_open` and `nobody_came` are no damage: the one goes on already, the other would begin.
    """
    kept = read_record(folder)
    keys = keys_of(kept)
    check_place(folder, keys)
    check_record(kept, folder)
    if kept.phase == "closed":
        raise Refused("table_closed")
    if not kept.games_played and all(seat.kind == "bot" for seat in kept.seats):
        raise Refused("nobody_came", table=table_in(folder))
    with _refusing(folder / LOCK_FILE), FileLock(folder / LOCK_FILE):
        pass
    if kept.journal is not None and kept.phase in ("playing", "over"):
        _judged(folder / kept.journal, kept, keys)


def keys_of(kept: TableRecord) -> HostKeys:
    """Return the keys of a saved table. Raises `Refused("bad_table_file")`."""
    try:
        return HostKeys.from_secrets(kept.signing, kept.sealing)
    except ValueError as error:
        raise Refused("bad_table_file", path=TABLE_FILE, why=str(error)) from None


def restore(
    kept: TableRecord,
    folder: Path,
    *,
    now: Clock,
    tell: Callable[[Happening], None],
) -> Table:
    """Return a saved table as it was; its people are away until they say hello.

    Raises `Refused`: `unknown_game`, `bad_table_file`, `bad_journal`, `shorter_journal`,
    `edited_journal`, `saved_elsewhere`, `table_open`, or what the rules refuse. Then
    nothing has changed on disk.
    """
    keys = keys_of(kept)
    check_place(folder, keys)
    rules = check_record(kept, folder)
    seats = [
        Seat(s.name, s.kind, s.level, s.peer, s.key, here=s.peer is None, stand_in=s.stand_in)
        for s in kept.seats
    ]
    owner = None if kept.owner is None else seats[kept.owner]
    table = Table(
        Lobby(rules, kept.players, dict(kept.options), seats, kept.founder, owner),
        FairDealer(keys),
        table_id=keys.table_id,
        title=kept.title,
        level=kept.level,
        patience=Patience(kept.turn, kept.think, kept.away, kept.idle),
        starts=kept.starts + 1,
        now=now,
        tell=tell,
        chat=Chat(kept.chat),
        notices=Notices(kept.notices),
    )
    table.people.restarted()
    table.games_played = kept.games_played
    if kept.journal is not None and kept.phase in ("playing", "over"):
        game, ended = _open_game(folder / kept.journal, kept, keys)
        table.go_on(game, ended=ended, paused=kept.paused)
    return table


def restore_answers(kept: TableRecord, host: Host) -> None:
    """Let the host remember what it answered: nothing that was asked for happens twice."""
    for peer, answers in kept.answers.items():
        host.answers[peer] = Answers(answers)


def _open_game(path: Path, kept: TableRecord, keys: HostKeys) -> tuple[HostGame, bool]:
    whole = _judged(path, kept, keys)
    with _refusing(path):
        journal, _, lines = JournalFile.resume(path, sign=sign_end(keys))
    rules, _, dealt = begin(whole.header)
    game = HostGame(rules, Dealt(dealt, journal), kept.games_played, len(kept.seats))
    game.replay(_old(line, rules) for line in lines if not line.is_end)
    return game, whole.ended


def _judged(path: Path, kept: TableRecord, keys: HostKeys) -> Replayed:
    """Return what a table's journal says, judged to its end before anything is repaired in it."""
    noted = Mark(path).read()
    with _refusing(path):
        data = read_ours(path)
        whole = replay(data)
        _check_ours(whole, kept, keys)
        check_journal(path, data, noted)
    return whole


@contextlib.contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Let what is wrong with a journal be a refusal that names it."""
    try:
        yield
    except OSError as error:
        raise Refused("bad_table_file", path=str(path), why=why_not(error)) from None
    except JournalError as error:
        facts = {**error.facts, "path": str(path), "line": error.line, "why": error.code}
        raise Refused("bad_journal", **facts) from None


def _check_ours(journal: Replayed, kept: TableRecord, keys: HostKeys) -> None:
    """Raise `JournalError` for the journal of another table, or of other people at it."""
    header = journal.header
    ours = kept.game, keys.table_id, tuple(seat.name for seat in kept.seats)
    if (header.game, header.chance.get("table"), header.seats) != ours:
        raise JournalError("other_table", line=1)


def _old(line: Line, rules: Rules) -> OldLine:
    assert line.seat is not None
    return OldLine(line.seat, rules.action(line.body), line.aid)
