"""The app without a network: tables are announced by the test, and a fake client has the seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from rich.color import ColorSystem
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.containers import VerticalScroll
from textual.css.stylesheet import Stylesheet
from textual.errors import NoWidget
from textual.filter import Monochrome
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

import tui.screens.home
import tui.screens.rules
import tui.seating
from core.kernel.action import Action
from net.orders import AnyOrder
from net.room import Notice, Room, SeatInfo
from net.updates import Ended, Seen, Update, Words
from tui.app import PrrrtApp
from tui.finding import Found
from tui.opening import Join, Opening, Target
from tui.screens.small import TooSmall
from tui.seating import Place

XTERM = (
    *((0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0)),
    *((0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)),
    *((127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0)),
    *((92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)),
)
"""The sixteen colours of xterm, as it comes."""

SIZES = ((300, 10), (1, 1), (200, 60), (80, 24))
"""Sizes that somebody drags a window through, back to the one it had."""

DONE = ("value", "highlighted", "cursor", "picked", "under_cursor")
"""What widgets call what a person has typed, chosen or pointed at."""

WORDS = ("apple", "bridge", "cactus", "dolphin", "engine")


class FakeClient:
    """A seat whose table is the test: what it is told is kept, what it learns is put in."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[Update] = asyncio.Queue()
        self.orders: list[AnyOrder] = []
        self.actions: list[Action] = []
        self.said: list[str] = []
        self.left = False

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def updates(self) -> AsyncIterator[Update]:
        while True:
            update = await self.told.get()
            yield update
            if isinstance(update, Ended):
                return

    def act(self, action: Action) -> str:
        self.actions.append(action)
        return f"act-{len(self.actions)}"

    def order(self, order: AnyOrder) -> str:
        self.orders.append(order)
        return f"order-{len(self.orders)}"

    def say(self, text: str) -> str:
        self.said.append(text)
        return f"say-{len(self.said)}"

    def leave(self) -> None:
        self.left = True
        self.told.put_nowait(Ended("left"))

    def refresh(self) -> None:
        pass


@dataclass
class Lan:
    """What the app finds: the tables announced, and a client for whichever it sits down at."""

    announced: asyncio.Queue[tuple[Found, ...]] = field(default_factory=asyncio.Queue)
    client: FakeClient = field(default_factory=FakeClient)
    openings: list[Opening] = field(default_factory=list)
    reach: tuple[str, ...] = ("192.0.2.7:3278",)
    refuse: Exception | None = None
    looking: int = 0
    """How many look for tables just now."""
    looked: int = 0
    """How many have begun to."""

    def announce(self, *tables: Found) -> None:
        self.announced.put_nowait(tables)


@pytest.fixture(scope="session", autouse=True)
def _styles_read_once() -> Iterator[None]:
    """Read the styles once for all apps; each would read them all, again with every screen."""
    known: dict[object, Any] = {}
    read = Stylesheet._parse_rules

    def remember(self: Stylesheet, *source: Any, **more: Any) -> Any:
        key = (*source, *more.items(), *self._variables.items())
        if key not in known:
            known[key] = read(self, *source, **more)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", remember)
        yield


@pytest.fixture
def home(tmp_path, monkeypatch) -> Iterator[Any]:
    """A state folder of the test's own, and a name."""
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("getpass.getuser", lambda: "camille")
    return tmp_path / "home"


@pytest.fixture
def lan(home, monkeypatch) -> Lan:
    found = Lan()

    class Finder:
        async def watch(self) -> AsyncIterator[tuple[Found, ...]]:
            found.looking += 1
            found.looked += 1
            try:
                yield ()
                while True:
                    yield await found.announced.get()
            finally:
                found.looking -= 1

    @asynccontextmanager
    async def sit_down(opening: Any) -> AsyncIterator[Place]:
        found.openings.append(opening)
        if found.refuse is not None:
            raise found.refuse
        found.client = FakeClient()
        yield Place(found.client, found.reach)

    monkeypatch.setattr(tui.screens.home, "TableFinder", Finder)
    monkeypatch.setattr(tui.seating, "sit_down", sit_down)
    return found


