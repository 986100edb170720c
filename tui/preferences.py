"""What the app remembers about whoever sits here: their name, their game, whether to ring."""

from __future__ import annotations

import getpass
import unicodedata
from pathlib import Path

import msgspec

from net.names import NAME_LENGTH, TITLE_LENGTH, clean_text
from net.refused import Refused
from tui.words import plain


class Preferences(msgspec.Struct):
    """The settings file, `settings.json` in the state folder."""

    name: str = ""
    bell: bool = True
    game: str = ""


def bad_name(name: str) -> str | None:
    """Return the words' key for what is wrong with a name, or None.

    >>> bad_name("Ada"), bad_name("x" * 25), bad_name(" ")
    (None, 'error.name.long', 'error.name.empty')
    """
    return _bad("error.name", name, NAME_LENGTH)


def bad_title(title: str) -> str | None:
    """Return the words' key for what is wrong with a table's title, or None."""
    return _bad("error.title", title, TITLE_LENGTH)


def _bad(key: str, text: str, room: int) -> str | None:
    if not clean_text(text):
        return f"{key}.empty"
    if len(text.strip()) > room:
        return f"{key}.long"
    return f"{key}.plain" if plain(text) != unicodedata.normalize("NFC", text) else None


def my_name() -> str:
    """Return the remembered name, or the account's."""
    remembered = load().name
    return remembered if remembered and bad_name(remembered) is None else account_name()


def account_name() -> str:
    """Return the account's name with a capital, or Somebody."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "somebody"
    name = name[:1].upper() + name[1:NAME_LENGTH]
    return name if bad_name(name) is None else "Somebody"


def remember_name(name: str) -> None:
    """Keep the name for the next time; where nothing can be written it is forgotten."""
    preferences = load()
    if preferences.name != name:
        preferences.name = name
        _keep(preferences)


def my_game() -> str:
    """Return the game that was set up last, or the usual one."""
    from core.registry import GAMES  # not before the first paint
    from tui.choosing import DEFAULT_GAME

    remembered = load().game
    return remembered if remembered in GAMES else DEFAULT_GAME


def remember_game(game: str) -> None:
    """Keep which game was set up; where nothing can be written it is forgotten."""
    preferences = load()
    if preferences.game != game:
        preferences.game = game
        _keep(preferences)


def remember_bell(on: bool) -> None:
    """Keep whether the bell may ring; where nothing can be written it is forgotten."""
    preferences = load()
    preferences.bell = on
    _keep(preferences)


def _keep(preferences: Preferences) -> None:
    from net.private_files import write_private

    try:
        write_private(_path(), msgspec.json.format(msgspec.json.encode(preferences)))
    except (OSError, Refused):
        return


def load() -> Preferences:
    """Read the settings; a missing or broken file gives the defaults."""
    try:
        from net.private_files import read_ours

        return msgspec.json.decode(read_ours(_path()), type=Preferences)
    except (OSError, msgspec.MsgspecError, RecursionError, Refused):
        return Preferences()


def _path() -> Path:
    from net import saves

    return saves.settings_path()
