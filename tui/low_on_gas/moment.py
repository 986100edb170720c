"""Help for the moment: the rules that fit what is going on, and what follows from each choice."""

from __future__ import annotations

from tui.low_on_gas.sight import GasSight
from tui.low_on_gas.status import owed_words
from tui.table.topic import Topic
from tui.words import say

SPECIALS = ("C", "B", "S", "M")
"""Kinds of cards that do something."""


def moment(sight: GasSight) -> tuple[Topic, ...]:
    """Return the help for this moment, most urgent first."""
    topics = []
    if sight.offer("low_on_gas") is not None:
        topics.append(_topic("call"))
    play = sight.play_offer
    if play is not None and play.costs:
        way = "stands" if sight.room.options.get("discard_stands") is True else "fails"
        topics.append(_topic("costs", f"costs.{way}"))
    phase = sight.view.phase
    if phase == "owe":
        way = "owe.pass_it_on" if sight.room.options.get("pass_it_on") is True else "owe"
        text = say(f"gas.help.{way}", owed=owed_words(sight))
        topics.append(Topic(say("gas.help.owe.title"), (text,)))
    topics.append(Topic(say("gas.help.now.title"), (say(f"gas.help.now.{phase}"),)))
    specials = tuple(say(f"gas.help.card.{kind}") for kind in SPECIALS)
    topics.append(Topic(say("gas.help.cards.title"), (say("gas.help.card.fart"), *specials)))
    topics.append(_topic("low"))
    topics.append(_topic("end"))
    topics.append(_topic("signs"))
    return tuple(topics)


def _topic(name: str, text: str = "") -> Topic:
    return Topic(say(f"gas.help.{name}.title"), (say(f"gas.help.{text or name}"),))
