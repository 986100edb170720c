"""What the status line says of Low on Gas: whose turn it is, what I can do or why I can't."""

from __future__ import annotations

from core.kernel.hidden import count
from core.low_on_gas.cards import CARDS, MATCH
from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.story import sum_words
from tui.table.status import Status, in_any_game, theirs, with_presence
from tui.words import say


def status(sight: GasSight, *, waiting: bool = False, asking: bool = False) -> Status:
    """Return what to say now.

    `waiting` while our own answer is on its way, `asking` while a wild's colour is asked for.
    """
    always = in_any_game(sight, waiting=False)
    if always is not None:
        return always
    if waiting:
        return Status(_on_its_way(sight))
    if asking and sight.play_offer is not None and sight.play_offer.ask_colour:
        return Status(say("gas.status.colour"), mine=True)
    line = _mine(sight)
    return Status(line, mine=True) if line else theirs(sight, _theirs(sight))


def owed_words(sight: GasSight) -> str:
    """Return what is owed with the sum that made it: `7 (1+1+5)`."""
    parts = sight.table.sum
    key = "gas.status.owed.sum" if len(parts) > 1 else "gas.status.owed"
    return say(key, n=sight.table.owed, sum=sum_words(parts))


def _on_its_way(sight: GasSight) -> str:
    """Say that our answer was sent, or for whose sake the host lets our card wait (F44)."""
    callers = (seat for seat in range(sight.players) if seat != sight.me and sight.may_call(seat))
    caller = next(callers, None)
    if caller is None or not sight.room.held:
        return say("table.status.sent")
    return say("gas.status.held", who=sight.name(caller))


def _mine(sight: GasSight) -> str:
    """Say what we can do; nothing where that is nothing."""
    offers = {offer.do for offer in sight.view.offers}
    if "deal" in offers:
        return say("gas.status.deal")
    play = sight.play_offer
    if play is not None and play.costs and "low_on_gas" in offers:
        return say("gas.status.call_first")
    if "pick_up" in offers:
        return _owing(sight)
    if play is not None and play.costs:
        stands = sight.room.options.get("discard_stands") is True
        return say(f"gas.status.costs{'.stands' if stands else ''}", n=play.costs)
    if play is not None:
        key = "play" if sight.drawn is None else "must_play"
        last = ".last" if len(sight.hand) == 1 else ".call" if play.call else ""
        return say(f"gas.status.{key}{last}", card=sight.drawn)
    if "draw" in offers:
        nothing = not sight.in_draw_pile and count(sight.table.discard_pile) < 2
        return say("gas.status.draw.none" if nothing else "gas.status.draw")
    return say("gas.status.call") if "low_on_gas" in offers else ""


def _owing(sight: GasSight) -> str:
    """Say what is owed, and what could go instead of drawing it, unless that costs even more."""
    play = sight.play_offer
    cards = () if play is None or play.costs else sight.playable or ()
    kinds = {CARDS[card].kind for card in cards}
    match, pass_on = MATCH in kinds, bool(kinds - {MATCH})
    way = ".both" if match and pass_on else ".match" if match else ".pass_on" if pass_on else ""
    return say(f"gas.status.owe{way}", owed=owed_words(sight))


def _theirs(sight: GasSight) -> str:
    """Say whom everybody waits for, and so why I can do nothing."""
    phase = sight.view.phase
    seat = sight.table.dealer if phase == "deal" else sight.table.turn
    if seat is None or seat == sight.me:
        return say("table.status.nobody")
    passes = phase == "owe" and sight.room.options.get("pass_it_on") is True
    key = f"gas.status.wait.{phase}{'.pass_on' if passes else ''}"
    line = say(key, who=sight.name(seat), owed=owed_words(sight))
    return with_presence(sight, seat, line)
