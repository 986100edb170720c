"""Nothing that others write ends in markup, a format, an escape, a path or a shell.

It is put everywhere where others' words come in, and looked for in what is drawn and printed.
"""

from __future__ import annotations

import ast
import contextlib
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hostile_words import ALL, WORDS, harmless

from core.kernel.illegal import Illegal, Refused
from net.happenings import AnyHappening
from net.names import clean_title
from net.private_files import write_private
from net.room import ChatLine, Notice, SeatInfo
from net.saves import home as state_folder
from net.saves import table_folder
from net.table_process import json_line
from net.updates import Answered, Ended
from net.updates import Words as KeyWords
from tui import headless
from tui.app import PrrrtApp
from tui.complaints import turned_away, turned_down
from tui.film import Film
from tui.finding import Found
from tui.headless import list_games, list_tables
from tui.opening import Join, Replay, Target
from tui.replaying import print_replay
from tui.words import en, say

ROOT = Path(__file__).parents[2]
TUI = ROOT / "tui"
CASES = Path(__file__).parents[1] / "cases"
JOURNALS = {
    "prrrt": CASES / "prrrt" / "random-prrrt-00022-full.jsonl",
    "low-on-gas": CASES / "low-on-gas" / "random-low-on-gas-00029-full.jsonl",
}


@pytest.fixture(params=JOURNALS)
def journal(request: Any, tmp_path: Path) -> Path:
    """A saved game of people with hostile names, in a file with one."""
    header, *lines = JOURNALS[request.param].read_text(encoding="utf-8").splitlines()
    head = msgspec.json.decode(header)
    head["seats"] = [f"{n}{''.join(WORDS[n::4])}"[:200] for n in range(len(head["seats"]))]
    path = tmp_path / "[@click=app.quit]x\x1b[2J\u202e.jsonl"
    path.write_bytes(b"\n".join([msgspec.json.encode(head), *map(str.encode, lines), b""]))
    return path


def drawn(app: PrrrtApp) -> str:
    """Return all that is on the screen; nothing in it is a link or does anything by a click."""
    text = []
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            assert segment.control is None
            style = segment.style
            assert style is None or (style.link is None and "@click" not in style.meta)
            text.append(segment.text)
        text.append(" ")
    return "".join(text)


def assert_harmless(app: PrrrtApp) -> None:
    text = drawn(app)
    assert harmless(text), [c for c in text if not c.isprintable()]


# What a host, or whoever sits at its table, shows us


async def test_a_lobby_of_hostile_people(lan, room, tell, until) -> None:
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: lan.openings)
        seats = tuple(SeatInfo(word, level=word) for word in WORDS[:9])
        chat = tuple(ChatLine(n, word, None, word) for n, word in enumerate(WORDS))
        codes = [key.split(".")[1] for key in en.WORDS if key.startswith("notice.")]
        facts = dict.fromkeys(("name", "value", "key", "why", "by", "game", "title"), ALL)
        notices = tuple(Notice(n, code, facts) for n, code in enumerate([*codes, ALL]))
        options = {"smell_deck": ALL, ALL: ALL}
        lobby = room(title=ALL, seats=seats, chat=chat, notices=notices, options=options)
        await tell(pilot, KeyWords(WORDS[:5]), lobby)
        await tell(pilot, Answered("a", ALL, {"why": ALL}), Answered("b", "full", {"players": ALL}))
        assert_harmless(app)
        assert "[bold]x[/]" in drawn(app), "it is there, and plain"
        assert app.is_running


