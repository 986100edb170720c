"""The palette: what can be done on the screen below, found by typing."""

from __future__ import annotations

from textual.command import CommandPalette

from tui.everywhere import LiesOver


class Palette(LiesOver, CommandPalette):
    """Textual's own, from which can be done too what can be done everywhere."""
