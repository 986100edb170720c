"""One's own hand: which cards can be played, and playing one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from textual import events
from textual.binding import Binding
from textual.message import Message
from textual.reactive import reactive

from core.low_on_gas.cards import CARDS
from tui.low_on_gas import cards, paint
from tui.low_on_gas.hand_layout import LIFT, Laid, lay
from tui.table.canvas import Canvas
from tui.table.cards import SMALL
from tui.table.drawn import Drawn
from tui.words import say

MORE = ("↑", "↓")
"""There are cards above what is shown, or below."""


class GasHand(Drawn, can_focus=True):
    """Cards by colour and type, wilds last; one that was drawn and must be played first, apart.

    Those that can be played are bright and lifted by a line, small ones have a `»`; the others
    are dim. Where it isn't one's turn all lie flat. Arrow keys, Home, End and the mouse move the
    cursor, and so does what stands on the cards: a colour's letter, m or s (small ones; capitals
    are left to the screen's commands), a type (0 is 10), `+`. Enter, Space and a click on
    the card that was chosen post `Played`, or `Tried` where it can't be played. Both keys are
    left to the screen while no card can be played, and Space while cards may be drawn instead
    or a card is on its way.
    """

    COMPONENT_CLASSES = {"hand--cursor", "hand--quiet"}

    DEFAULT_CSS = """
    GasHand { height: 6; }
    GasHand > .hand--cursor { color: $warning; text-style: bold; }
    GasHand > .hand--quiet { color: $text-muted; }
    """

    BINDINGS = [
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("up", "move_line(-1)", show=False),
        Binding("down", "move_line(1)", show=False),
        Binding("home", "move_to(0)", show=False),
        Binding("end", "move_to(-1)", show=False),
        Binding("enter", "play", show=False),
        Binding("space", "play_at_once", say("command.gas.play"), key_display="Space"),
    ]

    class Played(Message):
        """A card that can be played was chosen for it."""

        def __init__(self, card: str) -> None:
            super().__init__()
            self.card = card

    class Tried(Message):
        """A card that can't be played now was chosen all the same: somebody wants to know why."""

        def __init__(self, card: str) -> None:
            super().__init__()
            self.card = card

    class Looked(Message):
        """The cursor came to a card, or (None) left the hand."""

        def __init__(
            self, card: str | None, *, playable: bool = False, moved: bool = False
        ) -> None:
            super().__init__()
            self.card = card
            self.playable = playable
            self.moved = moved
            """Whether a person went there, and not the table."""

    cursor = reactive(0, init=False)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._cards: tuple[str, ...] = ()
        self._playable: frozenset[str] | None = None
        self._apart = False
        self._draws = False
        self._new: frozenset[int] = frozenset()
        self._empty = ""
        self._chosen = False  # the cursor is where a person put it
        self.answered = False
        """Whether a card is on its way: another can't be played until the table has answered."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards as they lie."""
        return self._cards

    @property
    def under_cursor(self) -> str | None:
        """The card under the cursor."""
        return self._cards[self.cursor] if self.cursor < len(self._cards) else None

    def can_play(self, card: str) -> bool:
        """Say whether a card can be played now."""
        return self._playable is not None and card in self._playable

    def hold(
        self,
        held: Sequence[str],
        playable: Collection[str] | None = None,
        drawn: str | None = None,
        *,
        draws: bool = False,
        empty: str = "",
    ) -> None:
        """Hold these cards, in any order.

        `playable` are those that can be played now, None where it isn't one's turn. `drawn` is
        the one that was drawn and must be played. `draws`: cards may be drawn instead of playing
        one, and Space is for that. `empty` is what to say where there are no cards.
        """
        lies = sorted(held, key=cards.in_order)
        if drawn in lies:
            lies.remove(drawn)
            lies.insert(0, drawn)
        now = None if playable is None else frozenset(playable)
        before = (self._cards, self._playable, self._apart, self._empty)
        after = (tuple(lies), now, drawn in lies and len(lies) > 1, empty)
        self._draws = draws
        if after == before:
            return
        if after[0] != before[0]:
            self._new = _came(before[0], after[0])
        looked, turned = self.under_cursor, now != self._playable
        slot = self._slot_of(looked, lies)
        self._cards, self._playable, self._apart, self._empty = after
        if turned or drawn is not None:
            slot = self._first_playable(slot)
        self.set_reactive(GasHand.cursor, slot)
        self._chosen = self._chosen and self.under_cursor == looked
        if self.has_focus:
            self._tell()
        self.redraw()

    def put_down(self) -> None:
        """Give all cards back: what is held next was dealt, and nothing of it came to a hand."""
        self._cards, self._chosen = (), False

    def _slot_of(self, card: str | None, lies: Sequence[str]) -> int:
        """Return where the card of the cursor lies now; where it has gone, its old place."""
        if card is None or card not in lies:
            return min(self.cursor, max(0, len(lies) - 1))
        place = self.cursor - self._cards.index(card)  # of several that are equal
        return lies.index(card) + min(place, lies.count(card) - 1)

    def _first_playable(self, slot: int) -> int:
        """Return that slot if it can be played, else the first that can, if any."""
        if slot < len(self._cards) and self.can_play(self._cards[slot]) and not self._apart:
            return slot
        return next((each for each, card in enumerate(self._cards) if self.can_play(card)), slot)

    # What a person does

    def action_move(self, step: int) -> None:
        """Move the cursor, round the ends."""
        if self._cards:
            self._go((self.cursor + step) % len(self._cards))

    def action_move_to(self, place: int) -> None:
        """Move the cursor to an end."""
        if self._cards:
            self._go(place % len(self._cards))

    def action_move_line(self, step: int) -> None:
        """Move the cursor a row up or down where the cards lie in several."""
        if self._cards:
            self._go(self.laid().beside(self.cursor, step))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Leave Enter and Space to the screen where it has a use for them (called by Textual)."""
        if action == "play_at_once":
            return bool(self._playable) and not (self._draws or self.answered)
        return action != "play" or bool(self._playable)

    def action_play_at_once(self) -> None:
        """Play the card under the cursor."""
        self.action_play()

    def action_play(self) -> None:
        """Play the card under the cursor, or have it said why it can't be."""
        card = self.under_cursor
        if card is not None:
            self.post_message(self.Played(card) if self.can_play(card) else self.Tried(card))

    def on_key(self, event: events.Key) -> None:
        """Go to the next card that has this on it."""
        sign = event.character or ""
        if self._cards and sign in _SIGNS:
            event.stop()
            after = (*range(self.cursor + 1, len(self._cards)), *range(self.cursor + 1))
            found = [slot for slot in after if sign in _signs(self._cards[slot])]
            if found:
                self._go(found[0])

    def on_click(self, event: events.Click) -> None:
        """Choose the card that was clicked; play it if it was chosen."""
        at = event.get_content_offset(self)
        slot = None if at is None else self.laid().slot_at(at.x, at.y + self._first_line())
        if slot is None:
            return
        if slot == self.cursor and self._chosen:
            self.action_play()
        else:
            self._go(slot)

    def _go(self, slot: int) -> None:
        self._chosen = True
        self.cursor = slot

    def watch_cursor(self) -> None:
        """Tell what lies under the cursor."""
        self._tell(moved=True)

    def on_focus(self) -> None:
        """Tell what lies under the cursor."""
        self._tell()

    def on_blur(self) -> None:
        """Nothing is looked at any more."""
        self.post_message(self.Looked(None))

    def _tell(self, *, moved: bool = False) -> None:
        card = self.under_cursor
        playable = card is not None and self.can_play(card)
        self.post_message(self.Looked(card, playable=playable, moved=moved))

    # Drawing

    def laid(self) -> Laid:
        """Return where the cards lie."""
        width, height = self.content_size
        return lay(len(self._cards), width, height, apart=self._apart)

    def _first_line(self) -> int:
        """Return the line of places that is shown at the top: 0 unless they have to scroll."""
        laid, height = self.laid(), self.content_size.height
        if laid.lines <= height or not self._cards:
            return 0
        return max(0, min(laid.at[self.cursor][1] - height // 2, laid.lines - height))

    def depends_on(self) -> object:
        """Return what is drawn differently: the cursor, and whether it is one."""
        return self.cursor, self.has_focus

    def drawn(self, width: int, height: int) -> Canvas:
        """Return the hand drawn."""
        canvas = Canvas(width, max(1, height), self.rich_style)
        self._paint(canvas)
        return canvas

    def _paint(self, canvas: Canvas) -> None:
        quiet = self.get_component_rich_style("hand--quiet", partial=True)
        cursor = self.get_component_rich_style("hand--cursor", partial=True)
        if not self._cards:
            canvas.put(0, 0, self._empty, quiet)
            return
        laid, first = self.laid(), self._first_line()
        small = laid.size == SMALL
        for card, (x, y) in zip(self._cards, laid.at, strict=True):
            flat = 0 if small or self.can_play(card) else LIFT
            style = paint.bright(card) if self._is_bright(card) else paint.dim(card)
            canvas.card(x, y - first + flat, cards.face(card, laid.size), style)
            if not (small or flat):  # nothing of the card below peeps out under a lifted one
                foot = " " * laid.size.width
                canvas.put(x, y - first + laid.size.height, foot, self.rich_style)
        for slot, (card, (x, y)) in enumerate(zip(self._cards, laid.at, strict=True)):
            lifted = self.can_play(card)
            if small and lifted:
                canvas.put(x - 1, y - first, "»", cursor)
            elif slot in self._new:
                mark = "*" if small else say("gas.hand.new")[: cards.CORNER]
                mark_y = y - first + (laid.size.height if lifted else 0)
                canvas.put(x - 1 if small else x, mark_y, mark, self.rich_style + quiet)
        if self.has_focus:
            (x, y), playable = laid.at[self.cursor], self.can_play(self._cards[self.cursor])
            if small:
                canvas.put(x - 1, y - first, "▶" if playable else "▷", cursor)
            elif playable:
                canvas.put(x, y + laid.size.height, " ↑ ", self.rich_style + cursor)
            else:
                canvas.put(x, y, " ↓ ", self.rich_style + cursor)
        if first:
            canvas.put(canvas.width - 1, 0, MORE[0], cursor)
        if laid.lines - first > canvas.height:
            canvas.put(canvas.width - 1, canvas.height - 1, MORE[1], cursor)

    def _is_bright(self, card: str) -> bool:
        return self._playable is None or self.can_play(card)


def _came(before: Sequence[str], now: Sequence[str]) -> frozenset[int]:
    """Return which cards are new; none of a hand that is wholly new."""
    left, new = list(before), set()
    for slot, card in enumerate(now):
        if card in left:
            left.remove(card)
        else:
            new.add(slot)
    return frozenset(new) if len(new) < len(now) else frozenset()


def _signs(card: str) -> frozenset[str]:
    """Return the keys that lead to a card: what stands on it."""
    face = CARDS[card]
    rank, suit = cards.corner(card)
    return frozenset({suit[0].lower(), "0" if face.kind == "10" else rank[0]})


_SIGNS = frozenset().union(*(_signs(card) for card in CARDS))
