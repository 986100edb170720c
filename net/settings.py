"""Everything that is settled about a table before it opens, from the command line or a screen."""

from __future__ import annotations

import msgspec

from net.clocks import DEFAULT_IDLE, DEFAULT_PATIENCE
from net.orders import Pin
from net.room import OptionValue


def is_pin(text: str) -> bool:
    """Say whether this may be a PIN: six plain digits, and nothing else."""
    return len(text) == 6 and text.isascii() and text.isdigit()


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What `prrrt host` can be told; also what a table process reads as JSON. Times in seconds.

    `port` None takes 3278 or the next free one; a given one is taken or refused.
    `broker` is the URL of a broker to use instead of the embedded one.
    `turn_time` 0 is a table without a clock, `idle` 0 one that never closes by
    itself. `resume` is the id of a saved table, a file of it, or `last`.
    `owner` is the peer id of the person whose table it is, before they sit down;
    None gives the right to the first person.
    """

    game: str = "prrrt"
    players: int = 4
    bots: int = 0
    level: str = "medium"
    title: str | None = None
    pin: Pin | None = None
    port: int | None = None
    bind: str | None = None
    broker: str | None = None
    discovery: bool = True
    turn_time: float = 0.0
    patience: float = DEFAULT_PATIENCE
    think: float = 1.0
    idle: float = DEFAULT_IDLE
    options: dict[str, OptionValue] = {}
    json: bool = False
    once: bool = False
    start_when_full: bool = False
    resume: str | None = None
    owner: str | None = None

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Return what may be shown where something went wrong: all but the PIN."""
        told = msgspec.structs.asdict(self)
        return [(key, value) for key, value in told.items() if key != "pin"]

    def __repr__(self) -> str:
        """Say it without the PIN: a traceback is copied to others."""
        return (
            f"TableSettings({', '.join(f'{key}={value!r}' for key, value in self.__rich_repr__())})"
        )
