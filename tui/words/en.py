"""English. Keys are dotted by place; `{n:card|cards}` is singular or plural by the number n."""

from __future__ import annotations

WORDS: dict[str, str] = {
    # The app
    "app.title": "PRRRT…",
    "app.tagline": "Somebody did it. Nobody says so.",
    "command.help": "Help",
    "command.help.help": "What you can do here, and the rules",
    "lobby.bots": "{n} {n:bot|bots}",
    # Why something was refused: one for every code of core and net
    "refused.unknown": "The table refused that ({code}). Its version may be newer than yours.",
}
