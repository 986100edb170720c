"""Where a table's games come from: a fresh secret for each, and a journal that holds it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from core.kernel.action import Action
from core.kernel.chance import new_fair1, read_chance
from core.kernel.options import OptionValue
from core.kernel.rules import Rules
from net.host_game import By, Dealt, GameJournal
from net.journal_file import JournalFile
from net.keys import HostKeys
from net.saves import next_journal

END_CONTEXT = b"prrrt end 1\0"
"""What the host signs before the last chain of a finished game."""


class Unwritten:
    """The journal of a game that nobody keeps."""

    name = None

    def append(self, seat: int, action: Action, aid: str, by: By) -> None:
        """Keep nothing."""

    def finish(self, result: bytes) -> None:
        """Keep nothing."""

    def try_disk(self) -> None:
        """Need no disk."""

    def close(self) -> None:
        """There is nothing to let go of."""


def sign_end(keys: HostKeys) -> Callable[[str], str]:
    """Return what signs the last chain of a finished game, hex to hex."""
    return lambda chain: keys.signing.sign(END_CONTEXT + bytes.fromhex(chain)).signature.hex()


class FairDealer:
    """Deals by `fair-1`, keyed by a secret of the host's (`architecture.md`, "Fair deals").

    `keep` writes journals into the table's folder. `secret` makes the secrets:
    32 random bytes, unless a test or a picture needs a known game.
    """

    def __init__(
        self,
        keys: HostKeys,
        *,
        keep: bool = True,
        secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    ) -> None:
        self._keys = keys
        self._keep = keep
        self._secret = secret

    def deal(self, rules: Rules, options: dict[str, OptionValue], names: tuple[str, ...]) -> Dealt:
        """See `net.host_game.Dealer`."""
        seats = len(names)
        header = new_fair1(self._keys.table_id, self._secret(), seats)
        chance = read_chance(
            header,
            game=rules.name,
            options=options,
            names=names,
            labels=rules.labels(seats, options),
        )
        game = rules.start(seats, options, chance)
        return Dealt(game, self._journal(rules.name, names, options, header))

    def _journal(
        self,
        game: str,
        names: tuple[str, ...],
        options: Mapping[str, OptionValue],
        chance: Mapping[str, object],
    ) -> GameJournal:
        if not self._keep:
            return Unwritten()
        return JournalFile.create(
            next_journal(self._keys.table_id),
            game=game,
            seats=names,
            options=options,
            chance=chance,
            sign=sign_end(self._keys),
        )
