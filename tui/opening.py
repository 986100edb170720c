"""What the app opens with: the command line, read, as one plain value.

Nothing here draws, so that a wrong command line is refused before Textual is imported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from net.settings import TableSettings


@dataclass(frozen=True)
class Home:
    """The home screen."""


@dataclass(frozen=True)
class Solo:
    """A table in this process, against bots."""

    settings: TableSettings
    name: str


@dataclass(frozen=True)
class Host:
    """A table process of our own, then a seat at it."""

    settings: TableSettings
    name: str


@dataclass(frozen=True)
class Target:
    """Where a table is: what was typed (a title, or HOST[:PORT]), a broker's URL, a table's id.

    `addresses` are those a table found on this network announced. With nothing given it is
    whatever table is found on this network, if it is only one.
    """

    where: str | None = None
    broker: str | None = None
    table: str | None = None
    addresses: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Join:
    """A seat at somebody's table; `name` None means the one remembered here.

    `take_over` takes the seat from another live terminal of this account.
    """

    target: Target = field(default_factory=Target)
    name: str | None = None
    pin: str | None = field(default=None, repr=False)
    watch: bool = False
    take_over: bool = False


@dataclass(frozen=True)
class Replay:
    """A saved game, looked at again from `viewer`'s chair (None for a spectator's)."""

    path: Path
    viewer: int | None = None
    reveal: bool = False


Opening = Home | Solo | Host | Join | Replay
