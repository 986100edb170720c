"""Tables of Low on Gas as somebody might see them, without an engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.events import Key
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

import tui
from core.kernel.action import Action
from core.kernel.chance import Chance, Scripted
from core.kernel.illegal import Illegal
from core.kernel.view import Awaiting
from core.low_on_gas.actions import Play
from core.low_on_gas.view import GasOffer, GasTable, GasView
from core.registry import GAMES
from net.room import Room, SeatInfo
from net.updates import Answered, Seen
from tui.app import PrrrtApp
from tui.low_on_gas.hand import GasHand
from tui.low_on_gas.screen import GasScreen
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.table import GasTable as TableWidget
from tui.opening import Join, Target
from tui.table.status_line import StatusLine
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
        waits_for=() if lies.turn is None else (lies.turn,),
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
    on_gas_table_draw_clicked = on_gas_hand_played

    def lines(self, widget: Any) -> list[str]:
        """Return what stands on a widget, without colours."""
        return [widget.render_line(y).text for y in range(widget.size.height)]


@pytest.fixture
def laid() -> type[Laid]:
    """Makes an app of a table and a hand."""
    return Laid


RULES = GAMES["low-on-gas"]


class Shuffled:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def order(self, label: str, canonical: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(Random(f"{self.seed} {label}").sample(canonical, len(canonical)))


class Match:
    """A match that the engine plays, and the room around it, seen from one seat."""

    def __init__(
        self,
        *hands: str,
        top: str,
        pile: str = "",
        first: int = 0,
        you: int | None = 0,
        second: str = "",
        **options: Any,
    ) -> None:
        """Deal hands of seven, turn `top`, draw from `pile`; seat `first` plays first.

        `second` is how the deck of the second game begins.
        """
        players = len(hands)
        dealt = [card for hand in hands for card in hand.split()]
        assert len(dealt) == 7 * players
        orders = {"deck/1": (*dealt, top, *pile.split())}
        if second:
            orders["deck/2"] = tuple(second.split())
        chosen = {"dealer": (first - 1) % players, **options}
        self._begin(players, you, chosen, Scripted(orders, RULES.labels(players, chosen)))

    @classmethod
    def shuffled(cls, players: int, seed: int, you: int | None = 0, **options: Any) -> Match:
        """Deal by lot."""
        match = cls.__new__(cls)
        match._begin(players, you, options, Shuffled(seed))
        return match

    def _begin(
        self, players: int, you: int | None, options: dict[str, Any], chance: Chance
    ) -> None:
        chosen = RULES.check_options(options, players)
        self.game = RULES.start(players, chosen, chance)
        self.you = you
        self.held = False
        self.told = -1
        self.revs = count(1)
        self.room: dict[str, Any] = {
            "table": "TABLE",
            "title": "Camille's table",
            "game": "low-on-gas",
            "phase": "playing",
            "players": players,
            "options": chosen,
            "seats": tuple(SeatInfo(name) for name in NAMES[:players]),
            "you": you,
            "owner": 0,
        }

    def play(self, *turns: tuple[int, Action]) -> Match:
        """Let seats do this, one after the other."""
        for seat, action in turns:
            self.game.act(seat, action)
        return self

    def play_cards(self, cards: str) -> Match:
        """Let these cards be played in turn, beginning with whoever's turn it is."""
        for card in cards.split():
            self.game.act(self.game.waited_for()[0], Play(card))
        return self

    def play_until(self, there: Callable[[Match], bool], seed: int = 1) -> Match:
        """Let everybody do something legal, by lot, until a moment is reached."""
        lot = Random(seed)
        while not there(self):
            assert not self.game.over, "the match ended before that moment"
            seat = self.game.waited_for()[0]
            offers = self.game.view(seat).offers
            self.game.act(seat, lot.choice([each for o in offers for each in RULES.actions(o)]))
        return self

    def to_our_turn(self, phase: str, card: str = "") -> Match:
        """Play until it is our turn in a phase, with some card in the hand perhaps."""

        def there(match: Match) -> bool:
            view = match.game.view(0)
            ours = match.game.waited_for() == (0,) and view.phase == phase
            return ours and (not card or card in view.table.hands[0])

        return self.play_until(there)

    def to_our_call(self) -> Match:
        """Play until we may call while somebody else plays."""
        return self.play_until(
            lambda match: match.game.view(0).table.windows[0] and match.game.view(0).table.turn != 0
        )

    def to_phase(self, phase: str) -> Match:
        """Play until the match is in a phase, whoever's turn it is."""
        return self.play_until(lambda match: match.game.view(0).phase == phase)

    def seen(self, *, catching_up: bool = False) -> Seen:
        """Return the view of our seat, with the events since the last one."""
        events = self.game.shown(self.you, -1 if catching_up else self.told)
        self.told = self.game.actions
        if self.game.over:
            self.room["phase"] = "over"
        view = self.game.view(self.you)
        room = Room(**self.room, waits_for=self.game.waited_for(), held=self.held)
        return Seen(next(self.revs), self.game.question, view, room, tuple(events), catching_up)


