"""The table of PRRRT: what is on it, what happened, and what this seat can do about it.

Updates come in through `on_table_update`, intents go out through the session.
No rule is run here: what can be done is what the view offers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Input, Static

from core.kernel.action import Action
from core.kernel.event import Event
from core.prrrt.actions import TurnLocation
from core.prrrt.events import Asked, CentreTaken, HandsShown, Verdict, count
from net.orders import Pause, Rematch, SeatToBot
from net.updates import Answered, Line, Seen
from tui import cue, preferences
from tui.commands import Command, Commanded, typed
from tui.notices import speaker, told
from tui.prrrt.dialogs.answer import AnswerDialog
from tui.prrrt.dialogs.ask import AskDialog
from tui.prrrt.dialogs.choose import ChooseDialog
from tui.prrrt.dialogs.dialog import TableDialog
from tui.prrrt.dialogs.draw import DrawDialog
from tui.prrrt.dialogs.give import GiveDialog
from tui.prrrt.dialogs.point import PointDialog
from tui.prrrt.hand import Hand, own
from tui.prrrt.help import MomentHelp
from tui.prrrt.location_bar import LocationBar
from tui.prrrt.log import GameLog
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import Revelation, RevelationScreen
from tui.prrrt.shame_pile import ShamePile
from tui.prrrt.sight import Sight
from tui.prrrt.status import StatusLine, status
from tui.prrrt.story import Names, Told, tell
from tui.prrrt.styles import STYLES
from tui.prrrt.table import Table
from tui.screens.owning import ask_owner, ask_seat
from tui.session import Session, TableUpdate
from tui.widgets.field import Field
from tui.words import plain, refusal, say

CHAT_LIMIT = 200
"""Characters of a chat line."""


class PrrrtScreen(Commanded, Screen[None]):
    """A seat at a PRRRT table, or a place to watch it from."""

    KEYS = (
        Command("prrrt.play", "space,enter", footer=True, key="Space", when=lambda s: s.can_play),
        Command("prrrt.chat", "c,t", footer=True, key="c"),
        typed("prrrt.said"),
        Command("prrrt.log", "l", when=lambda s: s.sight is not None),
        Command("prrrt.hand", "h", when=lambda s: s.sight is not None and s.sight.me is not None),
        Command("prrrt.back", "escape", when=lambda s: not (s.at_hand or s.talks)),
        Command("prrrt.hush", "escape", footer=True, key="Esc", when=lambda s: s.talks),
        Command("prrrt.verdict", "v", footer=True, when=lambda s: s.revelation is not None),
        Command("prrrt.owner", "o", footer=True, when=lambda s: s.is_owner),
        Command("prrrt.pause", "p", when=lambda s: s.is_owner),
        Command("prrrt.bot", "b", when=lambda s: s.plays),
        Command("prrrt.bell", "m", when=lambda s: s.plays),
        Command("prrrt.leave", "q", "app.leave", footer=True),
    )

    AUTO_FOCUS = "Hand"

    saved: ClassVar[bool] = False
    """Whether this is a saved game, at which nobody sits."""

    CSS_PATH = STYLES

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.sight: Sight | None = None
        self.revelation: Revelation | None = None
        self._to_reveal: Revelation | None = None
        self._result_due = False
        self._result_seen = False
        self._asking = False
        self._answered: tuple[int, str] | None = None  # the question and the aid of our answer
        self._put_aside: int | None = None
        self._talks_first = False  # the question put aside comes back when that is said
        self._words: str | None = None  # of the last question put to somebody
        self._taker: int | None = None  # of the Shame in the middle, in the last round
        self._keys_shown: tuple[str, ...] = ()
        self._chat_shown = 0
        self._notices_shown = 0

    def compose(self) -> ComposeResult:
        """Lay out the table and what lies below it."""
        yield LocationBar()
        yield Table()
        with Horizontal(id="below"):
            with Vertical(id="mine"):
                yield Hand()
                yield Static("", id="card", markup=False)
            yield ShamePile()
            with Vertical(id="story"):
                yield GameLog()
                yield Field(id="chat", placeholder=say("prrrt.chat.hint"), max_length=CHAT_LIMIT)
        yield StatusLine()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin with what was seen before this screen was there."""
        self.query_one(GameLog).border_title = Content(say("prrrt.log.title"))
        if self.session.latest is not None:
            self._see(self.session.latest, self.session.events, news=False)

    # What comes in

    def on_table_update(self, message: TableUpdate) -> None:
        """Take in what the session learned."""
        match message.update:
            case Seen() as seen:
                whole = seen.catching_up
                self._see(seen, seen.events, news=not whole)
            case Answered() as answered:
                self._hear(answered)
            case Line(up=up):
                self.query_one(StatusLine).line(up)

    def _see(self, seen: Seen, events: tuple[Event, ...], *, news: bool) -> None:
        sight = Sight.of(seen)
        if sight is None or (self.sight is not None and news and sight.rev <= self.sight.rev):
            return
        if self.sight is not None and sight.view.actions < self.sight.view.actions:
            self._begin_again()
        before, self.sight = self.sight, sight
        self._tell(sight, events, news=news)
        self._remember(before, sight, events, news=news)
        self.set_class(sight.me is None, "-spectator")
        self.query_one(LocationBar).show(sight)
        self.query_one(Table).show(sight, self._taker)
        hand = self.query_one("#mine Hand", Hand)
        hand.hold(own(sight.hand), empty=say("prrrt.hand.none"))
        hand.border_title = Content(say("prrrt.hand.title", sum=sum(sight.hand)))
        self.query_one(ShamePile).show(sight.pile)
        self._say_status()
        self._call(before, sight)
        self._offer_keys()
        self.consider()

    def _call(self, before: Sight | None, sight: Sight) -> None:
        """Call whoever looks elsewhere when the table has come to wait for us."""
        ours = sight.awaits_us
        if before is not None and before.awaits_us == ours:
            return
        cue.show_turn(self.app, ours=ours)
        if ours and sight.has_company:
            cue.ring(self.app)

    def on_unmount(self) -> None:
        """It is nobody's turn any more."""
        cue.show_turn(self.app, ours=False)

    def _begin_again(self) -> None:
        """Forget the last game: in a rematch questions are numbered from the start again."""
        self.revelation = self._to_reveal = None
        self._result_due = self._result_seen = False
        self._answered = self._put_aside = self._words = self._taker = None

    def _tell(self, sight: Sight, events: tuple[Event, ...], *, news: bool) -> None:
        names = Names(tuple(info.name for info in sight.room.seats), sight.me)
        played = list(tell(events, names))
        if not news:
            self._chat_shown = self._notices_shown = 0
        beside: list[Told] = []
        chat = self.session.chat or sight.room.chat
        notices = self.session.notices or sight.room.notices
        for line in notices:
            if line.number > self._notices_shown:
                self._notices_shown = line.number
                text = told(line, sight.room.game)
                beside += [Told(text, "room")] if text else []
        for said in chat:
            if said.number > self._chat_shown:
                self._chat_shown = said.number
                beside.append(Told(f"{speaker(said)}: {plain(said.text)}", "talk"))
        log = self.query_one(GameLog)
        if news:
            log.add(played + beside)
        else:  # what was played last is what somebody wants to read who comes back
            log.restart(beside + played)

    def _remember(
        self, before: Sight | None, sight: Sight, events: tuple[Event, ...], *, news: bool
    ) -> None:
        """Keep what later dialogs need: the question's words, the last Revelation, the end."""
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
        if sight.view.over and not self._result_seen:
            self._result_due = True

    def _hear(self, answered: Answered) -> None:
        """A refusal is said where everybody looks; the question can then be answered again."""
        ours = self._answered is not None and answered.aid == self._answered[1]
        if answered.code is None:
            return
        if ours:
            self._put_aside = self._answered[0] if self._answered is not None else None
            self._answered = None
            self._say_status()
        self._note(refusal(answered.code, answered.facts), refused=True)
        self._offer_keys()

    def _say_status(self) -> None:
        if self.sight is not None:
            # A vote stays one question until all have pointed: ours is in when nothing is offered.
            ours = self._answered is not None and self._answered[0] == self.sight.question
            waiting = ours and bool(self.sight.view.offers)
            shown = status(self.sight, waiting=waiting, asking=self._asking)
            self.query_one(StatusLine).show(shown, self.sight.room.clock)

    def _offer_keys(self) -> None:
        """Show the keys that work now; only when others do, since the footer is built anew."""
        keys = tuple(command.id for command in self.possible())
        if keys != self._keys_shown:
            self._keys_shown = keys
            self.refresh_bindings()

    # What is asked

    @property
    def can_play(self) -> bool:
        """Whether something waits for this seat."""
        sight = self.sight
        if sight is None or sight.room.paused:
            return False
        return bool(sight.view.offers) or sight.view.over or self._bot_plays

    @property
    def plays(self) -> bool:
        """Whether a seat is ours in a game that goes on."""
        sight = self.sight
        return sight is not None and sight.me is not None and not sight.view.over

    @property
    def is_owner(self) -> bool:
        """Whether the game that goes on is ours to order."""
        sight = self.sight
        return sight is not None and self.plays and sight.room.owner == sight.me

    def consider(self) -> None:
        """Open what is to be seen or asked next, unless something is open or being typed."""
        if self._asking or not self.is_active or self._typing:
            return
        if self._next() is not None:
            self._ask()

    @property
    def at_hand(self) -> bool:
        """Whether keys go to our cards."""
        return self.query_one("#mine Hand", Hand).has_focus

    @property
    def talks(self) -> bool:
        """Whether keys go to the chat."""
        return self.focused is self.query_one("#chat", Input)

    @property
    def _typing(self) -> bool:
        return self.talks and bool(self.query_one("#chat", Input).value)

    def on_screen_resume(self) -> None:
        """Back from another screen: see what has come up meanwhile."""
        self.call_after_refresh(self.consider)

    def _next(
        self,
    ) -> (
        Callable[[], ModalScreen[Action | None] | ModalScreen[str | None] | ModalScreen[None]]
        | None
    ):
        """Return what makes the next screen, or None while there is nothing to ask."""
        sight = self.sight
        if sight is None:
            return None
        if self._to_reveal is not None:
            revelation = self._to_reveal
            return lambda: RevelationScreen(revelation, animate=True)
        if self._result_due:
            return lambda: ResultScreen(sight, saved=self.saved)
        if (
            sight.room.paused
            or self._bot_plays
            or sight.question
            in (
                self._put_aside,
                self._answered and self._answered[0],
            )
        ):
            return None
        return self._dialog(sight)

    def _dialog(self, sight: Sight) -> Callable[[], TableDialog] | None:
        words = self._words
        makers: dict[str, Callable[[], TableDialog]] = {
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

    @work(group="asking")
    async def _ask(self) -> None:
        """Open screens one after the other until nothing is left to ask."""
        if self._asking:
            return
        self._asking = True
        self._say_status()
        try:
            while self.is_active and (make := self._next()) is not None:
                shown = make()
                if isinstance(shown, RevelationScreen):
                    self._to_reveal = None
                    await self.app.push_screen_wait(shown)
                elif isinstance(shown, ResultScreen):
                    self._result_due, self._result_seen = False, True
                    await self._after_result(await self.app.push_screen_wait(shown))
                elif isinstance(shown, TableDialog):
                    self._settle(shown, await self.app.push_screen_wait(shown))
        finally:
            self._asking = False

    def _settle(self, dialog: TableDialog, action: Action | None) -> None:
        """Send an answer, unless its question is gone; note why a dialog closed."""
        latest = self.session.latest
        gone = latest is None or latest.question != dialog.question
        if action is not None and not gone:
            self._send(action)
        elif gone:
            self._note(say("prrrt.gone.bot" if self._bot_plays else "prrrt.gone"))
        else:
            self._put_aside = dialog.question
            self._talks_first = dialog.to_chat
            if dialog.to_chat:
                self.action_chat()
            else:
                self.query_one(StatusLine).note(say("prrrt.put_aside"))

    @property
    def _bot_plays(self) -> bool:
        sight = self.sight
        return sight is not None and sight.me is not None and sight.seat(sight.me).bot_plays

    def _note(self, text: str, *, refused: bool = False) -> None:
        """Say something where everybody looks, and in the log for who looked away."""
        self.query_one(StatusLine).note(text, refused=refused)
        self.query_one(GameLog).add([Told(text, "room")])

    def _send(self, action: Action) -> None:
        if self.session.latest is not None:
            self.action_hand()  # whoever read the log before answering follows the game again
            self._answered = (self.session.latest.question, self.session.act(action))
            self._put_aside = None
            self._say_status()

    async def _after_result(self, choice: str | None) -> None:
        if choice == "again":
            self.session.order(Rematch())
        elif choice == "home":
            await self.run_action("app.leave")

    # What a person does

    def action_play(self) -> None:
        """Do what is to be done: turn the Location, bring the question or one's cards back."""
        sight = self.sight
        if sight is None or self._asking:
            return
        if sight.view.over:
            self._result_due = True
        elif self._bot_plays:
            self.action_bot()
            return
        elif sight.offer("turn_location") is not None:
            if self._answered is None or self._answered[0] != sight.question:
                self._send(TurnLocation())
            return
        self._put_aside = None
        if self._next() is not None:
            self._ask()

    def action_chat(self) -> None:
        """Say something."""
        self.query_one("#chat", Input).focus()

    def action_log(self) -> None:
        """Scroll through what happened."""
        self.query_one(GameLog).focus()

    def action_back(self) -> None:
        """Leave the chat or the log, for the question if it only waited for that."""
        self.set_focus(None)
        self.action_hand()
        if self._talks_first:
            self._talks_first, self._put_aside = False, None
            self.consider()

    def action_hush(self) -> None:
        """Leave the chat with nothing said."""
        self.action_back()

    def action_hand(self) -> None:
        """Look at one's cards."""
        if self.sight is not None and self.sight.me is not None:
            self.query_one("#mine Hand", Hand).focus()

    def action_verdict(self) -> None:
        """See the last Revelation again."""
        if self.revelation is not None:
            self.app.push_screen(RevelationScreen(self.revelation, animate=False))

    def action_pause(self) -> None:
        """Pause the game or go on."""
        if self.sight is not None:
            self.session.order(Pause(on=not self.sight.room.paused))

    @work(group="owner", exclusive=True)
    async def action_owner(self) -> None:
        """Ask the owner what is to be done with the table, and order it."""
        order = await ask_owner(self.app, self.session)
        if isinstance(order, str):
            await self.run_action("app.leave")
        elif order is not None:
            self.session.order(order)

    @work(group="owner", exclusive=True)
    async def action_bot(self) -> None:
        """Take our cards back from the bot at once; hand them to one only when asked again."""
        sight = self.sight
        if sight is None or sight.me is None:
            return
        if self._bot_plays:
            self.session.order(SeatToBot(sight.me, on=False))
        elif (order := await ask_seat(self.app, self.session, sight.me)) is not None:
            self.session.order(order)

    def action_bell(self) -> None:
        """Switch the bell off or on, here and from now on."""
        preferences.remember_bell(not preferences.load().bell)
        on = preferences.load().bell  # as it was, where nothing can be kept
        self.query_one(StatusLine).note(say("prrrt.bell.on" if on else "prrrt.bell.off"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send a chat line; an empty one only leaves the field."""
        event.stop()
        text = event.value.strip()
        if text:
            self.session.say(text)
            event.input.value = ""
        self.action_back()
        self.consider()

    def on_hand_looked(self, message: Hand.Looked) -> None:
        """Tell what the card under the cursor does when it is revealed."""
        card = self.query_one("#card", Static)
        value = None if message.card is None else message.card.value
        card.update(Content("" if value is None else card_words(value)), layout=False)

    def on_status_line_pressed(self) -> None:
        """The status line is a button too."""
        self.action_play()

    def help_screen(self) -> MomentHelp | None:
        """Return the help for this moment."""
        return None if self.sight is None else MomentHelp(self.sight, self)


def card_words(value: int) -> str:
    """Return what a Smell card does when it is revealed."""
    if 3 <= value <= 7:
        return f"{value} {say(f'prrrt.effect.{value}.name')}: {say(f'prrrt.effect.{value}.short')}"
    return say("prrrt.effect.none", value=value)
