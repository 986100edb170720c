"""What others may write, if a terminal, a screen or a shell lets them."""

from __future__ import annotations

WORDS = (
    "[bold]x[/]",
    "[@click=app.quit]x[/]",
    "[link=file:///]x[/link]",
    "[/]",
    "{0.__class__}{name}{",
    "%s%n%(name)s",
    "$(touch x);`touch x`",
    "../../x\0",
    "\x1b]0;x\x07\x1b[2J",
    "\x9b31mx\x9d0;x\x9c",
    "\u202ex\u2066\u200f",
    "x\r\nx\u2028x\u0085x",
    "\u200b\u200d\ufeff\u3164",
    "x" + "\u0301" * 50,
    "\U000e0041\ufff9",
)

ALL = "|".join(WORDS)


def harmless(text: str) -> bool:
    """Say whether a terminal shows all of this and obeys none of it."""
    return all(c.isprintable() for c in text)