@pytest.fixture
def two_chapters(monkeypatch) -> None:
    """Let the rules end after two chapters, where no test is about what comes later.

    To lay all of them out takes seconds: test_rules_screen.py does, and sees that nothing is
    missing.
    """
    whole, chapter = tui.screens.rules.rules_text, tui.screens.rules.CHAPTER

    def beginning(game: str) -> str:
        head, first, second, *_ = whole(game).split(chapter)
        return chapter.join((head, first, second))

    monkeypatch.setattr(tui.screens.rules, "rules_text", beginning)


@pytest.fixture
def room() -> Callable[..., Room]:
    """A lobby of four where we are Camille and own the table, unless told otherwise."""

    def make(**changes: Any) -> Room:
        facts: dict[str, Any] = {
            "table": "abc",
            "title": "Cellar table",
            "game": "prrrt",
            "phase": "lobby",
            "players": 5,
            "options": {
                "smell_deck": "rulebook",
                "third_lap_shame": False,
                "open_scores": False,
                "first_player": "random",
            },
            "seats": (
                SeatInfo("Camille"),
                SeatInfo("Bruno", here=False),
                SeatInfo("Bot A", kind="bot", level="medium"),
            ),
            "you": 0,
            "owner": 0,
            "notices": (Notice(1, "joined", {"name": "Bruno", "seat": 1}),),
        }
        return Room(**{**facts, **changes})

    return make


@pytest.fixture
def tell(lan) -> Callable[..., Any]:
    """Let the table say something, and wait until the app has shown it."""
    revs = iter(range(1, 1000))

    async def say(pilot: Pilot[None], *updates: Update | Room) -> None:
        for update in updates:
            if isinstance(update, Room):
                update = Seen(next(revs), 0, None, update, ())
            lan.client.told.put_nowait(update)
        await settle(pilot)

    return say


async def settle(pilot: Pilot[None]) -> None:
    """Wait until what was put in has been taken out and drawn."""
    for _ in range(3):
        await asyncio.sleep(0)
        await pilot.pause()


@pytest.fixture
def until() -> Callable[..., Any]:
    """Wait for a condition, with a bound."""

    async def wait(
        pilot: Pilot[None], condition: Callable[[], object], seconds: float = 20
    ) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await pilot.pause()
                await asyncio.sleep(0.01)

    return wait


@pytest.fixture
def seated(lan, room, tell) -> Callable[..., Any]:
    """Sit down at a lobby."""

    @asynccontextmanager
    async def sit(
        opening: Opening | None = None, size: tuple[int, int] = (80, 24), **changes: Any
    ) -> AsyncIterator[Pilot[None]]:
        app = PrrrtApp(opening or Join(Target("192.0.2.7"), name="Camille"))
        async with app.run_test(size=size) as pilot:
            while not lan.openings:
                await pilot.pause()
            await tell(pilot, Words(WORDS), room(**changes))
            yield pilot

    return sit


@pytest.fixture
def cut_off() -> Callable[[Screen[Any]], list[str]]:
    """Return what a person can't get to see on a screen, not even by scrolling."""

    def find(screen: Screen[Any]) -> list[str]:
        return [
            f"{widget} {widget.region} in {widget.parent}"
            for widget in screen.walk_children(Widget)
            if widget.display
            and widget.size
            and not all(_reaches(widget, edge) for edge in ("y", "bottom"))
        ]

    def _reaches(widget: Widget, edge: str) -> bool:
        """Say whether scrolling brings that edge of a widget into everything around it."""
        at = getattr(widget.region, edge)
        for around in widget.ancestors:
            if not isinstance(around, Widget):
                return True
            inside = around.region.shrink(around.styles.gutter)
            up, down = around.scroll_offset.y, around.max_scroll_y - around.scroll_offset.y
            if not isinstance(around, VerticalScroll):
                up = down = 0
            if at + up < inside.y or at - down > inside.bottom:
                return False
            at = min(max(at, inside.y), inside.bottom)
        return True

    return find


