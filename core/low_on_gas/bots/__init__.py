"""The bots of Low on Gas, by level. Each is handed what its seat may see and nothing else.

`easy` plays by lot and forgets things. `sensible` (medium) never forgets a call, keeps its wilds
for last and makes life hard for whoever is nearly out (`weighing`). `watchful` (hard) does so
too, and remembers what lies in the discard pile and what others could not answer (`memory`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.kernel.bot import Bot
from core.low_on_gas.bots.easy import EasyBot
from core.low_on_gas.bots.sensible import SensibleBot
from core.low_on_gas.bots.watchful import WatchfulBot
from core.low_on_gas.view import GasView

BOTS: Mapping[str, Callable[[], Bot[GasView]]] = {
    "easy": EasyBot,
    "medium": SensibleBot,
    "hard": WatchfulBot,
}
"""Makers of bots, by level; easier ones first."""
