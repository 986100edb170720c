"""The command line: what it refuses and how, what it prints, and what it doesn't import."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from free_ports import free_port
from typer.main import get_command

from core.registry import GAMES
from tui.command_line import commands
from tui.command_line import run as run_command
from tui.complaints import WRONGLY_ASKED, Complaint
from tui.words.en import WORDS

CASES = Path(__file__).parent.parent / "cases" / "prrrt"
FULL = CASES / "random-prrrt-00001-full.jsonl"
RUN = "import sys; from tui.cli import main; sys.argv[0] = 'prrrt'; main()"
PRRRT = (sys.executable, "-c", RUN)
HEADLESS = (
    *("--headless", "--json", "--once", "--think", "0", "--start-when-full"),
    *("--players", "3", "--no-discovery", "--bind", "127.0.0.1"),
)
COMMANDS = list(get_command(commands).commands)
FRAGMENTS = {"error.line", "refused.legal_for", "refused.nobody_came"}
"""Sentences that go on after something else."""


@pytest.fixture
def prrrt(home, monkeypatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `prrrt` without a terminal, in a process of its own."""

    def run(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
        for key, value in env.items():
            monkeypatch.setenv(key, value)
        return subprocess.run(
            [*PRRRT, *args],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def typed(home, monkeypatch, capfd) -> Callable[..., tuple[int, str, str]]:
    """Run `prrrt` right here, for what it refuses; return status, output, errors."""

    def run(*args: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["prrrt", *args])
        return (run_command(), *capfd.readouterr())

    return run


def one_line(said: str) -> str:
    """Return what was said, if it was one line that begins with our name."""
    assert said.startswith("prrrt: ")
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["solo", "chess"], "no game chess"),
        (["fly"], "host, join"),
        (["solo", "--wings"], "no option --wings"),
        (["solo", "-x"], "no option -x"),
        (["host", "--player", "4"], "--players"),
        (["host", "--port"], "--port P"),
        (["host", "--once=3"], "takes no value"),
        (["join", "Friday", "night"], "quotes"),
        (["replay"], "FILE"),
        (["host", "--port", "0"], "from 1 to 65535"),
        (["host", "--port", "x"], "from 1 to 65535"),
        (["bot", "--count", "21"], "from 1 to 20"),
        (["solo", "--players", "x"], "whole number"),
        (["solo", "--players", "4.0"], "whole number"),
        (["host", "--bots", "-1"], "whole number"),
        (["host", "--headless", "--name", "x" * 25], "24 characters"),
        (["host", "--title", "x" * 61], "60 characters"),
        (["host", "--title", " "], "A title needs"),
        (["host", "--option", "open_scores="], "on, off"),
        (["host", "--headless", "--broker", "cellar"], "mqtt://HOST"),
        (["tables", "--broker", "cellar"], "mqtt://HOST"),
        (["host", "--headless", "--no-discovery", "--bind", "192.0.2.250"], "Leave --bind out"),
        (["join", "cellar:99999"], "99999 is no port"),
        (["bot", "a b:99999"], "99999 is no port"),
        (["watch", "cellar:x"], "HOST:PORT"),
        (["host", "--resume", "/etc/passwd"], "no file of a saved table"),
        (["host", "--resume", ""], '""'),
        (["host", "--headless", "--resume", "last"], "No saved table can go on"),
        (["host", "--resume", "abc"], "prrrt games"),
        (["replay", __file__], "no saved game of prrrt"),
        (["solo", "--players", "9"], "3 to 7"),
        (["solo", "--level", "genius"], "level genius"),
        (["solo", "--name", "x" * 25], "24 characters"),
        (["join", "--name", "  "], "A name needs"),
        (["host", "--bots", "9"], "9 bots"),
        (["host", "--json"], "--headless"),
        (["host", "--pin", "12"], "six digits"),
        (["host", "--option", "smell_deck"], "KEY=VALUE"),
        (["host", "--option", "smell_deck=roses"], "smell_deck"),
        (["host", "--option", "roses=1"], "smell_deck"),
        (["solo", "chess"], "prrrt, low-on-gas"),
        (["solo", "--players", "2"], "3 to 7"),
        (["solo", "low-on-gas", "--players", "1"], "2 to 7"),
        (["host", "low-on-gas", "--players", "8"], "2 to 7"),
        (["host", "low-on-gas", "--option", "smell_deck=deodorant"], "an option of PRRRT..."),
        (["host", "--option", "wins=3"], "an option of Low on Gas"),
        (["host", "low-on-gas", "--option", "wins=0"], "1, 2, 3, 4, 5, 6, 7, 8, 9"),
        (["host", "low-on-gas", "--option", "wins=2.0"], "1, 2, 3"),
        (["host", "low-on-gas", "--option", f"wins={'9' * 5000}"], "1, 2, 3"),
        (["host", "low-on-gas", "--option", f"dealer={'0' * 5000}"], "random, 0"),
        (["host", "low-on-gas", "--option", "dealer=4"], "random, 0, 1, 2, 3"),
        (["host", "low-on-gas", "--option", "pass_it_on=perhaps"], "on, off"),
        (["host", "low-on-gas", "--option", "wins"], "wins has no value"),
        (["host", "low-on-gas", "--option", "wins"], "wins=1"),
        (["host", "low-on-gas", "--option", "rounds"], "pass_it_on=on"),
        (["solo", "low-on-gas", "--wins", "3"], "--option wins=VALUE"),
        (["host", "--pass-it-on"], "--option pass_it_on=VALUE"),
        (["join", "--wins", "3"], "no option --wins"),
        (["solo", "low-on-gas", "--level", "genius"], "level genius"),
        (["replay", "nowhere.jsonl"], "can't be read"),
        (["replay", str(CASES / "err-deny-twice.jsonl")], "line 5"),
        (["replay", str(FULL), "--seat", "x"], "--seat"),
        (["replay", str(FULL), "--seat", "7"], "seat"),
    ],
)
def test_wrong_usage_is_refused_in_one_line(typed, args: list[str], word: str) -> None:
    status, out, said = typed(*args)
    assert (status, out) == (2, "")
    assert word in one_line(said)


