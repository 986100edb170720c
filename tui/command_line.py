"""Every command of `prrrt`, read before Textual or the network is imported.

Each command checks what it was given and hands one plain value on: to the app
(`tui.start`) or to a command without a screen (`tui.headless`). Whatever fails
says in one line why, and what to do (`tui.complaints`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from core.kernel.illegal import Refused
from net.names import NAME_LENGTH, TITLE_LENGTH
from tui import arguments as given
from tui import choosing
from tui.complaints import (
    PATH_ROOM,
    WRONG_USAGE,
    Complaint,
    complain,
    failed,
    reason,
    shown,
    tell,
    turned_down,
    wrong,
)
from tui.interrupt import INTERRUPTED
from tui.opening import Host, Join, Opening, Replay, Solo, Target
from tui.output import written_out
from tui.usage import Command, Commands
from tui.words import say

if TYPE_CHECKING:
    from net.settings import TableSettings

NO_JOURNAL = frozenset({"not_json", "not_an_object", "empty_line", "bad_header"})
"""What is wrong with the first line of a file that never was a journal."""

commands = typer.Typer(
    cls=Commands,
    help=say("cli.help"),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def run() -> int:
    """Do what the command line says; return the exit status."""
    try:
        with written_out():
            status = commands(prog_name="prrrt", standalone_mode=False)
    except Complaint as complaint:
        return complain(complaint)
    except Refused as refused:
        return complain(turned_down(refused))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return status if isinstance(status, int) else 0


@commands.callback(invoke_without_command=True)
def home(context: typer.Context, version: given.Version = False) -> int | None:
    """Open the home screen, or say which version this is."""
    if version:
        from importlib.metadata import version as installed

        print(f"prrrt {installed('prrrt')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from tui.opening import Home

        return _open(Home())
    return None


@commands.command(cls=Command, help=say("cli.solo"))
def solo(  # noqa: D103 - the words say it
    game: given.Game = None,
    players: given.Players = None,
    level: given.Level = "medium",
    name: given.Name = None,
    think: given.Think = 1.0,
    option: given.Options = None,
) -> int:
    settings = _settings(
        game, option, players=players, bots=None, level=level, think=think, discovery=False
    )
    return _open(Solo(settings, _name(name)))


@commands.command(cls=Command, help=say("cli.host"))
def host(  # noqa: D103 - the words say it
    game: given.Game = None,
    players: given.Players = None,
    bots: given.Bots = 0,
    level: given.Level = "medium",
    name: given.Name = None,
    title: given.Title = None,
    pin: given.Pin = None,
    port: given.Port = None,
    bind: given.Bind = None,
    broker: given.Broker = None,
    no_discovery: given.NoDiscovery = False,
    turn_time: given.TurnTime = 0.0,
    patience: given.Patience = 30.0,
    think: given.Think = 1.0,
    idle: given.Idle = 600.0,
    option: given.Options = None,
    headless: given.Headless = False,
    json: given.Json = False,
    once: given.Once = False,
    start_when_full: given.StartWhenFull = False,
    resume: given.Resume = None,
) -> int:
    who = _name(name)
    saved = _saved(resume, game)
    settings = _settings(
        game if saved is None else saved.game,
        option,
        players=players,
        bots=bots,
        level=level,
        title=_title(title) or (None if headless else say("setup.title.default", name=who)),
        pin=_pin(pin),
        port=port,
        bind=bind,
        broker=_broker(broker),
        discovery=not no_discovery,
        turn_time=turn_time,
        patience=patience,
        think=think,
        idle=idle,
        json=json,
        once=once,
        start_when_full=start_when_full,
        resume=None if saved is None else saved.file,
    )
    if json and not headless:
        raise wrong("error.json_needs_headless")
    if headless:
        from tui.headless import hold_table

        return hold_table(settings)
    return _open(Host(settings, who))


@commands.command(cls=Command, help=say("cli.join"))
def join(  # noqa: D103 - the words say it
    where: given.Where = None,
    name: given.Name = None,
    pin: given.TablePin = None,
    code: given.Code = None,
    broker: given.Broker = None,
    table: given.Table = None,
) -> int:
    if code is not None:
        raise failed("error.later", command="--code")
    asked = None if name is None else _name(name)
    target = _target(where, broker, table)
    return _open(Join(target, name=asked, pin=_pin(pin), take_over=asked is not None))


@commands.command(cls=Command, help=say("cli.watch"))
def watch(  # noqa: D103 - the words say it
    where: given.Where = None,
    pin: given.TablePin = None,
    broker: given.Broker = None,
    table: given.Table = None,
) -> int:
    return _open(Join(_target(where, broker, table), pin=_pin(pin), watch=True))


@commands.command(cls=Command, help=say("cli.bot"))
def bot(  # noqa: D103 - the words say it
    where: given.Where = None,
    name: given.BotName = None,
    level: given.Level = "medium",
    think: given.Think = 1.0,
    count: given.Count = 1,
    pin: given.TablePin = None,
    broker: given.Broker = None,
    table: given.Table = None,
) -> int:
    from tui.headless import sit_down_bots

    _level(choosing.levels(), level)
    asked = None if name is None else _name(name)
    target = _target(where, broker, table)
    return sit_down_bots(target, name=asked, level=level, think=think, count=count, pin=_pin(pin))


@commands.command(cls=Command, help=say("cli.tables"))
def tables(  # noqa: D103 - the words say it
    json: given.Json = False, seconds: given.Seconds = 3.0, broker: given.Broker = None
) -> int:
    from tui.headless import list_tables

    return list_tables(seconds=seconds, broker=_broker(broker), as_json=json)


@commands.command(cls=Command, help=say("cli.replay"))
def replay(  # noqa: D103 - the words say it
    file: given.File,
    json: given.Json = False,
    seat: given.Seat = None,
    reveal: given.Reveal = False,
) -> int:
    from tui.replaying import print_replay

    if json:
        return print_replay(file, seat, reveal=reveal)
    if seat is not None and seat != "spectator" and not (seat.isascii() and seat.isdigit()):
        raise wrong("error.seat", seat=seat)
    viewer = None if seat in (None, "spectator") else int(seat[:9])
    _check_film(file, viewer, reveal=reveal)
    return _open(Replay(file, viewer, reveal))


@commands.command(cls=Command, help=say("cli.verify"))
def verify(file: given.File, json: given.Json = False) -> int:  # noqa: ARG001, D103
    raise failed("error.later", command="verify")


@commands.command(cls=Command, help=say("cli.games"))
def games(json: given.Json = False) -> int:  # noqa: D103 - the words say it
    from tui.headless import list_games

    return list_games(as_json=json)


def _open(opening: Opening) -> int:
    from tui.start import open_app

    return open_app(opening)


def _check_film(path: Path, viewer: int | None, *, reveal: bool) -> None:
    """Refuse a file that can't be shown, before a screen opens."""
    from core import replay
    from core.journal import JournalError
    from tui.film import Film

    try:
        Film(path, viewer, reveal=reveal)
    except JournalError as error:
        if error.line == 1 and error.code in NO_JOURNAL:
            raise wrong("error.no_journal", path=str(path)) from None
        line = "" if error.line is None else say("error.line", line=error.line)
        why = replay.reason(error, reason)
        raise Complaint(f"{shown(str(path), PATH_ROOM)}: {line}{why}", WRONG_USAGE) from None


