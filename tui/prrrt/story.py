"""What happened, told in our own voice: events become lines, noises in words.

Pure: events and names in, text out. What a seat may not see is not in its
events, so nothing here can give it away.
"""

# ruff: noqa: ARG001 - all tellers are called alike, whatever they need

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import UNSET

from core.kernel.event import Event
from core.prrrt import events as e
from core.prrrt.events import count
from core.prrrt.view import Cards
from tui.prrrt.sight import context_of, place_of
from tui.table.story import Names, Tellers, Told, tell_by
from tui.words import plain, say


def values(cards: Cards) -> str:
    """Return card values as they are listed in a sentence.

    >>> values((3, 8))
    '3, 8'
    """
    return "" if isinstance(cards, int) else ", ".join(str(card) for card in cards)


def tell(happened: Sequence[Event], names: Names) -> tuple[Told, ...]:
    """Return the lines for some events, in order; events that need no line have none."""
    return tell_by(_TELLERS, happened, names)


def _first_player(event: e.FirstPlayerChosen, names: Names) -> list[Told]:
    return [Told(say("prrrt.log.first", who=names.object(event.seat)))]


def _location(event: e.LocationTurned, names: Names) -> list[Told]:
    place = say(
        f"prrrt.log.location.{event.direction}",
        place=place_of(event.location),
        context=context_of(event.location),
    )
    return [Told(place, "round")]


def _laid(event: e.ShameLaid, names: Names) -> list[Told]:
    up, down = values(event.up), count(event.down)
    return [Told(say("prrrt.log.laid" if down else "prrrt.log.laid.open", up=up, down=down))]


def _dealt(event: e.Dealt, names: Names) -> list[Told]:
    if isinstance(event.cards, int):
        return []
    return [Told(say("prrrt.log.dealt", cards=values(event.cards), sum=sum(event.cards)))]


def _asked(event: e.Asked, names: Names) -> list[Told]:
    who, whom = names.subject(event.asker), names.object(event.asked)
    if words := plain(event.words or "").strip():
        return [Told(say("prrrt.log.asked", who=who, whom=whom, words=words), "talk")]
    return [Told(say("prrrt.log.stared", who=who, whom=whom), "talk")]


def _owned_up(event: e.OwnedUp, names: Names) -> list[Told]:
    return [Told(say("prrrt.log.owned_up", who=names.subject(event.seat)), "verdict")]


def _denied(event: e.Denied, names: Names) -> list[Told]:
    key = "prrrt.log.denied" if event.shows else "prrrt.log.denied_bare"
    return [Told(say(key, who=names.subject(event.seat)))]


def _revealed(event: e.CardRevealed, names: Names) -> list[Told]:
    line = say(
        "prrrt.log.revealed",
        noise=noise(event.card),
        who=names.subject(event.drawer),
        card=event.card,
        whose=names.whose(event.seat),
    )
    return [Told(line, "noise")]


def noise(value: int) -> str:
    """Return the noise that a Smell card makes."""
    return say(f"prrrt.noise.{min(max(value, 0), 8)}")


def _void(event: e.EffectVoid, names: Names) -> list[Told]:
    return [Told(say(f"prrrt.log.void.{event.card}", who=names.object(event.seat)))]


def _chosen(event: e.Chosen, names: Names) -> list[Told]:
    line = say(
        f"prrrt.log.chosen.{event.card_effect}",
        who=names.subject(event.seat),
        whom=names.object(event.player),
        whose=names.whose(event.player),
        card=event.card,
    )
    return [Told(line)]


def _shame_moved(event: e.ShameMoved, names: Names) -> list[Told]:
    line = say(
        "prrrt.log.moved",
        n=event.count,
        value=event.value,
        whose=names.whose(event.seat),
        whom=names.object(event.to),
    )
    return [Told(line)]


def _exchange(key: str) -> Callable[[Any, Names], list[Told]]:
    def told(event: e.HandTaken | e.HandGiven, names: Names) -> list[Told]:
        who, whose = names.subject(event.seat), names.whose(event.player)
        whom = names.object(event.player)
        if isinstance(event.cards, int):
            return [Told(say(key, n=event.cards, who=who, whom=whom, whose=whose))]
        cards = values(event.cards)
        n = len(event.cards)
        return [Told(say(f"{key}.seen", n=n, cards=cards, who=who, whom=whom, whose=whose))]

    return told


