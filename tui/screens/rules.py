"""The rules of a game, read in the app."""

from __future__ import annotations

from importlib.resources import files

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Markdown

from tui.commands import Command, Commanded
from tui.words import say

CHAPTER = "\n## "
"""How a chapter begins in the rules' file."""


def rules_text(game: str) -> str:
    """Return the rules of a game, as Markdown, from the package itself."""
    folder = game.replace("-", "_")
    return (files("core") / folder / "RULES.md").read_text(encoding="utf-8")


class RulesScreen(Commanded, Screen[None]):
    """One long text; a letter or the wheel moves through it, `n` and `p` go by chapter."""

    KEYS = (
        Command("rules.next", "n", footer=True),
        Command("rules.previous", "p", footer=True),
        Command("rules.scroll", "down,up", "none", footer=True, key="↑↓"),
        Command("rules.page", "pagedown,pageup,space", "none", key="PgDn"),
        Command("rules.close", "escape,q,r", "close", footer=True, key="q"),
    )

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        """Build the reader."""
        with VerticalScroll(id="rules") as reader:
            reader.border_title = say("rules.title")
            yield Markdown(open_links=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Read the text once the frame is there."""
        self.query_one("#rules").focus()
        self._read()

    @work
    async def _read(self) -> None:
        """Lay out the first chapter, which fills the screen, before the long rest.

        The next chapter's heading comes with it: to append, Textual 8.2 takes the last block
        away and reads its last line again, so that must be all of it.
        """
        shown, rules = self.query_one(Markdown), rules_text(self._game)
        second = rules.index(CHAPTER, rules.index(CHAPTER) + 1)
        heading_ends = rules.index("\n", second + len(CHAPTER))
        await shown.update(rules[:heading_ends])
        await shown.append(rules[heading_ends:])

    def action_next(self) -> None:
        """Go to the next chapter."""
        self._chapter(1)

    def action_previous(self) -> None:
        """Go to the chapter before."""
        self._chapter(-1)

    def _chapter(self, by: int) -> None:
        reader = self.query_one("#rules", VerticalScroll)
        tops = [0, *(h.virtual_region.y for h in self.query("MarkdownH2"))]
        here = round(reader.scroll_y)
        ways = [y for y in tops if (y > here if by > 0 else y < here)]
        if ways:
            reader.scroll_to(y=min(ways) if by > 0 else max(ways), animate=False)

    def action_none(self) -> None:
        """The text itself takes these keys."""

    def action_close(self) -> None:
        """Back to where the reader came from."""
        self.dismiss(None)
