"""What is said and noted at a table beside the game: chat lines and notices, numbered, capped."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable

from core.kernel.illegal import Refused
from net.allowance import Allowance
from net.names import clean_text
from net.room import ChatLine, Notice

CHAT_LENGTH = 300
"""Characters that a chat line may have."""

CHAT_KEPT = 100
NOTICES_KEPT = 60
LINES_IN_A_ROW = 6
"""Chat lines that somebody may send at once; afterwards one more every `REFILL` seconds."""

REFILL = 1.0

SPECTATORS_IN_A_ROW = 12
"""Lines that all spectators together may send at once: anybody may be many of them."""


class Chat:
    """The chat of a table. Everybody may speak, spectators too, but nobody without end."""

    def __init__(self, kept: Iterable[ChatLine] = ()) -> None:
        self._lines = deque(kept, maxlen=CHAT_KEPT)
        self._number = self._lines[-1].number if self._lines else 0
        self._allowed: defaultdict[str, Allowance] = defaultdict(
            lambda: Allowance(1 / REFILL, LINES_IN_A_ROW)
        )
        self._spectators = Allowance(1 / REFILL, SPECTATORS_IN_A_ROW)

    @property
    def lines(self) -> tuple[ChatLine, ...]:
        """The newest lines, oldest first."""
        return tuple(self._lines)

    def say(self, who: str, name: str, seat: int | None, text: str, now: float) -> None:
        """Add a line of peer `who`. Raises `Refused`: `chat_empty`, `chat_long`, `chat_fast`."""
        cleaned = clean_text(text)
        if not cleaned:
            raise Refused("chat_empty")
        if len(cleaned) > CHAT_LENGTH:
            raise Refused("chat_long", length=len(cleaned), most=CHAT_LENGTH)
        allowed = [self._allowed[who]] + [self._spectators] * (seat is None)
        if any(one.left(now) < 1 for one in allowed):
            raise Refused("chat_fast")
        for one in allowed:
            one.take(1, now)
        self._number += 1
        self._lines.append(ChatLine(self._number, name, seat, cleaned))

    @property
    def speakers(self) -> Collection[str]:
        """The peers of whom is known when they spoke."""
        return self._allowed.keys()

    def forget_others(self, here: Collection[str]) -> None:
        """Forget when anybody spoke who isn't here any more."""
        for gone in self._allowed.keys() - here:
            del self._allowed[gone]


class Notices:
    """What happened at the table beside the game; the codes are listed in `net.room.Notice`."""

    def __init__(self, kept: Iterable[Notice] = ()) -> None:
        self._notices = deque(kept, maxlen=NOTICES_KEPT)
        self._number = self._notices[-1].number if self._notices else 0

    @property
    def newest(self) -> tuple[Notice, ...]:
        """The newest notices, oldest first."""
        return tuple(self._notices)

    def post(self, code: str, **facts: str | int | bool | None) -> None:
        """Note something."""
        self._number += 1
        self._notices.append(Notice(self._number, code, facts))
