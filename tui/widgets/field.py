"""A line to type into."""

from __future__ import annotations

from textual import events
from textual.binding import NoBinding
from textual.reactive import reactive
from textual.widgets import Input

from tui.words import plain


class Field(Input):
    """An input whose cursor doesn't blink: an idle screen sends nothing, over SSH too.

    It holds only what others will see of it: what could bend a terminal, one's
    own too, is dropped as it is typed or pasted.
    """

    cursor_blink = reactive(False, init=False)

    async def _on_key(self, event: events.Key) -> None:
        """Take what is typed in the order in which it came, however fast.

        Textual lets a key that edits go up to the app and come back, so letters that were
        typed after a Backspace, or after Ctrl+U, would be there before it and be lost by it.
        What it has no use for goes on: Ctrl+C copies what is marked, and else leaves.
        """
        try:
            edits = [b for b in self._bindings.get_bindings_for_key(event.key) if not b.priority]
        except NoBinding:
            return
        if event.is_printable or not edits:
            return
        if await self.app.run_action(edits[0].action, default_namespace=self):
            event.stop()
            event.prevent_default()

    def replace(self, text: str, start: int, end: int) -> None:
        """Put text in place of a part of the line (Textual's way in for all that is entered).

        What stands before is looked at with it, for a mark belongs to the letter before.
        """
        first, last = sorted((max(0, start), end))
        super().replace(plain(self.value[:first] + text), 0, last)
