"""The bots of Low on Gas, by level. Each is handed what its seat may see and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.kernel.bot import Bot
from core.low_on_gas.bots.easy import EasyBot
from core.low_on_gas.view import GasView

BOTS: Mapping[str, Callable[[], Bot[GasView]]] = {
    "easy": EasyBot,
    "medium": EasyBot,
    "hard": EasyBot,
}
"""Makers of bots, by level; easier ones first."""
