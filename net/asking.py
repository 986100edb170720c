"""What a seat asks for: said again until it is answered, and its answer passed on once.

The host's side of it is `net.answers`. Nothing here waits or sends: `net.client` asks what is due.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from net import messages as m

AGAIN = 0.8
"""Seconds after which something unanswered is said again, but for the first two times."""

ASK_AGAIN = 0.3
"""Seconds after which a missing view is asked for again, and twice whatever is unanswered."""

HELD_AGAIN = 5.0
"""The same for an action of which we know that it waits at the host: on the wire it shall look
like one that was refused, and that is said once."""

MOST_ANSWERED = 1000
"""Answers of a host that wait to be confirmed."""

CONFIRM_SOON = 8
"""Answers after which the host is told at once that they came: more of them may be waiting."""

ACTIONS_AT_ONCE = 8
"""Actions that may be under way: they are heard in order, so a crowd of them would wait for one."""

AskFor = m.Act | m.OrderMsg | m.Say


@dataclass
class _Pending:
    """Something asked for and not yet answered."""

    body: AskFor
    sent: float = float("-inf")
    times: int = 0

    @property
    def again(self) -> float:
        """Seconds after which it is said again.

        Twice it is soon: a call that a line loses may be too late a second later.
        """
        return ASK_AGAIN if self.times in (1, 2) else AGAIN

    def say(self, now: float) -> None:
        """Note that it is said now."""
        self.sent = now
        self.times += 1

    def begin_anew(self) -> None:
        """Let it be said at once: what was said so far is lost."""
        self.sent, self.times = float("-inf"), 0


class Asking:
    """Everything that one client asks for, in its order, and the answers that came."""

    def __init__(self) -> None:
        self.pending: dict[str, _Pending] = {}
        """By aid: what has no answer yet."""
        self._came: list[m.Answer] = []
        self._confirm: list[str] = []
        self._aids = 0
        self._prefix = secrets.token_hex(8)

    def ask(self, make: Callable[[str], AskFor]) -> str:
        """Ask for something from now on; return its aid."""
        self._aids += 1
        aid = f"{self._prefix}-{self._aids}"
        self.pending[aid] = _Pending(make(aid))
        return aid

    @property
    def last_action(self) -> str | None:
        """The aid of the newest action under way: the next one is to be heard after it."""
        return next((one.body.aid for one in reversed(self._actions())), None)

    def say_all_again(self) -> None:
        """Let everything be said at once: the line was down, or the session is a new one."""
        for pending in self.pending.values():
            pending.begin_anew()

    def due(self, now: float, *, held: bool) -> Iterator[AskFor]:
        """Yield what has to be said now; `held` says that our oldest action waits at the host."""
        actions = self._actions()
        not_yet, waiting = actions[ACTIONS_AT_ONCE:], actions[:1] if held else []
        for pending in list(self.pending.values()):
            again = HELD_AGAIN if pending in waiting else pending.again
            if now - pending.sent > again and pending not in not_yet:
                pending.say(now)
                yield self._in_order(pending.body)

    def take(self, answers: Iterable[m.Answer]) -> None:
        """Keep answers until the view that shows their outcome is complete."""
        self._came = [*self._came, *answers][-MOST_ANSWERED:]

    def settled(self) -> Iterator[m.Answer]:
        """Yield those among the answers that we waited for; all of them are to be confirmed."""
        came, self._came = self._came, []
        for answer in came:
            if len(self._confirm) < MOST_ANSWERED:
                self._confirm.append(answer.aid)
            if self.pending.pop(answer.aid, None) is not None:
                yield answer

    @property
    def confirms_soon(self) -> bool:
        """Whether there is much to confirm."""
        return len(self._confirm) >= CONFIRM_SOON

    def confirmations(self) -> tuple[str, ...]:
        """Return the aids to confirm now, each once, as many as fit a heartbeat."""
        seen = self._confirm[: m.SEEN_AT_ONCE]
        del self._confirm[: m.SEEN_AT_ONCE]
        return tuple(seen)

    def _actions(self) -> list[_Pending]:
        return [each for each in self.pending.values() if isinstance(each.body, m.Act)]

    def _in_order(self, body: AskFor) -> AskFor:
        """Return it as it is said now: behind another action only as long as that has no answer."""
        if isinstance(body, m.Act) and body.after is not None and body.after not in self.pending:
            return msgspec.structs.replace(body, after=None)
        return body
