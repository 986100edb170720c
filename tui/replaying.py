"""`prrrt replay FILE --json`: where a saved game stands, as one JSON object (`journal.md`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.journal import JournalError
from core.kernel.illegal import Refused
from core.replay import Answer, Eyes, answer, refusal
from net.visible import visible_json
from tui.complaints import PATH_ROOM, reason, shown, tell


def print_replay(path: Path, seat: str | None, *, reveal: bool) -> int:
    """Print the object, or the error object; return the exit status."""
    said = replayed(path, seat, reveal=reveal)
    if said.warning is not None:
        tell(f"{shown(str(path), PATH_ROOM)}: {said.warning}")
    print(visible_json(said.json))
    return said.status


def replayed(path: Path, seat: str | None, *, reveal: bool) -> Answer:
    """Return what is printed for a file and the eyes that look at it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        return refusal(JournalError("unreadable", {"why": why}, line=None), reason)
    eyes = _eyes(seat)
    if eyes is None:
        return refusal(JournalError("bad_seat", {"seat": seat}, line=None), reason)
    said = answer(data, eyes, reveal=reveal, words=reason)
    if said.status == 0 and said.warning is None and not _as_written(path, data):
        return replace(said, warning=reason("not_as_written", {}))
    return said


def _as_written(path: Path, data: bytes) -> bool:
    """Say whether a table's journal is what the table wrote, as far as the mark beside it tells."""
    from net.mark import Mark, check_journal

    try:
        check_journal(path, data, Mark(path).read())
    except Refused:
        return False
    return True


def _eyes(seat: str | None) -> Eyes | None:
    """Read `--seat`: nothing is everything revealed; what is no seat is None."""
    if seat is None:
        return "everything"
    if seat == "spectator":
        return "spectator"
    return int(seat) if seat.isascii() and seat.isdigit() and len(seat) < 9 else None
