"""What RULES.md tells of what can be set, and of our own inventions, is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import core.low_on_gas
from core.low_on_gas.rules import GasRules
from tui.words.en import WORDS

RULES_MD = Path(core.low_on_gas.__file__).parent / "RULES.md"


def test_the_options_that_are_told_are_those_there_are():
    """What can be set stands in the rules with its name, and nothing else does."""
    text = RULES_MD.read_text(encoding="utf-8").partition("## What can be set")[2]
    told = re.findall(r"^- `(\w+)`", text.partition("\n## ")[0], re.MULTILINE)
    assert told == [option.key for option in GasRules.options]


def test_names_and_noises_are_those_of_the_app():
    """F2, F38: what the rules tell of our own inventions is what the log says."""
    text = RULES_MD.read_text(encoding="utf-8").partition("## Ours")[2]
    told = re.findall(r"^\| (\w+) \| (.+) \| (.+) \|$", text, re.MULTILINE)[1:]
    assert len(told) == 14
    for kind, name, noise in told:
        assert (name, noise) == (WORDS[f"gas.name.{kind}"], WORDS[f"gas.noise.{kind}"])
