"""What was said at the table and happened there beside the game, as lines of the log."""

from __future__ import annotations

from collections.abc import Iterable

from net.room import ChatLine, Notice
from tui.notices import speaker, told
from tui.table.story import Told
from tui.words import plain


class Beside:
    """Tells every line once: lines are numbered, and the newest told are remembered."""

    def __init__(self) -> None:
        self._chat = self._notices = 0

    def restart(self) -> None:
        """Tell everything again: the log begins anew."""
        self._chat = self._notices = 0

    def news(
        self, chat: Iterable[ChatLine], notices: Iterable[Notice], game: str
    ) -> tuple[Told, ...]:
        """Return what has not been told yet."""
        lines: list[Told] = []
        for notice in notices:
            if notice.number > self._notices:
                self._notices = notice.number
                text = told(notice, game)
                lines += [Told(text, "room")] if text else []
        for said in chat:
            if said.number > self._chat:
                self._chat = said.number
                lines.append(Told(f"{speaker(said)}: {plain(said.text)}", "talk"))
        return tuple(lines)
