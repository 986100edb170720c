"""What a guest believes of a host: every real view, and none that no table could have."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from core.registry import GAMES

RULES = GAMES["prrrt"]


@pytest.mark.parametrize("seed", range(20))
def test_every_real_view_is_possible(seed: int, walk: Callable[[int], Any]) -> None:
    game = walk(seed)
    told = -1
    for _ in game.steps():
        for viewer in (None, *range(game.seats)):
            view = game.game.view(viewer)
            assert RULES.could_be(view, game.game.shown(viewer, told), game.seats)
        told = game.game.actions
    for viewer in (None, 0):
        assert RULES.could_be(game.game.view(viewer), game.game.shown(viewer, -1), game.seats)


TRICKS: dict[str, tuple[tuple[str | int, ...], object]] = {
    "a game of another name": (("game",), "chess"),
    "a phase that isn't": (("phase",), "chess"),
    "somebody awaited who isn't there": (("awaiting", 0, "seat"), 50),
    "an asker below all": (("table", "asker"), -1),
    "hands of too few": (("table", "hands"), [5]),
    "a hand of a billion": (("table", "hands", 1), 10**9),
    "a hand of a hundred": (("table", "hands", 1), [1] * 100),
    "a card of a million": (("table", "rows", 0), [10**6]),
    "a place that isn't": (("table", "location"), "home/nowhere"),
    "a way that isn't": (("table", "direction"), "up"),
    "rounds without end": (("table", "round"), 2**60),
    "an offer of what isn't": (("offers",), [{"do": "dance"}]),
    "slots without end": (("offers",), [{"do": "draw", "slots": 10**9, "take": 3}]),
    "more of a hand than there is": (("offers",), [{"do": "draw", "slots": 2, "take": 3}]),
    "an effect of a card that has none": (("table", "effect"), {"card": 2, "by": 0}),
    "a fourth lap": (("table", "lap"), 4),
    "an end without a result": (("phase",), "over"),
    "an offer of nobody": (("offers",), [{"do": "choose", "players": [9]}]),
    "an offer of words": (("offers",), [{"do": "give", "cards": ["x"], "take": 1}]),
    "a place that leads nowhere": (("table", "direction"), None),
    "a gift for nothing": (("offers",), [{"do": "give", "cards": [1], "take": 1}]),
    "a result of too few": (("result",), {"masters": [0], "points": [1]}),
    "a master who isn't there": (("result",), {"masters": [9], "points": [1, 2, 3]}),
}


@pytest.mark.parametrize(("where", "what"), TRICKS.values(), ids=TRICKS)
def test_no_impossible_view_is_believed(
    where: tuple[str | int, ...], what: object, walk: Callable[[int], Any]
) -> None:
    game = walk(0)
    for _ in game.steps():
        view = json.loads(msgspec.json.encode(game.game.view(0)))
        if game.seats == 3 and view["offers"] and view["table"]["rows"]:
            break
    inner: Any = view
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = what
    decoded = RULES.decode_view(json.dumps(view).encode())
    assert not RULES.could_be(decoded, (), game.seats)


EVENTS: tuple[dict[str, object], ...] = (
    {"event": "asked", "asker": 0, "asked": 7},
    {"event": "asked", "asker": 0, "asked": 1, "words": "x" * 50_000},
    {"event": "denied", "seat": -1, "shows": True},
    {"event": "handsshown", "hands": [[1], [2]], "points": [0, 1]},
    {"event": "handsshown", "hands": [[1], [2], [3]], "points": [0, 1, 8]},
    {"event": "verdict", "culprit": 0, "because": "so", "totals": [1, 2, 3], "charged": [0, 0, 0]},
    {"event": "roundended", "round": 1, "location": "nowhere", "first": 0},
    {"event": "shamelaid", "up": [99], "down": 1},
    {"event": "effectbegan", "card": 8, "seat": 0},
    {"event": "effectvoid", "card": 2, "seat": 0},
    {"event": "chosen", "card_effect": 0, "seat": 0, "player": 1},
)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["event"])
def test_no_impossible_event_is_believed(
    event: dict[str, object], walk: Callable[[int], Any]
) -> None:
    view = walk(0).game.view(0)
    events = RULES.decode_events(json.dumps([event]).encode())
    assert not RULES.could_be(view, events, 3)
