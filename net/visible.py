"""What a terminal can show of a text that somebody else wrote: one line, and nothing unseen in it.

Two texts that look alike are the same text afterwards, as far as characters
that draw nothing are concerned, and no letter carries marks into other lines.
"""

from __future__ import annotations

import json
import re
import unicodedata

MARKS, OVER_LETTERS = 3, 2
"""Marks that a letter keeps, and how many of them may stand over or under it.

Hindi needs three, Thai and Vietnamese two; more is a heap that reaches into other people's lines.
"""

_DRAWS_NOTHING = re.compile(
    "["
    # Default_Ignorable_Code_Point, as far as the categories of `_shows` don't tell
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
    # blanks that count as letters or signs
    "\u2800\U00013441\U00013442\U00016fe4\U0001d159"
    # vowels and finals of Hangul beside the syllables that they belong to: no cells of their own
    "\u1160-\u11ff\ud7b0-\ud7ff"
    "]"
)


def visible(text: str) -> str:
    r"""Return `text` as one line that shows all it has and cannot bend a terminal.

    >>> visible("Ada\x1b[31m\n\u202eX\u3164")
    'Ada[31m X'
    """
    if text.isascii() and text.isprintable():
        return text
    one_line = re.sub("[\t\n\r\u2028\u2029]", " ", unicodedata.normalize("NFC", text))
    shown = "".join(filter(_shows, _DRAWS_NOTHING.sub("", one_line)))
    # What went may have stood between a letter and its mark.
    return _few_marks(unicodedata.normalize("NFC", shown))


def visible_json(data: bytes) -> str:
    r"""Return a line of JSON that says the same, and that a terminal shows as it stands.

    JSON may hold all but the first 32 characters as they are: some terminals obey those from
    U+0080 to U+009F, and others turn the direction of writing.

    >>> visible_json('{"a": "\x9b2J\u202e\U0001f47b"}'.encode())
    '{"a": "\\u009b2J\\u202e👻"}'
    """
    text = data.decode()
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def _shows(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp", "Me")


def _few_marks(text: str) -> str:
    kept: list[str] = []
    marks = over = MARKS  # a mark needs a letter before it
    for character in text:
        category = unicodedata.category(character)
        if category[0] == "Z":
            marks = MARKS
        elif category[0] != "M":
            parts = unicodedata.normalize("NFD", character)
            marks = over = sum(unicodedata.category(part) == "Mn" for part in parts)
        else:
            marks += 1
            over += category == "Mn"
            if marks > MARKS or over > OVER_LETTERS:
                marks = MARKS
                continue
        kept.append(character)
    return "".join(kept)
