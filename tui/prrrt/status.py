"""The status line: whose turn it is, what I can do or why I can't, how long, and is the line up."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rich.text import Text
from textual.message import Message
from textual.widgets import Static

from net.room import Clock
from tui.prrrt.sight import Sight
from tui.words import say

WARN_AT = 10
"""Seconds left when the clock is shown reversed."""


@dataclass(frozen=True)
class Status:
    """What the line says. `mine` is whether something can be done now."""

    text: str
    mine: bool = False


def status(sight: Sight, *, waiting: bool = False, asking: bool = False) -> Status:
    """Return what to say now.

    `waiting` while our own action is on its way, `asking` while its dialog is open.
    """
    if sight.room.paused:
        own = sight.me is not None and sight.me == sight.room.owner
        return Status(say("prrrt.status.paused.own" if own else "prrrt.status.paused"))
    if sight.view.over:
        return Status(say("prrrt.status.over"), mine=True)
    if sight.me is not None and sight.seat(sight.me).bot_plays:
        return Status(say("prrrt.status.own_bot"), mine=True)
    if waiting:
        return Status(say("prrrt.status.sent"))
    for offer in sight.view.offers:
        if offer.do != "own_up":
            line = _mine(sight, offer.do)
            if not asking and offer.do != "turn_location":
                line += " " + say("prrrt.status.space")
            return Status(line, mine=True)
    line = _theirs(sight)
    return Status(line if sight.me is not None else say("prrrt.status.watching", text=line))


def _mine(sight: Sight, do: str) -> str:
    table = sight.table
    card = None if table.effect is None else table.effect.card
    if do == "draw" and card is not None:
        return say(f"prrrt.status.draw.{card}", whom=sight.who(drawn_from(sight)))
    if do in ("choose", "give") and card is not None:
        return say(f"prrrt.status.{do}.{card}", whom=sight.who(drawn_from_effect(sight)))
    return say(f"prrrt.status.{do}", who=sight.who(table.asker), whom=sight.who(table.asked))


def drawn_from(sight: Sight) -> int | None:
    """Return whose cards the blind draw under way is from."""
    effect = sight.table.effect
    if effect is None:
        return sight.table.asked
    return effect.by if effect.card == 3 else effect.player


def drawn_from_effect(sight: Sight) -> int | None:
    """Return the opponent of the effect under way."""
    return None if sight.table.effect is None else sight.table.effect.player


def _theirs(sight: Sight) -> str:
    """Say whom everybody waits for, and so why I can do nothing."""
    awaited = [seat for seat in sight.awaited if seat != sight.me]
    if sight.view.phase == "point":
        if not awaited:
            return say("prrrt.status.sent")
        names = ", ".join(sight.name(seat) for seat in awaited[:3])
        if len(awaited) > 3:
            names = say("prrrt.status.and_more", names=names, n=len(awaited) - 3)
        key = "prrrt.status.wait.point" if sight.me is not None else "prrrt.status.watch.point"
        return say(key, names=names)
    if not awaited:
        return say("prrrt.status.nobody")
    seat = awaited[0]
    line = say(
        f"prrrt.status.wait.{sight.view.phase}",
        who=sight.name(seat),
        whom=sight.who(_whom(sight)),
    )
    if sight.seat(seat).bot_plays:
        return line + " " + say("prrrt.status.bot_plays")
    if not sight.seat(seat).here:
        return line + " " + say("prrrt.status.away")
    return line


def _whom(sight: Sight) -> int | None:
    match sight.view.phase:
        case "ask":
            return sight.table.asked
        case "answer":
            return sight.table.asker
        case "draw":
            return drawn_from(sight)
        case "give":
            return drawn_from_effect(sight)
    return None


class StatusLine(Static):
    """One line, with the clock and the line's state at its right end."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; background: $surface; }
    StatusLine.-mine { background: $primary; color: $background; text-style: bold; }
    StatusLine.-refused { background: $error; color: $background; text-style: bold; }
    """

    class Pressed(Message):
        """The line was clicked."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, markup=False)
        self._status = Status("")
        self._note = ""
        self._refused = False
        self._clock: Clock | None = None
        self._clock_read = 0.0
        self._line_up = True

    @property
    def words(self) -> str:
        """What stands there, without clock and line."""
        return self._note or self._status.text

    def on_click(self) -> None:
        """It is a button, too."""
        self.post_message(self.Pressed())

    def on_mount(self) -> None:
        """Count the clock down."""
        self.set_interval(1, self._tick)

    def on_resize(self) -> None:
        """Write as much as there is room for."""
        self._write()

    def show(self, shown: Status, clock: Clock | None) -> None:
        """Show another view's state; a note gives way to it."""
        self._status, self._clock, self._clock_read = shown, clock, time.monotonic()
        self._note, self._refused = "", False
        self._write()

    def note(self, text: str, *, refused: bool = False) -> None:
        """Say something until the next view: a refusal, or that a question is gone."""
        self._note, self._refused = text, refused
        self._write()

    def line(self, up: bool) -> None:
        """Say whether the line to the table stands."""
        self._line_up = up
        self._write()

    def seconds_left(self) -> int | None:
        """Return how long the decision under way may take."""
        if self._clock is None:
            return None
        return max(0, round(self._clock.left - (time.monotonic() - self._clock_read)))

    def _tick(self) -> None:
        if self._clock is not None:
            self._write()

    def _write(self) -> None:
        self.set_class(self._status.mine and not self._refused, "-mine")
        self.set_class(self._refused, "-refused")
        right = Text()
        left = self.seconds_left()
        if left is not None:
            style = "bold reverse" if left <= WARN_AT else "bold"
            right.append(f" {left // 60}:{left % 60:02} ", style)
        if self._line_up:
            right.append(" " + say("prrrt.status.line_up"))
        else:
            right.append(" " + say("prrrt.status.line_down"), "bold reverse")
        sign = "▶ " if self._status.mine and not self._note else ""
        words = Text(sign + self.words, no_wrap=True)
        words.truncate(max(0, self.size.width - right.cell_len - 1), overflow="ellipsis", pad=True)
        self.update(words + Text(" ") + right, layout=False)
