"""What became of the questions put to us: answered, put aside, refused, and back again.

What is done beside a question (`Sight.BESIDE`) is none of its answers and isn't noted here.
"""

from __future__ import annotations


class Answers:
    """Remembers one question at a time: the table asks no two of us at once."""

    def __init__(self) -> None:
        self._sent: tuple[int, str] | None = None  # the question and the aid of our answer
        self._put_aside: int | None = None
        self._talk_first = False  # the question put aside comes back when that is said

    def send(self, question: int, aid: str) -> None:
        """Note an answer on its way."""
        self._sent, self._put_aside = (question, aid), None

    def put_aside(self, question: int, *, to_talk: bool) -> None:
        """Note that a question is to wait until it is brought back."""
        self._put_aside, self._talk_first = question, to_talk

    def bring_back(self) -> None:
        """Let the question that waits be asked again."""
        self._put_aside = None

    def have_talked(self) -> bool:
        """Say whether a question waited only for that; it needn't wait any longer."""
        waited, self._talk_first = self._talk_first, False
        if waited:
            self.bring_back()
        return waited

    def refused(self, aid: str) -> bool:
        """Take the answer back if it was ours: its question waits, and can be answered again."""
        if self._sent is None or self._sent[1] != aid:
            return False
        self._put_aside, self._sent = self._sent[0], None
        return True

    def given(self, question: int) -> bool:
        """Say whether an answer to that question is on its way, or there."""
        return self._sent is not None and self._sent[0] == question

    def waits(self, question: int) -> bool:
        """Say whether that question isn't to be asked by itself."""
        return self.given(question) or self._put_aside == question
