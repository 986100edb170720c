"""The form of `table.json`, and what makes one that was damaged or edited unfit to go on with."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import msgspec

from core.kernel.illegal import Refused
from core.kernel.rules import Rules
from core.registry import GAMES
from net.lobby import SeatKind, Stand
from net.mark import Mark
from net.messages import Answer
from net.orders import Pin
from net.private_files import read_ours
from net.room import ChatLine, Notice, OptionValue
from net.saves import TABLE_FILE
from net.table import Phase

Key = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]

TABLE_FORMAT = 1
"""The number of the format; another one is refused."""


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat as it is kept: whoever has the key has the seat."""

    name: str
    kind: SeatKind
    level: str | None
    peer: str | None
    key: Key | None
    stand_in: Stand | None


class TableRecord(msgspec.Struct, frozen=True):
    """A table as it is kept. `journal` is the file name of the game that is open, if any."""

    format: int
    title: str
    game: str
    phase: Phase
    signing: Key
    sealing: Key
    players: int
    options: dict[str, OptionValue]
    seats: tuple[SeatRecord, ...]
    owner: int | None
    founder: str | None
    level: str
    pin: Pin | None
    paused: bool
    games_played: int
    journal: str | None
    turn: Seconds | None
    think: Seconds
    away: Seconds
    idle: Seconds
    port: Port | None
    chat: tuple[ChatLine, ...]
    notices: tuple[Notice, ...]
    answers: dict[str, tuple[Answer, ...]]
    written: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How often it was written: the newest of several copies has most."""
    starts: Annotated[int, msgspec.Meta(ge=1, lt=2**53)] = 1


def read_record(folder: Path) -> TableRecord:
    """Read a `table.json`.

    Raises `Refused`: `no_saved_table`, `bad_table_file`, and `older_table_file` or
    `edited_table_file` for one that isn't what the table wrote last (`net.mark`).
    """
    path = folder / TABLE_FILE
    mark = Mark(path)
    noted = mark.read()
    try:
        data = read_ours(path)
        kept = msgspec.json.decode(data, type=TableRecord)
    except FileNotFoundError:
        raise Refused("no_saved_table", table=str(folder)) from None
    except OSError as error:
        raise Refused("bad_table_file", path=str(path), why=error.strerror or str(error)) from None
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Refused("bad_table_file", path=str(path), why=str(error)) from None
    if kept.format != TABLE_FORMAT:
        raise Refused("bad_table_file", path=str(path), why=f"format {kept.format}")
    if noted is not None and kept.written < noted.count:
        raise Refused("older_table_file", path=str(path), mark=mark.path.name)
    if noted is not None and kept.written == noted.count and digest_of(data) != noted.digest:
        raise Refused("edited_table_file", path=str(path), mark=mark.path.name)
    return kept


def digest_of(data: bytes) -> str:
    """Return what the mark of a `table.json` says of its bytes."""
    return hashlib.sha256(data).hexdigest()


def check_record(kept: TableRecord, folder: Path) -> Rules:
    """Return the rules that a saved table plays by.

    Raises `Refused`: `unknown_game`, and `bad_table_file` for one that contradicts itself.
    """
    rules = GAMES.get(kept.game)
    if rules is None:
        raise Refused("unknown_game", game=kept.game, known=tuple(GAMES))
    wrong = _contradiction(kept, rules)
    if wrong is not None:
        raise Refused("bad_table_file", path=str(folder / TABLE_FILE), why=f"`{wrong}`")
    return rules


def _contradiction(kept: TableRecord, rules: Rules) -> str | None:
    """Return the field that can't be right; None when all fit together."""
    people = [seat for seat in kept.seats if seat.kind != "bot"]
    bots = [seat for seat in kept.seats if seat.kind == "bot"]
    if kept.level not in rules.bots or not all(seat.level in rules.bots for seat in bots):
        return "level"
    if len(kept.seats) > kept.players:
        return "players"
    if kept.owner is not None and not 0 <= kept.owner < len(kept.seats):
        return "owner"
    peers = {seat.peer for seat in people if seat.key is not None} - {None}
    if len(peers) != len(people) or any(seat.peer or seat.key for seat in bots):
        return "seats"
    under_way = kept.phase in ("playing", "over")
    if under_way != (kept.journal is not None) and kept.phase != "closed":
        return "journal"
    if kept.journal is not None and Path(kept.journal).name != kept.journal:
        return "journal"
    return None