def _five(event: e.FiveSwapped, names: Names) -> list[Told]:
    line = say(
        "prrrt.log.five",
        who=names.subject(event.seat),
        whose=names.whose(event.player),
        whom=names.object(event.player),
        card=event.card,
    )
    return [Told(line)]


def _discarded(event: e.HandDiscarded, names: Names) -> list[Told]:
    n, who = count(event.cards), names.subject(event.seat)
    if isinstance(event.cards, int):
        return [Told(say("prrrt.log.discarded", n=n, who=who))]
    return [Told(say("prrrt.log.discarded.seen", n=n, cards=values(event.cards), who=who))]


def _lap(event: e.LapEnded, names: Names) -> list[Told]:
    if event.shame is None:
        return [Told(say("prrrt.log.lap.point"), "round")]
    if event.lap == 3:
        return [Told(say("prrrt.log.lap.third", shame=event.shame), "round")]
    return [Told(say("prrrt.log.lap", lap=event.lap, shame=event.shame), "round")]


def _pointed(event: e.Pointed, names: Names) -> list[Told]:
    who = names.subject(event.seat)
    if event.player is UNSET:
        return [Told(say("prrrt.log.pointed", who=who))]
    if event.player is None:
        return [Told(say("prrrt.log.pointed.air", who=who))]
    return [Told(say("prrrt.log.pointed.at", who=who, whom=names.object(event.player)))]


def _verdict(event: e.Verdict, names: Names) -> list[Told]:
    line = say(
        f"prrrt.log.verdict.{event.because}",
        who=names.object(event.culprit),
        total=event.totals[event.culprit],
    )
    return [Told(line, "verdict")]


def _centre_taken(event: e.CentreTaken, names: Names) -> list[Told]:
    n, who = len(event.up) + count(event.down), names.subject(event.seat)
    if isinstance(event.down, int) or not event.down:
        return [Told(say("prrrt.log.centre", n=n, who=who))]
    return [Told(say("prrrt.log.centre.seen", n=n, who=who, cards=values(event.down)))]


def _charged(event: e.ShameCharged, names: Names) -> list[Told]:
    n, who = count(event.cards), names.subject(event.seat)
    if isinstance(event.cards, int):
        return [Told(say("prrrt.log.charged", n=n, who=who))]
    return [Told(say("prrrt.log.charged.seen", n=n, who=who, cards=values(event.cards)))]


def _marker(event: e.MarkerDrawn, names: Names) -> list[Told]:
    return [Told(say("prrrt.log.marker"), "round")]


def _round_ended(event: e.RoundEnded, names: Names) -> list[Told]:
    line = say("prrrt.log.round_over", round=event.round, who=names.object(event.first))
    return [Told(line, "round")]


def _game_ended(event: e.GameEnded, names: Names) -> list[Told]:
    masters = say("table.and").join(names.object(seat) for seat in event.masters)
    return [Told(say("prrrt.log.over", who=masters, points=max(event.points)), "verdict")]


_TELLERS: Tellers = {
    e.FirstPlayerChosen: _first_player,
    e.LocationTurned: _location,
    e.ShameLaid: _laid,
    e.Dealt: _dealt,
    e.Asked: _asked,
    e.OwnedUp: _owned_up,
    e.Denied: _denied,
    e.CardRevealed: _revealed,
    e.EffectVoid: _void,
    e.Chosen: _chosen,
    e.ShameMoved: _shame_moved,
    e.HandTaken: _exchange("prrrt.log.taken"),
    e.HandGiven: _exchange("prrrt.log.given"),
    e.FiveSwapped: _five,
    e.HandDiscarded: _discarded,
    e.LapEnded: _lap,
    e.Pointed: _pointed,
    e.Verdict: _verdict,
    e.CentreTaken: _centre_taken,
    e.ShameCharged: _charged,
    e.MarkerDrawn: _marker,
    e.RoundEnded: _round_ended,
    e.GameEnded: _game_ended,
}
"""Who tells what. Events without a teller (an effect begins, say) are seen elsewhere."""
