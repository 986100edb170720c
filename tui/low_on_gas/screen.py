"""The table of Low on Gas: its widgets, the flow of a turn, and the call from anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from core.kernel.action import Action
from core.kernel.event import Event
from core.low_on_gas.actions import Draw, LowOnGas, PickUp, Play
from core.low_on_gas.cards import CARDS
from net.updates import Answered
from tui.commands import Command
from tui.low_on_gas.colour import ColourDialog
from tui.low_on_gas.hand import GasHand
from tui.low_on_gas.moment import moment
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.so_far import MatchSoFar
from tui.low_on_gas.standings import StandingsScreen
from tui.low_on_gas.status import status
from tui.low_on_gas.story import tell
from tui.low_on_gas.styles import STYLES
from tui.low_on_gas.table import GasTable
from tui.session import Session
from tui.table.keys import PLAY_KEYS, TALK_AND_LOOK, tools
from tui.table.screen import TableScreen
from tui.table.status import Status
from tui.table.status_line import StatusLine
from tui.table.story import Names, Told
from tui.table.topic import Topic
from tui.widgets.footer import Keys
from tui.words import refusal, say

CALL_KEYS = "g,ctrl+g"
"""The second one for whoever is typing."""


class GasScreen(TableScreen[GasSight]):
    """A seat at a table of Low on Gas, or a place to watch it from."""

    KEYS = (
        Command("gas.draw", f"{PLAY_KEYS},d", footer=True, key="Space", when=lambda s: s.can_draw),
        Command(
            "gas.play",
            PLAY_KEYS,
            footer=True,
            key="Space",
            when=lambda s: s.can_play and not s.can_draw,
        ),
        Command(
            "gas.call", CALL_KEYS, footer=True, key="g", when=lambda s: s.can_call, everywhere=True
        ),
        Command(
            "gas.call_anyway",
            CALL_KEYS,
            when=lambda s: s.plays and not s.can_call,
            everywhere=True,
        ),
        *TALK_AND_LOOK,
        Command("gas.standings", "v", when=lambda s: s.has_standings),
        *tools(spelt=str.upper),
    )

    SIGHT = GasSight
    AUTO_FOCUS = "GasHand"
    CSS_PATH = STYLES

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._calls = False  # with the card that is to be played
        self._call_due = False  # as soon as the card lies that is on its way
        self._chooses = False  # the colour of a wild; no other dialog asks in a turn

    def compose(self) -> ComposeResult:
        """Lay out the table and what lies below it."""
        yield GasTable()
        with Horizontal(id="below"):
            with Vertical(id="mine"):
                yield GasHand()
                yield Static("", id="card", markup=False)
            yield from self.story()
        yield StatusLine()
        yield Keys()

    # What comes in

    @property
    def hand(self) -> GasHand:
        """Our cards."""
        return self.query_one("#mine GasHand", GasHand)

    def show(self, sight: GasSight) -> None:
        """Show a view."""
        self.query_one(GasTable).show(sight)
        self._hold(sight)
        self.hand.border_title = Content(say("gas.hand.title", n=len(sight.hand)))

    def _hold(self, sight: GasSight) -> None:
        """Show our cards, and which can be played; none while one is on its way."""
        ours = sight.awaits_us and not self.answered(sight)
        self.hand.hold(
            sight.hand,
            sight.playable if ours else None,
            sight.drawn,
            draws=sight.offer("pick_up") is not None,
            empty=say("gas.hand.none"),
        )

    def offer_keys(self) -> None:
        """Show the keys that work now; the hand has one of them while it can be played from."""
        self.hand.answered = self.sight is not None and self.answered(self.sight)
        super().offer_keys()

    def tell(
        self, events: tuple[Event, ...], names: Names, before: GasSight | None
    ) -> Sequence[Told]:
        """Return what happened as lines of the log."""
        return tell(events, names, before)

    def remember(
        self,
        before: GasSight | None,
        sight: GasSight,
        events: tuple[Event, ...],  # noqa: ARG002
        *,
        news: bool,  # noqa: ARG002
    ) -> None:
        """Say now what was to be said as soon as our card lies; a new game has new cards."""
        if before is None or before.question == sight.question:
            return
        self._chooses = False
        if before.table.game_no != sight.table.game_no:
            self.hand.put_down()
        due, self._call_due, self._calls = self._call_due, False, False
        if due and sight.offer("low_on_gas") is not None:
            self.speak_up(LowOnGas())

    def hear(self, answered: Answered) -> None:
        """A card that was refused doesn't lie, and nothing is said after it."""
        if answered.code is not None:
            self._call_due = False
        super().hear(answered)
        if self.sight is not None:
            self._hold(self.sight)

    def forget(self) -> None:
        """Forget the last match."""
        self._calls = self._call_due = False

    # What is asked

    def status(self, sight: GasSight, *, waiting: bool, asking: bool) -> Status:
        """Return what the status line says."""
        if self._calls and not waiting and not asking and sight.awaits_us:
            return Status(say("gas.status.calls"), mine=True)
        return status(sight, waiting=waiting, asking=asking and self._chooses)

    def moment(self, sight: GasSight) -> Sequence[Topic]:
        """Return the help for this moment."""
        return moment(sight)

    def question(self, sight: GasSight) -> Callable[[], StandingsScreen] | None:
        """Between two games everybody sees the standings; cards are played without a dialog."""
        if sight.view.phase != "deal" or self.saved:
            return None
        return partial(StandingsScreen, sight)

    def result(self, sight: GasSight) -> MatchResult:
        """Return the screen of the end."""
        return MatchResult(sight, saved=self.saved)

    @property
    def can_play(self) -> bool:
        """Whether Space has something to do; between two games it brings the standings back."""
        between = self.sight is not None and self.sight.view.phase == "deal"
        return super().can_play or (between and not self.saved)

    @property
    def has_standings(self) -> bool:
        """Whether this is a match of several games."""
        return self.sight is not None and self.sight.table.to_win > 1

    def action_standings(self) -> None:
        """Look at how the match stands."""
        if self.sight is not None:
            self.app.push_screen(MatchSoFar(self.sight))

    # A turn

    @property
    def can_draw(self) -> bool:
        """Whether what Space does is to draw."""
        sight = self.sight
        if sight is None or not sight.awaits_us or self.answered(sight):
            return False
        return any(sight.offer(do) is not None for do in ("pick_up", "draw"))

    def action_draw(self) -> None:
        """Pick up what is owed, or draw a card."""
        sight = self.sight
        if sight is not None and self.can_draw:
            self.answer(Draw() if sight.offer("pick_up") is None else PickUp())

    def on_gas_table_draw_clicked(self) -> None:
        """Draw by mouse."""
        self.action_draw()

    def press(self, sight: GasSight) -> bool:
        """Play the card under the cursor, wherever the focus is."""
        if not sight.awaits_us or sight.play_offer is None:
            return False
        self.hand.action_play()
        return True

    def on_gas_hand_played(self, message: GasHand.Played) -> None:
        """Play a card; a wild is asked for its colour first."""
        sight = self.sight
        if sight is None or sight.play_offer is None or not self._is_ours(sight):
            return
        if sight.play_offer.costs and self.can_draw:  # F33: it would come back, and cost even more
            self.action_draw()
        elif message.card in sight.play_offer.ask_colour:
            self._chooses = True
            self.ask_now(partial(ColourDialog, sight, message.card, calls=self._calls))
        else:
            self.answer(Play(message.card))

    def on_gas_hand_tried(self, message: GasHand.Tried) -> None:
        """Let the table say why a card can't be played: it knows. The hand stays as it lies."""
        sight = self.sight
        if sight is not None and self._is_ours(sight):
            super().answer(Play(message.card))

    def _is_ours(self, sight: GasSight) -> bool:
        """Say whether the open question is ours and unanswered; if it is somebody else's, tell."""
        if sight.awaits_us:
            return not self.answered(sight) and sight.view.phase != "deal"
        if self.plays and not (self.saved or sight.room.paused or sight.bot_plays):
            text = refusal("not_your_turn", {"seat": sight.me})
            self.query_one(StatusLine).note(text, refused=True)
        return False

    def answer(self, action: Action) -> None:
        """Answer the open question; the call goes with the card if it was asked to."""
        if isinstance(action, Play) and self._calls:
            action = replace(action, call=True)
        super().answer(action)
        if self.sight is not None:
            self._hold(self.sight)
            self.offer_keys()

    # Low on gas!

    @property
    def can_call(self) -> bool:
        """Whether "low on gas" can be said now, by itself or with a card."""
        sight = self.sight
        if sight is None or sight.room.paused or sight.bot_plays:
            return False
        return sight.offer("low_on_gas") is not None or _goes_with_a_card(sight)

    def action_call(self) -> None:
        """Say "low on gas": at once, with the card to be played, or after the one on its way."""
        sight = self.sight
        if sight is None:
            return
        if sight.offer("low_on_gas") is not None:
            self.speak_up(LowOnGas())
        elif self.answered(sight):
            self._call_due = not self._calls
        else:
            self._calls = not self._calls
            self.say_status()
            if isinstance(self.app.screen, ColourDialog):
                self.app.screen.show_call(self._calls)

    def action_call_anyway(self) -> None:
        """Say it too early or too late: the table says why that doesn't count (F29)."""
        self.speak_up(LowOnGas())

    # What a card does

    def on_gas_hand_looked(self, message: GasHand.Looked) -> None:
        """Tell what the card under the cursor does."""
        if message.moved:
            self.query_one(StatusLine).forget_note()
        card = self.query_one("#card", Static)
        card.update(Content("" if message.card is None else card_words(message.card)), layout=False)


def card_words(card: str) -> str:
    """Return what a card does when it is played, and on what it fits."""
    face = CARDS[card]
    key = "fart" if face.colour is not None and not face.pick_up else face.kind
    return say(f"gas.does.{key}", card=card, colour=face.colour)


def _goes_with_a_card(sight: GasSight) -> bool:
    offer = sight.play_offer
    return sight.awaits_us and offer is not None and offer.call
