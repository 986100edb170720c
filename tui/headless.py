"""The commands without a screen: hold a table, sit bots down, list tables and saved games."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from core.kernel.illegal import Refused
from net.visible import visible_json
from tui.choosing import title_of
from tui.complaints import Complaint, complain, reason, turned_away, turned_down
from tui.interrupt import INTERRUPTED, end_in_order
from tui.opening import Target
from tui.words import plain, say

if TYPE_CHECKING:
    from net.happenings import Happening
    from net.settings import TableSettings

T = TypeVar("T")

BOT_NAME = "Bot"
AGAIN = 1.0
"""Seconds between two attempts of a bot to come back."""

GIVE_UP = 60.0
"""Seconds without any table after which a bot takes it for closed."""


def hold_table(settings: TableSettings) -> int:
    """Hold a table until it closes; return the exit status. Raises `Refused`."""
    from net.table_process import json_line, run_table
    from net.telling import Telling, TellingHandler

    with Telling() as telling:
        logging.basicConfig(handlers=[TellingHandler(telling, sys.stderr, "%(message)s")])

        def tell(happening: Happening) -> None:
            said = json_line(_documented(happening)) if settings.json else _in_words(happening)
            telling.say(said, sys.stdout)

        caught = _run(run_table(settings, tell))
    return INTERRUPTED if caught == signal.SIGINT else 0


def _run(work: Coroutine[None, None, T]) -> T:
    """Run to the end, or until Ctrl+C: then `KeyboardInterrupt` is raised when all is tidied up."""
    from net.running import run

    end_in_order()
    return run(work)


def _documented(happening: Happening) -> Happening:
    """Return what happened with the keys that programs are promised, and nothing beyond them."""
    from net.happenings import Ready

    if isinstance(happening, Ready):
        return msgspec.structs.replace(happening, words=(), game="", broker=None)
    return happening


def _in_words(happening: Happening) -> str:
    """Say what happened to whoever looks at the terminal: lines, or nothing."""
    from net.drop_log import in_order
    from net.happenings import Acted, Ready, Stopped

    if isinstance(happening, Acted):
        return ""
    facts = msgspec.structs.asdict(happening)
    if isinstance(happening, Ready):
        ready = say(
            "table.ready",
            title=happening.title,
            game=title_of(happening.game),
            words=" ".join(happening.words),
        )
        lines = [ready, *(f"  prrrt join {plain(address)}" for address in happening.addresses)]
    elif isinstance(happening, Stopped):
        key = "table.elsewhere" if happening.why == "elsewhere" else "table.stopped"
        lines = [say(key, why=happening.why)]
        if happening.dropped:
            number = sum(happening.dropped.values())
            lines.append(say("table.dropped", n=number, reasons=in_order(happening.dropped)))
    else:
        lines = [say(f"table.{happening.__struct_config__.tag}", **facts)]
    return "".join(f"{line}\n" for line in lines)


def sit_down_bots(
    target: Target, *, name: str | None, level: str, think: float, count: int, pin: str | None
) -> int:
    """Let bots play until the table closes; return the exit status."""

    async def all_of_them() -> list[Complaint | None]:
        names = [name] * count if count == 1 or name is None else _numbered(name, count)
        return await asyncio.gather(*(_bot(target, one, level, think, pin) for one in names))

    why = [one for one in _run(all_of_them()) if one is not None]
    return complain(why[0]) if why else 0


def _numbered(name: str, count: int) -> list[str]:
    return [f"{name[:21]} {number}" for number in range(1, count + 1)]


async def _bot(
    target: Target, name: str | None, level: str, think: float, pin: str | None
) -> Complaint | None:
    """Play one seat, however often the line drops; return what went wrong."""
    from net.client import SeatClient
    from net.clocks import DEFAULT_IDLE
    from net.guest_bot import GuestBot
    from net.keys import SeatKeys
    from net.saves import note_proved, proved, seat_keys
    from tui.finding import find_table

    keys: SeatKeys | None = None
    table: str | None = None
    clock = asyncio.get_running_loop().time
    seen = clock()
    while True:
        try:
            transport, ad, _ = await find_table(target)
        except Refused as refused:
            if table is None:
                return turned_down(refused)
            if clock() - seen > GIVE_UP:
                return None
            await asyncio.sleep(AGAIN)
            continue
        if keys is None or ad.host.table_id != table:
            table = ad.host.table_id
            keys = SeatKeys.new() if name is None else seat_keys(table, name)
        client = SeatClient(
            transport,
            table,
            keys=keys,
            name=name or BOT_NAME,
            kind="guest_bot",
            pin=pin,
            proved=proved(table),
            on_proof=partial(note_proved, table),
            take_over=True,
            give_up=DEFAULT_IDLE,  # then the table closes, too
        )
        try:
            ended = await GuestBot(client, level=level, think=think).play()
        finally:
            await transport.close()
        if ended.code == "closed":
            return None
        guessed = pin is not None and not proved(table)  # by whoever plays a host
        if ended.code not in ("no_answer", "dropped") or guessed:
            return turned_away(ended.code, ended.facts)
        if client.shown:
            seen = clock()
        elif clock() - seen > GIVE_UP:  # what is left of it is an advertisement
            return None
        await asyncio.sleep(AGAIN)


class _Row(msgspec.Struct, frozen=True):
    """One table as `prrrt tables --json` prints it."""

    table: str
    title: str
    game: str
    players: int
    taken: int
    state: str
    addresses: tuple[str, ...]


def list_tables(*, seconds: float, broker: str | None, as_json: bool) -> int:
    """Print the tables found. Raises `Refused`."""
    found = _run(_tables(seconds, broker))
    if as_json:
        print(visible_json(msgspec.json.encode(found)))
        return 0
    if not found:
        print(say("cli.tables.none"))
    for one in found:
        facts = msgspec.structs.asdict(one)
        facts["state"] = say(f"home.state.{one.state}")
        print(say("cli.tables.row", **facts, address=next(iter(one.addresses), "-")))
    return 0


async def _tables(seconds: float, broker: str | None) -> list[_Row]:
    from net.address import Address, parse_broker
    from net.connect import tables_at
    from tui.finding import found_within, state_of

    if broker is None:
        return [
            _Row(
                table=one.table,
                title=plain(one.title),
                game=plain(one.game),
                players=one.players,
                taken=one.taken,
                state=one.state,
                addresses=tuple(str(Address(host, port)) for host, port in one.addresses),
            )
            for one in await found_within(seconds)
        ]
    where = parse_broker(broker)
    return [
        _Row(
            table=ad.host.table_id,
            title=plain(ad.title) or "-",
            game=plain(ad.game),
            players=ad.players,
            taken=ad.taken,
            state=state_of(ad),
            addresses=(str(where),),
        )
        for ad in await tables_at(where)
    ]


def list_games(*, as_json: bool) -> int:
    """Print the saved tables and their games. Raises `Refused`."""
    from net import saves
    from net.saved_tables import saved_tables

    tables = saved_tables()
    damage = {table.table: _damage(table.folder) for table in tables if table.resumable}
    if as_json:
        sound = [replace(one, resumable=damage.get(one.table, "closed") is None) for one in tables]
        print(visible_json(msgspec.json.encode(sound, enc_hook=str)))
        return 0
    if not tables:
        print(say("cli.games.none", home=str(saves.home())))
    for table in tables:
        key = "cli.games.resumable" if table.resumable else "cli.games.closed"
        if why := damage.get(table.table):
            key = "cli.games.damaged"
        print(say(key, title=table.title or say("cli.games.solo"), table=table.table, why=why))
        for game in table.games:
            key = "cli.games.finished" if game.finished else "cli.games.open"
            facts = {"seats": game.seats, "actions": game.actions, "path": str(game.path)}
            print(say(key, game=title_of(game.game), **facts))
    return 0


def _damage(folder: Path) -> str | None:
    """Return why a table that wasn't closed can't go on all the same; None if it can."""
    from net.table_file import check_can_go_on

    try:
        check_can_go_on(folder)
    except Refused as refused:
        if refused.code not in ("table_open", "nobody_came"):
            return reason(refused.code, refused.facts)
    return None
