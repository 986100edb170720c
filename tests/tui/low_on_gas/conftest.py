"""Tables of Low on Gas as somebody might see them, without an engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.events import Key
from textual.message import Message

import tui
from core.kernel.view import Awaiting
from core.low_on_gas.view import GasOffer, GasTable, GasView
from net.room import Room, SeatInfo
from tui.low_on_gas.hand import GasHand
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.table import GasTable as TableWidget
from tui.theme import PRRRT

NAMES = ("Camille", "Ada", "Bruno", "Ludovic", "Sandra", "Bot Quiet", "Zoë")


def make_sight(
    players: int = 7,
    *,
    you: int | None = 0,
    hand: tuple[str, ...] = ("r7", "r10", "p4", "b3", "yC", "M", "S"),
    held: dict[int, int] | None = None,
    phase: str = "play",
    may: tuple[GasOffer, ...] = (),
    called: tuple[int, ...] = (),
    windows: tuple[int, ...] = (),
    names: tuple[str, ...] = NAMES,
    over: bool = False,
    bots: tuple[int, ...] = (),
    **table: Any,
) -> GasSight:
    """Return a view: seat 0's unless told otherwise, and seat 1's turn."""
    counts = dict.fromkeys(range(players), 7) | (held or {})
    hands = tuple(hand if seat == you else counts[seat] for seat in range(players))
    facts: dict[str, Any] = {
        "game_no": 1,
        "turn": 1,
        "owed": 0,
        "colour": "red",
        "top": "r7",
        "hands": hands,
        "draw_pile": 20,
        "discard_pile": 12,
        "called": tuple(seat in called for seat in range(players)),
        "windows": tuple(seat in windows for seat in range(players)),
        "dealer": 0,
        "wins": (0,) * players,
    }
    lies = GasTable(**{**facts, **table})
    awaiting = () if lies.turn is None else (Awaiting(lies.turn),)
    view = GasView("low-on-gas", over, 9, phase, awaiting, lies, None, may)
    seats = tuple(
        SeatInfo(name, "bot" if name.startswith("Bot") else "person", bot_plays=seat in bots)
        for seat, name in enumerate(names[:players])
    )
    room = Room(
        table="abc",
        title="Cellar table",
        game="low-on-gas",
        phase="playing",
        players=players,
        options={},
        seats=seats,
        you=you,
        owner=0,
    )
    return GasSight(view, room, 3)


@pytest.fixture(scope="session")
def gas_sight() -> Callable[..., GasSight]:
    """Makes views of a table."""
    return make_sight


class Laid(App[None]):
    """A table above a hand, with all that the two say."""

    CSS_PATH = Path(tui.__file__).parent / "app.tcss"

    def __init__(self, sight: GasSight, hand_height: int = 6) -> None:
        super().__init__()
        self.register_theme(PRRRT)
        self.theme = PRRRT.name
        self.sight = sight
        self.hand_height = hand_height
        self.said: list[Message] = []
        self.left_over: list[str] = []

    def compose(self) -> ComposeResult:
        yield TableWidget()
        yield GasHand()

    def on_mount(self) -> None:
        self.table.show(self.sight)
        self.hand.styles.height = self.hand_height
        self.hand.hold(self.sight.hand, self.sight.playable, self.sight.drawn)
        self.hand.focus()

    @property
    def hand(self) -> GasHand:
        return self.query_one(GasHand)

    @property
    def table(self) -> TableWidget:
        return self.query_one(TableWidget)

    def on_key(self, event: Key) -> None:
        self.left_over.append(event.key)

    def on_gas_hand_played(self, message: Message) -> None:
        self.said.append(message)

    on_gas_hand_tried = on_gas_hand_looked = on_gas_hand_played
    on_gas_table_seat_clicked = on_gas_table_draw_clicked = on_gas_hand_played

    def lines(self, widget: Any) -> list[str]:
        """Return what stands on a widget, without colours."""
        return [widget.render_line(y).text for y in range(widget.size.height)]


@pytest.fixture
def laid() -> type[Laid]:
    """Makes an app of a table and a hand."""
    return Laid
