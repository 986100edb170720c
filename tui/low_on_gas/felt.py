"""The felt in the middle: draw pile, top card, the colour to be matched, and what is owed."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style

from core.low_on_gas.cards import CARDS
from tui.cells import cut
from tui.low_on_gas import cards, figures, paint
from tui.low_on_gas.layout import Felt, on_felt
from tui.low_on_gas.sight import GasSight
from tui.table.canvas import Canvas
from tui.table.cards import SMALL, back
from tui.table.layout import Rect
from tui.table.paint import BACK, FELT, FELT_LOUD, FELT_QUIET, LABEL
from tui.words import say

Line = tuple[str, Style]


def draw_felt(canvas: Canvas, sight: GasSight, felt: Rect) -> None:
    """Draw the felt with all that lies on it."""
    canvas.fill(felt, " ", FELT)
    laid = on_felt(felt)
    _draw_edges(canvas, sight, felt, laid)
    _draw_pile(canvas, sight.in_draw_pile, laid)
    if sight.table.top in CARDS:
        top = sight.table.top
        canvas.card(laid.top.x, laid.top.y, cards.face(top, laid.top_size), paint.bright(top))
    lines = words(sight, laid.panel.width, laid.panel.height)
    y = laid.panel.y + (laid.panel.height - len(lines)) // 2
    for number, (line, style) in enumerate(lines):
        canvas.put(laid.panel.x, y + number, line, style)


def _draw_edges(canvas: Canvas, sight: GasSight, felt: Rect, laid: Felt) -> None:
    """Say which way play goes (clockwise, F-R6), and which game of the match it is."""
    canvas.put(felt.x + 1, felt.y, f"→ {say('gas.felt.clockwise')} →", FELT_QUIET)
    if sight.table.to_win > 1:
        game = say("gas.felt.game", n=sight.table.game_no, wins=sight.table.to_win)
        canvas.put_right(felt.right - 1, felt.y, game, FELT_QUIET)
    middle = felt.y + felt.height // 2
    canvas.put(felt.x, middle, "↑", FELT_QUIET)
    canvas.put(felt.right - 1, middle, "↓", FELT_QUIET)
    if max(laid.top.bottom, laid.panel.bottom) < felt.bottom:
        canvas.put(felt.x + felt.width // 2, felt.bottom - 1, "←", FELT_QUIET)


def _draw_pile(canvas: Canvas, left: int, laid: Felt) -> None:
    pile, size = laid.pile, laid.pile_size
    if left:
        canvas.card(pile.x, pile.y, back(size), BACK)
    elif size == SMALL:
        canvas.put(pile.x, pile.y, "[ ]", FELT_QUIET)
    else:
        edge = "─" * (size.width - 2)
        sides = ("│" + " " * (size.width - 2) + "│",) * (size.height - 2)
        canvas.card(pile.x, pile.y, (f"┌{edge}┐", *sides, f"└{edge}┘"), FELT_QUIET)
    if size == SMALL:
        canvas.put(pile.x + 1, pile.y, str(left), LABEL if left else FELT_QUIET)
        return
    label = LABEL if left else FELT_QUIET
    line = pile.y + size.height // 2 - 1
    canvas.put_centred(pile, line, str(left), label)
    word = say("gas.felt.draw" if left else "gas.felt.empty")
    canvas.put_centred(Rect(pile.x + 1, pile.y, pile.width - 1, 1), line + 1, word, label)


def words(sight: GasSight, width: int, height: int) -> list[Line]:
    """Return what stands beside the cards: the colour, what is owed, or who has won."""
    if sight.table.winner is not None:
        return _won(sight, sight.table.winner, width)
    lines = _colour(sight, width)
    if not sight.table.owed:
        return lines
    rows = height - 1  # below the colour
    owed = _owed(sight, width, rows)
    return [*(lines if len(lines) + len(owed) <= height else lines[:1]), *owed]


def _won(sight: GasSight, winner: int, width: int) -> list[Line]:
    key = "gas.felt.won.match" if sight.view.over else "gas.felt.won"
    line = say(key, n=sight.table.game_no)
    return [(cut(sight.subject(winner), width), FELT_LOUD), (cut(line, width), Style())]


def _colour(sight: GasSight, width: int) -> list[Line]:
    """Return the colour to be matched, and the type (F-R11) or that it was selected (F-R28)."""
    colour = sight.table.colour
    if colour is None:
        return [(cut(say("gas.felt.any"), width), FELT_LOUD)]
    line = (cut(f" {cards.colour_sign(colour)} ", width), paint.PAPERS[colour])
    top = sight.table.top
    if CARDS[top].wild:
        return [line, (cut(say("gas.felt.selected"), width), Style())]
    kind = say("gas.felt.or", rank=cards.corner(top)[0], name=cards.title(top))
    return [line, (cut(kind, width), FELT_QUIET)]


def _owed(sight: GasSight, width: int, height: int) -> list[Line]:
    """Return what is owed, by whom, and the sum that made it, in at most `height` lines."""
    table = sight.table
    style = paint.OWED if sight.owing else FELT_QUIET
    who, total = cut(_debtor(sight, width), width), f"+{table.owed}"
    parts = _sum(table.sum, width)
    if height < figures.SMALL_HEIGHT + 1:
        return [(cut(f"{total} {parts}", width), style), (who, FELT_LOUD)][: max(height, 1)]
    roomy = len(figures.large("+33")[0]) <= width and height >= figures.LARGE_HEIGHT + 2
    drawn = figures.large(total) if roomy else figures.small(total)
    lines = [(who, FELT_LOUD), *((line, style) for line in drawn)]
    if not parts:
        return lines
    if len(lines) < height:
        return [*lines, (parts, FELT_LOUD)]
    if cell_len(drawn[1]) + 1 + len(parts) <= width:
        lines[2] = (f"{drawn[1]} {parts}", style)
    return lines


def _debtor(sight: GasSight, width: int) -> str:
    """Say who owes, or has drawn it: then it grows if a pick-up follows, and is over if not."""
    turn = sight.table.turn
    if turn is None:
        return ""
    does = "owes" if sight.owing else "drew"
    if turn == sight.me:
        return say(f"gas.felt.{does}.you")
    room = width - len(say(f"gas.felt.{does}", who=""))
    return say(f"gas.felt.{does}", who=cut(sight.name(turn), room))


def _sum(parts: tuple[int, ...], width: int) -> str:
    """Return the pick-ups that make up what is owed; of a long sum, its end.

    >>> _sum((1, 1, 5), 9), _sum((1, 1, 5, 2, 2), 7), _sum((5,), 9)
    ('1+1+5', '…+2+2', '')
    """
    if len(parts) < 2:
        return ""
    whole = "+".join(map(str, parts))
    if len(whole) <= width:
        return whole
    return "…+" + whole[-(width - 2) :].partition("+")[2] if width > 4 else ""
