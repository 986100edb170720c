"""What the status line says of PRRRT: whose turn it is, what I can do or why I can't."""

from __future__ import annotations

from tui.prrrt.sight import PrrrtSight
from tui.table.status import Status, in_any_game, theirs, with_presence
from tui.words import say


def status(sight: PrrrtSight, *, waiting: bool = False, asking: bool = False) -> Status:
    """Return what to say now.

    `waiting` while our own action is on its way, `asking` while its dialog is open.
    """
    always = in_any_game(sight, waiting=waiting)
    if always is not None:
        return always
    for offer in sight.view.offers:
        if offer.do != "own_up":
            line = _mine(sight, offer.do)
            if not asking and offer.do != "turn_location":
                line += " " + say("table.status.space")
            return Status(line, mine=True)
    return theirs(sight, _theirs(sight))


def _mine(sight: PrrrtSight, do: str) -> str:
    table = sight.table
    card = None if table.effect is None else table.effect.card
    if do == "draw" and card is not None:
        return say(f"prrrt.status.draw.{card}", whom=sight.who(drawn_from(sight)))
    if do in ("choose", "give") and card is not None:
        return say(f"prrrt.status.{do}.{card}", whom=sight.who(drawn_from_effect(sight)))
    return say(f"prrrt.status.{do}", who=sight.who(table.asker), whom=sight.who(table.asked))


def drawn_from(sight: PrrrtSight) -> int | None:
    """Return whose cards the blind draw under way is from."""
    effect = sight.table.effect
    if effect is None:
        return sight.table.asked
    return effect.by if effect.card == 3 else effect.player


def drawn_from_effect(sight: PrrrtSight) -> int | None:
    """Return the opponent of the effect under way."""
    return None if sight.table.effect is None else sight.table.effect.player


def _theirs(sight: PrrrtSight) -> str:
    """Say whom everybody waits for, and so why I can do nothing."""
    awaited = [seat for seat in sight.awaited if seat != sight.me]
    if sight.view.phase == "point":
        if not awaited:
            return say("table.status.sent")
        names = ", ".join(sight.name(seat) for seat in awaited[:3])
        if len(awaited) > 3:
            names = say("prrrt.status.and_more", names=names, n=len(awaited) - 3)
        key = "prrrt.status.wait.point" if sight.me is not None else "prrrt.status.watch.point"
        return say(key, names=names)
    if not awaited:
        return say("table.status.nobody")
    seat = awaited[0]
    line = say(
        f"prrrt.status.wait.{sight.view.phase}",
        who=sight.name(seat),
        whom=sight.who(_whom(sight)),
    )
    return with_presence(sight, seat, line)


def _whom(sight: PrrrtSight) -> int | None:
    match sight.view.phase:
        case "ask":
            return sight.table.asked
        case "answer":
            return sight.table.asker
        case "draw":
            return drawn_from(sight)
        case "give":
            return drawn_from_effect(sight)
    return None
