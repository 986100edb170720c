"""The hard bot: as the medium one, but it remembers what was discarded and who lacked what."""

from __future__ import annotations

from core.kernel.event import Event
from core.low_on_gas.bots.memory import Memory
from core.low_on_gas.bots.sensible import SensibleBot
from core.low_on_gas.bots.weighing import Weighing
from core.low_on_gas.view import GasView


class WatchfulBot(SensibleBot):
    """Counts the cards that are left, and starves whoever could not answer a colour."""

    def __init__(self) -> None:
        self.memory = Memory()

    def saw(self, event: Event) -> None:
        """Remember what was laid and who drew."""
        self.memory.note(event)

    def weighing(self, view: GasView, seat: int) -> Weighing:
        """Return the table as this seat weighs it, with what it remembers."""
        memory = self.memory.checked(view.table)
        return Weighing(view.table, seat, memory.gone(), dict(memory.lacks))
