"""The table of PRRRT: its widgets, its dialogs, and what they need to remember."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from core.kernel.event import Event
from core.prrrt.actions import TurnLocation
from core.prrrt.events import Asked, CentreTaken, HandsShown, Verdict, count
from tui.commands import Command
from tui.prrrt.dialogs.answer import AnswerDialog
from tui.prrrt.dialogs.ask import AskDialog
from tui.prrrt.dialogs.choose import ChooseDialog
from tui.prrrt.dialogs.dialog import PrrrtDialog
from tui.prrrt.dialogs.draw import DrawDialog
from tui.prrrt.dialogs.give import GiveDialog
from tui.prrrt.dialogs.point import PointDialog
from tui.prrrt.hand import Hand, own
from tui.prrrt.location_bar import LocationBar
from tui.prrrt.moment import moment
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import Revelation, RevelationScreen
from tui.prrrt.shame_pile import ShamePile
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.status import status
from tui.prrrt.story import tell
from tui.prrrt.styles import STYLES
from tui.prrrt.table import Table
from tui.session import Session
from tui.table.keys import PLAY_KEYS, TALK_AND_LOOK, TOOLS
from tui.table.screen import TableScreen
from tui.table.status import Status
from tui.table.status_line import StatusLine
from tui.table.story import Names, Told
from tui.table.topic import Topic
from tui.widgets.footer import Keys
from tui.words import say


class PrrrtScreen(TableScreen[PrrrtSight]):
    """A seat at a PRRRT table, or a place to watch it from."""

    KEYS = (
        Command("prrrt.play", PLAY_KEYS, footer=True, key="Space", when=lambda s: s.can_play),
        *TALK_AND_LOOK,
        Command("prrrt.verdict", "v", footer=True, when=lambda s: s.revelation is not None),
        *TOOLS,
    )

    SIGHT = PrrrtSight
    AUTO_FOCUS = "Hand"
    CSS_PATH = STYLES

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.revelation: Revelation | None = None
        self._to_reveal: Revelation | None = None
        self._words: str | None = None  # of the last question put to somebody
        self._taker: int | None = None  # of the Shame in the middle, in the last round

    def compose(self) -> ComposeResult:
        """Lay out the table and what lies below it."""
        yield LocationBar()
        yield Table()
        with Horizontal(id="below"):
            with Vertical(id="mine"):
                yield Hand()
                yield Static("", id="card", markup=False)
            yield ShamePile()
            yield from self.story()
        yield StatusLine()
        yield Keys()

    # What comes in

    @property
    def hand(self) -> Hand:
        """Our cards."""
        return self.query_one("#mine Hand", Hand)

    def show(self, sight: PrrrtSight) -> None:
        """Show a view."""
        self.query_one(LocationBar).show(sight)
        self.query_one(Table).show(sight, self._taker)
        self.hand.hold(own(sight.hand), empty=say("prrrt.hand.none"))
        self.hand.border_title = Content(say("prrrt.hand.title", sum=sum(sight.hand)))
        self.query_one(ShamePile).show(sight.pile)

    def tell(
        self,
        events: tuple[Event, ...],
        names: Names,
        before: PrrrtSight | None,  # noqa: ARG002
    ) -> Sequence[Told]:
        """Return what happened as lines of the log."""
        return tell(events, names)

    def remember(
        self,
        before: PrrrtSight | None,
        sight: PrrrtSight,
        events: tuple[Event, ...],
        *,
        news: bool,
    ) -> None:
        """Keep what later dialogs need: the question's words, and the last Revelation."""
        taken: int | None = None
        shown: HandsShown | None = None
        verdict: Verdict | None = None
        for event in events:
            if isinstance(event, CentreTaken):
                self._taker = event.seat
            match event:
                case Asked(words=words):
                    self._words = words
                case HandsShown():
                    shown = event
                case Verdict():
                    verdict, taken = event, None
                case CentreTaken(up=up, down=down) if taken is None:
                    taken = len(up) + count(down)
        if shown is not None and verdict is not None:
            revelation = Revelation.of(sight, taken)
            if revelation is None and before is not None and news:  # its cards are gathered again
                revelation = Revelation.told(before, shown, verdict, taken)
            self.revelation = revelation or self.revelation
            if news:
                self._to_reveal = self.revelation

    def forget(self) -> None:
        """Forget the last game."""
        self.revelation = self._to_reveal = self._words = self._taker = None

    # What is asked

    def status(self, sight: PrrrtSight, *, waiting: bool, asking: bool) -> Status:
        """Return what the status line says."""
        return status(sight, waiting=waiting, asking=asking)

    def moment(self, sight: PrrrtSight) -> Sequence[Topic]:
        """Return the help for this moment."""
        return moment(sight)

    def to_see(self, sight: PrrrtSight) -> Callable[[], RevelationScreen] | None:  # noqa: ARG002
        """A Revelation is seen before anything is asked."""
        return None if self._to_reveal is None else self._reveal

    def _reveal(self) -> RevelationScreen:
        revelation, self._to_reveal = self._to_reveal, None
        assert revelation is not None
        return RevelationScreen(revelation, animate=True)

    def result(self, sight: PrrrtSight) -> ResultScreen:
        """Return the screen of the end."""
        return ResultScreen(sight, saved=self.saved)

    def question(self, sight: PrrrtSight) -> Callable[[], PrrrtDialog] | None:
        """Return what makes the dialog of the open question."""
        words = self._words
        makers: dict[str, Callable[[], PrrrtDialog]] = {
            "ask": lambda: AskDialog(sight),
            "deny": lambda: AnswerDialog(sight, words),
            "draw": lambda: DrawDialog(sight),
            "choose": lambda: ChooseDialog(sight),
            "give": lambda: GiveDialog(sight),
            "point": lambda: PointDialog(sight),
        }
        for offer in sight.view.offers:
            if offer.do in makers:
                return makers[offer.do]
        return None

    def press(self, sight: PrrrtSight) -> bool:
        """Turn the Location: there is nothing to choose."""
        if sight.offer("turn_location") is None:
            return False
        if not self.answered(sight):
            self.answer(TurnLocation())
        return True

    # What a person does

    def action_verdict(self) -> None:
        """See the last Revelation again."""
        if self.revelation is not None:
            self.app.push_screen(RevelationScreen(self.revelation, animate=False))

    def on_hand_looked(self, message: Hand.Looked) -> None:
        """Tell what the card under the cursor does when it is revealed."""
        card = self.query_one("#card", Static)
        value = None if message.card is None else message.card.value
        card.update(Content("" if value is None else card_words(value)), layout=False)


def card_words(value: int) -> str:
    """Return what a Smell card does when it is revealed."""
    if 3 <= value <= 7:
        return f"{value} {say(f'prrrt.effect.{value}.name')}: {say(f'prrrt.effect.{value}.short')}"
    return say("prrrt.effect.none", value=value)
