"""From a refusal of core or net to the words a person reads."""

from __future__ import annotations

from collections.abc import Mapping

from core.kernel.illegal import Refused as RulesRefused
from net.refused import Refused as NetRefused
from tui.words import known, refusal, say

Refusal = (RulesRefused, NetRefused)
"""What core and net raise when they turn something down."""


def refused_text(refused: RulesRefused | NetRefused) -> str:
    """Say why something was turned down, and what to do."""
    return code_text(refused.code, refused.facts)


def code_text(code: str, facts: Mapping[str, object]) -> str:
    """Say what a refusal's code and facts mean."""
    if code == "bad_journal":  # `why` is the code of what is wrong with its line
        facts = {**facts, "why": refusal(str(facts.get("why")), facts)}
    return refusal(code, facts)


def ended_text(code: str, facts: Mapping[str, object]) -> str:
    """Say why our time at a table is over."""
    why = f"ended.{code}.{facts.get('why')}"
    if known(why):
        return say(why)
    if known(f"ended.{code}"):
        return say(f"ended.{code}")
    return refusal(code, facts)
