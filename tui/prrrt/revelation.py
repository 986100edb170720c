"""The Revelation: fingers, hands one by one, and at last who it was and who pays."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from msgspec.structs import replace
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Center
from textual.content import Content
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from core.prrrt.events import HandsShown, Verdict
from core.prrrt.view import Reveal
from net.updates import Seen
from tui.cells import cut
from tui.commands import Command, Commanded
from tui.prrrt import cards, paint
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.styles import STYLES
from tui.session import TableUpdate
from tui.table.canvas import Canvas
from tui.table.cards import SMALL, back
from tui.table.inks import PLAIN, Inks
from tui.table.layout import Rect
from tui.table.paint import BACK
from tui.table.sight import cards_of, faces, key_of
from tui.table.story import Names
from tui.widgets.footer import Keys
from tui.words import say

BEAT = 0.7
"""Seconds between two steps."""


@dataclass(frozen=True)
class Revelation:
    """A Revelation as it lay on the table, kept for looking at it again.

    `taken` is how many cards the centre had, where that was seen.
    """

    sight: PrrrtSight
    reveal: Reveal
    taken: int | None = None

    @classmethod
    def of(cls, sight: PrrrtSight, taken: int | None = None) -> Revelation | None:
        """Return the last Revelation if its cards still lie on the table."""
        hands = sight.table.hands
        if sight.table.reveal is None or not hands or any(isinstance(h, int) for h in hands):
            return None
        return cls(sight, sight.table.reveal, taken)

    @classmethod
    def told(
        cls, before: PrrrtSight, shown: HandsShown, said: Verdict, taken: int | None
    ) -> Revelation:
        """Return a Revelation whose cards are gone already, from the view before and its events."""
        reveal = Reveal(said.totals, shown.points, said.culprit, said.because, said.charged)
        table = replace(before.table, hands=shown.hands, reveal=reveal)
        sight = PrrrtSight(
            replace(before.view, table=table), before.room, before.question, before.rev
        )
        return cls(sight, reveal, taken)

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats in the order in which their hands open: the culprit last."""
        return tuple(
            sorted(
                range(self.sight.players),
                key=lambda seat: (seat == self.reveal.culprit, self.reveal.totals[seat]),
            )
        )

    @property
    def steps(self) -> int:
        """How many steps it builds up in: fingers, each hand, verdict, who takes what."""
        return 1 + len(self.seats) + 2

    def accusers(self, right: bool) -> tuple[int, ...]:
        """Return who pointed at the culprit, or who pointed at somebody else."""
        return tuple(
            seat
            for seat, target in enumerate(self.reveal.points)
            if target is not None and (target == self.reveal.culprit) == right
        )


def reasons(revelation: Revelation) -> tuple[str, ...]:
    """Return who takes what and why, a sentence each, in the order of taking (P61)."""
    sight, reveal = revelation.sight, revelation.reveal
    names = Names(tuple(info.name for info in sight.room.seats), sight.me)
    culprit = names.subject(reveal.culprit)
    right, wrong = revelation.accusers(True), revelation.accusers(False)
    lines = []
    if revelation.taken is None:
        lines.append(say("prrrt.reason.centre", who=culprit))
    else:
        lines.append(say("prrrt.reason.centre.n", who=culprit, n=revelation.taken))
    if right:
        lines.append(say("prrrt.reason.found", n=len(right), names=_listed(names, right)))
    if reveal.culprit in wrong:
        lines.append(say("prrrt.reason.own", who=culprit))
    others = tuple(seat for seat in wrong if seat != reveal.culprit)
    if others:
        lines.append(say("prrrt.reason.wrong", n=len(others), names=_listed(names, others)))
    air = tuple(seat for seat, target in enumerate(reveal.points) if target is None)
    if air:
        lines.append(say("prrrt.reason.air", n=len(air), names=_listed(names, air)))
    return tuple(lines)


def verdict(revelation: Revelation) -> str:
    """Return who it was, and by which rule."""
    sight, reveal = revelation.sight, revelation.reveal
    return say(
        f"prrrt.verdict.{reveal.because}",
        who=sight.name(reveal.culprit).upper(),
        total=reveal.totals[reveal.culprit],
    )


def _listed(names: Names, seats: tuple[int, ...]) -> str:
    return ", ".join(names.subject(seat) for seat in seats)


NAME, CARDS, TOTAL, FINGER, TAKES = 4, 21, 45, 52, 69
"""The columns of the board."""


def draw(revelation: Revelation, step: int, width: int, height: int, inks: Inks = PLAIN) -> Canvas:
    """Draw the board after so many steps; the last is `revelation.steps`."""
    canvas = Canvas(width, height, inks.base)
    order = revelation.seats
    spaced = height >= 2 * len(order) + 8
    for seat in range(len(order)):
        opened = step >= 2 + order.index(seat)
        _draw_seat(canvas, revelation, seat, 1 + seat * (2 if spaced else 1), step, opened, inks)
    for column, key in ((NAME, "who"), (CARDS, "cards"), (FINGER, "finger"), (TAKES, "takes")):
        canvas.put(column, 0, say(f"prrrt.board.{key}"), inks.quiet)
    canvas.put_right(TOTAL + 4, 0, say("prrrt.board.total"), inks.quiet)
    y = 2 + len(order) * (2 if spaced else 1)
    if step >= revelation.steps - 1:
        loud = inks.turn + Style(reverse=True)
        whole = Rect(0, y, width, 1)
        canvas.fill(whole, " ", loud)
        canvas.put_centred(whole, y, verdict(revelation), loud)
    if step >= revelation.steps:
        lines = [
            part
            for reason in reasons(revelation)
            for part in wrap(reason, width - NAME - 1, subsequent_indent="   ")
        ]
        for number, line in enumerate(lines, 2):
            canvas.put(NAME, y + number, line, inks.base)
    return canvas


