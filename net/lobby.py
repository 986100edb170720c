"""Who sits where, under which name, with which options: what is settled before a game begins.

Pure bookkeeping: no wire, no clock. Everything that can't be done raises
`Refused` and changes nothing.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Literal

from core.kernel.illegal import Refused
from core.kernel.options import OptionValue
from core.kernel.rules import Rules
from net.names import clean_name, unlike

SeatKind = Literal["person", "bot", "guest_bot"]
Stand = Literal["away", "left", "clock", "owner", "self"]


@dataclass(eq=False)
class Seat:
    """A seat and who holds it. Seats are told apart by identity: their numbers change in the lobby.

    `peer` and `key` are None for a bot of the table. `stand_in` says why a
    labelled bot plays the cards of a person at the moment.
    """

    name: str
    kind: SeatKind
    level: str | None = None
    peer: str | None = None
    key: bytes | None = None
    here: bool = True
    stand_in: Stand | None = None

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot of the table plays this seat's cards now."""
        return self.kind == "bot" or self.stand_in is not None


@dataclass
class Lobby:
    """The seats of a table in clockwise order, its size, its options and its owner.

    After people came or went, `pass_on_owner` puts the right where it belongs.
    """

    rules: Rules
    players: int
    options: dict[str, OptionValue] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    founder: str | None = None
    """The peer whose table this is: the right comes back to them when they come back."""
    owner: Seat | None = None

    def __post_init__(self) -> None:
        self.rules.check_seats(self.players)
        self.options = self.rules.check_options(self.options, self.players)

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return len(self.seats) >= self.players

    def number(self, seat: Seat) -> int:
        """Return where somebody sits."""
        return self.seats.index(seat)

    def seat_of(self, peer: str) -> Seat | None:
        """Return the seat that a peer holds."""
        return next((seat for seat in self.seats if seat.peer == peer), None)

    def at(self, number: int) -> Seat:
        """Return a seat by its number. Raises `Refused("no_such_seat")`."""
        if not 0 <= number < len(self.seats):
            raise Refused("no_such_seat", seat=number)
        return self.seats[number]

    def sit(self, name: str, kind: SeatKind, peer: str, key: bytes) -> Seat:
        """Give a newcomer the next free seat. Raises `Refused`: `full`, `bad_name`."""
        self._check_free()
        seat = Seat(self._name(name), kind, peer=peer, key=key)
        self.seats.append(seat)
        return seat

    def add_bot(self, level: str) -> Seat:
        """Seat a bot of the table. Raises `Refused`: `full`, `no_such_level`.

        Bots have letters: a number would be taken for their seat's, or for a card.
        """
        if level not in self.rules.bots:
            raise Refused("no_such_level", level=level, levels=tuple(self.rules.bots))
        self._check_free()
        taken = {seat.name for seat in self.seats}
        name = next(name for letter in ascii_uppercase if (name := f"Bot {letter}") not in taken)
        seat = Seat(self._name(name), "bot", level=level)
        self.seats.append(seat)
        return seat

    def free(self, seat: Seat) -> None:
        """Free a seat; those behind it close up."""
        self.seats.remove(seat)

    def hand_to_bot(self, seat: Seat, level: str) -> None:
        """Make a seat a bot's for good: its person was removed, its cards and name stay."""
        seat.kind, seat.level = "bot", level
        seat.peer = seat.key = seat.stand_in = None
        seat.here = True

    def move(self, seat: Seat, to: int) -> None:
        """Let somebody sit at place `to`; the others close up. Raises `Refused("no_such_seat")`."""
        self.at(to)
        self.seats.remove(seat)
        self.seats.insert(to, seat)

    def resize(self, players: int) -> None:
        """Change the number of seats. Raises `Refused`: `seats_taken`, or what the game says."""
        self.rules.check_seats(players)
        if players < len(self.seats):
            raise Refused("seats_taken", players=players, taken=len(self.seats))
        self.options = self.rules.check_options(self.options, players)
        self.players = players

    def set_option(self, key: str, value: OptionValue) -> None:
        """Set one option. Raises `BadOption` for what the game doesn't have."""
        self.options = self.rules.check_options({**self.options, key: value}, self.players)

    def options_to_start(self) -> Mapping[str, OptionValue]:
        """Return the options for those seated. Raises `Refused`: `too_few`, `too_many`, ..."""
        seated, allowed = len(self.seats), self.rules.seats
        if seated < allowed.start:
            raise Refused("too_few", seats=seated, least=allowed.start)
        if seated >= allowed.stop:
            raise Refused("too_many", seats=seated, most=allowed.stop - 1)
        return self.rules.check_options(self.options, seated)

    def pass_on_owner(self, expected: Container[Seat] = ()) -> Seat | None:
        """Let the owner's right be where it belongs; return the new owner if it moved.

        It belongs to the founder when they are here, else it stays where it is
        while that person is here or `expected` back from a short absence, else
        the next person (a guest bot only when there is nobody else) has it. An
        absent owner keeps it while nobody is here.
        """
        founder = self.seat_of(self.founder) if self.founder else None
        holder = self.owner if self.owner in self.seats and self.owner.peer else None
        present = [seat for seat in self.seats if seat.peer and seat.here]
        people = [seat for seat in present if seat.kind == "person"]
        if founder is not None and founder.here:
            heir: Seat | None = founder
        elif (
            holder is not None
            and (holder.here or holder in expected)
            and (holder.kind == "person" or not people)
        ):
            heir = holder
        else:
            heir = next(iter(people or present), holder)
        if self.founder is None and heir is not None and heir.kind == "person":
            self.founder = heir.peer
        moved = heir is not self.owner
        self.owner = heir
        return heir if moved else None

    def _name(self, name: str) -> str:
        return unlike(clean_name(name), [seat.name for seat in self.seats])

    def _check_free(self) -> None:
        if self.full:
            raise Refused("full", players=self.players)