def _settings(
    game: str | None,
    option: list[str] | None,
    *,
    players: int | None,
    bots: int | None,
    level: str,
    **wanted: Any,
) -> TableSettings:
    """Check the wishes against the game's rules, so that a bad one is refused at the door.

    Players that aren't said are as many as usual, bots all but one of them.
    """
    from net.settings import TableSettings
    from tui.options import read_options

    rules = choosing.rules_of(game or choosing.DEFAULT_GAME)
    players = choosing.usual_players(rules) if players is None else players
    bots = players - 1 if bots is None else bots
    _level(tuple(rules.bots), level)
    rules.check_seats(players)
    options = read_options(rules, option or (), players)
    if bots > players:
        raise wrong("error.bots", bots=bots, players=players)
    return TableSettings(
        game=rules.name, players=players, bots=bots, level=level, options=options, **wanted
    )


def _level(known: tuple[str, ...], level: str) -> None:
    if level not in known:
        raise wrong("error.level", level=level, known=known)


def _name(name: str | None) -> str:
    from tui.preferences import bad_name, my_name

    if name is None:
        return my_name()
    if (why := bad_name(name)) is not None:
        raise wrong(why, name=name, room=NAME_LENGTH)
    return name.strip()


def _title(title: str | None) -> str | None:
    from tui.preferences import bad_title

    if title is not None and (why := bad_title(title)) is not None:
        raise wrong(why, title=title, room=TITLE_LENGTH)
    return None if title is None else title.strip()


def _pin(pin: str | None) -> str | None:
    """Return the PIN from the option or `PRRRT_PIN`; what isn't six digits is refused."""
    from net.settings import is_pin

    found = os.environ.get("PRRRT_PIN") or None if pin is None else pin
    if found is not None and not is_pin(found):
        raise wrong("error.pin")
    return found


def _broker(url: str | None) -> str | None:
    """Refuse what can't be a broker's URL. Raises `Refused`."""
    from net.address import parse_broker

    if url is not None:
        parse_broker(url)
    return url


def _target(where: str | None, broker: str | None, table: str | None) -> Target:
    """Refuse what can't be an address. Raises `Refused`."""
    from net.address import looks_like_address, parse_address

    if where is not None and broker is None and looks_like_address(where):
        parse_address(where)
    return Target(where, _broker(broker), table)


@dataclass(frozen=True)
class _Saved:
    """A table to go on with: a file of it, and what is played there."""

    file: str
    game: str


def _saved(wanted: str | None, game: str | None) -> _Saved | None:
    """Return the table to go on with. Raises `Refused`, and `Complaint` if it plays another game.

    What is no game at all is refused as that.
    """
    if wanted is None:
        return None
    from net.saves import TABLE_FILE
    from net.table_file import read_record

    folder = _folder(wanted)
    kept = read_record(folder).game
    if game is not None and choosing.rules_of(game).name != kept:
        raise wrong("error.other_game", game=choosing.title_of(kept), given=game)
    return _Saved(str(folder / TABLE_FILE), kept)


def _folder(wanted: str) -> Path:
    """Return where a saved table is; say which newer ones `last` had to pass over.

    Raises `Refused`.
    """
    from net.saved_tables import table_in, title_in
    from net.table_file import find_saved, last_saved

    if wanted != "last":
        return find_saved(wanted)
    folder, passed = last_saved()
    for one in passed:
        why = reason(one.why.code, one.why.facts)
        tell(say("cli.resume.passed", title=shown(one.title), table=one.table, why=why))
    if folder is None:
        raise Refused("nothing_saved")
    if passed:
        tell(say("cli.resume.going_on", title=shown(title_in(folder)), table=table_in(folder)))
    return folder
