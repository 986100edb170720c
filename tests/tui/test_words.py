"""Every word a person reads is there: for each refusal, each command, each option."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import core
import net
import tui
from core.kernel.options import Option
from core.low_on_gas.cards import CARDS, COLOURS
from core.registry import GAMES
from net.room import ChatLine, Notice
from tui.commands import HELP, Command, Commanded
from tui.notices import speaker, told
from tui.widgets.option_choice import value_label
from tui.words import known, notice, plain, refusal, say
from tui.words.en import WORDS

RAISED = {
    "Refused",
    "Illegal",
    "BadOption",
    "BadChance",
    "JournalError",
    "error",
    "Ended",
    "_end",
    "Failed",
}
SOURCES = [
    path for package in (core, net, tui) for path in sorted(Path(package.__path__[0]).rglob("*.py"))
]


@cache
def parsed(path: Path) -> tuple[ast.Call, ...]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(node for node in nodes if isinstance(node, ast.Call) and node.args)


def calls(names: set[str], sources: list[Path] = SOURCES) -> list[tuple[str, ast.Call]]:
    """Return the calls of these names whose first argument is a text, wherever they stand."""
    found = []
    for path in sources:
        for call in parsed(path):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            first = getattr(call.args[0], "value", None)
            if name in names and isinstance(first, str) and " " not in first:
                found.append((first, call))
    return found


def wanted(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def facts_of(call: ast.Call) -> set[str] | None:
    """Return the facts that a refusal is raised with; None if they aren't written there."""
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    facts = {keyword.arg for keyword in call.keywords if keyword.arg}
    for argument in call.args[1:]:
        if not isinstance(argument, ast.Dict):
            return None
        facts |= {str(getattr(key, "value", "")) for key in argument.keys if key is not None}
    return facts


@pytest.mark.parametrize("code", sorted({code for code, _ in calls(RAISED)}))
def test_each_refusal_has_words_for_the_facts_it_is_raised_with(code: str) -> None:
    key = f"ended.{code}" if known(f"ended.{code}") else f"refused.{code}"
    assert known(key)
    for raised, call in calls(RAISED):
        facts = facts_of(call)
        if raised == code and facts is not None:
            assert wanted(WORDS[key]) <= facts, f"{code} says more than it is told: {facts}"


def test_each_sentence_said_is_there_and_gets_its_facts() -> None:
    for key, call in calls({"say"}, [p for p in SOURCES if "tui" in p.parts]):
        if "." not in key:
            continue  # chat
        facts = facts_of(call)
        assert known(key), key
        assert facts is None or wanted(WORDS[key]) <= facts, key


def test_each_notice_of_a_host_has_words() -> None:
    for code, call in calls({"post"}, [p for p in SOURCES if "net" in p.parts]):
        facts = facts_of(call)
        assert facts is not None
        assert notice(code, dict.fromkeys(facts, "x")), code


def test_a_notice_says_why_where_that_is_known() -> None:
    facts = {"name": "Bruno", "seat": 1}
    for why in ("away", "clock", "owner", "self", "removed"):
        assert f"notice.bot_takes_over.{why}" in WORDS
        said = notice("bot_takes_over", {**facts, "why": why})
        assert "Bruno" in said
        assert said != notice("bot_takes_over", facts)
    assert notice("bot_takes_over", {**facts, "why": "from_the_future"})


def commands() -> set[Command]:
    for module in pkgutil.walk_packages(tui.__path__, "tui."):
        importlib.import_module(module.name)
    found = {HELP}
    waiting = [Commanded]
    while waiting:
        kind = waiting.pop()
        found |= set(kind.KEYS)
        waiting += kind.__subclasses__()
    return found


def test_each_command_has_a_name_and_a_line() -> None:
    for command in commands():
        assert command.label
        assert command.help


def test_each_option_of_each_game_is_explained() -> None:
    for game, rules in GAMES.items():
        assert known(f"game.{game}")
        for option in rules.options:
            assert known(f"option.{game}.{option.key}")
            assert known(f"option.{game}.{option.key}.help")
            if option.kind == "choice":
                assert all(known(f"option.{game}.{option.key}.{c}") for c in option.choices)
        assert all(known(f"level.{level}.help") for level in rules.bots)