def test_a_pin_in_the_environment_is_checked_too(prrrt) -> None:
    assert "six digits" in one_line(prrrt("host", PRRRT_PIN="abc").stderr)


@pytest.mark.parametrize("seconds", ["inf", "nan", "-1", "1e400", "1e3", "86401", "", "x", "٣"])
def test_seconds_are_a_number_that_ends(seconds: str) -> None:
    """Of every option in seconds, whichever command has it: nothing waits for ever."""
    tried = 0
    for command in get_command(commands).commands.values():
        for option in command.params:
            if option.metavar == "S":
                tried += 1
                with pytest.raises(Complaint) as complaint:
                    command.main([option.opts[0], seconds], standalone_mode=False)
                assert complaint.value.status == 2
                assert option.opts[0] in complaint.value.text
    assert tried == 7


def test_whatever_is_typed_is_shown_short_and_without_controls(typed) -> None:
    for text in ("x" * 5000, "a\x1b[2Jb\nc\u202ed", "\udcff"):
        for args in (
            [text],
            ["solo", text],
            ["solo", "--level", text],
            ["solo", "--players", text],
            ["solo", f"--{text}"],
            ["join", "a", text],
            ["host", "--title", f"{text}{'y' * 61}"],
            ["host", "--option", f"{text}=1"],
            ["host", "--resume", text],
            ["join", f"{text}:99999"],
            ["tables", "--broker", text],
        ):
            said = one_line(typed(*args)[2])
            assert len(said) < 400
            assert said.rstrip("\n").isprintable()


def test_each_refusal_that_is_wrong_usage_is_one_that_there_is() -> None:
    assert {f"refused.{code}" for code in WRONGLY_ASKED} <= set(WORDS)


