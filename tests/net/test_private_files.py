"""Everything that is kept is for this account alone, from the moment it is there."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.kernel import illegal
from net import private_files, saved_tables, saves
from net.keys import SeatKeys
from net.private_files import write_private
from net.refused import Refused

TABLE = "a" * 26


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "new" / "home"
    monkeypatch.setenv("PRRRT_HOME", str(path))
    return path


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def keep_everything(save_table: Callable[[int], Path]) -> None:
    """Let every kind of file be made: settings, keys, a table with its journal, a lock, a log."""
    write_private(saves.settings_path(), b"{}")
    folder = save_table(3)
    saves.seat_keys(folder.name, "Ada")
    saves.keep_seat_keys(folder.name, "Bob", SeatKeys.new())
    saves.note_proved(folder.name)
    with saves.table_lock(folder.name):
        os.close(saves.open_log(folder.name))


def test_no_file_is_open_to_others_for_a_moment(
    home: Path, umask: int, save_table: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the umask: nothing is made first and closed to others afterwards."""
    made: list[tuple[str, int]] = []
    real_open, real_mkdir = os.open, os.mkdir

    def note_open(path: Any, flags: int, *more: Any, **named: Any) -> int:
        descriptor = real_open(path, flags, *more, **named)
        if flags & os.O_CREAT:
            made.append((str(path), stat.S_IMODE(os.fstat(descriptor).st_mode)))
        return descriptor

    def note_mkdir(path: Any, *more: Any, **named: Any) -> None:
        real_mkdir(path, *more, **named)
        made.append((str(path), mode(Path(path))))

    monkeypatch.setattr(os, "open", note_open)
    monkeypatch.setattr(os, "mkdir", note_mkdir)
    keep_everything(save_table)
    monkeypatch.undo()
    ours = [(path, mode) for path, mode in made if path.startswith(str(home.parent))]
    assert len(ours) >= 15
    assert [one for one in ours if one[1] & 0o077] == []
    found = {path: mode(path) for path in home.parent.rglob("*")}
    assert len(found) >= 12
    for path, its in found.items():
        assert its == (0o700 if path.is_dir() else 0o600), path
    assert mode(home.parent) == 0o700


def test_a_state_folder_that_others_could_write_is_closed_to_them(
    home: Path, save_table: Callable[[int], Path]
) -> None:
    """So that nobody puts a folder of theirs in the place of ours; reading it is as it was."""
    for path in (home.parent, home, home / "tables", home / "seats"):
        path.mkdir()
        path.chmod(0o777)
    keep_everything(save_table)
    assert mode(home) == 0o755
    assert mode(home / "tables") == mode(home / "seats") == 0o700


def test_a_folder_that_everybody_shares_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("PRRRT_HOME", str(shared))
    saves.table_folder(TABLE)
    assert mode(shared) == 0o1777
    assert mode(shared / "tables") == 0o700