@pytest.mark.parametrize("journal", ["low-on-gas"], indirect=True)
async def test_a_table_of_hostile_people(lan, tell, until, journal: Path) -> None:
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: lan.openings)
        film = Film(journal, 0)
        seen = film.at(film.length // 2, 0)
        chat = tuple(ChatLine(n, word, 1, word) for n, word in enumerate(WORDS))
        notices = tuple(Notice(n, "joined", {"name": word}) for n, word in enumerate(WORDS))
        room = msgspec.structs.replace(
            seen.room, table="abc", title=ALL, chat=chat, notices=notices, owner=0
        )
        update = msgspec.structs.replace(seen, room=room)
        await tell(pilot, update, Answered("a", ALL, {"why": ALL}))
        assert_harmless(app)
        assert "[bold]x[/]" in drawn(app), "it is there, and plain"
        assert app.is_running


@pytest.mark.parametrize("code", ["version", "wrong_pin", ALL])
async def test_a_refusal_of_a_hostile_host(lan, tell, until, code: str) -> None:
    app = PrrrtApp(Join(Target(ALL), name="Camille"))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: lan.openings)
        facts = dict.fromkeys(("app", "ours", "theirs", "why", "name", "players", "game"), ALL)
        await tell(pilot, Ended(code, facts))
        assert_harmless(app)
        assert app.is_running


async def test_tables_that_are_announced_with_hostile_words(lan, until) -> None:
    app = PrrrtApp()
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        found = [
            Found(f"t{n}", word, word, (("192.0.2.7", 1),), 5, 3, "gone")
            for n, word in enumerate(WORDS)
        ]
        lan.announce(*found)
        await until(pilot, lambda: app.screen.query_one("#tables").option_count == len(WORDS))
        await pilot.press("enter")  # says why it can't be joined
        await pilot.pause()
        assert_harmless(app)
        assert app.is_running


async def test_a_saved_game_of_hostile_people(lan, journal: Path) -> None:
    app = PrrrtApp(Replay(journal, 0, reveal=False))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.pause()
        assert_harmless(app)
        await pilot.press("end")
        await pilot.pause()
        assert_harmless(app)
        assert app.is_running


# What is printed


def test_no_sentence_can_be_made_to_say_more_than_words() -> None:
    for key, sentence in en.WORDS.items():
        names = [name for _, name, _, _ in string.Formatter().parse(sentence) if name]
        said = say(key, **dict.fromkeys(names, ALL))
        assert harmless(said.replace("\n", "")), key
        said = say(key, **dict.fromkeys(names, WORDS))
        assert harmless(said.replace("\n", "")), key


def test_no_refusal_can_be_made_to_say_more_than_words() -> None:
    codes = [key.partition(".")[2] for key in en.WORDS if key.startswith(("refused.", "ended."))]
    assert len(codes) > 100
    for code in [*codes, ALL]:
        sentence = en.WORDS.get(f"refused.{code}", "")
        names = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
        facts = dict.fromkeys(names | {"why", "path", "app", "facts", "code"}, ALL)
        for complaint in (
            turned_away(code, facts),
            turned_down(Refused(code, **{k: v for k, v in facts.items() if k != "code"})),
            turned_down(Illegal(code, **{k: WORDS for k in facts if k != "code"})),
        ):
            assert harmless(complaint.text), code


def _of(kind: Any) -> Any:
    """Return a value of a type that is as hostile as it can be."""
    kinds = {int: 1, bool: True, msgspec.Raw: msgspec.Raw(b"{}")}
    if kind in kinds:
        return kinds[kind]
    text = str(kind)
    if text.startswith("tuple"):
        return WORDS
    return {ALL: 1} if text.startswith("dict") else ALL


@pytest.mark.parametrize("kind", AnyHappening.__args__)
def test_no_happening_is_more_than_a_line(kind: Any) -> None:
    fields = msgspec.structs.fields(kind)
    happening = kind(**{field.name: _of(field.type) for field in fields})
    line = json_line(happening)
    assert line.endswith("\n")
    assert harmless(line[:-1])
    assert msgspec.json.decode(line) == msgspec.json.decode(msgspec.json.encode(happening))
    if kind.__name__ != "Failed":  # that one is refused in words
        for said in headless._in_words(happening).splitlines():
            assert harmless(said)