@pytest.mark.parametrize("option", GAMES["prrrt"].options, ids=lambda option: option.key)
def test_a_host_may_say_any_value_of_an_option(option: Option) -> None:
    for value in (True, 3, 10**9, "random", "new", "\x1b[2J\nx\u3164"):
        assert plain(value_label("prrrt", option, value)) == value_label("prrrt", option, value)


def test_each_card_of_low_on_gas_is_called_something_of_its_own() -> None:
    for family in ("card", "face", "mark"):
        called = [WORDS[f"{family}.{code}"] for code in CARDS]
        assert len(set(called)) == len(CARDS)
    for face in CARDS.values():
        assert known(f"gas.name.{face.kind}")
        assert known(f"gas.noise.{face.kind}")
    assert (WORDS["card.r7"], WORDS["kind.bB"], WORDS["mark.p10"]) == (
        "red Duck (R7)",
        "Baked Beans",
        "P10",
    )
    assert set(COLOURS.values()) == {
        key.removeprefix("colour.") for key in WORDS if re.fullmatch(r"colour\.[a-z]+", key)
    }


def test_codes_become_words_where_the_sentence_says_of_what() -> None:
    facts = {"card": "r7", "top": "pC", "colour": "purple"}
    assert refusal("does_not_fit", facts) == (
        "The red Duck doesn't fit: play purple, Cabbage or a wild."
    )
    assert refusal("must_play", {"cards": ["r7", "M", "p10"]}).endswith("R7, M, P10.")
    assert "8" in refusal("not_in_hand", {"card": 8})
    assert "x[2J" in refusal("not_in_hand", {"card": "x\x1b[2J"})


@pytest.mark.parametrize("card", CARDS)
def test_what_is_said_of_a_card_on_the_way_to_playing_it_fits_the_status_line(card: str) -> None:
    facts = {"card": card, "top": "y2", "colour": "yellow", "wants": tuple(COLOURS.values())}
    codes = ("no_colour",) if CARDS[card].wild else ("does_not_fit", "play_the_drawn")
    for code in (*codes, "not_in_hand"):
        assert len(refusal(code, facts)) <= 67, "80 cells less margins and the line's state"


def test_a_number_chooses_singular_or_plural() -> None:
    assert say("lobby.played", n=1) == "1 game played"
    assert say("lobby.played", n=3) == "3 games played"


def test_what_is_unknown_raises_and_a_newer_refusal_is_still_said() -> None:
    with pytest.raises(KeyError):
        say("no.such.key")
    with pytest.raises(KeyError):
        say("lobby.played")
    assert "from_the_future" in refusal("from_the_future", {"x": 1})
    assert "bad_value" in refusal("bad_value", {})  # known, but told too little
    assert notice("from_the_future", {}) == ""


@pytest.mark.parametrize(
    ("game", "key", "value", "line"),
    [
        ("prrrt", "players", 5, "The owner set Players to 5."),
        ("prrrt", "smell_deck", "deodorant", "The owner set Smell deck to deodorant."),
        ("prrrt", "third_lap_shame", True, "The owner set Third-lap shame to on."),
        ("prrrt", "first_player", 2, "The owner set First player to seat 3."),
        ("prrrt", "from_the_future", 7, "The owner set from_the_future to 7."),
        ("low-on-gas", "wins", 3, "The owner set Games to win to 3."),
        ("low-on-gas", "start_card", "redraw_specials", "The owner set First card to a fart."),
        ("low-on-gas", "dealer", "random", "The owner set Dealer to drawn by lot."),
    ],
)
def test_a_change_of_options_is_told_in_the_words_of_their_screen(game, key, value, line) -> None:
    assert told(Notice(1, "option", {"key": key, "value": value}), game) == line


def test_a_line_of_chat_always_has_a_speaker() -> None:
    assert speaker(ChatLine(1, "Bruno", 2, "hello")) == "Bruno"
    assert speaker(ChatLine(1, "", None, "hello")) == "Somebody watching"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "[31mred"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("\u202eturned\u2069", "turned"),
        ("heart\ufe0f", "heart"),
        ("zero\u200bwidth", "zerowidth"),
        ("\u3164A\U000e0100d\u034fa\u2800", "Ada"),
        ("a" + "\u0e47" * 20, "a\u0e47\u0e47"),
        ("\u0301a", "a"),
        ("♠ 7", "♠ 7"),
        ("[b]no markup[/b] {n}", "[b]no markup[/b] {n}"),
    ],
)
def test_facts_are_plain_text(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert say("notice.joined", name=text, seat=0) == f"{shown} sat down."
