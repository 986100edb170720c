"""A game from one seat, by keyboard alone, against the real engine."""

from __future__ import annotations

import pytest

from tui.prrrt.dialogs.dialog import TableDialog
from tui.prrrt.result import ResultScreen
from tui.prrrt.revelation import RevelationScreen

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


@pytest.mark.parametrize(("players", "seed"), [(3, 2), (7, 8)])
async def test_a_game_is_played_to_its_end_by_keyboard(sitting, table_app, players, seed):
    app = table_app(sitting(players, seed=seed))
    game, done = app.sitting.game, set()
    async with app.run_test(size=(80, 24)) as pilot:
        while not game.over:
            while not (game.over or 0 in game.awaiting() or game.view(0).phase == "turn_location"):
                app.sitting.step()
            await app.tell(pilot)
            while isinstance(app.screen, RevelationScreen):
                done.add("revelation")
                await pilot.press("enter")
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
            await pilot.press(*keys_for(app))
            await app.until(pilot, lambda n=before: len(app.client.sent) > n)
            assert len(app.client.sent) == before + 1
            done.add(offer.do)
            actions = game.actions
            app.let_us_act()
            assert game.actions == actions + 1, "the engine refused what the screen offered"
        await app.tell(pilot)
        while isinstance(app.screen, RevelationScreen):
            await pilot.press("enter")
            await pilot.pause()
        assert isinstance(app.screen, ResultScreen)
        await pilot.press("a")
        await pilot.pause()
        assert [type(order).__name__ for order in app.client.ordered] == ["Rematch"]
    assert done >= EVERYTHING
