"""Waiting, within a bound, for a screen to be there and for what happened on it to be drawn."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

LAID_OUT_WITHIN = 1.0
"""Seconds for which a screen that has to go may still be laid out."""

DRAWN_WITHIN = 0.5
"""Seconds for which a dialog waits until what lies below it is drawn."""


async def laid_out(screen: Screen[Any]) -> None:
    """Wait until a screen that was just opened is laid out.

    Taken away before, it looks for what it is made of in vain, and Textual ends the app.
    """
    if not screen.is_mounted:  # what it is asked to call is the first thing that it does then
        await _called_back(screen.call_later, LAID_OUT_WITHIN)


async def drawn(screen: Screen[Any]) -> None:
    """Wait until what has happened is drawn: Textual draws nothing anew below a dialog."""
    await _called_back(screen.call_after_refresh, DRAWN_WITHIN)


async def _called_back(call: Callable[[Callable[[], None]], object], within: float) -> None:
    called = asyncio.Event()
    call(called.set)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within):
            await called.wait()
