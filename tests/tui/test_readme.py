"""The README knows what there is: games, commands, options and their values, pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.main import get_command

from core.registry import GAMES
from tui.command_line import commands

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_option_stands_there_with_its_values(game: str) -> None:
    for option in GAMES[game].options:
        row = re.search(rf"^\| `{option.key}` \| (.*?) \|", TEXT, re.MULTILINE)
        assert row, option.key
        values = {
            "switch": "`off`, `on`",
            "seat": "`random`, a seat from 0",
            "number": f"{option.choices[0]} to {option.choices[-1]}" if option.choices else "",
            "choice": ", ".join(f"`{choice}`" for choice in option.choices),
        }
        assert row[1] == values[option.kind]


def test_every_command_that_it_tells_to_type_is_one() -> None:
    typed = re.findall(r"^    prrrt (\w+)|`prrrt (\w+)", TEXT, re.MULTILINE)
    names = {one or other for one, other in typed}
    assert names <= set(get_command(commands).commands)
    assert "host" in names


def test_every_picture_and_file_that_it_links_to_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", TEXT) if "://" not in link]
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []
