"""A hand of Smell cards, face up for its owner or as backs to draw from: one widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.geometry import Size as Cells
from textual.message import Message
from textual.reactive import reactive

from tui.prrrt import cards, paint
from tui.prrrt.table import effect_name
from tui.table.canvas import Canvas
from tui.table.cards import LARGE, MEDIUM, SMALL, Size, back
from tui.table.drawn import Drawn
from tui.table.layout import card_at, fan
from tui.table.paint import BACK, LABEL
from tui.words import say


@dataclass(frozen=True)
class Card:
    """One card of a hand: its value, or None for a back; `new` for one that just came."""

    value: int | None
    new: bool = False


class Hand(Drawn, can_focus=True):
    """Cards side by side. Arrow keys or the mouse move the cursor; `pick` many may be picked.

    With `pick` 0 the cards can only be looked at. A click on a card, the number that stands on
    it (a face's value, a back's place), Enter and Space all pick or put back, and each posts
    `Picked`; once `pick` cards of several are picked, Enter posts `Confirmed` instead.
    """

    COMPONENT_CLASSES = {"hand--cursor", "hand--quiet"}

    DEFAULT_CSS = """
    Hand { height: 6; }
    Hand > .hand--cursor { color: $warning; text-style: bold; }
    Hand > .hand--quiet { color: $text-muted; }
    """

    BINDINGS = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("up", "move_line(-1)", show=False),
        Binding("down", "move_line(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
        Binding("space", "pick", show=False),
        Binding("enter", "confirm", show=False),
    ]

    class Picked(Message):
        """A card was picked or put back; `picked` tells which are."""

    class Confirmed(Message):
        """Enter on as many cards as wanted."""

    class Looked(Message):
        """The cursor moved to another card."""

        def __init__(self, card: Card | None) -> None:
            super().__init__()
            self.card = card

    cursor = reactive(0)
    picked: reactive[tuple[int, ...]] = reactive((), layout=False)

    def __init__(
        self,
        held: Sequence[Card] = (),
        *,
        pick: int = 0,
        empty: str = "",
        id: str | None = None,  # noqa: A002 - Textual's own name
    ) -> None:
        super().__init__(id=id)
        self._held = tuple(held)
        self.pick = pick
        self.empty = empty
        self.can_focus = True

    @property
    def held(self) -> tuple[Card, ...]:
        """The cards."""
        return self._held

    def hold(self, held: Sequence[Card], empty: str = "") -> None:
        """Hold other cards."""
        if tuple(held) == self._held and empty == self.empty:
            return
        self._held, self.empty = tuple(held), empty
        self.picked = ()
        self.cursor = min(self.cursor, max(0, len(self._held) - 1))
        self.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Leave Enter and Space to the screen where nothing can be picked (called by Textual)."""
        return action not in ("pick", "confirm") or self.pick > 0

    def action_move(self, step: int) -> None:
        """Move the cursor, round the ends."""
        if self._held:
            self.cursor = (self.cursor + step) % len(self._held)

    def action_move_to(self, place: int) -> None:
        """Move the cursor to an end."""
        if self._held:
            self.cursor = place % len(self._held)

    def action_move_line(self, step: int) -> None:
        """Move the cursor a line up or down where the cards need several."""
        there = self.cursor + step * self._per_line()
        if 0 <= there < len(self._held):
            self.cursor = there

    def action_pick(self) -> None:
        """Pick the card under the cursor and go on to the next, or put it back."""
        slot = self.cursor
        self._toggle(slot)
        if slot in self.picked and len(self.picked) < self.pick:
            after = (*range(slot + 1, len(self._held)), *range(slot))
            self.cursor = next(each for each in after if each not in self.picked)

    @property
    def full(self) -> bool:
        """Whether as many cards are picked as wanted."""
        return len(self.picked) == self.pick

    def action_confirm(self) -> None:
        """Have done with several cards, or pick the one under the cursor."""
        if self.full and self.pick > 1:
            self.post_message(self.Confirmed())
        else:
            self.action_pick()

    def on_key(self, event: events.Key) -> None:
        """Pick a card by the number that stands on it."""
        slot = self._numbered(event.character or "")
        if self.pick and slot is not None:
            event.stop()
            self.cursor = slot
            self._toggle(slot)

    def _numbered(self, number: str) -> int | None:
        """Return the card meant by a number: a value, or a back's place.

        Of several with one value it is one not picked yet.
        """
        slots = [
            slot
            for slot, card in enumerate(self._held)
            if number == str(slot + 1 if card.value is None else card.value)
        ]
        return next((slot for slot in slots if slot not in self.picked), next(iter(slots), None))

    def on_click(self, event: events.Click) -> None:
        """Pick the card that was clicked."""
        at = event.get_content_offset(self)
        slot = None if at is None else self._slot_at(at.x, at.y)
        if slot is not None:
            self.cursor = slot
            self._toggle(slot)

    def _toggle(self, slot: int) -> None:
        if not self.pick or slot >= len(self._held):
            return
        if slot in self.picked:
            self.picked = tuple(each for each in self.picked if each != slot)
        elif self.full:  # the last pick gives way to this one
            self.picked = (*self.picked[:-1], slot)
        else:
            self.picked = (*self.picked, slot)
        self.post_message(self.Picked())

    def watch_cursor(self) -> None:
        """Tell what lies under the cursor."""
        self.post_message(self.Looked(self.under_cursor))

    def on_focus(self) -> None:
        """Tell what lies under the cursor."""
        self.post_message(self.Looked(self.under_cursor))

    def on_blur(self) -> None:
        """Nothing is looked at any more."""
        self.post_message(self.Looked(None))

    @property
    def under_cursor(self) -> Card | None:
        """The card under the cursor."""
        return self._held[self.cursor] if self.cursor < len(self._held) else None

    # Drawing

    def card_size(self) -> Size:
        """Return the largest size whose cards have room."""
        size = self.content_size
        for card in (LARGE, MEDIUM):
            fits = card.width + (len(self._held) - 1) * 3 <= size.width
            if card.height + 1 <= size.height and fits and len(self._held) <= 9:
                return card
        return SMALL

    def _per_line(self) -> int:
        size = self.card_size()
        if size != SMALL:
            return max(1, len(self._held))
        return max(1, (self.content_size.width - 1) // (SMALL.width + 1))

    def get_content_height(self, container: Cells, viewport: Cells, width: int) -> int:  # noqa: ARG002
        """Return how high it is with `height: auto`: large backs, or lines of small ones."""
        if len(self._held) <= 9:
            return MEDIUM.height + 1
        per_line = max(1, (width - 1) // (SMALL.width + 1))
        return -(-len(self._held) // per_line) * 2

    def _slot_at(self, x: int, y: int) -> int | None:
        size = self.card_size()
        if size != SMALL:
            return card_at(self._edges(size), size.width, x)
        per_line = self._per_line()
        slot = y // 2 * per_line + x // (SMALL.width + 1)
        return slot if slot < len(self._held) and x // (SMALL.width + 1) < per_line else None

    def _edges(self, size: Size) -> tuple[int, ...]:
        return fan(len(self._held), size.width, self.content_size.width)

    def depends_on(self) -> object:
        """Return what is drawn differently."""
        return self._held, self.empty, self.cursor, self.picked, self.has_focus

    def drawn(self, width: int, height: int) -> Canvas:
        """Return the hand drawn."""
        canvas = Canvas(width, max(1, height), self.rich_style)
        self._paint(canvas)
        return canvas

    def _paint(self, canvas: Canvas) -> None:
        """Draw the cards and, under each, its cursor, pick and news."""
        quiet = self.get_component_rich_style("hand--quiet", partial=True)
        cursor = self.get_component_rich_style("hand--cursor", partial=True)
        if not self._held:
            canvas.put(0, 0, self.empty, quiet)
            return
        size = self.card_size()
        if size == SMALL:
            per_line = self._per_line()
            at = [(i % per_line * 4, i // per_line * 2) for i in range(len(self._held))]
        else:
            at = [(edge, 0) for edge in self._edges(size)]
        for slot, (card, (x, y)) in enumerate(zip(self._held, at, strict=True)):
            if card.value is None:
                canvas.card(x, y, back(size), BACK)
                canvas.put(x + 1, y, str(slot + 1), LABEL)
            else:
                lines = cards.smell(card.value, size, effect_name(card.value))
                canvas.card(x, y, lines, paint.smell_paint(card.value))
        for slot, (card, (x, y)) in enumerate(zip(self._held, at, strict=True)):
            sign = self._sign(slot, card, size)
            mark = cursor if slot in self.picked or self._is_cursor(slot) else quiet
            canvas.put(x, y + size.height, sign, mark)

    def _is_cursor(self, slot: int) -> bool:
        return self.has_focus and slot == self.cursor

    def _sign(self, slot: int, card: Card, size: Size) -> str:
        """Return what stands under a card: `▲` the cursor, `✓` picked, a word for a new one."""
        sign = ("▲" if self._is_cursor(slot) else "") + ("✓" if slot in self.picked else "")
        if card.new:
            sign += say("prrrt.hand.new")
        return sign[: size.width]


def own(values: Sequence[int], new: int = 0) -> tuple[Card, ...]:
    """Return one's own cards as a hand; the last `new` of them just came."""
    return tuple(Card(value, place >= len(values) - new) for place, value in enumerate(values))


def backs(count: int) -> tuple[Card, ...]:
    """Return so many face-down cards."""
    return (Card(None),) * count
