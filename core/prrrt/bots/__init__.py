"""The bots of PRRRT, by level. Each is handed what its seat may see and nothing else."""

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
