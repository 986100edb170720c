"""Text that keeps to its room: what counts in a terminal is cells, not characters."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def cut(text: str, width: int) -> str:
    """Return text of at most `width` cells; an ellipsis says that there was more.

    >>> cut("Ludovic", 7), cut("Ludovic", 5)
    ('Ludovic', 'Ludo…')
    """
    if width < 1:
        return ""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…"
