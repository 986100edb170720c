"""The colours of felt and backs: 256-colour-exact, and never the only sign of anything."""

from __future__ import annotations

from rich.style import Style

INK = "#000000"
"""What is written on a card's face."""

BACK = Style(color="#5f5f87", bgcolor="#afafd7")
"""The back of a card of hands."""

LABEL = Style(color=INK, bold=True)
"""What stands on a back."""

FELT = Style(color="#ffffff", bgcolor="#005f5f")
FELT_QUIET = Style(color="#afd7d7")
FELT_LOUD = Style(color="#ffffaf", bold=True)
