"""The bots of PRRRT, by level. Each is handed what its seat may see and nothing else.

`easy` plays by lot. `sensible` (medium) counts cards (`counting`, with what
`memory` kept of 4s and 6s) and weighs a confession against its fear. `thorough`
(hard) plays rounds that could be (`imagined`) to their end before it answers.
What they say when they ask is in `small_talk`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.kernel.bot import Bot
from core.prrrt.bots.easy import EasyBot
from core.prrrt.bots.sensible import SensibleBot
from core.prrrt.bots.thorough import ThoroughBot
from core.prrrt.view import PrrrtView

BOTS: Mapping[str, Callable[[], Bot[PrrrtView]]] = {
    "easy": EasyBot,
    "medium": SensibleBot,
    "hard": ThoroughBot,
}
"""Makers of bots, by level; easier ones first."""
