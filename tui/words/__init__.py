"""All words that a person reads, from one place per language.

`say("lobby.seats", n=3)` finds the sentence in the language's `WORDS` and puts
the facts in. Facts are plain text: what comes from the network loses control
characters, escapes and direction tricks here, and nothing here is ever markup.
A sentence says which of its facts are codes, and of what: `{card:card}` is the
word `card.r7` for `r7`.
A second language is a second file beside `en.py`.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from net.visible import visible
from tui.words.en import WORDS


def plain(text: str) -> str:
    r"""Return `text` as one line that cannot move a cursor or turn the writing direction.

    >>> plain("Ada\x1b[31m\n\u202eX")
    'Ada[31m X'
    """
    return visible(text)


class _Sentence(string.Formatter):
    """`str.format` for sentences: plain facts, plurals as `{n:card|cards}`, codes as `{top:card}`.

    A list of codes is a list of their words; a code without a word stands for itself.
    """

    def get_field(
        self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Any, str]:
        """Look a fact up by its bare name: a sentence never reaches into an object."""
        return self.get_value(field_name, args, kwargs), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        """Choose singular or plural by the number, or show the fact as plain text."""
        if "|" in format_spec:
            singular, plural = format_spec.split("|", 1)
            return singular if value == 1 else plural
        if isinstance(value, tuple | list):
            return ", ".join(self.format_field(one, format_spec) for one in value)
        return plain(WORDS.get(f"{format_spec}.{value}", str(value)))


_SENTENCE = _Sentence()


def say(key: str, /, **facts: object) -> str:
    """Return the sentence for `key` with the facts in it, as plain text.

    Raises `KeyError` for an unknown key or a missing fact.

    >>> say("lobby.played", n=1), say("lobby.played", n=2)
    ('1 game played', '2 games played')
    >>> say("refused.play_the_drawn", card="r7")
    'You drew the red Duck. It fits, so it must be played.'
    """
    return _SENTENCE.vformat(WORDS[key], (), facts)


def known(key: str) -> bool:
    """Say whether the language has a sentence for `key`."""
    return key in WORDS


def refusal(code: str, facts: Mapping[str, object] | None = None) -> str:
    """Return why something was refused, in words, for any code of core or net.

    A newer host may refuse with a code that this version doesn't know: that is
    said too, instead of failing on the way to saying it.
    """
    try:
        return say(f"refused.{code}", **dict(facts or {}))
    except KeyError:
        return say("refused.unknown", code=code)


def notice(code: str, facts: Mapping[str, object]) -> str:
    """Return what happened beside the game, in words; nothing for a code of a newer host.

    Where it matters why, there is a sentence for each reason.
    """
    why = f"notice.{code}.{facts.get('why')}"
    try:
        return say(why if known(why) else f"notice.{code}", **dict(facts))
    except KeyError:
        return ""
