"""The colour of a wild: one key, and the card can still be taken back."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button

from core.low_on_gas.actions import Play
from core.low_on_gas.cards import COLOURS
from tui.commands import Command
from tui.low_on_gas.cards import colour_sign
from tui.low_on_gas.moment import moment
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.styles import STYLES
from tui.table.dialog import TableDialog
from tui.table.help import MomentHelp
from tui.words import say


class ColourDialog(TableDialog[GasSight]):
    """Returns the `Play` of a wild with its colour, or None: the card is still in the hand.

    Nothing has the focus, so that a Space too many chooses no colour.
    """

    DO = "play"
    ASIDE = "gas.colour.aside"
    KEYS = (
        Command("gas.blue", "b,1", "pick('blue')"),
        Command("gas.yellow", "y,2", "pick('yellow')"),
        Command("gas.red", "r,3", "pick('red')"),
        Command("gas.purple", "p,4", "pick('purple')"),
        Command("gas.take_back", "escape,tilde", "look", footer=True, key="Esc"),
    )
    AUTO_FOCUS = ""
    CSS_PATH = STYLES

    def __init__(self, sight: GasSight, card: str, *, calls: bool = False) -> None:
        super().__init__(sight)
        self.card = card
        self._calls = calls

    def heading(self) -> str:
        """Name the card, and what is said with it."""
        key = "gas.colour.title.call" if self._calls else "gas.colour.title"
        return say(key, card=self.card)

    def hint(self) -> str:
        """Tell the keys."""
        offer = self.sight.play_offer
        call = offer is not None and offer.call
        return say("gas.colour.hint.call" if call else "gas.colour.hint")

    def body(self) -> ComposeResult:
        """Yield the four colours."""
        with Horizontal(classes="row"):
            for number, colour in enumerate(COLOURS.values(), 1):
                label = Content(f" {number}  {colour_sign(colour)} ")
                yield Button(label, id=colour, compact=True)

    def show_call(self, calls: bool) -> None:
        """Show whether "low on gas" goes with the card."""
        self._calls = calls
        self.query_one("#box").border_title = Content(self.heading())

    def help_screen(self) -> MomentHelp:
        """Return the help for this moment."""
        return MomentHelp(moment(self.sight), self)

    def action_pick(self, colour: str) -> None:
        """Play the card; this colour goes on."""
        self.dismiss(Play(self.card, colour))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Pick a colour."""
        self.action_pick(str(event.button.id))
