"""The rules of a game, read in the app: of the one at the table, or of each game of the house."""

from __future__ import annotations

from importlib.resources import files

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Markdown

from core.registry import GAMES
from tui.commands import Command, Commanded
from tui.widgets.footer import Keys
from tui.words import say

CHAPTER = "\n## "
"""How a chapter begins in the rules' file."""


def rules_text(game: str) -> str:
    """Return the rules of a game, as Markdown, from the package itself."""
    folder = game.replace("-", "_")
    return (files("core") / folder / "RULES.md").read_text(encoding="utf-8")


class RulesText(Markdown):
    """The rules of one game, of another as soon as `game` is set to it."""

    def __init__(self, game: str) -> None:
        super().__init__(open_links=False)
        self.game = game

    def on_mount(self) -> None:
        """Read the text once the frame is there."""
        self.read()

    @work(exclusive=True)
    async def read(self) -> None:
        """Lay out the first chapter, which fills the screen, before the long rest.

        The next chapter's heading comes with it: to append, Textual 8.2 takes the last block
        away and reads its last line again, so that must be all of it.
        """
        rules = rules_text(self.game)
        second = rules.index(CHAPTER, rules.index(CHAPTER) + 1)
        heading_ends = rules.index("\n", second + len(CHAPTER))
        await self.update(rules[:heading_ends])
        await self.append(rules[heading_ends:])


class RulesScreen(Commanded, Screen[None]):
    """One long text; a letter or the wheel moves through it, `n` and `p` go by chapter.

    Where several games are given, `o` goes from one to the next.
    """

    KEYS = (
        Command("rules.other", "o", footer=True, when=lambda screen: len(screen.games) > 1),
        Command("rules.next", "n", footer=True),
        Command("rules.previous", "p", footer=True),
        Command("rules.scroll", "down,up", "none", footer=True, key="↑↓"),
        Command("rules.page", "pagedown,pageup,space", "none", key="PgDn"),
        Command("rules.close", "escape,q,r", "close", footer=True, key="q"),
    )

    def __init__(self, *games: str) -> None:
        super().__init__()
        self.games = games
        """The one that is read comes first."""
        self._text = RulesText(games[0])

    def compose(self) -> ComposeResult:
        """Build the reader."""
        with VerticalScroll(id="rules"):
            yield self._text
        yield Keys()

    def on_mount(self) -> None:
        """Scroll with the arrow keys at once."""
        self.query_one("#rules").focus()
        self._entitle()

    def _entitle(self) -> None:
        """Name the game that is read, and the others that can be."""
        reader = self.query_one("#rules", VerticalScroll)
        first, *others = (GAMES[game].title for game in self.games)
        reader.border_title = Content(say("rules.title", game=first))
        reader.border_subtitle = Content(
            say("rules.others", games=", ".join(others)) if others else ""
        )

    def action_other(self) -> None:
        """Read the next game's rules, from their beginning."""
        first, *others = self.games
        self.games = (*others, first)
        self._entitle()
        self.query_one("#rules", VerticalScroll).scroll_home(animate=False)
        self._text.game = self.games[0]
        if self._text.is_mounted:  # or it begins with that one
            self._text.read()

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
