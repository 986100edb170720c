"""The games of the house, by name. A new game is one line here."""

from __future__ import annotations

from core.kernel.rules import Rules
from core.low_on_gas.rules import GasRules
from core.prrrt.rules import PrrrtRules

GAMES: dict[str, Rules] = {rules.name: rules for rules in (PrrrtRules(), GasRules())}
"""What every game of the house is built from."""
