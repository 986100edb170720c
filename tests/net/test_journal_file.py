"""A journal on disk, through failed writes, crashes and a second process."""

from __future__ import annotations

import errno
import multiprocessing
import os
import resource
import stat
from pathlib import Path

import msgspec
import pytest

from core.journal import Journal, JournalError
from core.kernel.action import Action
from net.journal_file import JournalFile
from net.refused import Refused


class Deny(Action, frozen=True, tag="deny"):
    """An action of some game."""


class Say(Action, frozen=True, tag="say"):
    """A longer one."""

    words: str


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game-1.jsonl"


def begin(path: Path) -> JournalFile:
    chance = {"scheme": "scripted"}
    return JournalFile.create(path, game="toy", seats=("Ada", "Bob"), options={}, chance=chance)


def bodies(path: Path) -> list[dict[str, object]]:
    """What a reader finds, chain and all checked."""
    journal = Journal(path.read_bytes())
    found = [line.body for line in journal.lines()]
    assert not journal.torn
    assert not journal.unended
    return found


def test_what_was_appended_is_on_disk(path: Path) -> None:
    journal = begin(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Journal(path.read_bytes()).header.seats == ("Ada", "Bob")
    journal.append(0, Say("Was it you?"), "aid-1", "seat")
    journal.append(1, Deny(), None, "bot")
    first, second = bodies(path)
    assert (first["seat"], first["do"], first["words"]) == (0, "say", "Was it you?")
    assert (first["aid"], first["by"]) == ("aid-1", "seat")
    assert (second["by"], bool(second["aid"])) == ("bot", True)
    assert second["chain"] == journal.chain
    journal.close()


def test_each_line_is_synced_before_append_returns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begin(path)
    synced: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        synced.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(os, "fsync", fsync)
    journal.append(0, Deny(), "a", "seat")
    assert synced == [path.stat().st_size]
    journal.close()


def test_a_finished_game_is_closed_and_signed(path: Path) -> None:
    journal = JournalFile.create(
        path, game="toy", seats=(), options={}, chance={}, sign=lambda chain: chain[::-1]
    )
    journal.append(0, Deny(), "a", "seat")
    journal.finish(b'{"masters":[1]}')
    chain = journal.chain
    end = {"result": {"masters": [1]}, "chain": chain, "signature": chain[::-1]}
    assert bodies(path)[-1] == {"end": end}
    size = path.stat().st_size
    for more in (lambda: journal.append(0, Deny(), "b", "seat"), lambda: journal.finish(b"{}")):
        with pytest.raises(Refused, match="finished"):
            more()
    journal.close()
    resumed, _, _ = JournalFile.resume(path)
    with pytest.raises(Refused, match="finished"):
        resumed.append(0, Deny(), "c", "seat")
    resumed.close()
    assert path.stat().st_size == size


def test_an_existing_journal_is_never_begun_anew(path: Path) -> None:
    begin(path).close()
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        begin(path)
    assert path.read_bytes() == before


def test_a_full_disk_leaves_whole_lines(path: Path) -> None:
    """The kernel itself stops the write half way: a limit on the size of files."""
    journal = begin(path)
    journal.append(0, Deny(), "a", "seat")
    before, chain = path.read_bytes(), journal.chain
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, hard))
    try:
        with pytest.raises(OSError, match=r"[Ff]ile too large"):
            journal.append(1, Say("x" * 100), "b", "seat")
        with pytest.raises(OSError, match=r"[Ff]ile too large"):
            journal.try_disk()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    journal.try_disk()
    assert path.read_bytes() == before
    assert journal.chain == chain
    journal.append(1, Deny(), "b", "seat")
    assert [body["aid"] for body in bodies(path)] == ["a", "b"]
    journal.close()


def test_a_journal_that_somebody_removed_takes_no_more(path: Path) -> None:
    journal = begin(path)
    journal.append(0, Deny(), "a", "seat")
    kept = path.with_name("kept")
    path.rename(kept)
    journal.append(1, Deny(), "b", "seat")  # moved: it is still to be found
    kept.unlink()
    with pytest.raises(FileNotFoundError):
        journal.append(0, Deny(), "c", "seat")
    with pytest.raises(FileNotFoundError):
        journal.try_disk()
    journal.close()


def test_a_failed_sync_is_a_failed_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = begin(path)
    before = path.read_bytes()
    real = os.fsync
    fails = iter([True, False])

    def fsync(descriptor: int) -> None:
        if next(fails, False):
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="Input/output"):
        journal.append(0, Deny(), "a", "seat")
    assert path.read_bytes() == before
    journal.close()


def test_what_could_not_be_cut_back_is_cut_back_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begin(path)

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", broken)
        patch.setattr(os, "ftruncate", broken)
        with pytest.raises(OSError, match="Input/output"):
            journal.append(0, Deny(), "lost", "seat")
    journal.append(1, Deny(), "kept", "seat")
    assert [body["aid"] for body in bodies(path)] == ["kept"]
    journal.close()


def test_a_journal_cut_anywhere_resumes(path: Path) -> None:
    journal = begin(path)
    for number in range(3):
        journal.append(number % 2, Say("ümlaut"), f"aid-{number}", "seat")
    journal.close()
    whole = path.read_bytes()
    header = whole.index(b"\n")
    for cut in range(header, len(whole) + 1):
        path.write_bytes(whole[:cut])
        resumed, read, lines = JournalFile.resume(path)
        kept = len(lines)
        assert whole[:cut].count(b"\n") - 1 <= kept <= whole[:cut].count(b"\n")
        assert read.game == "toy"
        resumed.append(0, Deny(), "after", "seat")
        resumed.close()
        assert [body["aid"] for body in bodies(path)] == [
            *(f"aid-{number}" for number in range(kept)),
            "after",
        ]


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"journal": 2}\n', b"[]\n"])
def test_what_is_no_journal_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(JournalError):
        JournalFile.resume(path)
    assert path.read_bytes() == content


def test_damage_in_the_middle_is_refused_and_not_repaired(path: Path) -> None:
    journal = begin(path)
    for number in range(3):
        journal.append(0, Deny(), f"aid-{number}", "seat")
    journal.close()
    content = path.read_bytes().replace(b"aid-1", b"aid-9")
    path.write_bytes(content)
    with pytest.raises(JournalError) as error:
        JournalFile.resume(path)
    assert (error.value.code, error.value.line) == ("broken_chain", 3)
    assert path.read_bytes() == content


def _resume_elsewhere(path: Path, out: object) -> None:
    try:
        JournalFile.resume(path)
        out.put("opened")  # type: ignore[attr-defined]
    except Refused as refused:
        out.put(refused.code)  # type: ignore[attr-defined]


def test_two_processes_never_write_one_journal(path: Path) -> None:
    journal = begin(path)
    context = multiprocessing.get_context("fork")
    answers = []
    for _ in range(2):
        out = context.Queue()
        process = context.Process(target=_resume_elsewhere, args=(path, out))
        process.start()
        answers.append(out.get(timeout=20))
        process.join(timeout=20)
        journal.close()
    assert answers == ["table_open", "opened"]


def test_lines_are_read_back_with_their_types(path: Path) -> None:
    journal = begin(path)
    journal.append(1, Say("hm"), "a", "clock")
    journal.close()
    _, _, (line,) = JournalFile.resume(path)
    assert (line.seat, line.do, line.aid) == (1, "say", "a")
    assert msgspec.convert(line.body, Say, strict=False).words == "hm"
