"""The people at a table: who came, who is away and for how long, for whom a bot stands in.

Says what happens to them, as notices for everybody and as happenings for the
table process; whether it is the lobby or a game is told by `net.table`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from net.board import Notices
from net.clocks import Clock
from net.happenings import Back, Happening, Joined, Left
from net.lobby import Lobby, Seat, SeatKind, Stand


class People:
    """Everybody who holds a seat, through all that a line can do."""

    def __init__(
        self, lobby: Lobby, notices: Notices, now: Clock, tell: Callable[[Happening], None]
    ) -> None:
        self.dropped: list[str] = []
        """Peers who were removed: the host says goodbye to them."""
        self._lobby = lobby
        self._notices = notices
        self._now = now
        self._tell = tell
        self.expected: set[Seat] = set()
        """Who was here when the table stopped, and hasn't said hello since it goes on."""
        self._away_since: dict[Seat, float] = {}
        self._opened = now()
        self._reserved = lobby.founder is not None and lobby.owner is None
        """Whether nobody has the right because whoever opened the table hasn't come yet."""

    @property
    def any_human(self) -> bool:
        """Whether a person is here; bots that visit don't count."""
        return any(seat.here and seat.kind == "person" for seat in self._lobby.seats)

    def sit(self, name: str, kind: SeatKind, peer: str, key: bytes) -> Seat:
        """Give a newcomer a seat. Raises `Refused`: `full`, `bad_name`."""
        seat = self._lobby.sit(name, kind, peer, key)
        self._note("joined", seat)
        self._tell(Joined(self._lobby.number(seat), seat.name, kind))
        self.pass_on_owner()
        return seat

    def back(self, seat: Seat) -> bool:
        """Note that somebody is here, or plays for themselves again; say whether that is new."""
        self._away_since.pop(seat, None)
        self.expected.discard(seat)
        if seat.here and seat.stand_in is None:
            return False
        was_away, seat.here, seat.stand_in = not seat.here, True, None
        self._note("back" if was_away else "stepped_in", seat)
        if was_away:
            self._tell(Back(self._lobby.number(seat), seat.name))
        self.pass_on_owner()
        return True

    def away(self, seat: Seat) -> bool:
        """Note that nothing is heard of somebody; say whether that is new."""
        if not seat.here or seat.peer is None:
            return False
        seat.here = False
        self._away_since[seat] = self._now()
        self._note("away", seat)
        self._tell(Left(self._lobby.number(seat), seat.name, away=True))
        return True

    def restarted(self) -> None:
        """After a restart nobody has said hello yet, and everybody is about to."""
        self.all_away()
        self.expected.update(self._away_since)

    def all_away(self) -> None:
        """Who isn't here has the usual time to come back."""
        for seat in self._lobby.seats:
            if seat.peer is not None and not seat.here:
                self._away_since[seat] = self._now()

    def impatient_with(self, patience: float) -> list[Seat]:
        """Return those who are away for so long, each once."""
        now = self._now()
        late = [seat for seat, since in self._away_since.items() if now - since >= patience]
        for seat in late:
            del self._away_since[seat]
            self.expected.discard(seat)
        return late

    def give_up(self, seat: Seat) -> None:
        """Free a seat in the lobby whose person left, or didn't come back."""
        self._note("left", seat)
        self._tell(Left(self._lobby.number(seat), seat.name))
        self._away_since.pop(seat, None)
        self._lobby.free(seat)
        self.pass_on_owner()

    def walk_out(self, seat: Seat) -> None:
        """Let somebody leave a game; their seat stays theirs, should they come back."""
        self._note("left", seat)
        self._tell(Left(self._lobby.number(seat), seat.name))
        seat.here = False
        self._away_since.pop(seat, None)

    def remove(self, seat: Seat, *, successor: str | None) -> None:
        """Send somebody away: their seat is free, or a bot's for good (`successor`: its level)."""
        self._note("removed", seat)
        if seat.peer is not None:
            self.dropped.append(seat.peer)
        self._away_since.pop(seat, None)
        if successor is None:
            self._lobby.free(seat)
        else:
            self._lobby.hand_to_bot(seat, successor)
            self._note_bot(seat, "removed")
        self.pass_on_owner()

    def stand_in(self, seat: Seat, why: Stand) -> bool:
        """Let a labelled bot play for somebody; say whether that is new."""
        if seat.kind == "bot" or seat.stand_in is not None:
            return False
        seat.stand_in = why
        self._note_bot(seat, why)
        return True

    def back_to_lobby(self) -> None:
        """After a game: those who walked out give up their seats, everybody else stays."""
        for seat in [seat for seat in self._lobby.seats if seat.stand_in == "left"]:
            self._lobby.free(seat)
        for seat in self._lobby.seats:
            seat.stand_in = None
        self.all_away()
        self.pass_on_owner()

    def pass_on_owner(self) -> None:
        """Let the owner's right be where it belongs, and say so when it moves.

        Whoever is away keeps it as long as the table is patient with them.
        """
        if self._reserved and self._lobby.seat_of(self._lobby.founder or "") is None:
            return
        self._reserved = False
        heir = self._lobby.pass_on_owner(self._away_since)
        if heir is not None:
            self._note("owner", heir)

    def wait_no_longer(self, patience: float) -> bool:
        """Give up on whoever opened the table and didn't come; say whether that is new."""
        if not self._reserved or self._now() - self._opened < patience:
            return False
        self._reserved = False
        self.pass_on_owner()
        return True

    def _note_bot(self, seat: Seat, why: Stand | Literal["removed"]) -> None:
        number = self._lobby.number(seat)
        self._notices.post("bot_takes_over", name=seat.name, seat=number, why=why)

    def _note(self, code: str, seat: Seat) -> None:
        self._notices.post(code, name=seat.name, seat=self._lobby.number(seat))
