"""What bots say when they ask. All of it is ours, and none of it is evidence (P-R18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.prrrt.cards import LAPS
from core.prrrt.view import PrrrtTable

if TYPE_CHECKING:
    from random import Random

ANYWHERE = (
    "Excuse me, does this one belong to you?",
    "I name no names. I merely look at you.",
    "Was that the chair? Please say it was the chair.",
    "Your eyebrows just confessed. What does the rest of you say?",
    "On a scale from cheese to crime: you?",
    "My nose points at you. It is rarely wrong.",
    "Something died in here. Were you with it?",
    "Is there anything you would like to get off your chest?",
    "You went very quiet. Not quiet enough, though.",
    "Let us be adults about it. Was it you?",
    "I heard a trumpet. Do you play?",
    "Beans for lunch?",
    "Do you smell that? No? How convenient.",
    "I have a candle, a match and a suspicion.",
    "Science wants to know: you, or the dog we haven't got?",
    "Look me in the eye and say it wasn't you.",
)

LAST_LAP = (
    "Last chance to be brave. You?",
    "The canary has fainted. Now will you own up?",
    "Third time of asking, and the air isn't getting better.",
    "One window, many of us, one culprit. Hello.",
    "Speak now, or be pointed at.",
)

THERE = {
    "work/lift": ("Six floors to go. Tell me it wasn't you.", "Going up? Something already has."),
    "work/office": ("Was that in the minutes, or shall I add it?", "Open-plan, they said. You?"),
    "home/car": ("Child lock on, windows up. You?", "Are we there yet, and was that you?"),
    "home/sunday-lunch": ("More sprouts, or have you had enough?", "Grandma is staring. At you."),
    "travelling/tent": ("The tent just got bigger. You?", "That was no bear."),
    "travelling/night-train": (
        "Upper berth, warm air rises. You?",
        "Tickets, please. And the truth.",
    ),
    "public/cinema": ("That wasn't in the film. You?", "Surround sound, or you?"),
    "public/museum": ("Please don't touch. Did you?", "A still life, until just now. You?"),
    "couple/duvet": ("Why are you holding the duvet down?", "For better or for worse. You?"),
    "couple/dinner": ("Violins, candles, and... you?", "That wasn't the oysters, was it?"),
}


def question(table: PrrrtTable, rng: Random) -> str:
    """Return something to ask that suits the place and the lap; at most 120 characters."""
    lines = ANYWHERE + THERE.get(table.location or "", ()) * 4
    if table.lap == LAPS:
        lines += LAST_LAP * 4
    return rng.choice(lines)
