"""A game from one seat, by keyboard alone and by mouse alone, against the real engine."""

from __future__ import annotations

import pytest
from textual.widgets import Button, OptionList

from tui.prrrt.hand import Hand
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import RevelationScreen
from tui.table.dialog import TableDialog
from tui.table.status_line import StatusLine

KEYS = {
    "turn_location": ("space",),
    "ask": ("2",),
    "deny": ("d",),
    "choose": ("enter",),
    "point": ("enter", "enter"),
}
"""What a player presses for each kind of answer; draw and give depend on how many cards."""


EVERYTHING = {"turn_location", "ask", "deny", "draw", "choose", "give", "point", "revelation"}


def keys_for(app) -> tuple[str, ...]:
    sitting = app.sitting
    offers = sitting.game.view(sitting.you).offers
    offer = offers[0]
    if offer.do in ("draw", "give"):
        if offer.take == 1:
            return ("enter",)
        if offer.do == "draw" and offer.take == offer.slots:
            return ("enter",)
        numbers = range(1, offer.slots + 1) if offer.do == "draw" else offer.cards
        return (*(str(number) for number in numbers[: offer.take]), "enter")
    return KEYS[offer.do]


class Keyboard:
    """What a player does who has no mouse."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    async def answer(self) -> None:
        await self.pilot.press(*keys_for(self.app))

    async def go_on(self) -> None:
        await self.pilot.press("enter")

    async def play_again(self) -> None:
        await self.pilot.press("a")


class Mouse:
    """What a player does who touches no key: each click is on what can be seen there."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    async def answer(self) -> None:
        sitting = self.app.sitting
        offer = sitting.game.view(sitting.you).offers[0]
        match offer.do:
            case "turn_location":
                await self._click(StatusLine)
            case "deny":
                await self._click("#deny")
            case "ask" | "choose":
                await self._click(OptionList, (6, 1 if offer.do == "ask" else 0))
            case "point":
                for _ in range(2):
                    await self._click(OptionList, (6, 0))
            case "draw" | "give":
                hand = self.app.screen.query_one(Hand)
                for slot in range(offer.take):
                    if slot not in hand.picked:  # where there is nothing to choose all are
                        await self._click(Hand, self._card(hand, slot))
                if offer.take > 1:
                    await self._click(Button)

    async def go_on(self) -> None:
        await self._click(RevelationScreen)

    async def play_again(self) -> None:
        await self._click("#again")

    def _card(self, hand: Hand, slot: int) -> tuple[int, int]:
        """Return where a card can be seen, in cells from the corner of the hand."""
        size = hand.content_size
        spots = ((x, y) for y in range(size.height) for x in range(size.width))
        return next(spot for spot in spots if hand._slot_at(*spot) == slot)

    async def _click(self, what, offset=(1, 0)) -> None:
        if isinstance(what, type) and isinstance(self.app.screen, what):
            assert await self.pilot.click(offset=(40, 12))
        else:
            assert await self.pilot.click(what, offset=offset), f"something lies over {what}"


@pytest.mark.parametrize(("player", "players", "seed"), [(Keyboard, 3, 2), (Mouse, 7, 8)])
async def test_a_game_is_played_to_its_end(sitting, table_app, player, players, seed):
    app = table_app(sitting(players, seed=seed))
    game, done = app.sitting.game, set()
    async with app.run_test(size=(80, 24)) as pilot:
        person = player(app, pilot)
        while not game.over:
            while not (game.over or 0 in game.awaiting() or game.view(0).phase == "turn_location"):
                app.sitting.step()
            await app.tell(pilot)
            while isinstance(app.screen, RevelationScreen):
                done.add("revelation")
                await person.go_on()
                await pilot.pause()
            if done >= EVERYTHING:  # the rest would show nothing new: let it be played out
                app.sitting.play_until(lambda each: each.game.over)
            if 0 not in game.awaiting():
                if not game.over:
                    app.sitting.step()
                continue
            offer = game.view(0).offers[0]
            if offer.do != "turn_location":
                assert isinstance(app.screen, TableDialog), f"no dialog for {offer}"
                assert offer.do == app.screen.DO
            before = len(app.client.sent)
            await person.answer()
            await app.until(pilot, lambda n=before: len(app.client.sent) > n)
            assert len(app.client.sent) == before + 1
            done.add(offer.do)
            actions = game.actions
            app.let_us_act()
            assert game.actions == actions + 1, "the engine refused what the screen offered"
        await app.tell(pilot)
        while isinstance(app.screen, RevelationScreen):
            await person.go_on()
            await pilot.pause()
        assert isinstance(app.screen, ResultScreen)
        await person.play_again()
        await pilot.pause()
        assert [type(order).__name__ for order in app.client.ordered] == ["Rematch"]
    assert done >= EVERYTHING
