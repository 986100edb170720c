"""What Ctrl+C does before there is anything to end in good order.

Raised amid an import, a `KeyboardInterrupt` may be caught by whoever is importing,
and then nothing stops. So until a command has begun the process ends at once.
"""

from __future__ import annotations

import os
import signal

INTERRUPTED = 130
"""The exit status of what was stopped by Ctrl+C."""


def end_at_once() -> None:
    """Let Ctrl+C end the process, until `end_in_order`; where it is ignored it stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))


def end_in_order() -> None:
    """Let Ctrl+C be Python's own again: asyncio and Textual take it from there."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
