"""The theme's styles for what is written between the cards."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from textual.widget import Widget


@dataclass(frozen=True)
class Inks:
    """What is plain, what is quiet, whose turn it is, and what somebody does."""

    base: Style
    quiet: Style
    turn: Style
    tag: Style

    @classmethod
    def of(cls, widget: Widget, name: str) -> Inks:
        """Return a widget's inks, from its component classes `NAME--quiet`, `--turn`, `--tag`."""
        quiet, turn, tag = (
            widget.get_component_rich_style(f"{name}--{ink}", partial=True)
            for ink in ("quiet", "turn", "tag")
        )
        return cls(widget.rich_style, quiet, turn, tag)


PLAIN = Inks(Style(), Style(dim=True), Style(bold=True), Style(italic=True))
