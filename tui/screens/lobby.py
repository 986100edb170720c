"""The lobby: who sits where, what is played, how others get in, and what is said meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from core.kernel.rules import Rules
from core.registry import GAMES
from net.orders import (
    AddBot,
    AnyOrder,
    MoveSeat,
    OpenDoor,
    RemoveSeat,
    SetOption,
    SetPin,
    SetPlayers,
    Start,
)
from net.room import Room, SeatInfo
from net.updates import Answered, Seen
from tui.cells import cut
from tui.choosing import players_line
from tui.commands import Command, Commanded, typed
from tui.opening import Host, Join, Solo
from tui.screens.ask import Answer, AskScreen
from tui.screens.owning import ask_removal
from tui.screens.setup import Fields, any_pin, player_picks
from tui.session import Session, TableUpdate
from tui.widgets.chat import ChatLog
from tui.widgets.choice import Choice
from tui.widgets.field import Field
from tui.widgets.footer import Keys
from tui.widgets.option_choice import (
    option_choices,
    option_label,
    option_of,
    seat_picks,
    value_label,
)
from tui.words import known, plain, refusal, say

SEAT_WIDTH = 38
"""Cells for a seat's line at 80 columns."""


class LobbyScreen(Commanded, Screen[None]):
    """The owner gets everybody seated and starts; the others see it happen and chat."""

    KEYS = (
        Command("lobby.start", "s", footer=True, when=lambda s: s.owns),
        Command("lobby.bot", "b", "add_bot", footer=True, when=lambda s: s.owns),
        Command("lobby.options", "o", footer=True),
        Command("lobby.chat", "c,slash", footer=True, when=lambda s: not s.typing),
        typed("lobby.said"),
        Command("lobby.up", "shift+up,u", "move(-1)", when=lambda s: s.owns),
        Command("lobby.down", "shift+down,d", "move(1)", when=lambda s: s.owns),
        Command("lobby.remove", "x,delete", when=lambda s: s.owns),
        Command("lobby.door", "p", when=lambda s: s.owns and not s.typing),
        Command("lobby.rules", "r", "app.rules"),
        Command("lobby.hush", "escape", footer=True, key="Esc", when=lambda s: s.typing),
        Command("lobby.leave", "q,escape", footer=True, key="q", when=lambda s: not s.typing),
    )

    def __init__(self, session: Session, opening: Solo | Host | Join | None) -> None:
        super().__init__()
        self._session = session
        self._opening = opening

    @property
    def room(self) -> Room | None:
        """The table as it was last seen."""
        return self._session.latest.room if self._session.latest else None

    @property
    def owns(self) -> bool:
        """Whether the table is ours to order."""
        room = self.room
        return room is not None and room.you is not None and room.you == room.owner

    @property
    def typing(self) -> bool:
        """Whether keys go to the chat line."""
        return isinstance(self.focused, Input)

    def compose(self) -> ComposeResult:
        """Build the screen: who, what, how, and the chat."""
        yield Static("", id="lobby-head", markup=False)
        with Horizontal(id="lobby-middle"):
            with Vertical(id="lobby-seats") as seats:
                seats.border_title = say("lobby.seats")
                yield OptionList(id="seats")
            with Vertical(id="lobby-side"):
                with Vertical(id="lobby-options") as options:
                    options.border_title = say("lobby.options")
                    yield Static("", id="options-list", markup=False)
                with Vertical(id="lobby-reach") as reach:
                    reach.border_title = say("lobby.reach")
                    yield Static("", id="reach-list", markup=False)
        with Vertical(id="lobby-chat") as chat:
            chat.border_title = say("lobby.chat")
            yield ChatLog()
            yield Field(placeholder=say("lobby.say"), id="say", max_length=200, compact=True)
        yield Static("", id="lobby-status", markup=False)
        yield Keys()

    def on_mount(self) -> None:
        """Show what is known already."""
        self.query_one("#seats").focus()
        self._show()

    def on_resize(self) -> None:
        """Give the names the room there is now."""
        self.call_after_refresh(self._show)

    def on_table_update(self, message: TableUpdate) -> None:
        """Show what is new."""
        match message.update:
            case Seen():
                self._say_status("")
                self._show()
            case Answered(code=str(code), facts=facts):
                self._say_status(refusal(code, facts))
            case _:
                self._show()

    # Showing

    def _show(self) -> None:
        room = self.room
        if room is None:
            return
        self._show_head(room)
        self._show_seats(room)
        self._show_options(room)
        self._show_reach()
        self.query_one(ChatLog).show(self._session.beside, room.game)
        self.refresh_bindings()

    def _show_head(self, room: Room) -> None:
        rules = GAMES.get(room.game)
        taken = len(room.seats)
        parts: list[str | tuple[str, str]] = [
            (f" {plain(room.title)} ", "bold $primary"),
            ("· ", "$text-muted"),
            rules.title if rules else plain(room.game),
            (" · ", "$text-muted"),
            say("lobby.taken", n=taken, players=room.players),
        ]
        if room.spectators:
            parts += [(" · ", "$text-muted"), say("lobby.watching", n=room.spectators)]
        if room.games_played:
            parts += [(" · ", "$text-muted"), say("lobby.played", n=room.games_played)]
        self.query_one("#lobby-head", Static).update(Content.assemble(*parts))
        if not self.query_one("#lobby-status", Static).has_class("said"):
            self.query_one("#lobby-status", Static).update(Content(" " + self._advice(room)))

    def _advice(self, room: Room) -> str:
        """Say what the moment is for: who is waited for, and who can go on."""
        taken, players = len(room.seats), room.players
        if room.you is None:
            return say("lobby.advice.watching")
        if not self.owns:
            owner = room.seats[room.owner].name if room.owner is not None else "?"
            return say("lobby.advice.wait", owner=owner)
        least = GAMES[room.game].seats.start if room.game in GAMES else 2
        if taken < least:
            return say("lobby.advice.few", n=least - taken)
        if taken < players:
            return say("lobby.advice.some", n=players - taken)
        return say("lobby.advice.start")

    def _show_seats(self, room: Room) -> None:
        seats = self.query_one("#seats", OptionList)
        marked = seats.highlighted
        width = max(SEAT_WIDTH, seats.content_size.width)
        rows: list[Option] = [
            Option(_seat_line(number, seat, room, width), id=f"seat-{number}")
            for number, seat in enumerate(room.seats)
        ]
        for number in range(len(room.seats), room.players):
            free = Content.assemble((f" {number + 1}  {say('lobby.free')}", "$text-muted"))
            rows.append(Option(free, id=f"seat-{number}"))
        seats.clear_options()
        seats.add_options(rows)
        if rows:
            seats.highlighted = min(marked or 0, len(rows) - 1)

    def _show_options(self, room: Room) -> None:
        rules = GAMES.get(room.game)
        if rules is None:
            return
        width = max(len(option_label(room.game, option)) for option in rules.options)
        lines = []
        for option in rules.options:
            value = room.options.get(option.key, option.default)
            style = "bold" if value != option.default else ""
            lines.append(
                Content.assemble(
                    (f"{option_label(room.game, option):<{width}}  ", "$text-muted"),
                    (value_label(room.game, option, value), style),
                )
            )
        self.query_one("#options-list", Static).update(Content("\n").join(lines))

    def _show_reach(self) -> None:
        """Show what others need; further addresses come last, for where there is no room left."""
        addresses = [
            Content.assemble(("prrrt join ", "$text-muted"), (plain(address), "bold $secondary"))
            for address in self._session.reach[:3]
        ]
        lines = addresses[:1]
        if self.owns and self.room is not None and self.room.pin:
            lines.append(
                Content.assemble(
                    (say("lobby.pin") + " ", "$text-muted"),
                    (plain(self.room.pin), "bold $accent"),
                    (" " + say("lobby.pin.change"), "$text-muted"),
                )
            )
        if self._session.key_words:
            lines.append(Content.assemble((say("lobby.words"), "$text-muted")))
            lines.append(Content(" ".join(plain(word) for word in self._session.key_words)))
        lines += addresses[1:]
        if isinstance(self._opening, Solo):
            lines = [Content.assemble((say("lobby.solo"), "$text-muted"))]
        self.query_one("#reach-list", Static).update(Content("\n").join(lines))

    def _say_status(self, text: str) -> None:
        status = self.query_one("#lobby-status", Static)
        status.set_class(bool(text), "said")
        if text:
            status.update(Content(" " + text))

    # What the owner does

    def action_start(self) -> None:
        """Start the game."""
        self._session.order(Start())

    @work
    async def action_add_bot(self) -> None:
        """Seat a bot, having asked how well it plays."""
        room = self.room
        if room is None:
            return
        levels = tuple(
            Answer(level, str(number), say(f"level.{level}"), say(f"level.{level}.help"))
            for number, level in enumerate(GAMES[room.game].bots, start=1)
        )
        level = await self.app.push_screen_wait(AskScreen(say("lobby.bot_title"), "", levels))
        if level is not None:
            self._session.order(AddBot(level))

    @work
    async def action_options(self) -> None:
        """Show the options, for the owner to set."""
        room = self.room
        if room is not None and room.game in GAMES:
            await self.app.push_screen_wait(LobbyOptions(self._session, can_set=self.owns))

    @on(OptionList.OptionSelected, "#seats")
    @work
    async def _seat_chosen(self) -> None:
        """Ask the owner what becomes of the seat that was clicked."""
        seat, room = self._marked(), self.room
        if room is None or not self.owns:
            return
        if seat is None:
            self.action_add_bot()
            return
        ways = {"up": seat > 0, "down": seat < len(room.seats) - 1, "remove": seat != room.you}
        answers = tuple(
            Answer(way, say(f"lobby.seat.{way}.key"), say(f"command.lobby.{way}.help"))
            for way, possible in ways.items()
            if possible
        )
        if not answers:
            return
        title = plain(room.seats[seat].name)
        chosen = await self.app.push_screen_wait(AskScreen(title, "", answers))
        if chosen == "remove":
            self.action_remove()
        elif chosen is not None:
            self.action_move(-1 if chosen == "up" else 1)

    def action_move(self, by: int) -> None:
        """Move the marked seat up or down."""
        room, seat = self.room, self._marked()
        if room is not None and seat is not None and 0 <= seat + by < len(room.seats):
            self._session.order(MoveSeat(seat, seat + by))
            self.query_one("#seats", OptionList).highlighted = seat + by

    @work
    async def action_remove(self) -> None:
        """Free the marked seat; a person's only when asked again."""
        seat, room = self._marked(), self.room
        if seat is None or room is None:
            return
        info = room.seats[seat]
        if seat == room.you:
            self._say_status(say("lobby.not_yourself"))
        elif info.kind == "bot":
            self._session.order(RemoveSeat(seat))
        elif (order := await ask_removal(self.app, self._session, info.name)) is not None:
            self._session.order(order)

    @work
    async def action_door(self) -> None:
        """Ask who gets in: whoever comes, those who know the PIN, or those who know another."""
        room = self.room
        if room is None:
            return
        ways = ("open", "other", "none") if room.pin else ("other",)
        answers = tuple(
            Answer(way, say(f"lobby.door.{way}.key"), say(f"lobby.door.{way}")) for way in ways
        )
        text = say("lobby.door.pin", pin=room.pin) if room.pin else say("lobby.door.no_pin")
        match await self.app.push_screen_wait(AskScreen(say("lobby.door.title"), text, answers)):
            case "open":
                self._session.order(OpenDoor())
            case "other":
                self._session.order(SetPin(any_pin()))
            case "none":
                self._session.order(SetPin(None))

    def _marked(self) -> int | None:
        marked = self.query_one("#seats", OptionList).highlighted
        room = self.room
        return marked if room and marked is not None and marked < len(room.seats) else None

    # What everybody does

    def action_chat(self) -> None:
        """Type something to the others."""
        self.query_one("#say").focus()

    @on(Input.Submitted, "#say")
    def _said(self, event: Input.Submitted) -> None:
        if text := event.value.strip():
            self._session.say(text)
        event.input.value = ""
        if not text:
            self.query_one("#seats").focus()

    def action_hush(self) -> None:
        """Leave the chat line with nothing said."""
        self.query_one("#seats").focus()

    def action_leave(self) -> None:
        """Leave the table."""
        self.app.action_leave()  # type: ignore[attr-defined]


