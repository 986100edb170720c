"""A line to type into."""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import Input


class Field(Input):
    """An input whose cursor doesn't blink: an idle screen sends nothing, over SSH too."""

    cursor_blink = reactive(False, init=False)
