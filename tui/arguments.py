"""Every option and argument of the command line, said once: its name, its help, how it is read.

Values are read here and not by the parser, so that whatever is wrong with one
is said in our words. Seconds and counts have one type each, with a bound:
nothing that waits for ever, and nothing that a table couldn't keep.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from tui.complaints import wrong
from tui.words import say

MOST_SECONDS = 86_400
"""A day: nobody waits longer for a card."""

MOST_BOTS = 20
"""As many bots as one `prrrt bot` sits down."""

_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9}")
_WHOLE = re.compile(r"[0-9]{1,9}")


def _option(key: str, **more: Any) -> Any:
    return typer.Option(_name_of(key), help=say(f"cli.option.{key}"), **more)


def _argument(key: str, read: Callable[[str], Any] = str) -> Any:
    metavar = say(f"cli.metavar.{key}")
    return typer.Argument(help=say(f"cli.argument.{key}"), metavar=metavar, parser=read)


def _name_of(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def _text(key: str, metavar: str, name: str | None = None) -> Any:
    """Return an option that is a text, of whatever bytes: typer itself would object to some."""
    help_text = say(f"cli.option.{key}")
    return typer.Option(name or _name_of(key), help=help_text, metavar=metavar, parser=str)


def _seconds(key: str) -> Any:
    """Return an option in seconds."""
    name = _name_of(key)

    def read(given: str | float) -> float:
        text = str(given)
        if not _SECONDS.fullmatch(text) or float(text) > MOST_SECONDS:
            raise wrong("error.seconds", option=name, given=text, most=MOST_SECONDS)
        return float(text)

    return _option(key, metavar="S", parser=read)


def _count(key: str, *, least: int = 0, most: int | None = None, metavar: str = "N") -> Any:
    """Return an option that counts; without `most` the game says what fits."""
    name = _name_of(key)

    def read(given: str | int) -> int:
        text = str(given)
        if _WHOLE.fullmatch(text) and least <= int(text) <= (most or int(text)):
            return int(text)
        if most is None:
            raise wrong("error.whole", option=name, given=text)
        raise wrong("error.range", option=name, given=text, least=least, most=most)

    return _option(key, metavar=metavar, parser=read)


Game = Annotated[str | None, _argument("game")]
Where = Annotated[str | None, _argument("where")]
File = Annotated[Path, _argument("file", Path)]
Version = Annotated[bool, _option("version")]
Players = Annotated[int | None, _count("players")]
Bots = Annotated[int, _count("bots")]
Count = Annotated[int, _count("count", least=1, most=MOST_BOTS)]
Level = Annotated[str, _text("level", "easy|medium|hard")]
Name = Annotated[str | None, _text("name", "NAME")]
BotName = Annotated[str | None, _text("bot_name", "NAME", "--name")]
Title = Annotated[str | None, _text("title", "TEXT")]
Pin = Annotated[str | None, _text("pin", "PIN")]
TablePin = Annotated[str | None, _text("table_pin", "PIN", "--pin")]
Code = Annotated[str | None, _text("code", "CODE")]
Port = Annotated[int | None, _count("port", least=1, most=65_535, metavar="P")]
Bind = Annotated[str | None, _text("bind", "ADDR")]
Broker = Annotated[str | None, _text("broker", "URL")]
Table = Annotated[str | None, _text("table", "ID")]
NoDiscovery = Annotated[bool, _option("no_discovery")]
TurnTime = Annotated[float, _seconds("turn_time")]
Patience = Annotated[float, _seconds("patience")]
Think = Annotated[float, _seconds("think")]
Idle = Annotated[float, _seconds("idle")]
Seconds = Annotated[float, _seconds("seconds")]
Options = Annotated[list[str] | None, _text("option", "KEY=VALUE")]
Headless = Annotated[bool, _option("headless")]
Json = Annotated[bool, _option("json")]
Once = Annotated[bool, _option("once")]
StartWhenFull = Annotated[bool, _option("start_when_full")]
Resume = Annotated[str | None, _text("resume", "ID|FILE|last")]
Seat = Annotated[str | None, _text("seat", "N|spectator")]
Reveal = Annotated[bool, _option("reveal")]
