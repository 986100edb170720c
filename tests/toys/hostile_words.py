"""What others may write, if a terminal, a screen or a shell lets them."""

from __future__ import annotations

WORDS = (
    "\x1b]0;x\x07\x1b[2J",
    "[@click=app.quit]x[/]",
    "\u202ex\u2066\u200f",
    "\x9b31mx\x9d0;x\x9c",
    "x\r\nx\u2028x\u0085x",
    "[bold]x[/]",
    "{0.__class__}{name}{",
    "[link=file:///]x[/link]",
    "[/]",
    "%s%n%(name)s",
    "$(touch x);`touch x`",
    "../../x\0",
    "\u200b\u200d\ufeff\u3164",
    "x" + "\u0301" * 50,
    "\U000e0041\ufff9",
)
ALL = "|".join(WORDS)
"""The worst come first: a line may have no room for the rest."""


def harmless(text: str) -> bool:
    """Say whether a terminal shows all of this and obeys none of it."""
    return all(c.isprintable() for c in text)
