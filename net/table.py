"""A table: its seats, the game under way, chat, clocks, and what each may do to it.

Everything here is plain calls on plain state: no wire, no waiting. `net.host`
brings what peers say and sends what they may see. Whatever is refused raises
`Refused` with a code and facts, and has changed nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import msgspec

from core.kernel.action import Action
from core.kernel.illegal import Refused
from core.kernel.options import OptionValue
from core.kernel.rules import Rules
from net.allowance import Allowance
from net.board import Chat, Notices
from net.clocks import DEFAULT_IDLE, DEFAULT_PATIENCE, DecisionClock
from net.disk import Disk, why_not
from net.fair_moment import FairMoments, Intent
from net.happenings import Acted, Happening, Over, Started
from net.host_game import Asked, By, Dealer, DiskTrouble, HostGame, Tried
from net.lobby import Lobby, Seat, SeatKind, Stand
from net.people import People

NEWCOMERS_PER_SECOND, NEWCOMERS_AT_ONCE = 1.0, 20
"""How many may sit down.

Each is told to everybody and kept on disk, may chat, and can go and come again.
"""

log = logging.getLogger(__name__)

Phase = Literal["lobby", "playing", "over", "closed"]


@dataclass(frozen=True)
class Patience:
    """How long a table waits, in seconds. `turn` None: decisions take as long as they take."""

    turn: float | None = None
    think: float = 1.0
    """Before a bot acts, so that people can follow."""
    away: float = DEFAULT_PATIENCE
    idle: float = DEFAULT_IDLE
    """Without any human for so long the table saves and stops; 0 for never."""


class Table:
    """The state of one table, and the only place where it changes."""

    def __init__(
        self,
        lobby: Lobby,
        dealer: Dealer,
        *,
        table_id: str,
        title: str,
        level: str,
        patience: Patience,
        now: Callable[[], float],
        starts: int = 1,
        start_when_full: bool = False,
        tell: Callable[[Happening], None] = lambda _: None,
        chat: Chat | None = None,
        notices: Notices | None = None,
    ) -> None:
        self.lobby = lobby
        self.table_id = table_id
        self.title = title
        self.level = level
        """The level of bots that stand in for people."""
        self.patience = patience
        self.starts = starts
        """How often it was started: once, and once more with each resume."""
        self.phase: Phase = "lobby"
        self.paused = False
        self.game: HostGame | None = None
        self.games_played = 0
        self.chat = chat or Chat()
        self.notices = notices or Notices()
        self.people = People(lobby, self.notices, now, tell)
        self.clock = DecisionClock(patience.turn)
        self.fair = FairMoments(self._person_plays, self._happens, now)
        self.start_when_full = start_when_full
        self.changes = 0
        """Grows with everything that somebody may see; heartbeats and clocks don't count."""
        self.to_keep = 0
        """Grows with everything that belongs into `table.json`; actions are in the journal."""
        self._dealer = dealer
        self._now = now
        self._tell = tell
        self._disk = Disk()
        self._closed_in: Phase = "lobby"
        self._closed_why: str | None = None
        self._last_human = now()
        self._newcomers = Allowance(NEWCOMERS_PER_SECOND, NEWCOMERS_AT_ONCE)

    @property
    def rules(self) -> Rules:
        """The rules of the game that is played here."""
        return self.lobby.rules

    @property
    def may_act(self) -> tuple[int, ...]:
        """The seats that may act now: none while paused, and none of which an action waits."""
        if self.game is None or self.phase != "playing" or self.paused:
            return ()
        return tuple(seat for seat in self.game.awaiting if seat not in self.fair.waiting)

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats for whom the game stands still; others that may act may as well not."""
        return self.game.waited_for if self.game is not None and self.phase == "playing" else ()

    # Coming and going

    def check_newcomer(self) -> None:
        """Raise `Refused` (`full`, `playing`) if nobody can sit down; both may watch."""
        if self.phase == "playing":
            raise Refused("playing", watch=True)
        if self.lobby.full or self.phase != "lobby":
            raise Refused("full", players=self.lobby.players, watch=True)

    def sit(self, name: str, kind: SeatKind, peer: str, key: bytes) -> Seat:
        """Give a newcomer a seat. Raises `Refused`: `full`, `playing`, `bad_name`, `crowded`."""
        self.check_newcomer()
        now = self._now()
        if self._newcomers.left(now) < 1:
            raise Refused("crowded")
        seat = self.people.sit(name, kind, peer, key)
        self._newcomers.take(1, now)
        self._changed()
        return seat

    def back(self, seat: Seat) -> None:
        """Note that a seat's person is here (again); a bot that stood in steps aside."""
        was_away = not seat.here
        if self.people.back(seat):
            number = self.lobby.number(seat)
            self.fair.drop_bots(number)
            if was_away:
                self.fair.begin_anew(number)
            if number in self.waits_for:
                self.clock.second_chance()
            self._watch_clock()
            self._changed()

    def away(self, seat: Seat) -> None:
        """Note that nothing is heard of a seat's person."""
        if self.people.away(seat):
            self._changed()

    def leave(self, seat: Seat) -> None:
        """Let somebody go: in the lobby their seat is free, in a game a bot plays on."""
        if self.phase == "lobby":
            self.people.give_up(seat)
        else:
            self.people.walk_out(seat)
            self._stand_in(seat, "left")
            self.people.pass_on_owner()
            self._let_wait_no_longer()  # or they are back before the next look at the clock
        self._changed()

    def remove(self, seat: Seat) -> None:
        """Remove whoever holds a seat: in a game a bot plays on with their cards."""
        self.people.remove(seat, successor=None if self.phase == "lobby" else self.level)
        if self.paused and not any(seat.peer for seat in self.lobby.seats):
            self.pause(False)  # nobody is left who could
        self._watch_clock()
        self._changed()

    def seat_to_bot(self, seat: Seat, on: bool, why: Stand) -> None:
        """Let a bot play for somebody, or no longer; `why` is who wants it so.

        Raises `Refused`: `not_playing`, `bot_seat`, `still_away`, and `time_is_up` for who has
        had all their time for the open question: back again and again, they would stop the bot.
        """
        if self.phase != "playing":
            raise Refused("not_playing")
        if seat.kind == "bot":
            raise Refused("bot_seat", seat=self.lobby.number(seat))
        if on:
            self._stand_in(seat, why)
        elif not seat.here:
            raise Refused("still_away", seat=self.lobby.number(seat))
        elif self.lobby.number(seat) in self.waits_for and self.clock.is_spent(self._now()):
            raise Refused("time_is_up", seat=self.lobby.number(seat))
        else:
            self.back(seat)

    # Playing

    def act(self, seat: Seat, action: Action, asked: Asked, aid: str) -> bool:
        """Let a seat's person act; say whether it happened. Else it waits: see `fair`.

        Raises `Refused`, and `Illegal` from the rules.
        """
        number = self.lobby.number(seat)
        if self.game is not None and self.game.done(number, aid):
            return True
        if self.fair.waits(number, aid):
            return False
        happened = self._act(Intent(number, action, asked, aid, "seat"))
        if seat.stand_in is not None:
            self.back(seat)
        return happened

    def bot_acts(self, number: int, action: Action, asked: Asked) -> None:
        """Let the bot that plays a seat act. Raises like `act`."""
        seat = self.lobby.at(number)
        if not seat.played_by_bot:
            raise Refused("not_your_turn", seat=number)
        by: By = "clock" if seat.stand_in == "clock" else "bot"
        aid = f"{by}-{0 if self.game is None else self.game.actions}"
        self._act(Intent(number, action, asked, aid, by))

    def knows(self, seat: Seat, aid: str) -> bool:
        """Say whether an action of this seat's person has happened, or waits to."""
        number = self.lobby.number(seat)
        done = self.game is not None and self.game.done(number, aid)
        return done or self.fair.waits(number, aid)

    def _act(self, intent: Intent) -> bool:
        if self.game is None or self.phase != "playing":
            raise Refused("not_playing")
        if self.paused:
            raise Refused("paused")
        happened = self.fair.act(self.game, intent)
        self._let_wait_no_longer()
        self._watch_clock()
        return happened

    def _happens(self, tried: Tried, intent: Intent) -> None:
        assert self.game is not None
        try:
            self.game.happens(tried, intent.aid, intent.by)
        except DiskTrouble as error:
            self._wait_for_disk(str(error))
            raise Refused("disk") from error
        self._tell(Acted(intent.seat, str(intent.action.__struct_config__.tag)))
        if self.game.over:
            self._finish()
            self.to_keep += 1
        self._watch_clock()
        self.changes += 1

    def _let_wait_no_longer(self) -> None:
        """Let happen what has waited for others' fair moment, once it is over."""
        if self.game is not None and self.phase != "closed" and not self.paused:
            self.fair.go_on(self.game)

    def say(self, peer: str, seat: Seat | None, text: str) -> None:
        """Add a chat line. Raises `Refused` for what is no line, or too many."""
        if seat is None:
            self.chat.say(peer, "", None, text, self._now())
        else:
            self.chat.say(peer, seat.name, self.lobby.number(seat), text, self._now())
        self._changed()

    def heard_again(self) -> None:
        """Note that the table's own line was down: nobody could be told, or heard, anything."""
        self.fair.begin_anew()
        self.clock.second_chance()
        self._watch_clock()

    # Setting up

    def set_option(self, key: str, value: OptionValue) -> None:
        """Set one option of the game. Raises `Refused("started")`, `BadOption`."""
        self._check_lobby()
        self.lobby.set_option(key, value)
        self.notices.post("option", key=key, value=value)
        self._changed()

    def resize(self, players: int) -> None:
        """Say how many seats there are. Raises `Refused`: `started`, `seats_taken`, `bad_seats`."""
        self._check_lobby()
        self.lobby.resize(players)
        self.notices.post("option", key="players", value=players)
        self._changed()

    def move(self, seat: Seat, to: int) -> None:
        """Let somebody sit elsewhere. Raises `Refused`: `started`, `no_such_seat`."""
        self._check_lobby()
        self.lobby.move(seat, to)
        self._changed()

    def set_up_changed(self) -> None:
        """Note that something changed that belongs to the table but isn't in it: its PIN."""
        self._changed()

    def door_tried(self) -> None:
        """Tell everybody that wrong PINs have shut the door to newcomers."""
        self.notices.post("door")
        self._changed()

    def add_bot(self, level: str) -> None:
        """Seat a bot of the table. Raises `Refused`: `full`, `started`, `no_such_level`."""
        self._check_lobby()
        seat = self.lobby.add_bot(level)
        self.notices.post("bot_added", name=seat.name, seat=self.lobby.number(seat), level=level)
        self._changed()

    def start(self) -> None:
        """Deal. Raises `Refused`: `started`, `too_few`, `too_many`, `disk`, bad options."""
        self._check_lobby()
        options = dict(self.lobby.options_to_start())
        names = tuple(seat.name for seat in self.lobby.seats)
        try:
            dealt = self._dealer.deal(self.rules, options, names)
        except OSError as error:
            self._disk.table_kept = False
            self._wait_for_disk(why_not(error))
            raise Refused("disk") from error
        self.play(HostGame(self.rules, dealt, self.games_played + 1, len(names)))

    def play(self, game: HostGame) -> None:
        """Let a game begin, or go on after a restart."""
        self.game = game
        self.games_played = game.number
        self.phase = "playing"
        self.fair.begin(game)
        if not game.actions:
            self.notices.post("started", game=self.rules.name, number=game.number)
        self._tell_started(game)
        if game.over:
            self._finish()
        self._watch_clock()
        self._changed()

    def go_on(self, game: HostGame, *, ended: bool, paused: bool) -> None:
        """Go on with a game after a restart; `ended` is whether its journal is closed."""
        if ended:
            self.game, self.phase = game, "over"
            self._tell_started(game)
            self._tell(Over(msgspec.Raw(game.result)))
            return
        self.play(game)
        if paused:
            self.pause(True)

    def disk_fails(self, why: str) -> None:
        """Let a game wait: the table itself can't be kept, and so neither what it shows."""
        self._disk.table_kept = False
        self._wait_for_disk(why)

    @property
    def kept(self) -> bool:
        """Whether the last attempt to keep the table on disk went well."""
        return self._disk.table_kept

    def disk_works(self) -> None:
        """Note that the table is kept, in `table.json`."""
        self._disk.table_kept = True

    @property
    def phase_to_keep(self) -> Phase:
        """The phase that `table.json` says: a game that was broken off can go on later."""
        if self.phase != "closed":
            return self.phase
        resting = self._closed_why not in ("ended", "once")
        return self._closed_in if resting or self._closed_in == "playing" else "closed"

    @property
    def closed_why(self) -> str | None:
        """Why the table closed; None while it is open."""
        return self._closed_why

    def pause(self, on: bool) -> None:
        """Let the game stand still, or go on. Raises `Refused("not_playing")`."""
        if self.phase != "playing":
            raise Refused("not_playing")
        if on == self.paused:
            return
        self.paused = on
        self._disk.game_waits = False
        if on:
            self.clock.pause(self._now())
        else:
            self.clock.go_on(self._now())
            self.fair.begin_anew()
        self.notices.post("paused" if on else "resumed")
        self._changed()

    def rematch(self) -> None:
        """Go back to the lobby with everybody. Raises `Refused`: `not_over`, `still_playing`."""
        if self.phase == "playing":
            raise Refused("still_playing")
        if self.phase != "over":
            raise Refused("not_over")
        if self.game is not None:
            self.game.close()
        self.phase = "lobby"
        self.game = None
        self.paused = False
        self.people.back_to_lobby()
        self.notices.post("rematch")
        self._changed()

    def close(self, why: str) -> None:
        """Close the table for everybody; what is saved stays saved."""
        if self.phase == "closed":
            return
        self._closed_in, self._closed_why = self.phase, why
        self.phase = "closed"
        self.clock.stop()
        if self.game is not None:
            self.game.close()
        self.notices.post("closing", why=why)
        self._changed()

    # Time

    def tick(self, watching: bool) -> None:
        """Let time do what it does: patience ends, clocks run out, an empty table closes.

        `watching` says whether a spectator is here: a human, too.
        """
        now = self._now()
        for seat in self.people.impatient_with(self.patience.away):
            self._out_of_patience(seat)
        if self.people.wait_no_longer(self.patience.away):
            self._changed()
        for number in self.clock.out_of_time(now):
            self._stand_in(self.lobby.at(number), "clock")
        self._let_wait_no_longer()
        self._watch_clock()
        if watching or self.people.any_human:
            self._last_human = now
        elif self.patience.idle and now - self._last_human >= self.patience.idle:
            self.close("idle")
        if self._disk.due(now):
            self._look_at_disk()
        self._start_if_full()

    def clock_running(self) -> tuple[tuple[int, ...], float, float] | None:
        """Return (seats, seconds left, seconds in all) of the decision under way."""
        return self.clock.running(self._now())

    def clock_told(self, viewer: int | None) -> tuple[tuple[int, ...], float, float] | None:
        """Return it as a seat (None: a spectator) is told.

        Of a seat of which an action waits only that seat knows that its time stands still.
        """
        return self.clock.told(viewer, self._now())

    # Inside

    def _changed(self) -> None:
        self.changes += 1
        self.to_keep += 1

    def _check_lobby(self) -> None:
        if self.phase != "lobby":
            raise Refused("started")

    def _start_if_full(self) -> None:
        seats = self.lobby.seats
        if not self.start_when_full or self.phase != "lobby" or not self.lobby.full:
            return
        if all(seat.here for seat in seats) and not self._disk.failed:
            try:
                self.start()
            except Refused as refusal:
                if refusal.code != "disk":
                    self.start_when_full = False  # the owner has to see to it
                    self._changed()

    def _tell_started(self, game: HostGame) -> None:
        names = tuple(seat.name for seat in self.lobby.seats)
        self._tell(Started(self.rules.name, game.journal.name, names, game.actions))

    def _finish(self) -> None:
        assert self.game is not None
        self.phase = "over"
        self.clock.stop()
        try:
            self.game.finish()
        except DiskTrouble as error:
            self._wait_for_disk(str(error))
        self._tell(Over(msgspec.Raw(self.game.result)))

    def _wait_for_disk(self, why: str) -> None:
        """Let nothing go on until it can be written down again."""
        if not self._disk.failed:
            self._disk.failed = True
            log.error("%s can't be kept, and waits until it can: %s", self.title, why)
            self.notices.post("disk", why=why)
            self._changed()
        if self.phase == "playing" and not self.paused:
            self.pause(True)
            self._disk.game_waits = True

    def _look_at_disk(self) -> None:
        """Go on if everything can be written down again."""
        if not self._disk.table_kept:
            return
        try:
            if self.game is not None:
                self.game.try_disk()
        except DiskTrouble:
            return
        self._disk.failed = False
        log.warning("%s is kept again", self.title)
        if self._disk.game_waits:
            self.pause(False)

    def _out_of_patience(self, seat: Seat) -> None:
        if self.phase == "lobby":
            self.people.give_up(seat)
        elif self.phase == "playing":
            self._stand_in(seat, "away")
        self.people.pass_on_owner()
        self._changed()

    def _stand_in(self, seat: Seat, why: Stand) -> None:
        if self.people.stand_in(seat, why):
            self._watch_clock()
            self._changed()

    def _watch_clock(self) -> None:
        if self.game is None or self.phase != "playing":
            self.clock.stop()
            return
        people = [
            number
            for number in self.game.waited_for
            if self._time_runs_for(self.lobby.seats[number])
        ]
        acted = tuple(number for number in people if number in self.fair.waiting)
        thinking = tuple(number for number in people if number not in acted)
        self.clock.watch(self.game.asked, thinking, self._now(), acted)

    @staticmethod
    def _time_runs_for(seat: Seat) -> bool:
        """Say whether a decision is a person's, also while a bot that they may stop makes it."""
        return not seat.played_by_bot or seat.stand_in in ("self", "owner")

    def _person_plays(self, number: int) -> bool:
        """Say whether a person is here, or about to be, who plays this seat themselves.

        They may also where somebody else's order gave it to a bot: that silences nobody.
        """
        seat = self.lobby.seats[number]
        here = seat.here or seat in self.people.expected
        return seat.kind == "person" and here and seat.stand_in in (None, "owner")
