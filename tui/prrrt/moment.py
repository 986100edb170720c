"""Help for the moment: the rules that fit what is going on, and what follows from each choice."""

from __future__ import annotations

from tui.prrrt.sight import PrrrtSight
from tui.prrrt.stakes import stakes
from tui.table.topic import Topic
from tui.words import say


def moment(sight: PrrrtSight) -> tuple[Topic, ...]:
    """Return the help for this moment, most urgent first."""
    topics = []
    if sight.offer("own_up") is not None:
        topics.append(Topic(say("prrrt.help.stakes"), stakes(sight)))
    effect = sight.table.effect
    if effect is not None:
        title = say("prrrt.help.effect", card=effect.card, who=sight.who(effect.by))
        topics.append(Topic(title, (say(f"prrrt.effect.{effect.card}"),)))
    phase = sight.view.phase
    topics.append(Topic(say("prrrt.help.now"), (say(f"prrrt.help.phase.{phase}"),)))
    if sight.table.last_round:
        topics.append(Topic(say("prrrt.bar.last"), (say("prrrt.help.last_round"),)))
    cards = tuple(
        f"{card} {say(f'prrrt.effect.{card}.name')}: {say(f'prrrt.effect.{card}')}"
        for card in range(3, 8)
    )
    topics.append(Topic(say("prrrt.help.cards"), cards))
    topics.append(Topic(say("prrrt.help.end"), (say("prrrt.help.end.text"),)))
    topics.append(Topic(say("prrrt.help.signs"), (say("prrrt.help.signs.text"),)))
    return tuple(topics)
