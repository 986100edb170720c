"""How commands are explained (`--help`), and what the parser itself refuses, in our words."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from core.kernel.options import Option
from core.registry import GAMES
from tui.choosing import game_line
from tui.complaints import Complaint, wrong
from tui.options import values_of, written
from tui.words import say

Parameters = list[Any]
"""Of a command: arguments and options, as typer keeps them."""


class Command(TyperCommand):
    """One command: its usage line has our names of its arguments, its help their explanations."""

    allow_extra_args = True  # so that it is we who refuse them

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises `Complaint` for what isn't as it should be."""
        try:
            rest = super().parse_args(ctx, args)
        except typer.TyperException as error:
            raise _complaint(error, ctx) from None
        if rest:
            raise wrong("error.extra", command=ctx.command_path, given=rest[0])
        return rest

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write how the command is typed."""
        wanted = [param.metavar for param in _arguments(self.get_params(ctx))]
        _usage(ctx, formatter, *wanted, say("cli.metavar.options"))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what each argument and option is for."""
        params = self.get_params(ctx)
        _section(formatter, "arguments", [(p.metavar, p.help) for p in _arguments(params)])
        _section(formatter, "options", [_row(param) for param in _options(params)])
        if any(param.name == "game" for param in params):
            _games(formatter)


class Commands(TyperGroup):
    """All commands: each explained in whole sentences, an unknown one refused."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what comes before the command. Raises `Complaint`."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            raise _complaint(error, ctx) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command. Raises `Complaint` for one that there isn't."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise wrong("error.command", given=args[0], known=tuple(self.commands))
        return super().resolve_command(ctx, args)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write how commands are typed."""
        _usage(ctx, formatter, say("cli.metavar.command"), say("cli.metavar.options"))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what each command does."""
        known = [(name, command.help or "") for name, command in self.commands.items()]
        _section(formatter, "commands", known)
        _section(formatter, "games", [(name, game_line(rules)) for name, rules in GAMES.items()])
        _section(formatter, "options", [_row(param) for param in _options(self.get_params(ctx))])
        formatter.write_paragraph()
        formatter.write_text(say("cli.more"))


def _complaint(error: typer.TyperException, context: Any) -> Complaint:
    """Return what the parser refused, as a complaint of ours."""
    command = context.command_path
    known = {name: param for param in context.command.params for name in param.opts}
    option = getattr(error, "option_name", None)
    if option is None:
        param = getattr(error, "param", None)
        return wrong("error.missing", command=command, missing=getattr(param, "metavar", ""))
    if option not in known:
        key = option.lstrip("-").replace("-", "_")
        game = _game_with(key)
        if game is not None and "--option" in known:
            return wrong("error.option.of_game", command=command, option=option, game=game, key=key)
        near = tuple(getattr(error, "possibilities", None) or ())
        key = "error.option.near" if near else "error.option"
        return wrong(key, command=command, option=option, near=near)
    if known[option].metavar is None:
        return wrong("error.no_value", option=option)
    return wrong("error.value", option=option, metavar=known[option].metavar)


def _game_with(key: str) -> str | None:
    """Return the title of a game that has an option of this name, if there is one."""
    for rules in GAMES.values():
        if any(each.key == key for each in rules.options):
            return rules.title
    return None


def _arguments(params: Parameters) -> Parameters:
    return [param for param in params if param.param_type_name == "argument"]


def _options(params: Parameters) -> Parameters:
    return [param for param in params if param.param_type_name == "option"]


def _usage(ctx: Any, formatter: Any, *pieces: str) -> None:
    formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=f"{say('cli.usage')} ")


def _row(option: Any) -> tuple[str, str]:
    """Return an option's names and its help, with what it is when it isn't given."""
    names = ", ".join(sorted(option.opts, key=len))
    if option.name == "help":
        return names, say("cli.option.help")
    if option.metavar:
        names = f"{names} {option.metavar}"
    default = option.default
    if default is None or isinstance(default, bool):
        return names, option.help
    shown = f"{default:g}" if isinstance(default, int | float) else default
    return names, f"{option.help} {say('cli.default', default=shown)}"


def _games(formatter: Any) -> None:
    """Write what can be played, and what can be set in each game."""
    _section(formatter, "games", [(name, game_line(rules)) for name, rules in GAMES.items()])
    for name, rules in GAMES.items():
        rows = [_setting(name, option) for option in rules.options]
        with formatter.section(say("cli.section.game_options", game=name)):
            formatter.write_dl(rows, col_max=24)


def _setting(game: str, option: Option) -> tuple[str, str]:
    """Return how an option of a game is written, and what it does."""
    help_text = say(f"option.{game}.{option.key}.help")
    default = say("cli.default", default=written(option.default))
    return f"{option.key}={values_of(option)}", f"{help_text} {default}"


def _section(formatter: Any, name: str, rows: list[tuple[str, str]]) -> None:
    if rows:
        with formatter.section(say(f"cli.section.{name}")):
            formatter.write_dl(rows)
