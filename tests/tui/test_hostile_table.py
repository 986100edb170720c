"""What somebody else's table tells the app, which says whatever it likes."""

from __future__ import annotations

import asyncio

import pytest
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Input

from net.room import ChatLine, Notice
from net.updates import Ended, Seen
from tui.app import PrrrtApp
from tui.notices import told
from tui.opening import Join, Target
from tui.screens.joining import JoiningScreen
from tui.session import MOST_EVENTS, MOST_LINES, GoHome, Session


@pytest.mark.parametrize("facts", [{}, {"key": 1}, {"value": None}, {"key": "deck", "value": None}])
def test_a_notice_without_its_facts_is_passed_over(facts) -> None:
    assert isinstance(told(Notice(1, "option", facts), "prrrt"), str)


def test_a_table_that_goes_on_and_on_is_remembered_only_so_far(room, lan) -> None:
    session = Session(lan.client, lambda _: None)
    for rev in range(30):
        lines = range(rev * 200, rev * 200 + 200)
        chat = tuple(ChatLine(n, "x", 0, "x") for n in lines)
        notices = tuple(Notice(n, "joined", {}) for n in lines)
        session.remember(Seen(rev, 0, None, room(chat=chat, notices=notices), (None,) * 1000))
    assert [line.number for line in session.chat] == list(range(6000 - MOST_LINES, 6000))
    assert len(session.notices) == len(session.beside) == MOST_LINES
    assert len(session.events) == MOST_EVENTS


@pytest.mark.parametrize("code", ["nonsense", "foreign_game"])
async def test_a_table_that_cant_be_believed_is_left_at_its_door(lan, tell, code) -> None:
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Camille"))
    async with app.run_test(size=(80, 24)) as pilot:
        while not lan.openings:
            await pilot.pause()
        await tell(pilot, Ended(code, {"game": "chess"}))
        assert isinstance(app.screen, JoiningScreen)
        assert app.screen.can_retry


class _Asks(Screen[None]):
    """A screen that needs what it is made of as soon as it is there, as dialogs do."""

    def compose(self) -> ComposeResult:
        with Vertical(), Vertical():
            yield Input()

    def on_mount(self) -> None:
        self.query_one(Input).focus()


async def test_a_question_that_is_gone_before_it_is_there_ends_no_app(seated) -> None:
    async with seated() as pilot:
        pilot.app.push_screen(_Asks())
        pilot.app.post_message(GoHome())
        async with asyncio.timeout(5):
            while len(pilot.app.screen_stack) > 1:
                await pilot.pause()
