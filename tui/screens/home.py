"""The home screen: the tables on this network, and everything else one can begin."""

from __future__ import annotations

import contextlib

from rich.cells import set_cell_size
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from net.names import NAME_LENGTH
from tui.cells import cut
from tui.commands import Command, Commanded
from tui.finding import Found, TableFinder
from tui.opening import Host, Join, Solo, Target
from tui.preferences import bad_name, my_name, remember_name
from tui.refusals import refused_text
from tui.screens.ask import Answer, AskScreen, PromptScreen
from tui.session import SitDown
from tui.widgets.footer import Keys
from tui.widgets.logo import Logo
from tui.words import plain, say

MENU = ("solo", "host", "address", "watch", "rules", "name", "quit")


STATE_WIDTH = 13
"""Cells for the words that say what one can do at a table."""


class HomeScreen(Commanded, Screen[None]):
    """Tables appear by themselves; letters, arrows or the mouse begin the rest."""

    KEYS = (
        Command("home.solo", "s", footer=True),
        Command("home.host", "h", footer=True),
        Command("home.address", "j", footer=True),
        Command("home.watch", "w"),
        Command("home.rules", "r", "app.rules", footer=True),
        Command("home.name", "n"),
        Command("home.other", "left,right", "other_list"),
        Command("home.quit", "q", "app.quit", footer=True),
    )

    def __init__(self) -> None:
        super().__init__()
        self._tables: tuple[Found, ...] = ()
        self._finding: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Build the screen: logo, tables, menu, footer."""
        with Horizontal(id="home-head"):
            yield Logo()
            yield Static("", id="home-you", markup=False)
        with Horizontal(id="home-lists"):
            with Vertical(id="home-tables") as tables:
                tables.border_title = say("home.tables")
                yield OptionList(id="tables")
                yield Static(Content(say("home.looking")), id="looking")
            with Vertical(id="home-menu") as menu:
                menu.border_title = say("home.menu")
                yield OptionList(*(Option(_menu_line(item), id=item) for item in MENU), id="menu")
        yield Keys()

    def on_mount(self) -> None:
        """Be ready for keys at once."""
        self.query_one("#menu").focus()

    def on_screen_resume(self) -> None:
        """Show the name that one came back with, and look for tables; both after a first paint."""
        super().on_screen_resume()
        self.call_after_refresh(self._show_name)
        self.call_after_refresh(self._begin_to_look)

    def on_screen_suspend(self) -> None:
        """Look no further while we sit at a table: whoever plays with bots opens no port."""
        if self._sits and self._finding is not None:
            self._finding.cancel()
            self._finding = None

    def _begin_to_look(self) -> None:
        if self._finding is None and not self._sits and self.is_current:
            self._finding = self._look()

    @property
    def _sits(self) -> bool:
        return getattr(self.app, "sitting", None) is not None

    def _show_name(self) -> None:
        self.query_one("#home-you", Static).update(
            Content.assemble((say("home.you") + " ", "$text-muted"), (my_name(), "bold"))
        )

    @work(group="finding", exclusive=True)
    async def _look(self) -> None:
        """Keep the list of tables."""
        async for tables in TableFinder().watch():
            with contextlib.suppress(NoMatches):  # the screen is being taken away
                self._show_tables(tables)

    def _show_tables(self, tables: tuple[Found, ...]) -> None:
        self._tables = tables
        shown = self.query_one("#tables", OptionList)
        marked = shown.highlighted_option.id if shown.highlighted_option else None
        first = not shown.option_count and bool(tables)
        shown.clear_options()
        shown.add_options(
            Option(table_line(table, self._list_width), id=table.table) for table in tables
        )
        shown.display = bool(tables)
        self.query_one("#looking").display = not tables
        ids = [table.table for table in tables]
        if ids:
            shown.highlighted = ids.index(marked) if marked in ids else 0
        if (
            first
            and self.query_one("#menu").has_focus
            and self.query_one("#menu", OptionList).highlighted in (None, 0)
        ):
            shown.focus()

    @property
    def _list_width(self) -> int:
        """Cells for a line of the list, a scroll bar left out."""
        return max(30, self.query_one("#home-tables").content_size.width - 2)

    def on_resize(self) -> None:
        """Draw the list anew, in its new width."""
        self.call_after_refresh(lambda: self._show_tables(self._tables))

    @on(OptionList.OptionSelected, "#tables")
    def _table_chosen(self, event: OptionList.OptionSelected) -> None:
        found = next((t for t in self._tables if t.table == event.option_id), None)
        if found is not None:
            self._sit_down(found)

    @on(OptionList.OptionSelected, "#menu")
    async def _menu_chosen(self, event: OptionList.OptionSelected) -> None:
        command = next(c for c in self.KEYS if c.id == f"home.{event.option_id}")
        await self.run_action(command.run)

    def action_other_list(self) -> None:
        """Go to the other list."""
        tables, menu = self.query_one("#tables"), self.query_one("#menu")
        (menu if tables.has_focus or not self._tables else tables).focus()

    @work
    async def _sit_down(self, found: Found) -> None:
        target = Target(table=found.table, addresses=found.addresses)
        if not found.joinable:
            title = plain(found.title)
            if found.state in ("gone", "version"):
                text = say(f"home.{found.state}", title=title)
                self.notify(text, severity="warning", markup=False)
                return
            state = found.state if found.state in ("full", "over") else "playing"
            answers = (
                Answer(
                    "back", "b", say("home.seat_back"), say("home.seat_back.help", name=my_name())
                ),
                Answer("watch", "w", say("home.watch_it"), say("home.watch_it.help")),
            )
            choice = await self.app.push_screen_wait(
                AskScreen(title, say(f"home.{state}", title=title), answers)
            )
            if choice is None:
                return
            self._sit(Join(target, name=my_name(), watch=choice == "watch"))
            return
        self._sit(Join(target, name=my_name()))

    def _sit(self, opening: Solo | Host | Join) -> None:
        self.post_message(SitDown(opening))

    @work
    async def action_solo(self) -> None:
        """Set up a game against bots."""
        from tui.screens.setup import SoloSetup

        opening = await self.app.push_screen_wait(SoloSetup(my_name()))
        if opening is not None:
            self._sit(opening)

    @work
    async def action_host(self) -> None:
        """Set up a table for everybody on this network."""
        from tui.screens.setup import HostSetup

        opening = await self.app.push_screen_wait(HostSetup(my_name()))
        if opening is not None:
            self._sit(opening)

    @work
    async def action_address(self) -> None:
        """Join by address."""
        await self._by_address(watch=False)

    @work
    async def action_watch(self) -> None:
        """Watch the table under the cursor, or ask which one."""
        tables = self.query_one("#tables", OptionList)
        if tables.has_focus and tables.highlighted is not None:
            self._sit_and_watch(self._tables[tables.highlighted])
            return
        shown = [each for each in self._tables if each.state not in ("gone", "version")][:9]
        answers = [
            Answer(str(n), str(n + 1), plain(table.title), table_facts(table))
            for n, table in enumerate(shown)
        ]
        answers.append(Answer("address", "a", say("home.watch_address")))
        which: str | None = "address"
        if shown:
            ask = AskScreen(say("home.watch_which"), "", tuple(answers))
            which = await self.app.push_screen_wait(ask)
        if which == "address":
            await self._by_address(watch=True)
        elif which is not None:
            self._sit_and_watch(shown[int(which)])

    def _sit_and_watch(self, found: Found) -> None:
        self._sit(Join(Target(table=found.table, addresses=found.addresses), watch=True))

    async def _by_address(self, *, watch: bool) -> None:
        where = await self.app.push_screen_wait(
            PromptScreen(
                say("home.watch_title" if watch else "home.address_title"),
                say("home.address_text"),
                placeholder="192.0.2.7:3278",
                check=_bad_address,
            )
        )
        if where:
            self._sit(Join(Target(where), name=None if watch else my_name(), watch=watch))

    @work
    async def action_name(self) -> None:
        """Choose the name others see."""
        name = await self.app.push_screen_wait(
            PromptScreen(
                say("home.name_title"), say("home.name_text"), value=my_name(), check=_bad_name
            )
        )
        if name:
            remember_name(name)
            self._show_name()


def _menu_line(item: str) -> Content:
    command = next(c for c in HomeScreen.KEYS if c.id == f"home.{item}")
    return Content.assemble((f"{command.keys[:1]} ", "$accent bold"), say(f"home.menu.{item}"))


def table_line(found: Found, width: int) -> Content:
    """Draw a found table: title, seats, whether one can sit down; below, the game, and whose it is.

    What can't be joined is quiet, and says in words why.
    """
    state = say(f"home.state.{found.state}")
    seats = f"{found.taken}/{found.players}"
    room = max(8, width - STATE_WIDTH - len(seats) - 4)
    title = cut(plain(found.title), room)
    style = "bold" if found.joinable else "$pale"
    return Content.assemble(
        (f" {set_cell_size(title, room)} ", style),
        f"{seats}  ",
        (f"{state:<{STATE_WIDTH}}\n", style),
        (f"   {cut(table_facts(found), width - 3)}", "$pale"),
    )


def table_facts(found: Found) -> str:
    """Return what a table plays, and whether it is one's own."""
    from tui.choosing import title_of  # not before the first paint

    return " · ".join([plain(title_of(found.game)), *([say("home.own")] if found.own else [])])


def _bad_address(text: str) -> str | None:
    from net.address import parse_address
    from net.refused import Refused

    try:
        parse_address(text)
    except Refused as refused:
        return refused_text(refused)
    return None


def _bad_name(name: str) -> str | None:
    why = bad_name(name)
    return None if why is None else say(why, name=name, room=NAME_LENGTH)
