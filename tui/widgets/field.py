"""A line to type into."""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import Input

from tui.words import plain


class Field(Input):
    """An input whose cursor doesn't blink: an idle screen sends nothing, over SSH too.

    It holds only what others will see of it: what could bend a terminal, one's
    own too, is dropped as it is typed or pasted.
    """

    cursor_blink = reactive(False, init=False)

    def replace(self, text: str, start: int, end: int) -> None:
        """Put text in place of a part of the line (Textual's way in for all that is entered).

        What stands before is looked at with it, for a mark belongs to the letter before.
        """
        first, last = sorted((max(0, start), end))
        super().replace(plain(self.value[:first] + text), 0, last)
