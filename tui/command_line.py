"""Every command and option of `prrrt`, read before Textual or the network is imported.

Each command checks what it was given and hands one plain value on: to the app
(`tui.start`) or to a command without a screen (`tui.headless`). Whatever fails
says in one line why, and what to do.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from core.kernel.illegal import Refused
from tui.opening import Host, Join, Opening, Replay, Solo, Target
from tui.words import refusal, say

DEFAULT_GAME = "prrrt"
DEFAULT_PLAYERS = 4
NAME_ROOM = 24

commands = typer.Typer(
    help=say("cli.help"),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _option(key: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=say(f"cli.option.{key}"), **more)


def _argument(key: str) -> Any:
    return typer.Argument(help=say(f"cli.argument.{key}"), metavar=say(f"cli.metavar.{key}"))


Game = Annotated[str, _argument("game")]
Where = Annotated[str | None, _argument("where")]
File = Annotated[Path, _argument("file")]
Players = Annotated[int | None, _option("players", metavar="N")]
Bots = Annotated[int | None, _option("bots", metavar="N")]
Level = Annotated[str, _option("level", metavar="easy|medium|hard")]
Name = Annotated[str | None, _option("name")]
Title = Annotated[str | None, _option("title")]
Pin = Annotated[str | None, _option("pin")]
Code = Annotated[str | None, _option("code")]
Port = Annotated[int | None, _option("port", min=1, max=65535, metavar="P")]
Bind = Annotated[str | None, _option("bind", metavar="ADDR")]
Broker = Annotated[str | None, _option("broker", metavar="URL")]
Table = Annotated[str | None, _option("table", metavar="ID")]
NoDiscovery = Annotated[bool, _option("no_discovery", "--no-discovery")]
TurnTime = Annotated[float, _option("turn_time", min=0, metavar="S")]
Patience = Annotated[float, _option("patience", min=0, metavar="S")]
Think = Annotated[float, _option("think", min=0, metavar="S")]
Idle = Annotated[float, _option("idle", min=0, metavar="S")]
Options = Annotated[list[str] | None, _option("option", "--option", metavar="KEY=VALUE")]
Headless = Annotated[bool, _option("headless", "--headless")]
Json = Annotated[bool, _option("json", "--json")]
Once = Annotated[bool, _option("once", "--once")]
StartWhenFull = Annotated[bool, _option("start_when_full", "--start-when-full")]
Resume = Annotated[str | None, _option("resume", metavar="ID|FILE|last")]
Seat = Annotated[str | None, _option("seat", metavar="N|spectator")]
Reveal = Annotated[bool, _option("reveal", "--reveal")]
Seconds = Annotated[float, _option("seconds", min=0, metavar="S")]
Count = Annotated[int, _option("count", min=1, metavar="N")]


@commands.callback(invoke_without_command=True)
def home(
    context: typer.Context,
    version: Annotated[bool, _option("version", "--version")] = False,
) -> None:
    """Open the home screen, or say which version this is."""
    if version:
        from importlib.metadata import version as installed

        print(f"prrrt {installed('prrrt')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from tui.opening import Home

        _open(Home())


@commands.command(help=say("cli.solo"))
def solo(  # noqa: D103 - the words say it
    game: Game = DEFAULT_GAME,
    players: Players = None,
    level: Level = "medium",
    name: Name = None,
    think: Think = 1.0,
    option: Options = None,
) -> None:
    seats = DEFAULT_PLAYERS if players is None else players
    settings = _settings(
        game, option, players=seats, bots=seats - 1, level=level, think=think, discovery=False
    )
    _open(Solo(settings, _name(name)))


@commands.command(help=say("cli.host"))
def host(  # noqa: D103 - the words say it
    game: Game = DEFAULT_GAME,
    players: Players = None,
    bots: Bots = None,
    level: Level = "medium",
    name: Name = None,
    title: Title = None,
    pin: Pin = None,
    port: Port = None,
    bind: Bind = None,
    broker: Broker = None,
    no_discovery: NoDiscovery = False,
    turn_time: TurnTime = 0.0,
    patience: Patience = 30.0,
    think: Think = 1.0,
    idle: Idle = 600.0,
    option: Options = None,
    headless: Headless = False,
    json: Json = False,
    once: Once = False,
    start_when_full: StartWhenFull = False,
    resume: Resume = None,
) -> None:
    settings = _settings(
        game,
        option,
        players=DEFAULT_PLAYERS if players is None else players,
        bots=bots or 0,
        level=level,
        title=title or (None if headless else say("setup.title.default", name=_name(name))),
        pin=_pin(pin),
        port=port,
        bind=bind,
        broker=broker,
        discovery=not no_discovery,
        turn_time=turn_time,
        patience=patience,
        think=think,
        idle=idle,
        json=json,
        once=once,
        start_when_full=start_when_full,
        resume=resume,
    )
    if headless:
        from tui.headless import hold_table

        sys.exit(hold_table(settings))
    if json:
        _fail("error.json_needs_headless")
    _open(Host(settings, _name(name)))


@commands.command(help=say("cli.join"))
def join(  # noqa: D103 - the words say it
    where: Where = None,
    name: Name = None,
    pin: Pin = None,
    code: Code = None,
    broker: Broker = None,
    table: Table = None,
) -> None:
    if code is not None:
        _fail("error.later", 1, command="--code")
    asked = None if name is None else _name(name)
    target = Target(where, broker, table)
    _open(Join(target, name=asked, pin=_pin(pin), take_over=asked is not None))


@commands.command(help=say("cli.watch"))
def watch(  # noqa: D103 - the words say it
    where: Where = None, pin: Pin = None, broker: Broker = None, table: Table = None
) -> None:
    _open(Join(Target(where, broker, table), pin=_pin(pin), watch=True))


@commands.command(help=say("cli.bot"))
def bot(  # noqa: D103 - the words say it
    where: Where = None,
    name: Name = None,
    level: Level = "medium",
    think: Think = 1.0,
    count: Count = 1,
    pin: Pin = None,
    broker: Broker = None,
    table: Table = None,
) -> None:
    from tui.headless import sit_down_bots

    _level(DEFAULT_GAME, level)
    asked = None if name is None else _name(name)
    target = Target(where, broker, table)
    sys.exit(
        sit_down_bots(target, name=asked, level=level, think=think, count=count, pin=_pin(pin))
    )


@commands.command(help=say("cli.tables"))
def tables(  # noqa: D103 - the words say it
    json: Json = False, seconds: Seconds = 3.0, broker: Broker = None
) -> None:
    from tui.headless import list_tables

    sys.exit(list_tables(seconds=seconds, broker=broker, as_json=json))


@commands.command(help=say("cli.replay"))
def replay(  # noqa: D103 - the words say it
    file: File, json: Json = False, seat: Seat = None, reveal: Reveal = False
) -> None:
    from tui.replaying import print_replay

    if json:
        sys.exit(print_replay(file, seat, reveal=reveal))
    if seat is not None and seat != "spectator" and not seat.isdecimal():
        _fail("error.seat", seat=seat)
    viewer = int(seat) if seat is not None and seat.isdecimal() else None
    _check_film(file, viewer, reveal=reveal)
    _open(Replay(file, viewer, reveal))


@commands.command(help=say("cli.verify"))
def verify(file: File, json: Json = False) -> None:  # noqa: ARG001, D103 - the words say it
    _fail("error.later", 1, command="verify")


@commands.command(help=say("cli.games"))
def games(json: Json = False) -> None:  # noqa: D103 - the words say it
    from tui.headless import list_games

    sys.exit(list_games(as_json=json))


def _open(opening: Opening) -> NoReturn:
    from tui.start import open_app

    sys.exit(open_app(opening))


def _check_film(path: Path, viewer: int | None, *, reveal: bool) -> None:
    """Refuse a file that can't be shown, before a screen opens."""
    from core.journal import JournalError
    from core.replay import reason
    from tui.film import Film

    try:
        Film(path, viewer, reveal=reveal)
    except JournalError as error:
        line = "" if error.line is None else say("error.line", line=error.line)
        print(f"prrrt: {path}: {line}{reason(error, refusal)}", file=sys.stderr)
        sys.exit(2)


