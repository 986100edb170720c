"""What a guest believes of a host: every real view, and none that no table could have."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from core.registry import GAMES

RULES = GAMES["low-on-gas"]

Walk = Callable[..., Any]


@pytest.mark.parametrize("seed", range(12))
def test_every_real_view_is_possible(seed: int, walk: Walk) -> None:
    game = walk(seed, "low-on-gas")
    told = -1
    for _ in game.steps():
        for viewer in (None, *range(game.seats)):
            sent = msgspec.json.encode(game.game.view(viewer))
            view = RULES.decode_view(sent)
            assert RULES.could_be(view, game.game.shown(viewer, told), game.seats)
            assert msgspec.json.encode(view) == sent, "nothing is lost on the way"
        told = game.game.actions
    for viewer in (None, 0):
        assert RULES.could_be(game.game.view(viewer), game.game.shown(viewer, -1), game.seats)


TRICKS: dict[str, tuple[tuple[str | int, ...], object]] = {
    "a game of another name": (("game",), "prrrt"),
    "a phase that isn't": (("phase",), "chess"),
    "nobody's turn in the middle of a game": (("table", "turn"), None),
    "a turn of nobody": (("table", "turn"), 7),
    "somebody awaited who isn't there": (("awaiting", 0, "seat"), 50),
    "hands of too few": (("table", "hands"), [5]),
    "a hand of a billion": (("table", "hands", 1), 10**9),
    "a hand below nothing": (("table", "hands", 1), -1),
    "a hand of a hundred": (("table", "hands", 1), ["M"] * 100),
    "a card that isn't": (("table", "hands", 0), ["b11"]),
    "a top that isn't": (("table", "top"), "x" * 1000),
    "a colour that isn't": (("table", "colour"), "green"),
    "calls of too many": (("table", "called"), [True] * 60),
    "windows of too few": (("table", "windows"), []),
    "a total without its sum": (("table", "owed"), 7),
    "a sum of what no card adds": (("table", "sum"), [3]),
    "a sum without a total": (("table", "sum"), [1, 1, 5]),
    "wins without end": (("table", "wins"), [2**60, 0]),
    "games without end": (("table", "game_no"), 2**60),
    "a winner who isn't there": (("table", "winner"), 9),
    "an offer of what isn't": (("offers",), [{"do": "dance"}]),
    "an offer of another game": (("offers",), [{"do": "give", "cards": ["M"], "take": 1}]),
    "an offer of no card": (("offers",), [{"do": "play", "cards": ["x"], "take": 1}]),
    "a colour for no card": (("offers",), [{"do": "play", "cards": ["M"], "ask_colour": ["x"]}]),
    "costs without end": (("offers",), [{"do": "play", "cards": ["M"], "costs": 2**60}]),
    "a result in the middle": (("result",), {"winner": 0, "wins": [1, 0]}),
    "an end without a result": (("over",), True),
}


@pytest.mark.parametrize(("where", "what"), TRICKS.values(), ids=TRICKS)
def test_no_impossible_view_is_believed(
    where: tuple[str | int, ...], what: object, walk: Walk
) -> None:
    game = walk(0, "low-on-gas")
    assert game.seats == 2
    for _ in game.steps():
        view = json.loads(msgspec.json.encode(game.game.view(0)))
        if view["phase"] == "play" and not view["table"]["owed"]:
            break
    assert RULES.could_be(RULES.decode_view(json.dumps(view).encode()), (), 2)
    inner: Any = view
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = what
    decoded = RULES.decode_view(json.dumps(view).encode())
    assert not RULES.could_be(decoded, (), game.seats)


EVENTS: tuple[dict[str, object], ...] = (
    {"event": "turncame", "seat": 2},
    {"event": "played", "seat": 0, "card": "g4"},
    {"event": "played", "seat": 0, "card": "M", "colour": "green"},
    {"event": "drew", "seat": 1, "cards": 10**9, "why": "owed"},
    {"event": "waived", "seat": 1, "count": 10**9, "why": "owed"},
    {"event": "pickedup", "seat": 1, "total": -1},
    {"event": "startturned", "card": "b1", "buried": ["nothing"]},
    {"event": "gamewon", "game_no": 10**9, "seat": 0},
    {"event": "matchwon", "seat": -1},
    {"event": "dealerchosen", "game_no": 1, "seat": 64},
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["event"])
def test_no_impossible_event_is_believed(event: dict[str, object], walk: Walk) -> None:
    view = walk(0, "low-on-gas").game.view(0)
    events = RULES.decode_events(json.dumps([event]).encode())
    assert not RULES.could_be(view, events, 2)


def test_reasons_for_draws_are_those_that_there_are() -> None:
    with pytest.raises(msgspec.ValidationError):
        RULES.decode_events(b'[{"event": "drew", "seat": 0, "cards": 1, "why": "spite"}]')
