"""Playing a journal again: what `prrrt replay`, a resumed table and the rule cases do.

Lines are judged in order and the first wrong one is reported; nothing after it
is looked at, and nothing is ever half applied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import msgspec

from core.journal import Header, Journal, JournalError, Line
from core.kernel.chance import read_chance
from core.kernel.illegal import BadChance, BadOption, Fact, Illegal
from core.kernel.options import OptionValue
from core.kernel.rules import Game, Rules
from core.registry import GAMES

Eyes = int | Literal["spectator", "everything"]
"""Who looks at the outcome: a seat, somebody who owns none, or everything revealed."""

Words = Callable[[str, Mapping[str, Fact]], str]
"""Says a code and its facts in some language: `tui.words`."""

LEGAL_FOR = "legal_for"
LEGAL_NOW = "legal_now"
LEGAL_NOTHING = "legal_nothing"
"""The codes that a reason ends with: what one seat may do (`seat`, `may`), the sentence around
all of these (`legal`), and the sentence when nobody may do anything."""


@dataclass(frozen=True)
class Replayed:
    """A game as its journal left it, and what a resume needs besides.

    `lines` are the actions that were applied; `whole`, `torn`, `unended` and
    `chain` are as in `core.journal.Journal`. `ended` is whether an end line
    closed the journal.
    """

    rules: Rules
    header: Header
    options: dict[str, OptionValue]
    game: Game
    lines: tuple[Line, ...]
    chain: str
    whole: int
    torn: bool
    unended: bool
    ended: bool


@dataclass(frozen=True)
class Answer:
    """What `prrrt replay --json` prints: exit status, JSON object, and a warning or None."""

    status: int
    json: bytes
    warning: str | None = None


def begin(header: Header) -> tuple[Rules, dict[str, OptionValue], Game]:
    """Return the game that a header describes, before the first action.

    Raises `JournalError`, always of line 1.
    """
    rules = GAMES.get(header.game)
    if rules is None:
        raise JournalError("unknown_game", {"game": header.game, "known": tuple(GAMES)}, line=1)
    seats = len(header.seats)
    try:
        rules.check_seats(seats)
        options = rules.check_options(header.options, seats)
        chance = read_chance(
            header.chance,
            game=rules.name,
            options=options,
            names=header.seats,
            labels=rules.labels(seats, options),
        )
        return rules, options, rules.start(seats, options, chance)
    except (BadOption, BadChance) as refusal:
        raise JournalError(refusal.code, refusal.facts, line=1) from None


def replay(data: bytes, *, upto: int | None = None) -> Replayed:
    """Play a journal again, all of it or its first `upto` actions. Raises `JournalError`.

    The bytes after the last good line are never needed: a journal cut anywhere
    gives the game as it was there.
    """
    journal = Journal(data)
    rules, options, game = begin(journal.header)
    applied: list[Line] = []
    ended = False
    lines = journal.lines()
    while upto is None or len(applied) < upto:
        line = next(lines, None)
        if line is None:
            break
        if ended:
            raise line.error("after_the_end")
        if line.is_end:
            _check_end(line, game)
            ended = True
        else:
            _apply(line, rules, game)
            applied.append(line)
    return Replayed(
        rules=rules,
        header=journal.header,
        options=options,
        game=game,
        lines=tuple(applied),
        chain=journal.chain,
        whole=journal.whole,
        torn=journal.torn,
        unended=journal.unended,
        ended=ended,
    )


def _apply(line: Line, rules: Rules, game: Game) -> None:
    try:
        action = rules.action(line.body)
        if line.seat is None:
            raise Illegal("missing", key="seat")
        game.act(line.seat, action)
    except BadChance as refusal:
        raise JournalError(refusal.code, refusal.facts, line=1) from None
    except Illegal as refusal:
        raise line.error(refusal.code, {**refusal.facts, "legal": _legal(game)}) from None


def _legal(game: Game) -> tuple[str, ...]:
    """Return what is legal, one text a seat: its number and the names of its actions."""
    awaiting = game.revealed().awaiting
    return tuple(f"{who.seat} {' '.join(who.may or ())}" for who in awaiting)


def _check_end(line: Line, game: Game) -> None:
    end = line.body["end"]
    if not isinstance(end, dict):
        raise line.error("bad_end")
    if not game.over:
        raise line.error("ended_early")
    if end.get("chain", line.chain) != line.chain:
        raise line.error("broken_chain")
    result = msgspec.json.decode(msgspec.json.encode(game.revealed().result))
    if "result" in end and end["result"] != result:
        raise line.error("other_result")


def answer(data: bytes, eyes: Eyes, *, reveal: bool, words: Words) -> Answer:
    """Return what `prrrt replay --json` prints for the bytes of a file.

    An unfinished `fair-1` journal is opened only with `reveal`: it shows all
    hands of a game in progress.
    """
    try:
        replayed = replay(data)
        game = replayed.game
        if not game.over and not reveal and replayed.header.chance.get("scheme") == "fair-1":
            raise JournalError("in_progress", line=None)
        view = look(game, eyes, len(replayed.header.seats))
    except JournalError as error:
        return refusal(error, words)
    warning = words("torn_end", {}) if replayed.torn else None
    return Answer(0, msgspec.json.encode(view), warning)


def look(game: Game, eyes: Eyes, seats: int) -> object:
    """Return the view that somebody has of a game. Raises `JournalError` without such a seat."""
    if eyes == "everything":
        return game.revealed()
    if eyes == "spectator":
        return game.view(None)
    if not 0 <= eyes < seats:
        raise JournalError("no_such_seat", {"seat": eyes, "seats": seats}, line=None)
    return game.view(eyes)


def refusal(error: JournalError, words: Words) -> Answer:
    """Return what is printed for a journal that can't be played: exit status 2 and the reason."""
    said = {
        "line": error.line,
        "seat": error.seat,
        "do": error.do,
        "reason": reason(error, words),
    }
    return Answer(2, msgspec.json.encode({"error": said}))


def reason(error: JournalError, words: Words) -> str:
    """Say what was wrong and, for an action, what would have been legal."""
    said = words(error.code, error.facts)
    legal = error.facts.get("legal")
    if not isinstance(legal, tuple):
        return said
    if not legal:
        return f"{said} {words(LEGAL_NOTHING, {})}"
    seats = [str(text).partition(" ") for text in legal]
    each = [
        words(LEGAL_FOR, {"seat": int(seat), "may": may.replace(" ", ", ")})
        for seat, _, may in seats
    ]
    return f"{said} {words(LEGAL_NOW, {'legal': '; '.join(each)})}"