@pytest.fixture
def belongs_to_another(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Let a file be another account's, as far as we can see."""
    others: set[str] = set()
    real = os.stat

    def state(path: Any, *more: Any, **named: Any) -> os.stat_result:
        found = real(path, *more, **named)
        if str(path) in others:
            fields = list(found)
            fields[stat.ST_UID] = 54321
            return os.stat_result(fields)
        return found

    monkeypatch.setattr(os, "stat", state)
    monkeypatch.setattr(os, "lstat", lambda path: state(path, follow_symlinks=False))
    return lambda path: others.add(str(path))


@pytest.mark.parametrize("place", ["tables", "seats", "logs"])
@pytest.mark.parametrize("link", [True, False], ids=["link", "folder"])
def test_a_folder_that_somebody_else_put_there_is_not_used(
    home: Path, tmp_path: Path, belongs_to_another: Callable[[Path], None], place: str, link: bool
) -> None:
    """Keys would be theirs: it is refused, with what to do, and nothing is written there."""
    saves.home()
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    if link:
        (home / place).symlink_to(theirs)
    else:
        (home / place).mkdir()
    belongs_to_another(home / place)
    with pytest.raises(Refused) as refused:
        {
            "tables": lambda: saves.table_folder(TABLE),
            "seats": lambda: saves.seat_keys(TABLE, "Ada"),
            "logs": lambda: saves.open_log(TABLE),
        }[place]()
    assert refused.value.code == "no_home"
    assert refused.value.facts["path"] == str(home / place)
    assert not list(theirs.iterdir())


def test_somebody_elses_state_folder_is_refused(
    home: Path, belongs_to_another: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    saves.home()
    belongs_to_another(home)
    monkeypatch.setattr(os, "geteuid", lambda: 1234)
    with pytest.raises(Refused, match="somebody else"):
        saves.home()


def test_our_own_link_to_another_drive_is_followed(home: Path, tmp_path: Path) -> None:
    (tmp_path / "drive").mkdir()
    saves.home()
    (home / "tables").symlink_to(tmp_path / "drive")
    assert (tmp_path / "drive" / saves.table_folder(TABLE).name).is_dir()


def test_a_key_that_was_put_there_is_nobodys_key(home: Path, tmp_path: Path) -> None:
    """Whoever put it there would have the seat: it is set aside, and not followed anywhere."""
    known = tmp_path / "known"
    known.write_bytes(bytes(range(32)))
    saves.seat_keys(TABLE, "Ada")
    path = home / "seats" / TABLE / "Ada"
    path.unlink()
    path.symlink_to(known)
    keys = saves.seat_keys(TABLE, "Ada")
    assert keys.secret != known.read_bytes()
    assert not path.is_symlink()
    assert path.read_bytes() == keys.secret


def test_a_lock_or_a_log_that_leads_elsewhere_is_not_followed(home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (saves.table_folder(TABLE) / ".lock").symlink_to(elsewhere)
    with pytest.raises(Refused, match="no_home"):
        saves.table_lock(TABLE).acquire()
    os.close(saves.open_log(TABLE))
    saves.log_path(TABLE).unlink()
    saves.log_path(TABLE).symlink_to(elsewhere)
    with pytest.raises(OSError, match="symbolic"):
        saves.open_log(TABLE)
    assert not elsewhere.exists()


def test_what_is_put_back_from_a_copy_is_closed_to_others_again(
    home: Path, save_table: Callable[[int], Path]
) -> None:
    """A stick or an archive keeps no modes."""
    from net.journal_file import JournalFile

    folder = save_table(3)
    saves.seat_keys(folder.name, "Ada")
    key, journal = home / "seats" / folder.name / "Ada", folder / "game-1.jsonl"
    for path in (folder, key, journal):
        path.chmod(0o777)
    saves.seat_keys(folder.name, "Ada")
    saves.table_folder(folder.name)
    JournalFile.resume(journal)[0].close()
    assert [mode(path) for path in (folder, key, journal)] == [0o700, 0o600, 0o600]


@pytest.fixture
def at_once() -> Iterator[None]:
    """Let a test fail that would wait for ever for the other end of a pipe."""

    def fail(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, 10)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def put_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def put_device(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/full")  # of which there is as much to read as of /dev/zero


@pytest.mark.usefixtures("home", "at_once")
@pytest.mark.parametrize("put", [put_pipe, put_device])
def test_nobody_waits_for_a_pipe_or_reads_a_device_for_ever(
    save_table: Callable[[int], Path], put: Callable[[Path], None]
) -> None:
    from net.journal_file import JournalFile
    from net.mark import Mark
    from net.table_file import read_record

    folder = save_table(3)
    keys = saves.seat_keys(folder.name, "Ada")
    journal = folder / "game-1.jsonl"
    put(Mark(journal).path)
    assert Mark(journal).read() is None
    Mark(journal).note(3, "")
    put(folder / "table.json")
    with pytest.raises(illegal.Refused, match=private_files.NO_FILE):
        read_record(folder)
    put(journal)
    with pytest.raises(OSError, match=private_files.NO_FILE):
        JournalFile.resume(journal)
    assert saved_tables.saved_tables() == []
    put(saves.home() / "seats" / folder.name / "Ada")
    assert saves.seat_keys(folder.name, "Ada").secret != keys.secret
    saves.log_path(folder.name).parent.mkdir()
    put_pipe(saves.log_path(folder.name))
    with pytest.raises(OSError, match="No such device"):
        saves.open_log(folder.name)


def test_a_file_that_somebody_else_put_there_is_not_read(
    home: Path, belongs_to_another: Callable[[Path], None]
) -> None:
    """A table's keys would be known to them."""
    path = saves.table_folder(TABLE) / "table.json"
    write_private(path, b"{}")
    assert private_files.read_ours(path) == b"{}"
    belongs_to_another(path)
    with pytest.raises(PermissionError, match=private_files.NOT_OURS):
        private_files.read_ours(path)