def _fail(key: str, status: int = 2, /, **facts: object) -> NoReturn:
    print(f"prrrt: {say(key, **facts)}", file=sys.stderr)
    sys.exit(status)


def _settings(game: str, option: list[str] | None, **wanted: Any) -> Any:
    """Check the wishes against the game's rules, so that a bad one is refused at the door."""
    from core.registry import GAMES
    from net.settings import TableSettings
    from tui.options import read_options

    rules = GAMES.get(game)
    if rules is None:
        _fail("error.game", game=game, known=", ".join(GAMES))
    players, bots = wanted["players"], wanted["bots"]
    _level(game, wanted["level"])
    try:
        rules.check_seats(players)
        options = read_options(rules, option or (), players)
    except Refused as refused:
        print(f"prrrt: {refusal(refused.code, refused.facts)}", file=sys.stderr)
        sys.exit(2)
    if not 0 <= bots <= players:
        _fail("error.bots", bots=bots, players=players)
    return TableSettings(game=game, options=options, **wanted)


def _level(game: str, level: str) -> None:
    from core.registry import GAMES

    known = GAMES[game].bots
    if level not in known:
        _fail("error.level", level=level, known=", ".join(known))


def _name(name: str | None) -> str:
    from tui.preferences import bad_name, my_name

    if name is None:
        return my_name()
    if (why := bad_name(name)) is not None:
        _fail(why, name=name, room=NAME_ROOM)
    return name.strip()


def _pin(pin: str | None) -> str | None:
    """Return the PIN from the option or `PRRRT_PIN`; what isn't six digits is refused."""
    found = pin or os.environ.get("PRRRT_PIN") or None
    if found is not None and not (len(found) == 6 and found.isascii() and found.isdigit()):
        _fail("error.pin")
    return found
