"""Leaving a table: what each kind of leaving means for the others, asked before it happens."""

from __future__ import annotations

from typing import Any, Literal

from textual.app import App

from net.room import Room
from tui.opening import Host, Join, Solo
from tui.screens.ask import Answer, AskScreen
from tui.session import Session
from tui.words import say

Leaving = Literal["leave", "end", "bot"]


def answers(opening: Solo | Host | Join | None, room: Room) -> tuple[Answer, ...]:
    """Return the ways to leave a table one got to by `opening`; staying is always one.

    Who only has to go to the door needn't leave: a bot can play meanwhile.
    """
    host = "lobby" if room.phase == "lobby" else "host"
    ways = {
        Solo: (_answer("leave", "l", "solo"),),
        Host: (_answer("leave", "l", host), _answer("end", "e", "end")),
    }.get(type(opening), (_answer("leave", "l", "join"),))
    if room.you == room.owner and isinstance(opening, Join):
        ways = (*ways, _answer("end", "e", "end"))
    if room.phase == "playing" and room.you is not None and not room.seats[room.you].bot_plays:
        ways = (*ways, _answer("bot", "b", "bot"))
    return (*ways, _answer("stay", "s", "stay"))


async def ask_leaving(
    app: App[Any], session: Session | None, opening: Solo | Host | Join | None
) -> Leaving | None:
    """Ask how to leave the table; None is to stay. Who only watches isn't asked."""
    latest = session.latest if session else None
    if latest is None or latest.room.you is None:
        return "leave"
    waits = latest.room.phase != "playing"
    if waits and not isinstance(opening, Host):
        return "leave"
    ways = answers(opening, latest.room)
    match await app.push_screen_wait(AskScreen(say("leaving.title"), say("leaving.text"), ways)):
        case "leave" | "end" | "bot" as chosen:
            return chosen
    return None


def _answer(id_: str, key: str, word: str) -> Answer:
    return Answer(id_, key, say(f"leaving.{word}"), say(f"leaving.{word}.help"))
