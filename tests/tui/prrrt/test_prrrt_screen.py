"""The table screen and its dialogs: what a person does, and what happens meanwhile."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from textual.events import Key
from textual.widgets import Button, Footer, Input
from textual.widgets._footer import FooterKey

from core.prrrt import actions as do
from core.prrrt.events import count
from net.orders import Pause
from net.room import ChatLine, Clock, Notice
from net.updates import Answered, Line
from tui.app import PrrrtApp
from tui.opening import Join, Target
from tui.prrrt.dialogs.answer import AnswerDialog
from tui.prrrt.dialogs.ask import AskDialog
from tui.prrrt.dialogs.choose import ChooseDialog
from tui.prrrt.dialogs.draw import DrawDialog
from tui.prrrt.dialogs.give import GiveDialog
from tui.prrrt.dialogs.point import PointDialog
from tui.prrrt.hand import Hand, own
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import RevelationScreen
from tui.prrrt.screen import PrrrtScreen
from tui.prrrt.shame_pile import ShamePile
from tui.prrrt.table import Table
from tui.table import status_line
from tui.table.help import MomentHelp
from tui.table.log import GameLog
from tui.table.status_line import StatusLine
from tui.table.story import Told


@pytest.fixture
def shown(table_app):
    """Runs an app on a sitting, its first view taken in."""

    def run(sitting, size=(80, 24)):
        app = table_app(sitting)

        class Running:
            async def __aenter__(self):
                self.test = app.run_test(size=size)
                self.pilot = await self.test.__aenter__()
                await app.tell(self.pilot, catching_up=True)
                return app, self.pilot

            async def __aexit__(self, *exc):
                await self.test.__aexit__(*exc)

        return Running()

    return run


def status_of(app) -> str:
    return app.table_screen.query_one(StatusLine).words


async def test_own_words_are_asked_as_they_were_typed(sitting, shown):
    async with shown(sitting(7).play_to("ask")) as (app, pilot):
        assert isinstance(app.screen, AskDialog)
        await pilot.press("w", *"[b]you?", "enter")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Ask("[b]you?")]


async def test_enter_alone_answers_nothing(sitting, shown):
    async with shown(sitting(7).play_to("deny")) as (app, pilot):
        assert isinstance(app.screen, AnswerDialog)
        await pilot.press("enter", "space")
        await pilot.pause()
        assert app.client.sent == []
        await pilot.press("o")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.OwnUp()]


async def test_a_question_put_aside_comes_back(sitting, shown):
    async with shown(sitting(7).play_to("deny")) as (app, pilot):
        await pilot.press("escape")
        await app.until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        await app.tell(pilot)
        assert isinstance(app.screen, PrrrtScreen), "it stays aside when a newer view comes"
        assert "deny or own up" in status_of(app)
        await pilot.press("space")
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))
        await pilot.press("d")
        await app.until(pilot, lambda: app.client.sent)


@pytest.mark.parametrize(
    ("moment", "leave_chat"),
    [
        *(("ask", "enter"), ("deny", "escape"), ("draw", "enter")),
        *(("choose", "escape"), ("give", "enter"), ("point", "escape")),
    ],
)
async def test_one_can_say_something_before_answering(sitting, shown, moment, leave_chat):
    async with shown(sitting(7, seed=2).play_to(moment)) as (app, pilot):
        question = type(app.screen)
        await pilot.press("c")
        await app.until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        await app.until(pilot, lambda: isinstance(app.focused, Input))
        await app.tell(pilot)
        assert isinstance(app.screen, PrrrtScreen), "a newer view doesn't take the line away"
        await pilot.press(*"doc", leave_chat)
        await app.until(pilot, lambda: isinstance(app.screen, question))
        assert app.client.said == (["doc"] if leave_chat == "enter" else [])
        assert app.client.sent == []


async def test_the_footer_says_how_to_leave_the_chat(sitting, shown):
    async with shown(sitting(7).play_until(lambda each: not each.game.view(0).offers)) as (
        app,
        pilot,
    ):
        await pilot.press("c")
        await app.until(
            pilot, lambda: any(key.action.endswith("hush") for key in app.screen.query(FooterKey))
        )
        await pilot.press("escape")
        await app.until(pilot, lambda: isinstance(app.focused, Hand))


async def test_own_words_may_have_any_letter(sitting, shown):
    async with shown(sitting(7).play_to("ask")) as (app, pilot):
        await pilot.press("w", *"cow", "enter")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Ask("cow")]


async def test_a_dialog_closes_when_its_question_is_gone_and_says_so(sitting, shown):
    game = sitting(7).play_to("deny")
    async with shown(game) as (app, pilot):
        assert isinstance(app.screen, AnswerDialog)
        game.game.act(0, do.Deny())  # the clock ran out and a bot answered
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        assert "settled meanwhile" in status_of(app)
        assert any("settled" in line.text for line in app.table_screen.query_one(GameLog).told)
        assert app.client.sent == []


async def test_an_answer_to_a_question_that_is_gone_is_never_sent(sitting, shown):
    game = sitting(7).play_to("deny")
    async with shown(game) as (app, pilot):
        dialog = app.screen
        game.game.act(0, do.Deny())
        app.session.latest = game.seen()  # it is here, but no screen has seen it yet
        dialog.dismiss(do.OwnUp())
        await app.until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        await pilot.pause()
        assert app.client.sent == []


async def test_a_refusal_is_said_and_the_question_can_be_answered_again(sitting, shown):
    async with shown(sitting(7).play_to("deny")) as (app, pilot):
        await pilot.press("d")
        await app.until(pilot, lambda: app.client.sent)
        app.client.tell(Answered("aid1", "paused_by_a_newer_host", {}))
        await app.until(pilot, lambda: "paused_by_a_newer_host" in status_of(app))
        await pilot.press("space")
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))


async def test_no_dialog_opens_over_a_line_that_is_being_typed(sitting, shown):
    game = sitting(7, you=0).play_until(lambda each: each.game.view(0).table.asker == 1)
    async with shown(game) as (app, pilot):
        await pilot.press("c", *"do")
        game.play_to("deny")
        await app.tell(pilot)
        assert isinstance(app.screen, PrrrtScreen)
        await pilot.press("h", "enter")
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))
        assert app.client.said == ["doh"]
        assert app.client.sent == []


async def test_several_cards_are_drawn_only_after_a_word(sitting, shown):
    game = sitting(7, seed=8).play_to("draw", card=6)
    offer = game.offer(0, "draw")
    async with shown(game) as (app, pilot):
        assert isinstance(app.screen, DrawDialog)
        if offer.take < offer.slots:
            await pilot.press(*(str(n + 1) for n in range(offer.take)))
        assert app.client.sent == []
        await pilot.press("enter")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Draw(tuple(range(offer.take)))]


async def test_what_was_just_drawn_is_marked_when_giving_back(sitting, shown):
    game = sitting(7, seed=2).play_to("give", card=4)
    cards = game.offer(0, "give").cards
    async with shown(game) as (app, pilot):
        assert isinstance(app.screen, GiveDialog)
        hand = app.screen.query_one(Hand)
        assert [card.new for card in hand.held] == [False] * (len(cards) - 1) + [True]
        await pilot.press("end", "enter")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Give((cards[-1],))]


def standing_elsewhere(game) -> int | None:
    """Return the value of a card to give that is the place of another card."""
    offer = game.offer(0, "give")
    cards = offer.cards if offer is not None and offer.take == 1 else ()
    return next((v for v in cards if 0 < v <= len(cards) and cards[v - 1] != v), None)


async def test_a_number_gives_the_card_on_which_it_stands(sitting, shown):
    game = sitting(3, seed=1).play_until(standing_elsewhere)
    value = standing_elsewhere(game)
    async with shown(game) as (app, pilot):
        await pilot.press(str(value))
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Give((value,))]


async def test_a_number_pressed_again_gives_the_next_card_with_it():
    hand = Hand(own((8, 2, 8)), pick=2)
    for number, picked in (("8", (0,)), ("8", (0, 2)), ("1", (0, 2)), ("2", (0, 1))):
        hand.on_key(Key(number, number))
        assert hand.picked == picked


async def test_a_five_takes_the_very_card_that_was_picked(sitting, shown):
    game = sitting(7).play_to("choose", card=5)
    pairs = game.offer(0, "choose").pairs
    async with shown(game) as (app, pilot):
        assert isinstance(app.screen, ChooseDialog)
        await pilot.press(*["down"] * (len(pairs) - 1), "enter")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Choose(*pairs[-1])]


async def test_pointing_can_change_its_mind_until_it_is_sent(sitting, shown):
    game = sitting(7).play_to("point")
    async with shown(game) as (app, pilot):
        assert isinstance(app.screen, PointDialog)
        await pilot.press("3", "0")
        for seat in (1, 2):
            game.step(seat)
        await app.tell(pilot)
        assert isinstance(app.screen, PointDialog), "others pointing doesn't close it"
        assert app.client.sent == []
        await pilot.press("0")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Point(None)]
        app.let_us_act()
        await app.tell(pilot)
        assert "You have pointed" in status_of(app)


async def test_pointing_works_with_the_mouse_on_the_table(sitting, shown):
    game = sitting(7).play_to("point")
    async with shown(game) as (app, pilot):
        table = app.table_screen.query_one(Table)
        spot = next(
            (x, y)
            for y in range(table.size.height)
            for x in range(0, table.size.width, 2)
            if table.seat_at(x, y) == 3
        )
        at = (table.region.x + spot[0], table.region.y + spot[1])
        await pilot.click(offset=at)
        assert app.client.sent == []
        await pilot.click(offset=at)
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Point(3)]


async def test_a_back_is_drawn_with_the_mouse(sitting, shown):
    async with shown(sitting(7).play_to("draw")) as (app, pilot):
        hand = app.screen.query_one(Hand)
        await pilot.click(hand, offset=(8, 2))
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Draw((1,))]


async def test_deny_and_own_up_have_buttons(sitting, shown):
    async with shown(sitting(7).play_to("deny")) as (app, pilot):
        await pilot.click("#deny")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Deny()]


async def test_the_status_line_is_a_button(sitting, shown):
    async with shown(sitting(7)) as (app, pilot):
        await pilot.click(StatusLine)
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.TurnLocation()]
        await pilot.press("space")
        await pilot.pause()
        assert len(app.client.sent) == 1, "the same question is answered once"


async def test_the_first_view_of_a_connection_is_history_without_a_show(sitting, shown):
    game = sitting(3, seed=2).play_to("point")
    while game.game.view(0).phase == "point":
        game.step()
    async with shown(game) as (app, pilot):
        assert not isinstance(app.screen, RevelationScreen)
        assert app.table_screen.query_one(GameLog).told
        told = len(app.table_screen.query_one(GameLog).told)
        await app.tell(pilot, catching_up=True)
        assert len(app.table_screen.query_one(GameLog).told) == told, "nothing is told twice"
        assert app.table_screen.revelation is not None
        await pilot.press("v")
        await app.until(pilot, lambda: isinstance(app.screen, RevelationScreen))


async def test_any_key_shows_the_rest_of_a_revelation_and_enter_goes_on(sitting, shown):
    game = sitting(3, seed=2).play_to("point")
    game.step(0)
    async with shown(game) as (app, pilot):
        while game.game.view(0).phase == "point":
            game.step()
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, RevelationScreen))
        assert not app.screen.finished
        await pilot.press("x")
        await app.until(pilot, lambda: app.screen.finished)
        await pilot.press("enter")
        await app.until(pilot, lambda: isinstance(app.screen, PrrrtScreen))


async def test_a_spectator_sees_the_table_and_can_chat(sitting, shown):
    game = sitting(7, you=None).play_until(lambda each: each.game.view(None).table.lap == 2)
    async with shown(game) as (app, pilot):
        assert not app.table_screen.query_one("#mine").display
        assert not app.table_screen.query_one(ShamePile).display
        await pilot.press("c", *"hi", "enter")
        await app.until(pilot, lambda: app.client.said)
        assert app.client.said == ["hi"]
        await pilot.press("space")
        assert app.client.sent == []


async def test_chat_clock_line_and_pause_are_shown(sitting, shown):
    game = sitting(7, you=0).play_until(lambda each: not each.game.view(0).offers)
    async with shown(game) as (app, pilot):
        game.room["chat"] = (ChatLine(1, "Bruno", 1, "[red]boo"),)
        game.room["clock"] = Clock(seats=(1,), left=42, total=60)
        await app.tell(pilot)
        assert app.table_screen.query_one(GameLog).told[-1].text == "Bruno: [red]boo"
        line = app.table_screen.query_one(StatusLine)
        assert 40 <= line.seconds_left() <= 42
        app.client.tell(Line(up=False))
        await app.until(pilot, lambda: "line down" in str(line.render()))
        await pilot.press("p")
        await app.until(pilot, lambda: app.client.ordered)
        assert app.client.ordered == [Pause(on=True)]


async def test_the_clock_runs_on_whatever_is_said_between_two_views(sitting, shown, monkeypatch):
    game = sitting(7, you=0).play_until(lambda each: not each.game.view(0).offers)
    game.room["clock"] = Clock(seats=(1,), left=42, total=60)
    async with shown(game) as (app, _):
        line = app.table_screen.query_one(StatusLine)
        later = time.monotonic() + 10
        monkeypatch.setattr(status_line, "time", SimpleNamespace(monotonic=lambda: later))
        app.table_screen.say_status()
        assert line.seconds_left() <= 32


async def test_who_comes_back_reads_what_was_said_and_played(sitting, shown):
    game = sitting(7, you=0).play_until(lambda each: not each.game.view(0).offers)
    game.room["chat"] = (ChatLine(1, "Bruno", 1, "boo"),)
    game.room["notices"] = (Notice(1, "removed", {"name": "Zoë", "seat": 5}),)
    async with shown(game) as (app, pilot):
        first = [line.text for line in app.table_screen.query_one(GameLog).told]
        await app.tell(pilot, catching_up=True)
        again = [line.text for line in app.table_screen.query_one(GameLog).told]
        assert again == first
        assert "Bruno: boo" in again
        assert any("removed Zoë" in line for line in again)
        assert again[-1] not in ("Bruno: boo", "The owner removed Zoë."), "the game comes last"


async def test_what_a_screen_begins_with_is_not_told_again(lan, room, sitting, tell, until):
    app = PrrrtApp(Join(Target("192.0.2.7"), name="Ada"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: lan.openings)
        await tell(pilot, room())
        game = sitting(3)
        game.rev = 10
        await tell(pilot, game.seen())
        await until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        await until(pilot, lambda: app.screen.sight is not None)
        await pilot.pause()
        await pilot.pause()
        told = [line.text for line in app.screen.query_one(GameLog).told]
        assert len(told) == len(set(told))


async def test_help_knows_the_moment(sitting, shown):
    async with shown(sitting(7).play_to("deny", lap=3)) as (app, pilot):
        await pilot.press("question_mark")
        await app.until(pilot, lambda: isinstance(app.screen, MomentHelp))
        words = "\n".join(str(each.render()) for each in app.screen.query("Static"))
        assert "your last chance to own up" in words
        await pilot.press("escape")
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))


async def test_between_rounds_the_table_says_who_took_the_shame(sitting, shown):
    game = sitting(3, seed=2)
    game.play_until(lambda each: each.game.view(0).phase == "turn_location" and each.game.actions)
    table = game.game.view(0).table
    (taker,) = [seat for seat in range(3) if count(table.piles[seat])]
    async with shown(game) as (app, pilot):
        if isinstance(app.screen, RevelationScreen):
            await pilot.press("enter")
        widget = app.table_screen.query_one(Table)
        lines = "".join(widget.render_line(y).text for y in range(widget.size.height))
        who = "You" if taker == 0 else app.sitting.room["seats"][taker].name
        assert f"{who} took the Shame" in lines


async def test_a_shame_pile_shows_its_owner_the_faces(sitting, shown):
    game = sitting(3, seed=2, you=0)
    game.play_until(lambda each: len(each.game.view(0).table.piles[0]) > 3 if each.told else False)
    async with shown(game) as (app, _):
        pile = game.game.view(0).table.piles[0]
        widget = app.table_screen.query_one(ShamePile)
        assert str(sum(pile)) in str(widget.border_title)
        lines = "".join(widget.render_line(y).text for y in range(widget.size.height))
        for value in set(pile):
            assert f"{value}!" in lines
        others = game.game.view(0).table.piles[1]
        assert isinstance(others, int)


async def test_the_log_shows_the_newest_again_to_whoever_has_read_the_old(sitting, shown):
    game = sitting(7).play_to("deny", lap=3)
    async with shown(game) as (app, pilot):
        await pilot.press("escape")
        await app.until(pilot, lambda: isinstance(app.screen, PrrrtScreen))
        log = app.screen.query_one(GameLog)
        await pilot.press("l", "pageup")
        await app.until(pilot, lambda: not log.is_vertical_scroll_end)
        log.add([Told("something new")])
        await pilot.pause()
        assert not log.is_vertical_scroll_end, "who reads is left alone"
        await pilot.press("space")
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))
        await pilot.press("d")
        await app.until(pilot, lambda: log.is_vertical_scroll_end)


async def test_the_log_goes_on_under_a_mouse_that_went_elsewhere(sitting, shown):
    async with shown(sitting(7).play_to("deny", lap=3)) as (app, pilot):
        log = app.table_screen.query_one(GameLog)
        log.scroll_to(y=0, animate=False)
        await app.until(pilot, lambda: not log.is_vertical_scroll_end)
        log.add([Told("something new")])
        await app.until(pilot, lambda: log.is_vertical_scroll_end)


async def test_the_table_recovers_from_a_resize(sitting, shown):
    async with shown(sitting(7).play_until(lambda each: not each.game.view(0).offers)) as (
        app,
        pilot,
    ):
        for size in ((60, 20), (120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        table = app.table_screen.query_one(Table)
        assert "Ludovic" in "".join(table.render_line(y).text for y in range(table.size.height))


async def test_enter_goes_on_to_the_next_card_while_several_are_picked(sitting, shown):
    game = sitting(7, seed=2).play_to("give", card=6)
    offer = game.offer(0, "give")
    async with shown(game) as (app, pilot):
        await pilot.press(*["enter"] * offer.take, "enter")
        await app.until(pilot, lambda: app.client.sent)
        assert app.client.sent == [do.Give(offer.cards[: offer.take])]


async def test_a_pick_put_back_leaves_the_keys_with_the_cards(sitting, shown):
    game = sitting(7, seed=2).play_to("give", card=6)
    offer = game.offer(0, "give")
    async with shown(game) as (app, pilot):
        send = app.screen.query_one(Button)
        assert send.disabled
        await pilot.press(*["space"] * offer.take)
        await app.until(pilot, lambda: not send.disabled)
        await pilot.press("space")
        await app.until(pilot, lambda: send.disabled)
        await pilot.press("s")
        assert app.client.sent == []
        await pilot.press("right", "space", "enter")
        await app.until(pilot, lambda: app.client.sent)
        picked = (*offer.cards[: offer.take - 1], offer.cards[offer.take])
        assert app.client.sent == [do.Give(picked)]


async def test_a_rematch_begins_with_nothing_left_of_the_last_game(sitting, shown):
    game = sitting(3, seed=2).play_to("deny")
    async with shown(game) as (app, pilot):
        await pilot.press("d")
        await app.until(pilot, lambda: app.client.sent)
        app.let_us_act()
        game.play_until(lambda each: each.game.over)
        await app.tell(pilot)
        while not isinstance(app.screen, ResultScreen):
            await pilot.press("enter")
            await pilot.pause()
        rematch = sitting(3, seed=2)  # the same cards: the same question gets the same number
        app.sitting, rematch.rev = rematch, game.rev
        rematch.play_to("deny")
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, AnswerDialog))
        rematch.play_until(lambda each: each.game.over)
        await app.tell(pilot)
        while not isinstance(app.screen, ResultScreen):
            await pilot.press("enter")
            await pilot.pause()


async def test_a_revelation_is_shown_though_the_next_round_has_begun(sitting, shown):
    game = sitting(3, seed=2).play_to("point")
    game.step(0)
    async with shown(game) as (app, pilot):
        rows = game.game.view(0).table.rows
        while game.game.view(0).phase == "point":
            game.step()
        truth = game.game.view(0).table
        game.step()  # a bot turned the next Location before we were told anything
        await app.tell(pilot)
        await app.until(pilot, lambda: isinstance(app.screen, RevelationScreen))
        revelation = app.table_screen.revelation
        assert revelation.reveal == truth.reveal
        assert revelation.sight.table.hands == truth.hands
        assert revelation.sight.table.rows == rows


async def test_the_footer_begins_with_what_is_to_be_done(sitting, shown):
    at_table = sitting(4, seed=3).play_to("turn_location")
    async with shown(at_table) as (app, _):
        keys = app.screen.query_one(Footer).query(FooterKey)
        assert [key.key_display for key in keys][:2] == ["Space", "c"]


async def test_no_key_is_named_for_what_is_on_its_way(sitting, shown):
    def named(app) -> list[str]:
        return [key.key_display for key in app.screen.query_one(Footer).query(FooterKey)]

    async with shown(sitting(4, seed=3).play_to("turn_location")) as (app, pilot):
        assert "Space" in named(app)
        await pilot.press("space")
        await app.until(pilot, lambda: app.client.sent and "Space" not in named(app))
        app.client.tell(Answered("aid1", "disk", {}))
        await app.until(pilot, lambda: "Space" in named(app))
