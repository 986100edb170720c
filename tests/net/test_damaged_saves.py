"""A saved table that was damaged, edited or mixed up: said in words, and nothing written over."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from core.journal import first_chain, next_chain
from core.kernel.illegal import Refused
from net.dealer import FairDealer
from net.host import Host
from net.memory import MemoryBroker
from net.saves import table_lock
from net.table import Table
from net.table_file import (
    TableFile,
    check_can_go_on,
    find_saved,
    keys_of,
    read_record,
    restore,
    restore_answers,
)
from tui.refusals import refused_text
from tui.replaying import replayed

ACTIONS = 12


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))


@pytest.fixture
def folder(save_table: Callable[[int], Path]) -> Path:
    """The folder of a table that was killed after some actions: two people and a bot."""
    return save_table(ACTIONS)


def resumed(folder: Path) -> Table:
    """Go on with a saved table, as the table process does."""
    kept = read_record(folder)
    keys = keys_of(kept)
    table = restore(kept, folder, now=time.monotonic, tell=lambda _: None)
    restore_answers(kept, Host(table, keys, MemoryBroker().connect()))
    if table.game is not None:
        table.game.journal.close()
    return table


def refusal_of(folder: Path) -> str:
    """Return in words why a table can't go on; nothing of it has changed."""
    before = {path: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(Refused) as refused:
        resumed(folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    said = refused_text(refused.value)
    assert "None" not in said
    assert str(folder) in said or refused.value.code not in ("bad_journal", "bad_table_file")
    return said


def changed(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda table: table.update(values)


def changed_seat(number: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda table: table["seats"][number].update(values)


@pytest.mark.parametrize(
    "damage",
    [
        changed(owner=3),
        changed(owner=-1),
        changed(seats=[]),
        changed(journal=None),
        changed(journal="../game-1.jsonl"),
        changed(journal="game-2.jsonl"),
        changed(level="genius"),
        changed(port=70000),
        changed(port=-1),
        changed(think=-1),
        changed(away=-1),
        changed(idle=-1),
        changed(turn=-5),
        changed(pin="12"),
        changed(players=2),
        changed(players=99),
        changed(game="chess"),
        changed(options={"smell_deck": "roses"}),
        changed(signing="", sealing=""),
        changed_seat(0, key=None),
        changed_seat(0, key="AAAA"),
        changed_seat(0, peer=None),
        changed_seat(0, name="Eve"),
        changed_seat(2, level="genius"),
        changed_seat(2, level=None),
        changed_seat(2, kind="person"),
        lambda table: table["seats"].pop(),
        lambda table: table["seats"].append(table["seats"][0]),
        lambda table: table["seats"].reverse(),
    ],
)
def test_a_table_file_that_contradicts_itself_is_refused(
    folder: Path, damage: Callable[[dict[str, Any]], None]
) -> None:
    file = folder / "table.json"
    table = json.loads(file.read_bytes())
    damage(table)
    file.write_text(json.dumps(table))
    refusal_of(folder)


def test_the_files_of_two_tables_do_not_mix(
    folder: Path, save_table: Callable[[int], Path]
) -> None:
    other = save_table(ACTIONS)
    journal = folder / "game-1.jsonl"
    kept = journal.read_bytes()
    journal.write_bytes((other / "game-1.jsonl").read_bytes())
    assert "another table" in refusal_of(folder)
    journal.write_bytes(kept)
    (folder / "table.json").write_bytes((other / "table.json").read_bytes())
    (folder / "table.mark").unlink()
    assert "is a copy" in refusal_of(folder)


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda lines: lines.clear(), "line 1"),
        (lambda lines: lines.__setitem__(4, b"\0" * 60), "line 5"),
        (lambda lines: lines.pop(4), "line 5"),
        (lambda lines: lines.insert(4, lines[4]), "line 6"),
        (lambda lines: lines.insert(4, b""), "line 5"),
        (lambda lines: lines.append(b"[]"), f"line {ACTIONS + 2}"),
        (lambda lines: lines.append(b'{"seat":0}'), f"line {ACTIONS + 2}"),
        (lambda lines: lines.append(b'{"seat":9,"do":"ask"}'), f"line {ACTIONS + 2}"),
        (lambda lines: lines.append(b'{"end":{}}'), f"line {ACTIONS + 2}"),
        (lambda lines: lines.append(b'{"end":7}'), f"line {ACTIONS + 2}"),
    ],
)
def test_a_damaged_journal_is_refused_by_line(
    folder: Path, damage: Callable[[list[bytes]], object], word: str
) -> None:
    journal = folder / "game-1.jsonl"
    lines = journal.read_bytes().splitlines()
    damage(lines)
    journal.write_bytes(b"".join(line + b"\n" for line in lines))
    said = refusal_of(folder)
    assert word in said
    assert "put it back" in said


def test_a_journal_that_is_gone_or_no_file_is_said(folder: Path) -> None:
    journal = folder / "game-1.jsonl"
    journal.rename(folder / "away.jsonl")
    assert str(journal) in refusal_of(folder)
    journal.mkdir()
    with pytest.raises(Refused) as refused:
        resumed(folder)
    assert str(journal) in refused_text(refused.value)


def test_a_journal_cut_anywhere_in_its_end_goes_on_with_what_is_whole(folder: Path) -> None:
    journal = folder / "game-1.jsonl"
    whole = journal.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in range(len(whole), len(whole) - len(lines[-1]) - len(lines[-2]) - 2, -1):
        journal.write_bytes(whole[:cut])
        table = resumed(folder)
        assert table.game is not None
        count = whole[:cut].count(b"\n") + (whole[cut : cut + 1] == b"\n") - 1
        assert table.game.actions == count
        left = journal.read_bytes()
        assert left == b"".join(lines[: count + 1])


def test_no_damage_at_random_is_more_than_a_refusal(folder: Path) -> None:
    rng = Random(7)
    kept = {path: path.read_bytes() for path in folder.glob("*.json*")}
    for _ in range(300):
        for path, data in kept.items():
            path.write_bytes(data)
        path = rng.choice(sorted(kept))
        data = bytearray(kept[path])
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            match rng.randrange(3):
                case 0:
                    data[at] = rng.randrange(256)
                case 1:
                    del data[at : at + rng.randint(1, 30)]
                case _:
                    data[at:at] = rng.choice([b"0", b"-", b'"', b"null", b"}", b"\n", b"\xff"])
        path.write_bytes(data)
        try:
            resumed(folder)
        except Refused as refused:
            said = refused_text(refused)
        else:
            continue
        assert said
        assert path.read_bytes() == data


def test_what_crashes_left_half_written_does_not_pile_up(folder: Path) -> None:
    before = set(folder.iterdir())
    (folder / ".table.json.0123456789abcdef").write_text("{half of its keys")
    TableFile(folder.name)
    assert set(folder.iterdir()) == before


def test_an_undamaged_table_goes_on(folder: Path) -> None:
    assert replayed(folder / "game-1.jsonl", None, reveal=True).warning is None
    table = resumed(find_saved("last"))
    assert table.game is not None
    assert table.game.actions == ACTIONS
    assert [seat.name for seat in table.lobby.seats] == ["Ada", "Bob", "Bot A"]


# Edited by somebody who knows what a journal is: every line is legal, every chain is whole


def chained_anew(lines: list[bytes]) -> bytes:
    """Return a journal whose chains fit, whatever its lines say."""
    chain, out = first_chain(lines[0]), [lines[0]]
    for line in lines[1:]:
        body = json.loads(line)
        chain = body["chain"] = next_chain(chain, body)
        out.append(json.dumps(body).encode())
    return b"".join(line + b"\n" for line in out)


def unchained(lines: list[bytes]) -> bytes:
    """Return a journal without chains: it says nothing about itself any more."""
    bodies = [json.loads(line) for line in lines[1:]]
    for body in bodies:
        del body["chain"]
    return b"".join(each + b"\n" for each in (lines[0], *(json.dumps(b).encode() for b in bodies)))


def other_words(lines: list[bytes]) -> bytes:
    """Let somebody have said something else, which is as legal."""
    at = next(n for n, line in enumerate(lines) if b'"ask"' in line)
    body = json.loads(lines[at])
    lines[at] = json.dumps({**body, "words": "It was me"}).encode()
    return chained_anew(lines)


def another_sender(lines: list[bytes]) -> bytes:
    """Let a bot have done what a person did."""
    body = json.loads(lines[-1])
    lines[-1] = json.dumps({**body, "by": "bot"}).encode()
    return chained_anew(lines)


def another_header(lines: list[bytes]) -> bytes:
    """Say what doesn't change this game: it is another game all the same."""
    header = json.loads(lines[0])
    lines[0] = json.dumps({**header, "note": "of no importance"}).encode()
    return chained_anew(lines)


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (other_words, "edited_journal"),
        (another_sender, "edited_journal"),
        (another_header, "edited_journal"),
        (lambda lines: unchained([*lines[:-1], lines[-1].replace(b"aid-", b"bid-")]), "edited_"),
        (lambda lines: chained_anew(lines[:-1]), "shorter_journal"),
        (lambda lines: b"".join(line + b"\n" for line in lines[:-1]), "shorter_journal"),
        (lambda lines: b"".join(line + b"\n" for line in lines[:-2]) + lines[-2][:9], "shorter_"),
        (lambda lines: lines[0] + b"\n", "shorter_journal"),
        (lambda lines: chained_anew([*lines[:-2], lines[-1], lines[-2]]), "bad_journal"),
    ],
)
def test_a_journal_that_was_edited_with_care_is_noticed(
    folder: Path, edit: Callable[[list[bytes]], bytes], code: str
) -> None:
    """Nothing goes on from it, nothing is written over, and it says what to do."""
    journal = folder / "game-1.jsonl"
    journal.write_bytes(edit(journal.read_bytes().splitlines()))
    assert _code(folder).startswith(code)
    said = refusal_of(folder)
    if code != "bad_journal":
        assert replayed(journal, None, reveal=True).warning is not None
        assert "delete game-1.mark" in said
        (folder / "game-1.mark").unlink()
        assert resumed(folder).game is not None


