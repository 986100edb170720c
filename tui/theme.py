"""The colours of prrrt: dark, and exact in 256 colours, the usual case over SSH.

Every channel is one of 00 5f 87 af d7 ff, the levels of the 6x6x6 cube, so that
no terminal rounds a dark green to a bright one. Colours never carry meaning
alone: at 16 colours, or under NO_COLOR, everything can still be read.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

INK: Final = "#d7d7d7"
"""Text."""
QUIET: Final = "#878787"
"""Text that can wait, and lines."""
NIGHT: Final = "#000000"
"""The table in a dark room."""
DEEP: Final = "#00005f"
"""A raised surface: dialogs, the footer."""
LINE: Final = "#5f5f87"
"""Frames."""
MOSS: Final = "#afd75f"
"""The game's own colour: what smells, and what has the focus."""
MARK: Final = "#005f5f"
"""Behind the line under the cursor, where the line has colours of its own."""
PALE: Final = "#afafaf"
"""Quiet text that has to be read on `MARK` too."""
AMBER: Final = "#ffaf00"
"""What wants attention now."""
SKY: Final = "#87d7ff"
"""Links, keys, other people."""
ROSE: Final = "#ff5f87"
"""Refusals and blame."""
MINT: Final = "#5fd787"
"""What is well."""

PRRRT: Final = Theme(
    name="prrrt",
    dark=True,
    primary=MOSS,
    secondary=SKY,
    accent=AMBER,
    warning=AMBER,
    error=ROSE,
    success=MINT,
    foreground=INK,
    background=NIGHT,
    surface=NIGHT,
    panel=DEEP,
    variables={
        "text": INK,
        "text-muted": QUIET,
        "text-disabled": LINE,
        "text-primary": MOSS,
        "text-secondary": SKY,
        "text-accent": AMBER,
        "text-warning": AMBER,
        "text-error": ROSE,
        "text-success": MINT,
        "primary-muted": "#5f8700",
        "secondary-muted": "#005f87",
        "accent-muted": "#875f00",
        "warning-muted": "#875f00",
        "error-muted": "#87005f",
        "success-muted": "#005f5f",
        "foreground-muted": QUIET,
        "foreground-disabled": LINE,
        "border": MOSS,
        "border-blurred": LINE,
        "line": LINE,
        "mark": MARK,
        "pale": PALE,
        "surface-active": DEEP,
        "block-cursor-foreground": NIGHT,
        "block-cursor-background": MOSS,
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": INK,
        "block-cursor-blurred-background": NIGHT,
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": DEEP,
        "input-cursor-background": INK,
        "input-cursor-foreground": NIGHT,
        "input-selection-background": "#005f87",
        "footer-background": DEEP,
        "footer-foreground": INK,
        "footer-key-foreground": AMBER,
        "footer-key-background": DEEP,
        "footer-description-foreground": INK,
        "footer-description-background": DEEP,
        "footer-item-background": DEEP,
        "scrollbar": LINE,
        "scrollbar-hover": QUIET,
        "scrollbar-active": MOSS,
        "scrollbar-background": NIGHT,
        "scrollbar-background-hover": NIGHT,
        "scrollbar-background-active": NIGHT,
        "scrollbar-corner-color": NIGHT,
        "button-foreground": INK,
        "button-color-foreground": NIGHT,
        "button-focus-text-style": "bold",
        "link-color": SKY,
        "link-background": NIGHT,
        "link-color-hover": NIGHT,
        "link-background-hover": SKY,
        "markdown-h1-color": MOSS,
        "markdown-h2-color": MOSS,
        "markdown-h3-color": AMBER,
        "markdown-h4-color": AMBER,
        "markdown-h5-color": SKY,
        "markdown-h6-color": SKY,
        "screen-selection-background": "#005f87",
        "screen-selection-foreground": INK,
    },
)