def _seat_line(number: int, seat: SeatInfo, room: Room, width: int) -> Content:
    """Draw a seat: number, name, and in words what there is to know about whoever sits there.

    A name that is too long for one line gives way, not what is to be known.
    """
    notes = [say(f"lobby.note.{note}") for note in _notes(number, seat, room)]
    if seat.kind == "bot" and seat.level and known(f"level.{seat.level}"):
        notes.append(say(f"level.{seat.level}"))
    mine = number == room.you
    place, known_of = f" {number + 1}  ", "  " + ", ".join(notes) if notes else ""
    name = cut(plain(seat.name), width - cell_len(place) - cell_len(known_of))
    return Content.assemble(
        (place, "$pale"),
        (name, "bold $primary" if mine else "bold" if seat.here else "$pale"),
        (known_of, "$pale"),
    )


def _notes(number: int, seat: SeatInfo, room: Room) -> Iterable[str]:
    if number == room.you:
        yield "you"
    if number == room.owner:
        yield "owner"
    if seat.kind != "person":
        yield seat.kind
    if not seat.here:
        yield "away"
    if seat.bot_plays:
        yield "bot_plays"


class LobbyOptions(Commanded, ModalScreen[None]):
    """The options with their explanations; the owner's changes go out at once.

    While one of them is on its way the settings stay as they were put: what the table says then
    may be older.
    """

    KEYS = (
        Command("setup.next", "down", "app.focus_next", footer=True, key="↑↓"),
        Command("setup.previous", "up", "app.focus_previous"),
        Command("lobby.options_done", "escape,o,q", "done", footer=True, key="Esc"),
    )

    def __init__(self, session: Session, *, can_set: bool) -> None:
        super().__init__()
        self._session = session
        self._can_set = can_set
        self._on_their_way: set[str] = set()

    @property
    def rules(self) -> Rules:
        """The game of this table."""
        assert self._session.latest is not None
        return GAMES[self._session.latest.room.game]

    def compose(self) -> ComposeResult:
        """Build the box."""
        assert self._session.latest is not None
        room = self._session.latest.room
        with Vertical(classes="dialog") as box:
            box.border_title = say("lobby.options")
            with Fields(classes="settings"):
                yield Choice(
                    say("setup.players"),
                    player_picks(self.rules),
                    room.players,
                    explained=players_line(self.rules),
                    id="players",
                )
                yield from option_choices(self.rules, room.options, room.players)
            yield Static("", id="explained", markup=False)
        yield Keys()

    def on_mount(self) -> None:
        """Begin at the first option; only the owner can change them."""
        choices = self.query(Choice)
        for choice in choices:
            choice.locked = not self._can_set
        choices.first().focus()

    def on_descendant_focus(self) -> None:
        """Explain the option in focus."""
        if isinstance(self.focused, Choice):
            text = self.focused.explained
            if not self._can_set:
                text += "\n" + say("lobby.owner_sets")
            self.query_one("#explained", Static).update(Content(text))

    def on_table_update(self, message: TableUpdate) -> None:
        """Follow what the table says, also when it refuses a change."""
        update = message.update
        if isinstance(update, Answered):
            self._on_their_way.discard(update.aid)
            if update.code is not None:
                text = refusal(update.code, update.facts)
                self.query_one("#explained", Static).update(Content(text))
        latest = self._session.latest
        if isinstance(update, Seen | Answered) and latest is not None and not self._on_their_way:
            self._follow(latest.room)

    def _follow(self, room: Room) -> None:
        """Show what is set, and offer the seats that there are."""
        for option in self.rules.options:
            choice = self.query_one(f"#option-{option.key}", Choice)
            if option.kind == "seat":
                choice.offer(seat_picks(self.rules, option, room.players))
            choice.choose(room.options.get(option.key, option.default))
        self.query_one("#players", Choice).choose(room.players)

    @on(Choice.Changed)
    def _changed(self, event: Choice.Changed) -> None:
        key, value = option_of(event.choice), event.value
        order: AnyOrder
        if key is None and isinstance(value, int):
            order = SetPlayers(value)
        elif key is not None and isinstance(value, bool | int | str):
            order = SetOption(key, value)
        else:
            return
        self._on_their_way.add(self._session.order(order))

    def action_done(self) -> None:
        """Back to the lobby."""
        self.dismiss(None)