def _code(folder: Path) -> str:
    with pytest.raises(Refused) as refused:
        check_can_go_on(folder)
    return refused.value.code


def test_the_journal_of_another_game_of_the_same_people_is_noticed(folder: Path) -> None:
    table = restore(read_record(folder), folder, now=time.monotonic, tell=lambda _: None)
    keys = keys_of(read_record(folder))
    assert table.game is not None
    table.game.journal.close()
    names = tuple(seat.name for seat in table.lobby.seats)
    other = FairDealer(keys).deal(table.rules, dict(table.lobby.options), names)
    other.journal.close()
    (folder / "game-2.jsonl").replace(folder / "game-1.jsonl")
    assert _code(folder) == "shorter_journal"
    assert "Put the whole file back" in refusal_of(folder)


def test_an_older_table_file_is_noticed(folder: Path) -> None:
    """A person who was removed, or a PIN that was changed, doesn't come back with a copy."""
    path = folder / "table.json"
    older = path.read_bytes()
    table = resumed(folder)
    host = Host(table, keys_of(read_record(folder)), MemoryBroker().connect(), pin="123456")
    TableFile(folder.name, 3278, written=read_record(folder).written).keep(host)
    newer = path.read_bytes()
    assert read_record(folder).pin == "123456"
    path.write_bytes(older)
    assert _code(folder) == "older_table_file"
    path.write_bytes(newer.replace(b"123456", b"654321"))
    assert _code(folder) == "edited_table_file"
    assert "delete table.mark" in refusal_of(folder)
    path.write_bytes(newer)
    assert resumed(folder).game is not None


