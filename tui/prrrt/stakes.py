"""What owning up costs and what denying leads to, for whoever is asked."""

from __future__ import annotations

from core.prrrt.events import count
from tui.prrrt.sight import PrrrtSight
from tui.prrrt.story import values
from tui.words import say


def stakes(sight: PrrrtSight) -> tuple[str, ...]:
    """Return what owning up costs and what denying leads to, a line each."""
    up, down = sight.table.centre.up, count(sight.table.centre.down)
    asker = sight.who(sight.table.asker)
    hand = len(sight.hand)
    lines = [
        say("prrrt.stakes.own_up", n=len(up) + down),
        say("prrrt.stakes.cards", up=values(up), sum=sum(up), down=down)
        if down
        else say("prrrt.stakes.cards.open", up=values(up), sum=sum(up)),
        say("prrrt.stakes.deny", who=asker, n=hand) if hand else say("prrrt.stakes.deny_bare"),
        say(f"prrrt.stakes.lap.{sight.table.lap}"),
    ]
    if sight.me is not None:
        shown = sum(sight.row(sight.me))
        key = "prrrt.stakes.total.open" if shown else "prrrt.stakes.total"
        lines.append(say(key, total=sum(sight.hand) + shown, shown=shown))
    return tuple(lines)
