"""What goes out to one pair of eyes: the game as it may see it, and the room around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TypeVar

import msgspec

from core.kernel.event import Viewer
from net.blanks import whole_steps
from net.host_game import HostGame, Step
from net.messages import Answer, ViewMsg
from net.room import ChatLine, Clock, Notice, Room, SeatInfo
from net.seal import MAX_LETTER
from net.table import Table

ENVELOPE_ROOM = 600
"""Bytes set aside for the envelope around a view."""

ANSWER_STEP, ANSWERS_STEP = 256, 512
"""Each answer takes a multiple of so many bytes, and all together, also where there are none."""

CLOCK_ROOM = 16
"""Bytes by which a seat's own clock may be longer than everybody's."""

CHAT_BYTES, NOTICE_BYTES = 12_000, 8_000
"""Bytes of JSON that lines of chat, and notices, may take in a view: the newest are in it."""

ANSWER_BYTES = 12_000
"""The same for answers: those beyond wait for the next view, when the peer has seen some."""

NEWEST = 10
"""Chat lines and notices that come with every view; the first view of a connection has more."""

_encode = msgspec.json.Encoder().encode

LineT = TypeVar("LineT", ChatLine, Notice)


@dataclass
class Shown:
    """How far one receiver was shown things: the number of the game, actions, and `rev`."""

    game_no: int = 0
    n: int = -1
    rev: int = 0
    complete: bool = False
    """Whether the lines of chat before the newest were sent."""

    def rewind(self, game_no: int, have: int) -> None:
        """The receiver says what it has: of game `game_no` the events of `have` actions."""
        self.game_no, self.n, self.complete = game_no, have, False


def compose(
    table: Table,
    viewer: Viewer,
    shown: Shown,
    answers: tuple[Answer, ...],
    spectators: int,
    pin: str | None = None,
) -> ViewMsg:
    """Return the next view of a receiver, and note in `shown` what it was shown.

    `pin` is the table's, of which only the owner is told.

    When its history doesn't fit, it gets the first page (`n` of `shown` stays
    behind the view's), and asks for the next.
    """
    game = table.game
    number = 0 if game is None else game.number
    if shown.game_no != number:
        shown.game_no, shown.n = number, -1
    if game is not None and shown.n > game.actions:
        shown.n = -1
    answers = _oldest(answers, ANSWER_BYTES)
    room = _room(table, viewer, spectators, whole=not shown.complete)
    if viewer is not None and viewer == room.owner:
        room = msgspec.structs.replace(room, pin=pin)
    shown.rev += 1
    shown.complete = True
    if game is None:
        return ViewMsg(rev=shown.rev, n=-1, question=-1, room=room, answers=answers)
    view = ViewMsg(
        rev=shown.rev,
        n=game.actions,
        question=game.question,
        room=room,
        game=msgspec.Raw(game.view(viewer)),
        game_no=number,
        since=shown.n,
        answers=answers,
    )
    blanks = 0 if viewer is None else _blanks(table, game, viewer, view)
    left = MAX_LETTER - ENVELOPE_ROOM - len(_encode(view)) - blanks
    sizes = _fitting(game.step_sizes(viewer, shown.n), game.steps(viewer, shown.n), left)
    steps = game.steps(viewer, shown.n)[: len(sizes)]
    events = tuple(chain(*steps))
    shown.n += len(steps)
    return msgspec.structs.replace(
        view,
        counts=tuple(map(len, steps)),
        room=msgspec.structs.replace(room, events=msgspec.Raw(b"[" + b",".join(events) + b"]")),
        fill=" " * (blanks + sum(sizes) - sum(map(len, events))),
    )


def _fitting(sizes: Iterable[int], steps: Iterable[Step], room: int) -> list[int]:
    """Return the sizes of the first steps, as many as fit into so many bytes."""
    fitting: list[int] = []
    for size, step in zip(sizes, steps, strict=True):
        room -= size + len(step) + 4
        if room < 0:
            break
        fitting.append(size)
    return fitting


def _blanks(table: Table, game: HostGame, seat: int, view: ViewMsg) -> int:
    """Return how many blanks make a view, its events aside, as long as everybody may know.

    What only its seat is told is the game, the answers, and what becomes of an action that waits.
    """
    own = game.view(seat)
    try:
        game.view(None)
    except Exception:  # that is told of where it is shown: seats go on without it
        size = whole_steps(len(own), ANSWERS_STEP)
    else:
        size = game.view_size(seat)
    answers = len(',"answers":') + len(_encode(view.answers)) if view.answers else 0
    size += whole_steps(sum(map(_answer_size, view.answers)), ANSWERS_STEP)
    size += len(_encode(False)) + len(_encode(_clock(table, None))) + CLOCK_ROOM
    took = len(own) + answers + len(_encode(view.room.held)) + len(_encode(view.room.clock))
    return max(1, size - took)  # without any, `fill` would be left out


def _room(table: Table, viewer: Viewer, spectators: int, *, whole: bool) -> Room:
    lobby = table.lobby
    return Room(
        table=table.table_id,
        title=table.title,
        game=table.rules.name,
        phase=table.phase,
        players=lobby.players,
        options=dict(lobby.options),
        seats=tuple(
            SeatInfo(
                name=seat.name,
                kind=seat.kind,
                level=seat.level,
                here=seat.here,
                bot_plays=seat.stand_in is not None,
            )
            for seat in lobby.seats
        ),
        you=viewer,
        owner=None if lobby.owner is None else lobby.number(lobby.owner),
        paused=table.paused,
        clock=_clock(table, viewer),
        chat=_newest(table.chat.lines, CHAT_BYTES, whole),
        notices=_newest(table.notices.newest, NOTICE_BYTES, whole),
        games_played=table.games_played,
        spectators=spectators,
        waits_for=table.waits_for,
        held=viewer in table.fair.waiting,
    )


def _clock(table: Table, viewer: Viewer) -> Clock | None:
    told = table.clock_told(viewer)
    if told is None:
        return None
    seats, left, total = told
    return Clock(seats, round(left, 2), total)


def _oldest(answers: tuple[Answer, ...], most: int) -> tuple[Answer, ...]:
    """Return the oldest answers, as many as fit."""
    sizes = accumulate(map(_answer_size, answers))
    return tuple(answer for answer, size in zip(answers, sizes, strict=True) if size <= most)


def _answer_size(answer: Answer) -> int:
    """Return the bytes that an answer takes, whatever it says, with what is around it."""
    return whole_steps(len(_encode(answer)) + len(',"answers":'), ANSWER_STEP)


def _newest(lines: tuple[LineT, ...], most: int, whole: bool) -> tuple[LineT, ...]:
    """Return the newest lines, as many as fit, oldest first."""
    kept: list[LineT] = []
    for line in reversed(lines if whole else lines[-NEWEST:]):
        most -= len(_encode(line))
        if most < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))
