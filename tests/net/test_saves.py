"""Where things are kept: private, atomic, and never outside the state folder."""

from __future__ import annotations

import errno
import multiprocessing
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from net import saves
from net.keys import SeatKeys
from net.private_files import write_private
from net.refused import Refused
from net.saved_tables import saved_tables

TABLE = "a" * 26


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "deep" / "home"
    monkeypatch.setenv("PRRRT_HOME", str(path))
    return path


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_state_folder_is_made_private(home: Path) -> None:
    assert saves.home() == home
    assert mode(home) == 0o700


def test_without_a_wish_it_is_where_the_system_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PRRRT_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert saves.home().is_relative_to(tmp_path)
    assert saves.home().name == "prrrt"


@pytest.mark.parametrize("wish", ["~nobody-has-this-name/prrrt", None])
def test_an_account_without_a_home_is_told_so(
    wish: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container gives out numbers of accounts that its system doesn't know."""
    monkeypatch.delenv("PRRRT_HOME")
    if wish is not None:
        monkeypatch.setenv("PRRRT_HOME", wish)
    for key in ("HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    with pytest.raises(Refused) as refused:
        saves.home()
    assert refused.value.code == "no_home"


@pytest.mark.parametrize(
    "open_it",
    [lambda: saves.seat_keys(TABLE, "Ada"), lambda: saves.table_lock(TABLE).acquire()],
    ids=["key", "lock"],
)
def test_a_folder_where_a_file_belongs_is_refused(
    open_it: Callable[[], object], home: Path
) -> None:
    (home / "seats" / TABLE / "Ada").mkdir(parents=True)
    (home / "tables" / TABLE / ".lock").mkdir(parents=True)
    with pytest.raises(Refused) as refused:
        open_it()
    assert refused.value.code == "no_home"
    assert str(home) in str(refused.value.facts["path"])


def test_a_drive_that_cannot_sync_folders_will_do(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    path = saves.settings_path()
    write_private(path, b"kept")
    assert path.read_bytes() == b"kept"


def test_a_file_system_without_locks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(descriptor: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(Refused) as refused:
        saves.table_lock(TABLE).acquire()
    assert refused.value.facts["why"] == "No locks available"


def test_a_home_that_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    monkeypatch.setenv("PRRRT_HOME", str(file / "home"))
    with pytest.raises(Refused) as refused:
        saves.home()
    assert refused.value.code == "no_home"
    assert refused.value.facts["path"] == str(file / "home")
    assert file.read_text() == "in the way"


def test_the_same_name_has_the_same_key_again(home: Path) -> None:
    ada = saves.seat_keys(TABLE, "Ada")
    assert saves.seat_keys(TABLE, "Ada").secret == ada.secret
    assert saves.seat_keys(TABLE, "Bob").secret != ada.secret
    assert saves.seat_keys("b" * 26, "Ada").secret != ada.secret
    file = home / "seats" / TABLE / "Ada"
    assert file.read_bytes() == ada.secret
    assert mode(file) == 0o600
    assert {mode(folder) for folder in (file.parent, file.parent.parent)} == {0o700}
    assert set(saves.seats_kept(TABLE)) == {"Ada", "Bob"}
    assert saves.seats_kept("c" * 26) == ()


NASTY = (
    *("../../etc/passwd", "..", ".", "/abs", "a/b", "a\\b", "", "~root", "nul\0byte", "new\nline"),
    *("-rf", "x.broken", ".hidden", "💨" * 24, "x" * 3000, "%2E%2E", "con:", "ü"),
)


@pytest.mark.parametrize("name", NASTY)
def test_a_name_is_never_a_path(home: Path, name: str) -> None:
    keys = saves.seat_keys(TABLE, name)
    (file,) = (home / "seats" / TABLE).iterdir()
    assert file.is_file()
    assert not file.name.startswith(".")
    assert len(file.name.encode()) < 200
    assert saves.seat_keys(TABLE, name).secret == keys.secret


def test_different_names_have_different_files(home: Path) -> None:
    names = {*NASTY, "x" * 3001, "%", "a%2Fb"}
    assert len({saves.seat_keys(TABLE, name).secret for name in names}) == len(names)
    assert len(list((home / "seats" / TABLE).iterdir())) == len(names)


def test_a_table_id_is_never_a_path_either(home: Path) -> None:
    folder = saves.table_folder("../../elsewhere")
    assert folder.parent == home / "tables"


def test_a_broken_key_is_set_aside(home: Path) -> None:
    saves.seat_keys(TABLE, "Ada")
    file = home / "seats" / TABLE / "Ada"
    for broken in (b"short", b"shorter"):
        file.write_bytes(broken)
        keys = saves.seat_keys(TABLE, "Ada")
        assert file.read_bytes() == keys.secret
    kept = {path.read_bytes() for path in file.parent.glob("Ada.*.broken")}
    assert kept == {b"short", b"shorter"}
    assert saves.seats_kept(TABLE) == ("Ada",)


def _sit_down(start: object, out: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    out.put(saves.seat_keys(TABLE, "Ada").secret)  # type: ignore[attr-defined]


def test_two_terminals_that_sit_down_at_once_have_one_key() -> None:
    context = multiprocessing.get_context("fork")
    start, out = context.Barrier(4), context.Queue()
    processes = [context.Process(target=_sit_down, args=(start, out)) for _ in range(4)]
    for process in processes:
        process.start()
    keys = {out.get(timeout=20) for _ in processes}
    for process in processes:
        process.join(timeout=20)
    assert keys == {saves.seat_keys(TABLE, "Ada").secret}


def test_replacing_a_file_is_all_or_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saves.table_folder(TABLE) / "table.json"
    write_private(path, b"old")
    assert mode(path) == 0o600

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in path.parent.iterdir()] == ["table.json"]
    write_private(path, b"new")
    assert path.read_bytes() == b"new"


def test_one_process_has_a_table_until_it_lets_go() -> None:
    with saves.table_lock(TABLE):
        with pytest.raises(Refused, match="table_open"):
            saves.table_lock(TABLE).acquire()
        with saves.table_lock("b" * 26):
            pass
    with saves.table_lock(TABLE):
        pass


HEADER = '{"journal": 1, "game": "prrrt", "seats": ["Ada", "Bob", "Cy"], "chance": {}}\n'
LINE = '{"seat": 0, "do": "turn_location"}\n'
END = '{"end": {"result": null, "chain": "", "signature": null}}\n'


def keep(table: str, *games: str, told: str | None = '{"title": "Cellar"}') -> Path:
    folder = saves.table_folder(table)
    if told is not None:
        (folder / "table.json").write_text(told)
    for game in games:
        saves.next_journal(table).write_text(game)
    return folder


def test_saved_tables_are_listed_with_their_games() -> None:
    keep("finished", HEADER + LINE + END, told='{"title": "Old", "phase": "closed"}')
    os.utime(saves.table_folder("finished") / "table.json", (1, 1))
    os.utime(saves.table_folder("finished") / "game-1.jsonl", (2, 2))
    folder = keep("going", HEADER + LINE + END, HEADER + LINE + LINE)
    going, finished = saved_tables()
    assert (going.table, going.title, going.resumable) == ("going", "Cellar", True)
    assert [(game.actions, game.finished) for game in going.games] == [(1, True), (2, False)]
    assert going.games[1].path == folder / "game-2.jsonl"
    assert going.games[1].seats == ("Ada", "Bob", "Cy")
    assert (finished.title, finished.resumable, finished.changed) == ("Old", False, 2)


def test_a_new_journal_follows_the_last_one_also_when_an_older_one_is_gone() -> None:
    folder = keep("going", HEADER, HEADER)
    (folder / "game-1.jsonl").unlink()
    assert saves.next_journal("going") == folder / "game-3.jsonl"


def test_journals_are_numbered_in_order() -> None:
    folder = keep(TABLE, *[HEADER] * 11)
    assert [path.name for path in saves.journals(folder)][-2:] == ["game-10.jsonl", "game-11.jsonl"]
    assert saves.next_journal(TABLE).name == "game-12.jsonl"


def test_rubbish_among_the_tables_is_passed_over(home: Path) -> None:
    assert saved_tables() == []
    keep("empty", told=None)
    keep("noise", "\x00\x01", told="{")
    keep("pit", '{"pit": ' + 100_000 * "[", told='{"pit": ' + 100_000 * "[")
    keep("only-a-game", HEADER, told=None)
    (home / "tables" / "a file").write_text("x")
    (only,) = saved_tables()
    assert (only.table, only.resumable) == ("only-a-game", False)


def test_what_is_kept_is_a_key(home: Path) -> None:
    assert isinstance(saves.seat_keys(TABLE, "Ada"), SeatKeys)
    assert saves.settings_path() == home / "settings.json"
    assert saves.log_path("../x").parent == home / "logs"