class AtTable:
    """The app at such a table, and a person at its keyboard."""

    def __init__(self, pilot: Pilot[None], match: Match, lan: Any, settle: Any) -> None:
        self.pilot = pilot
        self.match = match
        self._lan = lan
        self._settle = settle

    @property
    def app(self) -> Any:
        return self.pilot.app

    @property
    def screen(self) -> Any:
        """Whatever lies on top."""
        return self.pilot.app.screen

    @property
    def table(self) -> GasScreen:
        """The table's own screen."""
        found = [each for each in self.app.screen_stack if isinstance(each, GasScreen)]
        assert len(found) == 1
        return found[0]

    @property
    def sent(self) -> list[Action]:
        """What was sent to the table so far."""
        return self._lan.client.actions

    @property
    def words(self) -> str:
        """What the status line says."""
        return self.table.query_one(StatusLine).words

    @property
    def footer(self) -> dict[str, str]:
        """The keys in the footer of whatever lies on top, and what they do."""
        keys = self.screen.query_one(Footer).query(FooterKey)
        return {key.key_display: key.description for key in keys}

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self._settle(self.pilot)

    async def tell(self, *, catching_up: bool = False) -> None:
        """Let the table be seen as it is."""
        await self._settle(self.pilot, self.match.seen(catching_up=catching_up))

    async def let_it_happen(self) -> None:
        """Let the last action that was sent happen, or refuse it as the engine does."""
        aid = f"act-{len(self.sent)}"
        assert self.match.you is not None
        try:
            self.match.game.act(self.match.you, self.sent[-1])
        except Illegal as refused:
            await self._settle(self.pilot, Answered(aid, refused.code, refused.facts))
        else:
            await self._settle(self.pilot, Answered(aid))
            await self.tell()


@pytest.fixture
def gas_match() -> type[Match]:
    """Makes matches that are dealt as a test wants."""
    return Match


@pytest.fixture
def sits_down(lan, tell, until) -> Callable[..., Any]:
    """Sees such a match come in where the app has just been opened to join it."""

    async def sit(pilot: Pilot[None], match: Match) -> AtTable:
        await until(pilot, lambda: lan.openings)
        at = AtTable(pilot, match, lan, tell)
        await at.tell(catching_up=True)
        await until(pilot, lambda: any(isinstance(s, GasScreen) for s in pilot.app.screen_stack))
        await tell(pilot)
        return at

    return sit


@pytest.fixture
def at_table(sits_down) -> Callable[..., Any]:
    """Sits down at such a match."""

    @asynccontextmanager
    async def sit(match: Match, size: tuple[int, int] = (80, 24)) -> AsyncIterator[AtTable]:
        async with joining().run_test(size=size) as pilot:
            yield await sits_down(pilot, match)

    return sit


def joining() -> PrrrtApp:
    return PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
