"""A game of Low on Gas from one seat, by keyboard alone and by mouse alone, by the real engine."""

from __future__ import annotations

from random import Random

import pytest
from textual.widgets._footer import FooterKey

from core.low_on_gas.actions import Play
from core.registry import GAMES
from tui.low_on_gas.colour import ColourDialog
from tui.low_on_gas.layout import on_felt, places
from tui.low_on_gas.result import MatchResult
from tui.low_on_gas.table import GasTable

EVERYTHING = {"play", "wild", "pick_up", "draw", "must_play", "call", "call with a card"}


class Keyboard:
    """What a player does who has no mouse."""

    def __init__(self, at):
        self.at = at

    async def call(self) -> None:
        await self.at.press("g")

    async def draw(self) -> None:
        await self.at.press("space")

    async def play(self) -> None:
        await self.at.press("enter")

    async def pick_colour(self) -> None:
        await self.at.press("p")

    async def play_again(self) -> None:
        await self.at.press("a")


class Mouse:
    """What a player does who touches no key: each click is on what can be seen there."""

    def __init__(self, at):
        self.at = at

    async def call(self) -> None:
        keys = self.at.screen.query(FooterKey)
        await self._click(next(key for key in keys if key.description == "Low on gas!"))

    async def draw(self) -> None:
        table = self.at.table.query_one(GasTable)
        felt = places(len(self.at.match.room["seats"]), *table.size).felt
        pile = on_felt(felt).pile
        await self._click(table, (pile.x, pile.y))

    async def play(self) -> None:
        hand = self.at.table.hand
        slot = hand.cursor
        width, height = hand.content_size
        spots = ((x, y) for y in range(height) for x in range(width))
        x, y = next(spot for spot in spots if hand.laid().slot_at(*spot) == slot)
        sent, shown = len(self.at.sent), self.at.screen
        for _ in range(2):  # the first click chooses, unless it was chosen
            if len(self.at.sent) == sent and self.at.screen is shown:
                await self._click(hand, (x, y + 1))

    async def pick_colour(self) -> None:
        await self._click("#purple")

    async def play_again(self) -> None:
        await self._click("#again")

    async def _click(self, what, offset=(1, 0)) -> None:
        assert await self.at.pilot.click(what, offset=offset), f"something lies over {what}"
        await self.at.press()


async def our_move(person, at, *, with_card: bool) -> str:
    """Do what there is to be done, and say what it was."""
    view = at.match.game.view(0)
    offers = {offer.do: offer for offer in view.offers}
    if "low_on_gas" in offers:
        await person.call()
        return "call"
    if "pick_up" in offers or "draw" in offers:
        await person.draw()
        return "pick_up" if "pick_up" in offers else "draw"
    if offers["play"].call and with_card:
        await person.call()
    await person.play()
    wild = isinstance(at.screen, ColourDialog)
    if wild:
        await person.pick_colour()
    if view.phase == "must_play":
        return "must_play"
    return "call with a card" if at.sent[-1].call else "wild" if wild else "play"


@pytest.mark.parametrize("player", [Keyboard, Mouse])
async def test_a_game_is_played_to_its_end(gas_match, at_table, player):
    match = gas_match.shuffled(3, seed=1)  # a game in which there is everything to do
    game, rules, lot, done = match.game, GAMES["low-on-gas"], Random(2), set()

    def let_others_play() -> None:
        while not (game.over or 0 in game.awaiting()):
            seat = game.waited_for()[0]
            offers = game.view(seat).offers
            game.act(seat, lot.choice([each for o in offers for each in rules.actions(o)]))

    async with at_table(match) as at:
        person = player(at)
        let_others_play()
        while not game.over:
            await at.tell()
            before, actions = len(at.sent), game.actions
            done.add(await our_move(person, at, with_card=lot.random() < 0.5))
            assert len(at.sent) == before + 1
            await at.let_it_happen()
            assert game.actions == actions + 1, "the engine refused what the screen offered"
            if done == EVERYTHING:  # the rest would show nothing new: let it be played out
                match.play_until(lambda each: each.game.over)
            let_others_play()
        await at.tell()
        assert isinstance(at.screen, MatchResult)
        await person.play_again()
        assert [type(order).__name__ for order in at._lan.client.orders] == ["Rematch"]
        assert any(isinstance(action, Play) for action in at.sent)
    assert done == EVERYTHING
