"""The journal: one file for save games, replays and rule cases (`journal.md`).

Pure: bytes come in and structs go out, or the other way round. Who reads the
file, and makes sure that it is on disk, is `net.journal_file`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from core.kernel.action import Action
from core.kernel.canonical import canonical_json, sha256_of
from core.kernel.illegal import Fact, Refused
from core.kernel.options import OptionValue

JOURNAL = 1
"""The number of the format; another one is refused."""


class JournalError(Refused):
    """A file that isn't a journal, or one whose game went wrong.

    `line` counts from 1, the header is line 1; None when it is no line's
    fault. `seat` and `do` are those of an action line, as far as it says them.
    """

    def __init__(
        self,
        code: str,
        facts: Mapping[str, Fact] | None = None,
        *,
        line: int | None,
        seat: int | None = None,
        do: str | None = None,
    ) -> None:
        super().__init__(code, **(facts or {}))
        self.line = line
        self.seat = seat
        self.do = do


class Header(msgspec.Struct, frozen=True):
    """Line 1: the game, its seats clockwise by name, its options, and the chance it was dealt."""

    game: str
    seats: tuple[str, ...]
    chance: dict[str, object]
    options: dict[str, object] = {}


class Line(msgspec.Struct, frozen=True):
    """One line after the header, decoded. `number` counts from 1; `chain` is the chain so far."""

    number: int
    body: dict[str, Any]
    chain: str

    @property
    def seat(self) -> int | None:
        """The seat that the line names, if that is an integer."""
        seat = self.body.get("seat")
        return seat if type(seat) is int else None

    @property
    def do(self) -> str | None:
        """What the line says was done, if that is a text."""
        do = self.body.get("do")
        return do if isinstance(do, str) else None

    @property
    def aid(self) -> str | None:
        """The action id under which a seat sent it, if there is one."""
        aid = self.body.get("aid")
        return aid if isinstance(aid, str) else None

    @property
    def is_end(self) -> bool:
        """Whether this closes a finished game and is no action."""
        return "end" in self.body and "do" not in self.body

    def error(self, code: str, facts: Mapping[str, Fact] | None = None) -> JournalError:
        """Return an error that names this line."""
        return JournalError(code, facts, line=self.number, seat=self.seat, do=self.do)


class Journal:
    """A journal's bytes, read line by line, so that the first wrong line is the one reported.

    After all `lines` were read, `whole` is how many bytes are good, `torn` is
    whether a last line was cut off after them, and `unended` whether the last
    good line lacks its newline: what a resume repairs before it appends.
    """

    def __init__(self, data: bytes) -> None:
        """Read the header. Raises `JournalError`."""
        self._data = data
        first, newline, _ = data.partition(b"\n")
        self.header = read_header(first)
        self.chain = first_chain(first)
        self.whole = len(first) + len(newline)
        self.torn = False
        self.unended = not newline

    def lines(self) -> Iterator[Line]:
        """Yield the lines after the header, in order. Raises `JournalError` at a bad one."""
        number = 1
        while self.whole < len(self._data):
            number += 1
            end = self._data.find(b"\n", self.whole)
            raw = self._data[self.whole :] if end < 0 else self._data[self.whole : end]
            try:
                body = _decoded(raw)
            except msgspec.DecodeError as error:
                if end < 0:
                    self.torn = True
                    return
                if not raw.strip():
                    raise JournalError("empty_line", line=number) from None
                raise JournalError("not_json", {"detail": str(error)}, line=number) from None
            if not isinstance(body, dict):
                raise JournalError("not_an_object", line=number)
            line = self._linked(number, body)
            self.whole += len(raw) + (end >= 0)
            self.unended = end < 0
            yield line

    def _linked(self, number: int, body: dict[str, Any]) -> Line:
        if "end" in body and "do" not in body:
            return Line(number, body, self.chain)
        given = body.get("chain")
        self.chain = next_chain(self.chain, body)
        line = Line(number, body, self.chain)
        if given is not None and given != self.chain:
            raise line.error("broken_chain")
        return line


def _decoded(raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None


def read_header(raw: bytes) -> Header:
    """Read line 1, without its newline, as far as the format goes: games check what is theirs.

    Raises `JournalError`.
    """
    if not raw.strip():
        raise JournalError("empty_line", line=1)
    try:
        body = _decoded(raw)
    except msgspec.DecodeError as error:
        raise JournalError("not_json", {"detail": str(error)}, line=1) from None
    if not isinstance(body, dict):
        raise JournalError("not_an_object", line=1)
    journal = body.get("journal")
    if type(journal) is not int or journal != JOURNAL:
        shown = journal if isinstance(journal, int | str) else None
        raise JournalError("unknown_journal", {"journal": shown, "known": JOURNAL}, line=1)
    try:
        return msgspec.convert(body, Header)
    except msgspec.ValidationError as error:
        raise JournalError("bad_header", {"detail": str(error)}, line=1) from None


def header_line(
    game: str,
    seats: tuple[str, ...],
    options: Mapping[str, OptionValue],
    chance: Mapping[str, object],
) -> bytes:
    """Return line 1 of a new journal, with its newline."""
    header = {
        "journal": JOURNAL,
        "game": game,
        "seats": list(seats),
        "options": dict(options),
        "chance": dict(chance),
    }
    return msgspec.json.encode(header) + b"\n"


def first_chain(header: bytes) -> str:
    """Return what the chain of the first action follows: SHA-256 of line 1, without its newline."""
    return hashlib.sha256(header.removesuffix(b"\n")).hexdigest()


def next_chain(chain: str, body: Mapping[str, object]) -> str:
    """Return the chain of an action line that follows `chain`."""
    unchained = {key: value for key, value in body.items() if key != "chain"}
    return sha256_of(chain.encode(), canonical_json(unchained)).hex()


def action_line(chain: str, seat: int, action: Action, *, aid: str, by: str) -> tuple[bytes, str]:
    """Return the line of an accepted action, with its newline, and the chain after it.

    `by` says who acted: `seat`, `bot` or `clock`.
    """
    body: dict[str, object] = {"seat": seat}
    body |= msgspec.to_builtins(action)
    body |= {"aid": aid, "by": by}
    chain = next_chain(chain, body)
    body["chain"] = chain
    return msgspec.json.encode(body) + b"\n", chain


def end_line(chain: str, result: object, signature: str | None) -> bytes:
    """Return the line that closes a finished game, with its newline."""
    end = {"result": msgspec.to_builtins(result), "chain": chain, "signature": signature}
    return msgspec.json.encode({"end": end}) + b"\n"
