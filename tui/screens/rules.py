"""The rules of a game, read in the app: of the one at the table, or of each game of the house."""

from __future__ import annotations

from importlib.resources import files

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Markdown

from core.registry import GAMES
from tui.commands import Command, Commanded
from tui.words import say

CHAPTER = "\n## "
"""How a chapter begins in the rules' file."""


def rules_text(game: str) -> str:
    """Return the rules of a game, as Markdown, from the package itself."""
    folder = game.replace("-", "_")
    return (files("core") / folder / "RULES.md").read_text(encoding="utf-8")


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
        """The one that is read first."""

    def compose(self) -> ComposeResult:
        """Build the reader."""
        with VerticalScroll(id="rules"):
            yield Markdown(open_links=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Read the text once the frame is there."""
        self.query_one("#rules").focus()
        self._read()

    @work(exclusive=True)
    async def _read(self) -> None:
        """Lay out the first chapter, which fills the screen, before the long rest.

        The next chapter's heading comes with it: to append, Textual 8.2 takes the last block
        away and reads its last line again, so that must be all of it.
        """
        game, *others = self.games
        reader = self.query_one("#rules", VerticalScroll)
        reader.border_title = say("rules.title", game=GAMES[game].title)
        titles = ", ".join(GAMES[other].title for other in others)
        reader.border_subtitle = say("rules.others", games=titles) if others else ""
        shown, rules = self.query_one(Markdown), rules_text(game)
        second = rules.index(CHAPTER, rules.index(CHAPTER) + 1)
        heading_ends = rules.index("\n", second + len(CHAPTER))
        await shown.update(rules[:heading_ends])
        await shown.append(rules[heading_ends:])

    def action_other(self) -> None:
        """Read the next game's rules, from their beginning."""
        first, *others = self.games
        self.games = (*others, first)
        self.query_one("#rules", VerticalScroll).scroll_home(animate=False)
        self._read()

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
