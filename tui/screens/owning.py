"""What the owner of a table can order while a game is played, whichever game it is.

Anybody may hand their own seat to a bot and take it back; the rest is the owner's.
"""

from __future__ import annotations

from typing import Any, Literal

from textual.app import App

from net.orders import AnyOrder, Pause, RemoveSeat, SeatToBot
from net.room import Room
from tui.screens.ask import Answer, AskScreen
from tui.session import Session
from tui.words import plain, say


async def ask_owner(app: App[Any], session: Session) -> AnyOrder | Literal["leave"] | None:
    """Ask the owner for an order; `leave` is to be asked how to leave or end, None is nothing."""
    if session.latest is None:
        return None
    room = session.latest.room
    chosen = await app.push_screen_wait(AskScreen(say("owning.title"), "", table_ways(room)))
    match chosen:
        case None:
            return None
        case "pause":
            return Pause(on=not room.paused)
        case "leave":
            return "leave"
        case seat:
            return await ask_seat(app, session, int(seat))


async def ask_seat(app: App[Any], session: Session, seat: int) -> AnyOrder | None:
    """Ask what is to become of a seat; None is nothing."""
    if session.latest is None or seat >= len(session.latest.room.seats):
        return None
    room = session.latest.room
    own, name = seat == room.you, room.seats[seat].name
    title = say("owning.own.title") if own else say("owning.seat.title", name=name)
    match await app.push_screen_wait(AskScreen(title, "", seat_ways(room, seat))):
        case "to_bot":
            return SeatToBot(seat)
        case "back":
            return SeatToBot(seat, on=False)
        case "remove":
            return await ask_removal(app, session, name)
    return None


async def ask_removal(app: App[Any], session: Session, name: str) -> RemoveSeat | None:
    """Ask before somebody is removed: from a game there is no way back.

    Others may come, go and move meanwhile, so the seat is looked up when the answer is there.
    """
    place = "lobby" if session.latest and session.latest.room.phase == "lobby" else "game"
    ways = (
        _answer("stay", "s", "sure.stay"),
        _answer("remove", "r", "sure.remove", explained=f"sure.remove.{place}"),
    )
    text = say(f"owning.sure.text.{place}")
    sure = await app.push_screen_wait(AskScreen(say("owning.sure.title", name=name), text, ways))
    seats = session.latest.room.seats if session.latest else ()
    still = [n for n, seat in enumerate(seats) if seat.name == name and seat.kind != "bot"]
    return RemoveSeat(still[0]) if sure == "remove" and still else None


def table_ways(room: Room) -> tuple[Answer, ...]:
    """Return what the owner can do now: pause, somebody's seat, the end."""
    pause = "go_on" if room.paused else "pause"
    people = (
        Answer(str(number), str(number + 1), _person(room, number))
        for number, seat in enumerate(room.seats)
        if seat.kind != "bot"
    )
    return (
        Answer("pause", "p", say(f"owning.{pause}")),
        *people,
        Answer("leave", "q", say("owning.end")),
    )


def _person(room: Room, number: int) -> str:
    """Name somebody, with what there is to know before deciding about their seat."""
    seat = room.seats[number]
    facts = {"you": number == room.you, "away": not seat.here, "bot_plays": seat.bot_plays}
    notes = tuple(say(f"lobby.note.{note}") for note, so in facts.items() if so)
    name = plain(seat.name)
    return say("owning.seat.noted", name=name, notes=notes) if notes else name


def seat_ways(room: Room, seat: int) -> tuple[Answer, ...]:
    """Return what can be done with a seat; nobody removes themselves."""
    info, own = room.seats[seat], seat == room.you
    ways = []
    if not info.bot_plays:
        ways.append(_answer("to_bot", "b", "own.to_bot" if own else "to_bot"))
    elif info.here:
        ways.append(_answer("back", "b", "own.back" if own else "back"))
    if not own:
        ways.append(_answer("remove", "x", "remove"))
    return (*ways, _answer("nothing", "n", "nothing"))


def _answer(id_: str, key: str, word: str, explained: str | None = None) -> Answer:
    return Answer(id_, key, say(f"owning.{word}"), say(f"owning.{explained or word}.help"))
