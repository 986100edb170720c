"""The command line: what it refuses and how, what it prints, and what it doesn't import."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CASES = Path(__file__).parent.parent / "cases" / "prrrt"
FULL = CASES / "random-prrrt-00001-full.jsonl"
RUN = "import sys; from tui.cli import main; sys.argv[0] = 'prrrt'; main()"
PRRRT = (sys.executable, "-c", RUN)
HEADLESS = (
    *("--headless", "--json", "--once", "--think", "0", "--start-when-full"),
    *("--players", "3", "--bots", "1", "--no-discovery", "--bind", "127.0.0.1"),
)


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


def one_line(said: str) -> str:
    """Return what was said, if it was one line that begins with our name."""
    assert said.startswith("prrrt: ")
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["solo", "chess"], "no game chess"),
        (["solo", "--players", "9"], "3 to 7"),
        (["solo", "--level", "genius"], "level genius"),
        (["solo", "--name", "x" * 25], "24 characters"),
        (["join", "--name", "  "], "a name needs"),
        (["host", "--bots", "9"], "9 bots"),
        (["host", "--json"], "--headless"),
        (["host", "--pin", "12"], "six digits"),
        (["host", "--option", "smell_deck"], "KEY=VALUE"),
        (["host", "--option", "smell_deck=roses"], "smell_deck"),
        (["host", "--option", "roses=1"], "smell_deck"),
        (["replay", "nowhere.jsonl"], "can't be read"),
        (["replay", str(CASES / "err-deny-twice.jsonl")], "line 5"),
        (["replay", str(FULL), "--seat", "x"], "--seat"),
        (["replay", str(FULL), "--seat", "7"], "seat"),
    ],
)
def test_wrong_usage_is_refused_in_one_line(prrrt, args: list[str], word: str) -> None:
    done = prrrt(*args)
    assert done.returncode == 2
    assert word in one_line(done.stderr)
    assert not done.stdout


def test_a_pin_in_the_environment_is_checked_too(prrrt) -> None:
    assert "six digits" in one_line(prrrt("host", PRRRT_PIN="abc").stderr)


@pytest.mark.parametrize("args", [["fly"], ["solo", "--wings"], ["host", "--port=x", "--port"]])
def test_unknown_commands_and_options_are_wrong_usage(prrrt, args: list[str]) -> None:
    done = prrrt(*args)
    assert done.returncode == 2
    assert args[-1].lstrip("-") in done.stderr


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


def test_games_lists_nothing_in_an_empty_home(prrrt, home) -> None:
    assert str(home) in prrrt("games").stdout
    assert json.loads(prrrt("games", "--json").stdout) == []


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
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = prrrt("bot", f"127.0.0.1:{port}")
    assert done.returncode == 1
    assert "firewall" in one_line(done.stderr)


def test_a_table_and_its_bots_play_to_the_end_without_a_screen(home) -> None:
    """`host --headless --once --start-when-full` and `bot`, as two processes."""
    table = subprocess.Popen(
        [*PRRRT, "host", *HEADLESS, "--port", str(_free_port())],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert table.stdout is not None
        ready = json.loads(table.stdout.readline())
        assert ready["event"] == "ready"
        bots = subprocess.run(
            [*PRRRT, "bot", ready["addresses"][0], "--think", "0", "--count", "2"],
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        events = [json.loads(line) for line in table.stdout]
        assert (bots.returncode, bots.stdout, bots.stderr) == (0, "", "")
        assert table.wait(10) == 0
    finally:
        table.kill()
        table.wait()
    kinds = [event["event"] for event in events]
    assert kinds.count("joined") == 2
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


def _free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