@pytest.fixture
def hard_to_read() -> Callable[[Screen[Any]], set[str]]:
    """Return the words on a screen that don't stand out, however few colours there are.

    That is in all colours, in the sixteen of a plain xterm, and in the greys of NO_COLOR.
    """

    def find(screen: Screen[Any]) -> set[str]:
        return {
            f"{segment.text.strip()!r} {how}: {ratio:.1f}"
            for strip in screen._compositor.render_strips()
            for segment in strip
            if any(letter.isalnum() for letter in segment.text)
            for how, ratio in _contrasts(segment.style)
            if ratio < 3.1
        }

    def _contrasts(style: Style | None) -> Iterator[tuple[str, float]]:
        assert style is not None
        ink, paper = style.color, style.bgcolor
        assert ink is not None
        assert paper is not None
        if style.reverse:
            ink, paper = paper, ink
        pair = [ink.get_truecolor(), paper.get_truecolor()]
        yield "in colour", _contrast(*pair)
        standard = [each.downgrade(ColorSystem.STANDARD).number or 0 for each in (ink, paper)]
        yield "in sixteen colours", _contrast(*(ColorTriplet(*XTERM[n]) for n in standard))
        grey = Monochrome().apply([Segment("x", style)], Color(0, 0, 0))[0].style
        assert grey is not None
        assert grey.color is not None
        assert grey.bgcolor is not None
        yield "in greys", _contrast(grey.color.get_truecolor(), grey.bgcolor.get_truecolor())

    def _contrast(ink: ColorTriplet, paper: ColorTriplet) -> float:
        """Return the contrast as the guidelines for web content reckon it, from 1 to 21."""
        dark, light = sorted(
            sum(
                share * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
                for share, part in zip((0.2126, 0.7152, 0.0722), colour.normalized, strict=True)
            )
            for colour in (ink, paper)
        )
        return (light + 0.05) / (dark + 0.05)

    return find


@pytest.fixture
def covered() -> Callable[[Screen[Any]], bool]:
    """Say whether the notice that the terminal is too small hides all of a screen."""

    def check(screen: Screen[Any]) -> bool:
        width, height = screen.app.size
        try:
            return all(
                isinstance(screen.get_widget_at(x, y)[0], TooSmall)
                for x in {*range(0, width, 8), width - 1}
                for y in {*range(0, height, 3), height - 1}
            )
        except NoWidget:  # it hasn't heard of its new size yet
            return False

    return check


@pytest.fixture
def resized(covered, cut_off, until) -> Callable[..., Any]:
    """Drag the corner of the window about: what was done on the screen is still there then.

    While the window is too small the screen is covered, and the keys that are given are pressed
    in vain; else it is seen whole.
    """

    async def drag(pilot: Pilot[None], *keys: str) -> None:
        screen = pilot.app.screen
        before = done(screen)
        assert cut_off(screen) == []
        for size in SIZES:
            await pilot.resize_terminal(*size)
            small = size[0] < 80 or size[1] < 24
            await until(pilot, lambda small=small: covered(screen) == small)
            if not small:
                await until(pilot, lambda: cut_off(screen) == [])
            if size == SIZES[0]:  # at 1x1 Textual's pilot waits 2 s for each press
                await pilot.press(*keys)
            assert pilot.app.screen is screen
            assert done(screen) == before, size

    def done(screen: Screen[Any]) -> list[object]:
        widgets = screen.walk_children(Widget)
        found = [{name: getattr(each, name, None) for name in DONE} for each in widgets]
        return [screen.focused, *(each for each in found if any(each.values()))]

    return drag