@pytest.mark.parametrize("as_json", [True, False])
def test_a_list_of_tables(as_json: bool, home, monkeypatch, capsys) -> None:
    async def found(_: float) -> tuple[Found, ...]:
        return tuple(Found("t", w, w, (("192.0.2.7", 1),), 5, 3, "open") for w in WORDS)

    monkeypatch.setattr("tui.finding.found_within", found)
    assert list_tables(seconds=1, broker=None, as_json=as_json) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == (1 if as_json else len(WORDS))
    assert all(map(harmless, lines))


@pytest.mark.parametrize("as_json", [True, False])
def test_a_list_of_games(as_json: bool, home, journal: Path, capsys) -> None:
    folder = table_folder(ALL)
    write_private(folder / "table.json", msgspec.json.encode({"title": ALL, "phase": "closed"}))
    write_private(folder / "game-1.jsonl", journal.read_bytes())
    assert list_games(as_json=as_json) == 0
    out = capsys.readouterr().out
    assert "[bold]x[/]" in out
    assert all(map(harmless, out.splitlines()))
    assert sorted(p.name for p in state_folder().iterdir()) == ["tables"]


@pytest.mark.parametrize("seat", [None, "0"])
def test_a_saved_game_as_json(journal: Path, seat: str | None, capsys) -> None:
    for data in (journal.read_bytes(), b'{"journal": "\x1b\x9b"}', ALL.encode(), SURROGATE):
        journal.write_bytes(data)
        print_replay(journal, seat, reveal=True)
        said = capsys.readouterr()
        assert msgspec.json.decode(said.out)
        assert harmless(said.out.rstrip("\n"))
        assert all(map(harmless, said.err.splitlines()))


SURROGATE = rb'{"journal": 1, "game": "prrrt", "seats": ["\ud800", "B", "C"]}'


def test_a_title_of_ones_own_is_clean_before_anybody_is_shown_it() -> None:
    for word in (*WORDS, ALL[:60]):
        with contextlib.suppress(Refused):
            assert harmless(clean_title(word))


# How it is written


TITLES = ("border_title", "border_subtitle")


def _calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            if (name.id if isinstance(name, ast.Name) else name) in names:
                yield node


def _is_content(node: ast.expr | None) -> bool:
    """Say whether this is made as text that is no markup, or says nothing of anybody's."""
    match node:
        case None | ast.Constant():
            return True
        case ast.Call(func=ast.Name(id="Content" | "Text")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="Content"))):
            return True
        case ast.Call(func=ast.Name(id="say"), keywords=[]):
            return True
    return False


@pytest.mark.parametrize("file", sorted(TUI.rglob("*.py")), ids=lambda p: str(p.relative_to(TUI)))
def test_nothing_that_takes_markup_is_given_words_of_others(file: Path) -> None:
    """Textual takes a plain `str` for markup nearly everywhere."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for call in _calls(tree, "notify"):
        assert any(k.arg == "markup" for k in call.keywords), f"notify in line {call.lineno}"
    for call in _calls(tree, "Static", "Label"):
        plain = any(k.arg == "markup" for k in call.keywords)
        first = call.args[0] if call.args else None
        assert plain or _is_content(first), f"Static in line {call.lineno}"
    for node in ast.walk(tree):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, ast.Attribute) and target.attr in TITLES:
                assert _is_content(node.value), f"{target.attr} in line {node.lineno}"
    assert not list(_calls(tree, "from_markup"))


def test_nothing_of_ours_runs_words_as_a_program() -> None:
    """No shell, no eval, nothing that makes objects of bytes; one place starts a process: ours."""
    starts = set()
    for file in (f for package in ("core", "net", "tui") for f in (ROOT / package).rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        imported = {
            name.name if isinstance(node, ast.Import) else node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in node.names
        }
        assert not imported & {"pickle", "marshal", "shelve", "ctypes", "pty", "code"}, file
        assert not list(_calls(tree, "eval", "exec", "system", "popen", "execve", "spawnv")), file
        assert not any(isinstance(n, ast.keyword) and n.arg == "shell" for n in ast.walk(tree))
        if "subprocess" in imported:
            starts.add(file.name)
    assert starts == {"spawn.py"}