def test_a_crash_before_a_mark_is_written_is_no_edit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mark is as old as its file, or older; half written it says nothing."""
    older = {mark: mark.read_bytes() for mark in folder.glob("*.mark")}
    table = restore(read_record(folder), folder, now=time.monotonic, tell=lambda _: None)
    game = table.game
    assert game is not None
    seat = game.awaiting[0]
    offers = table.rules.decode_view(game.view(seat)).offers
    action = next(table.rules.actions(offers[-1]))
    game.happens(game.tried(seat, action, game.asked), "one more", "seat")
    game.journal.close()
    host = Host(table, keys_of(read_record(folder)), MemoryBroker().connect(), pin="123456")
    TableFile(folder.name, 3278).keep(host)
    for cut in (None, 20, 0):
        for mark, said in older.items():
            mark.write_bytes(said[:cut])
        again = resumed(folder)
        assert again.game is not None
        assert again.game.actions == ACTIONS + 1


def test_a_copy_of_a_table_does_not_go_on_beside_it(folder: Path, tmp_path: Path) -> None:
    """Not in the same place under another name, and not elsewhere: there are never two of it."""
    for copy in (folder.with_name("copy"), tmp_path / "backup"):
        shutil.copytree(folder, copy)
        assert "is a copy" in refusal_of(copy)
    shutil.rmtree(folder)
    (tmp_path / "backup").rename(folder)
    assert resumed(folder).game is not None


def test_a_lock_that_was_left_behind_or_copied_keeps_nobody_out(folder: Path) -> None:
    """It is the process that has the table, not a file."""
    (folder / ".lock").write_text("4711")
    check_can_go_on(folder)
    with table_lock(folder.name):
        assert _code(folder) == "table_open"
    check_can_go_on(folder)