def test_sentences_begin_alike() -> None:
    for key, sentence in WORDS.items():
        if key.startswith(("error.", "refused.", "ended.")) and key not in FRAGMENTS:
            assert re.match(r"[A-Z{]|--", sentence), key


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_and_names_what_can_be_typed(capsys, monkeypatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    args = [command, "--help"] if command else ["--help"]
    get_command(commands).main(args, prog_name="prrrt", standalone_mode=False)
    shown = capsys.readouterr().out
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert shown.startswith(f"Usage: {f'prrrt {command}'.strip()} ")
    for rules in GAMES.values():
        shown = shown.replace(rules.title, "")
    assert not re.search(r"\[\[|\{|<str>|\.\.\.|…|None", shown)


@pytest.mark.parametrize("command", ["solo", "host"])
def test_help_explains_the_options_of_every_game(capsys, monkeypatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    get_command(commands).main([command, "--help"], prog_name="prrrt", standalone_mode=False)
    shown = " ".join(capsys.readouterr().out.split())
    for name, rules in GAMES.items():
        assert f"{name} {rules.title} ({rules.seats.start} to" in shown
        for option in rules.options:
            assert f" {option.key}=" in shown
            assert WORDS[f"option.{name}.{option.key}.help"] in shown


@pytest.mark.parametrize(
    ("args", "game", "players", "bots", "options"),
    [
        (["solo"], "prrrt", 4, 3, {}),
        (["solo", "low-on-gas"], "low-on-gas", 4, 3, {"wins": 1, "dealer": "random"}),
        (["solo", "low-on-gas", "--players", "2"], "low-on-gas", 2, 1, {}),
        (
            ["host", "low-on-gas", "--option", "wins=3", "--option", "dealer=0"],
            *("low-on-gas", 4, 0, {"wins": 3, "dealer": 0}),
        ),
        (
            ["host", "low-on-gas", "--option", "pass_it_on=on"],
            "low-on-gas",
            4,
            0,
            {"pass_it_on": True},
        ),
        (
            ["host", "low-on-gas", "--option", "pass-it-on=true"],
            "low-on-gas",
            4,
            0,
            {"pass_it_on": True},
        ),
        (["host", "--players", "3", "--bots", "2"], "prrrt", 3, 2, {"smell_deck": "rulebook"}),
    ],
)
def test_a_game_is_chosen_with_its_usual_players_and_its_options(
    typed, monkeypatch, args, game, players, bots, options
) -> None:
    opened = []
    monkeypatch.setattr("tui.start.open_app", lambda opening: opened.append(opening) or 0)
    assert typed(*args) == (0, "", "")
    settings = opened[0].settings
    assert (settings.game, settings.players, settings.bots) == (game, players, bots)
    assert settings.options.items() >= options.items()
    assert list(settings.options) == [option.key for option in GAMES[game].options]


@pytest.mark.parametrize(
    "args",
    [
        ["host", "--headless", "--no-discovery", "--bind", "127.0.0.1", "--json"],
        ["bot", "nobody's table"],
        ["tables", "--seconds", "60"],
    ],
)
def test_ctrl_c_is_an_interruption(home, args: list[str]) -> None:
    def as_in_a_terminal() -> None:  # in the background of a script Ctrl+C is ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    running = subprocess.Popen(
        [*PRRRT, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=as_in_a_terminal,
    )
    try:
        assert running.stdout is not None
        if args[0] == "host":
            assert "ready" in running.stdout.readline()
        else:
            time.sleep(1.5)  # it looks silently; whenever it comes, the outcome is the same
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=30)
    finally:
        running.kill()
        running.wait()
    assert (running.returncode, said) == (130, "")


def test_a_table_without_a_screen_prints_the_lines_that_are_documented(home) -> None:
    running = subprocess.Popen(
        [*PRRRT, "host", "--headless", "--json", "--no-discovery", "--bind", "127.0.0.1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert running.stdout is not None
        ready = json.loads(running.stdout.readline())
        running.terminate()
        rest, _ = running.communicate(timeout=30)
    finally:
        running.kill()
        running.wait()
    assert list(ready) == ["event", "table", "title", "addresses", "port"]
    assert [json.loads(line) for line in rest.splitlines()] == [
        {"event": "stopped", "why": "signal"}
    ]
    assert running.returncode == 0


def test_a_refusal_is_no_line_of_a_table(prrrt) -> None:
    done = prrrt("host", "--headless", "--json", "--no-discovery", "--bind", "192.0.2.250")
    assert (done.returncode, done.stdout) == (2, "")


def test_what_the_last_table_was_preferred_to_is_said(prrrt, home) -> None:
    args = ("host", "--headless", "--json", "--no-discovery", "--bind", "127.0.0.1")
    broken = home / "tables" / ("a" * 26)
    broken.mkdir(parents=True)
    (broken / "table.json").write_text('{"title": "Cellar"}')
    done = prrrt(*args, "--resume", "last")
    passed, failed = done.stderr.splitlines()
    assert "Passed over Cellar" in passed
    assert "prrrt games" in passed
    assert "No saved table can go on" in failed
    assert done.returncode == 2


@pytest.mark.parametrize("args", [[], ["solo"], ["join", "192.0.2.7"], ["replay", str(FULL)]])
def test_what_is_no_terminal_is_refused_with_what_works_without(prrrt, args: list[str]) -> None:
    done = prrrt(*args)
    assert done.returncode == 1
    assert "--headless" in one_line(done.stderr)


def test_what_comes_later_says_so(prrrt) -> None:
    done = prrrt("verify", "game.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert "later version" in one_line(done.stderr)


@pytest.mark.parametrize(
    "args", [["--help"], ["host", "--help"], ["replay", str(FULL), "--json"], ["--version"]]
)
def test_textual_is_not_imported_for_what_draws_nothing(home, args: list[str]) -> None:
    code = (
        f"import sys; sys.argv = ['prrrt', *{args!r}]\n"
        "from tui.cli import main\n"
        "try: main()\n"
        "except SystemExit as done: assert not done.code\n"
        "heavy = {'textual', 'zeroconf', 'amqtt', 'aiomqtt', 'nacl'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_replay_prints_the_table_and_each_seats_view(prrrt) -> None:
    revealed = json.loads(prrrt("replay", str(FULL), "--json").stdout)
    assert revealed["over"]
    assert revealed["result"]
    private = json.loads(prrrt("replay", str(FULL), "--json", "--seat", "0").stdout)
    assert private["actions"] == revealed["actions"]
    watched = json.loads(prrrt("replay", str(FULL), "--json", "--seat", "spectator").stdout)
    assert all(isinstance(cards, int) for cards in watched["table"]["discards"])


def test_replay_says_which_line_was_illegal_and_what_was_legal(prrrt) -> None:
    done = prrrt("replay", str(CASES / "err-deny-twice.jsonl"), "--json")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 2
    assert (error["line"], error["seat"], error["do"]) == (5, 1, "deny")
    assert "draw" in error["reason"]


@pytest.mark.parametrize("seat", ["7", "-1", "one", "1.0"])
def test_replay_without_such_a_seat_has_no_line(prrrt, seat: str) -> None:
    done = prrrt("replay", str(FULL), "--json", f"--seat={seat}")
    error = json.loads(done.stdout)["error"]
    assert done.returncode == 2
    assert (error["line"], error["seat"], error["do"]) == (None, None, None)


def test_tables_says_what_is_played(typed, monkeypatch) -> None:
    from tui.finding import Found

    async def found(_: float) -> tuple[Found, ...]:
        places = (("192.0.2.7", 3278),)
        return (Found("a", "Attic", "low-on-gas", places, 6, 2, "open", own=True),)

    monkeypatch.setattr("tui.finding.found_within", found)
    assert typed("tables")[1] == "Attic  low-on-gas  2/6  sit down  192.0.2.7:3278\n"
    (row,) = json.loads(typed("tables", "--json")[1])
    assert list(row) == ["table", "title", "game", "players", "taken", "state", "addresses"]
    assert row["game"] == "low-on-gas"


def test_games_lists_nothing_in_an_empty_home(prrrt, home) -> None:
    assert str(home) in prrrt("games").stdout
    assert json.loads(prrrt("games", "--json").stdout) == []


def test_games_says_which_were_played_against_bots(typed, home) -> None:
    folder = home / "tables" / "abc"
    folder.mkdir(parents=True)
    shutil.copy(FULL, folder / "game-1.jsonl")
    table, game = typed("games")[1].splitlines()
    assert "against bots" in table
    assert "prrrt replay" in table
    assert str(folder / "game-1.jsonl") in game


def test_games_says_which_table_is_damaged(typed, home) -> None:
    broken = home / "tables" / ("a" * 26)
    broken.mkdir(parents=True)
    (broken / "table.json").write_text('{"title": "Cellar"}')
    (broken / "game-1.jsonl").write_bytes(FULL.read_bytes())
    said = typed("games")[1]
    assert "Cellar  (can't go on: " in said
    assert "--resume" not in said
    (table,) = json.loads(typed("games", "--json")[1])
    assert (table["title"], table["resumable"], len(table["games"])) == ("Cellar", False, 1)


def test_a_port_that_is_taken_is_refused_before_anything_opens(prrrt) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = prrrt("host", "--headless", "--no-discovery", "--bind", "127.0.0.1", "--port", port)
    assert done.returncode == 1
    assert port in one_line(done.stderr)


def test_a_bot_that_finds_nobody_says_what_to_check(prrrt) -> None:
    done = prrrt("bot", f"127.0.0.1:{free_port()}")
    assert done.returncode == 1
    assert "firewall" in one_line(done.stderr)


@pytest.mark.parametrize(
    ("wanted", "visitors"),
    [(("--bots", "1"), ("2",)), (("low-on-gas", "--option", "wins=2"), ("1", "1", "1"))],
    ids=GAMES,
)
def test_a_table_and_its_bots_play_to_the_end_without_a_screen(home, wanted, visitors) -> None:
    """`host --headless --once --start-when-full` and `bot`, each a process of its own."""
    running = [_table(*wanted, *HEADLESS, "--port", str(free_port()))]
    try:
        (table,) = running
        assert table.stdout is not None
        ready = json.loads(table.stdout.readline())
        assert ready["event"] == "ready"
        running += [_bots(ready["addresses"][0], "--count", count) for count in visitors]
        events = [json.loads(line) for line in table.stdout]
        for bots in running[1:]:
            assert (*bots.communicate(timeout=30), bots.returncode) == ("", "", 0)
        assert table.wait(10) == 0
    finally:
        _end(running)
    kinds = [event["event"] for event in events]
    assert kinds.count("joined") == sum(map(int, visitors))
    assert kinds[-2:] == ["over", "stopped"]
    journal = next(event["journal"] for event in events if event["event"] == "started")
    replayed = subprocess.run(
        [*PRRRT, "replay", journal, "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    result = next(event["result"] for event in events if event["event"] == "over")
    assert json.loads(replayed.stdout)["result"] == result


def test_a_killed_match_of_several_games_goes_on_as_what_it_was(typed, home) -> None:
    seats = ("--bots", "2", "--option", "wins=2", "--port", str(free_port()))
    running = [_table("low-on-gas", *HEADLESS, *seats)]
    try:
        (table,) = running
        assert table.stdout is not None
        ready = json.loads(table.stdout.readline())
        bot = _bots(ready["addresses"][0])
        running.append(bot)
        while json.loads(table.stdout.readline())["event"] != "action":
            pass
        table.kill()
        assert "play Low on Gas" in one_line(typed("host", "prrrt", "--resume", "last")[2])
        again = _table(*HEADLESS, "--resume", ready["table"])
        running.append(again)
        assert again.stdout is not None
        events = [json.loads(line) for line in again.stdout]
        assert (*bot.communicate(timeout=30), bot.returncode) == ("", "", 0)
    finally:
        _end(running)
    assert (events[0]["event"], events[0]["table"]) == ("ready", ready["table"])
    result = next(event["result"] for event in events if event["event"] == "over")
    assert max(result["wins"]) == 2
    assert "  Low on Gas, finished: " in typed("games")[1]
    (kept,) = json.loads(typed("games", "--json")[1])
    assert [(game["game"], game["finished"]) for game in kept["games"]] == [("low-on-gas", True)]


def _table(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*PRRRT, "host", *args], stdout=subprocess.PIPE, text=True)


def _bots(where: str, *args: str) -> subprocess.Popen[str]:
    command = [*PRRRT, "bot", where, "--think", "0", *args]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _end(running: list[subprocess.Popen[str]]) -> None:
    for process in running:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    "args", [("--help",), ("replay", str(FULL), "--json"), ("games", "--json")]
)
def test_output_that_nobody_has_room_for_is_said_in_one_line(args, home) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PRRRT, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("prrrt: The output can't be written")


def test_a_reader_who_has_seen_enough_hears_nothing_more(home) -> None:
    running = subprocess.Popen(
        [*PRRRT, "replay", str(FULL), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    running.stdout.close()
    _, complaint = running.communicate()
    assert (running.returncode, complaint) == (1, "")
