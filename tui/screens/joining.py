"""At the door of a table: what is being tried, and what to do when it fails."""

from __future__ import annotations

from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from net.names import NAME_LENGTH
from net.updates import Ended
from tui.commands import Command, Commanded, typed
from tui.opening import Host, Join, Solo
from tui.preferences import bad_name, remember_name
from tui.refusals import ended_text
from tui.screens.ask import LINE_LIMIT
from tui.session import GoHome, SitDown
from tui.widgets.field import Field
from tui.widgets.footer import Keys
from tui.words import say

PIN_CODES = ("wrong_pin", "pin_needed")
PIN_DIGITS = r"[0-9]{0,6}"
NAME_CODES = ("name_taken", "bad_name")
LONGEST_WAIT = 60
"""Seconds until a shut door is tried again, whatever a host says."""

WATCH_CODES = ("full", "playing", "removed")


class JoiningScreen(Commanded, Screen[None]):
    """Shown from the wish to sit down to the first view, or the reason why there is none.

    With `ended` it begins with the reason: who lost their seat is at the door again.
    """

    KEYS = (
        Command("joining.again", "a", footer=True, when=lambda s: s.can_retry),
        Command("joining.take_over", "t", footer=True, when=lambda s: s.can_take_over),
        Command("joining.watch", "w", footer=True, when=lambda s: s.can_watch),
        typed("joining.typed"),
        Command("joining.home", "escape,q", "home", footer=True, key="q"),
    )

    def __init__(self, opening: Solo | Host | Join, ended: Ended | None = None) -> None:
        super().__init__()
        self._opening = opening
        self._ended = ended

    @property
    def can_retry(self) -> bool:
        """Whether trying again makes sense: something failed."""
        return self._ended is not None

    @property
    def can_take_over(self) -> bool:
        """Whether the seat is ours, and open in another terminal."""
        return self._ended is not None and self._ended.code == "name_taken"

    @property
    def can_watch(self) -> bool:
        """Whether there is a table to watch instead."""
        joins = isinstance(self._opening, Join) and not self._opening.watch
        return joins and self._ended is not None and self._ended.code in WATCH_CODES

    def compose(self) -> ComposeResult:
        """Build the box."""
        with Vertical(classes="dialog") as box:
            box.border_title = say("joining.title")
            yield Static(Content(self._trying()), id="joining-text")
            yield Field(id="joining-input", classes="hidden", max_length=LINE_LIMIT)
            yield OptionList(id="joining-ways", classes="hidden")
        yield Keys()

    def on_mount(self) -> None:
        """Say at once what is known already."""
        if self._ended is not None:
            self.failed(self._ended)

    def _trying(self) -> str:
        opening = self._opening
        match opening:
            case Solo():
                return say("joining.solo")
            case Host():
                return say("joining.host")
            case Join(target=target):
                where = target.where or target.broker
                if target.addresses:
                    where = "{}:{}".format(*target.addresses[0])
                return say("joining.join", where=where) if where else say("joining.looking")

    def failed(self, ended: Ended) -> None:
        """Say why it failed, and offer what can be done now."""
        self._ended = ended
        self.query_one(".dialog").border_title = Content(self._failure(ended))
        said = ended_text(ended.code, ended.facts)
        seconds = ended.facts.get("seconds")
        if ended.code == "locked" and isinstance(seconds, int):
            said += " " + say("joining.waiting")
            self.set_timer(min(max(seconds, 1), LONGEST_WAIT), self.action_again)
        self.query_one("#joining-text", Static).update(Content(said))
        field = self.query_one("#joining-input", Input)
        asks = self._asks
        field.set_class(not asks, "hidden")
        ways = self.query_one("#joining-ways", OptionList)
        ways.clear_options()
        ways.add_options(
            Option(Content.assemble((f" {c.keys[0]} ", "$accent bold"), f" {c.help}"), id=c.run)
            for c in self.possible()
            if c.id.startswith("joining.") and c.id not in ("joining.home", "joining.typed")
        )
        ways.add_option(
            Option(
                Content.assemble((" q ", "$accent bold"), " " + say("command.joining.home.help")),
                id="home",
            )
        )
        ways.remove_class("hidden")
        if asks:
            field.placeholder = say("joining.pin" if ended.code in PIN_CODES else "joining.name")
            field.password = ended.code in PIN_CODES
            field.restrict = PIN_DIGITS if ended.code in PIN_CODES else None
            field.value = ""
            field.focus()
        else:
            ways.focus()
            ways.highlighted = 0
        self.refresh_bindings()

    def _failure(self, ended: Ended) -> str:
        """Return what the box is called by now."""
        if ended.code == "pin_needed":
            return say("joining.failed.pin")
        return say("joining.failed" if isinstance(self._opening, Join) else "joining.failed.table")

    @property
    def _asks(self) -> bool:
        return (
            isinstance(self._opening, Join)
            and self._ended is not None
            and self._ended.code in (*PIN_CODES, *NAME_CODES)
        )

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        if self._ended is None or not isinstance(self._opening, Join) or not typed:
            return
        if self._ended.code in PIN_CODES:
            self._sit(replace(self._opening, pin=typed))
            return
        if (why := bad_name(typed)) is not None:
            self.notify(say(why, name=typed, room=NAME_LENGTH), severity="error", markup=False)
            return
        remember_name(typed)
        self._sit(replace(self._opening, name=typed))

    @on(OptionList.OptionSelected)
    async def _chosen(self, event: OptionList.OptionSelected) -> None:
        await self.run_action(str(event.option_id))

    def action_again(self) -> None:
        """Try the same again."""
        self._sit(self._opening)

    def action_take_over(self) -> None:
        """Take our own seat from the other terminal."""
        if isinstance(self._opening, Join):
            self._sit(replace(self._opening, take_over=True))

    def action_watch(self) -> None:
        """Look on instead of playing."""
        if isinstance(self._opening, Join):
            self._sit(replace(self._opening, watch=True))

    def action_home(self) -> None:
        """Give it up."""
        self.post_message(GoHome())

    def _sit(self, opening: Solo | Host | Join) -> None:
        self.post_message(SitDown(opening))