def _draw_seat(
    canvas: Canvas,
    revelation: Revelation,
    seat: int,
    y: int,
    step: int,
    opened: bool,
    inks: Inks,
) -> None:
    sight, reveal = revelation.sight, revelation.reveal
    named = step >= revelation.steps - 1
    guilty = named and seat == reveal.culprit
    style = inks.turn if guilty else inks.base
    canvas.put(NAME - 3, y, "▶" if guilty else " ", style)
    canvas.put(NAME - 2, y, key_of(seat), inks.quiet)
    canvas.put(NAME, y, cut(sight.name(seat), CARDS - NAME - 1), style + Style(bold=True))
    x = CARDS
    for value in sight.row(seat):
        canvas.card(x, y, cards.smell(value, SMALL), paint.smell_paint(value))
        x += SMALL.width + 1
    if sight.row(seat) and sight.in_hand(seat):
        x += 1
    for value in faces(cards_of(sight.table.hands, seat)):
        if opened:
            canvas.card(x, y, cards.smell(value, SMALL), paint.smell_paint(value))
        else:
            canvas.card(x, y, back(SMALL), BACK)
        x += SMALL.width + 1
    if opened:
        canvas.put_right(TOTAL + 4, y, f"={reveal.totals[seat]}", style + Style(bold=True))
    if step >= 1:
        target = reveal.points[seat]
        right = named and target == reveal.culprit
        aim = say("prrrt.board.air") if target is None else "☞ " + sight.name(target)
        aim = cut(aim, TAKES - FINGER - 3) + (" ✓" if right else "")
        canvas.put(FINGER, y, aim, inks.tag if right else inks.base)
    if step >= revelation.steps:
        canvas.put(TAKES, y, _takes(revelation, seat), style)


def _takes(revelation: Revelation, seat: int) -> str:
    charged = revelation.reveal.charged[seat]
    if seat == revelation.reveal.culprit and revelation.taken is not None:
        return f"{revelation.taken} + {charged}" if charged else str(revelation.taken)
    if seat == revelation.reveal.culprit:
        return say("prrrt.board.centre", n=charged)
    return str(charged) if charged else "–"


class Board(Widget):
    """The board, drawn up to its step."""

    COMPONENT_CLASSES = {"board--quiet", "board--turn", "board--tag"}

    DEFAULT_CSS = """
    Board { height: 1fr; }
    Board > .board--quiet { color: $text-muted; }
    Board > .board--turn { color: $warning; text-style: bold; }
    Board > .board--tag { color: $success; }
    """

    step = reactive(0)

    def __init__(self, revelation: Revelation) -> None:
        super().__init__()
        self.revelation = revelation

    def render_line(self, y: int) -> Strip:
        """Return one line (Textual's line API)."""
        width, height = self.size
        inks = Inks.of(self, "board")
        return Strip(draw(self.revelation, self.step, width, height, inks).line(y), width)


class RevelationScreen(Commanded, ModalScreen[None]):
    """Any key shows the rest at once; then Enter, Space or a click goes on."""

    KEYS = (Command("prrrt.go_on", "enter,space,escape", footer=True, key="Enter"),)

    CSS_PATH = STYLES

    def __init__(self, revelation: Revelation, *, animate: bool) -> None:
        super().__init__()
        self._revelation = revelation
        self._builds_up = animate
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out title, board, and a line for what happens meanwhile."""
        played = self._revelation.sight.table.round
        yield Static(Content(say("prrrt.board.title", n=played)), id="title", markup=False)
        with Center():
            yield Board(self._revelation)
        yield Static("", id="meanwhile", markup=False)
        yield Keys()

    def on_mount(self) -> None:
        """Begin the count."""
        if self._builds_up and self.app.animation_level != "none":
            self._timer = self.set_interval(BEAT, self._next)
        else:
            self._finish()

    @property
    def finished(self) -> bool:
        """Whether everything is shown."""
        return self.query_one(Board).step >= self._revelation.steps

    def _next(self) -> None:
        board = self.query_one(Board)
        board.step += 1
        if self.finished:
            self._finish()

    def _finish(self) -> None:
        self.query_one(Board).step = self._revelation.steps
        if self._timer is not None:
            self._timer.stop()

    def on_key(self, event: events.Key) -> None:
        """Show the rest at once."""
        if not self.finished:
            event.stop()
            event.prevent_default()
            self._finish()

    def on_click(self) -> None:
        """Show the rest, or go on."""
        self.action_go_on()

    def action_go_on(self) -> None:
        """Show the rest, or go on."""
        if self.finished:
            self.dismiss(None)
        else:
            self._finish()

    def on_table_update(self, message: TableUpdate) -> None:
        """Stay: reading takes as long as it takes. But say what waits."""
        if not isinstance(message.update, Seen):
            return
        sight = PrrrtSight.of(message.update)
        if sight is None:
            self.dismiss(None)
        elif sight.view.actions > self._revelation.sight.view.actions or sight.view.offers:
            key = "prrrt.board.your_turn" if sight.view.offers else "prrrt.board.goes_on"
            self.query_one("#meanwhile", Static).update(Content(say(key)))
