"""What a seat can do in Low on Gas, as in `journal.md`, "Actions"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from core.kernel import read
from core.kernel.action import Action
from core.kernel.illegal import Illegal


class Play(Action, frozen=True):
    """Discard a card (F-R10); `colour` is what a wild selects, `call` says "low on gas" with it."""

    card: str
    colour: str | None = None
    call: bool = False


class PickUp(Action, frozen=True):
    """Draw the whole total that is owed (F-R24 to F-R26)."""


class Draw(Action, frozen=True):
    """Draw one card, unable to discard (F-R16); still the action when none is left."""


class LowOnGas(Action, frozen=True):
    """Declare "low on gas" (F-R21)."""


class Deal(Action, frozen=True):
    """Deal the next game of the match (F5)."""


GasAction: TypeAlias = Play | PickUp | Draw | LowOnGas | Deal


def _play(line: Mapping[str, object]) -> Play:
    # A card that isn't wild has no use for a colour, whatever it is: the rules look at it.
    colour, call = line.get("colour"), line.get("call", False)
    if not isinstance(call, bool):
        raise Illegal("bad_value", key="call", wants="switch")
    return Play(read.text(line, "card"), colour if isinstance(colour, str) else None, call)


READERS: dict[str, Callable[[Mapping[str, object]], GasAction]] = {
    "play": _play,
    "pick_up": lambda _: PickUp(),
    "draw": lambda _: Draw(),
    "low_on_gas": lambda _: LowOnGas(),
    "deal": lambda _: Deal(),
}
"""How each `do` is read from a decoded line, in the order of `journal.md`."""


def read_action(line: Mapping[str, object]) -> GasAction:
    """Read an action from a decoded line. Raises `Illegal`; unknown keys are ignored."""
    return read.action(line, READERS)
