"""What cards look like, as lines of text: pure, no Textual.

A card has its value in the two leftmost columns, so that it stays readable under the
next one. A Smell card has as many waves as its value; a Shame card is a face, the
more bothered the dearer.
"""

from __future__ import annotations

from rich.cells import set_cell_size

from tui.table.cards import MEDIUM, SMALL, Size, block

WAVE = "≈"

_WAVES = {  # on a large card, as on the suits of playing cards
    0: ("", "", ""),
    1: ("", "   ≈", ""),
    2: ("  ≈", "", "    ≈"),
    3: ("  ≈", "   ≈", "    ≈"),
    4: (" ≈   ≈", "", " ≈   ≈"),
    5: (" ≈   ≈", "   ≈", " ≈   ≈"),
    6: (" ≈   ≈", " ≈   ≈", " ≈   ≈"),
    7: (" ≈ ≈ ≈", "   ≈", " ≈ ≈ ≈"),
    8: (" ≈ ≈ ≈", "  ≈ ≈", " ≈ ≈ ≈"),
}

_FACES = {  # eyes and mouth
    1: ("' '", " ‿ "),
    2: ("o o", " - "),
    3: ("o o", " ~ "),
    4: ("o O", " ~ "),
    5: ("- -", " ^ "),
    6: ("> <", " ~ "),
    7: ("> <", " o "),
    8: ("> <", " O "),
    9: ("x x", " O "),
    10: ("@ @", "=O="),
}

_LARGE_FACES = {
    1: ("'   '", "", " \\_/ "),
    2: ("o   o", "", "  -  "),
    3: ("o   o", "", "  ~  "),
    4: ("o   O", "", " ~~~ "),
    5: ("-   -", "  u  ", " .-. "),
    6: (">   <", "  u  ", " ~~~ "),
    7: (">   <", "  u  ", "  o  "),
    8: (">   <", "  u  ", "  O  "),
    9: ("x   x", "  u  ", " (O) "),
    10: ("@   @", ".-u-.", "(OOO)"),
}


def smell(value: int, size: Size, caption: str = "") -> tuple[str, ...]:
    """Return a Smell card's lines; `caption` is its effect in a word.

    >>> smell(3, MEDIUM, "shed")
    ('▏3   ', '▏≈≈≈ ', '▏    ', '▏shed')
    """
    if size == SMALL:
        return block([f" {value}"], size)
    if size == MEDIUM:
        waves = WAVE * value
        return block([f"▏{value}", f"▏{waves[:4]}", f"▏{waves[4:]}", f"▏{caption[:4]}"], size)
    rows = [f"▏ {row}" for row in _WAVES.get(value, _WAVES[8])]
    foot = f"▏{set_cell_size(caption[:6], 6)}{value:>2}"
    return block([f"▏{value}", "▏", *rows, "▏", foot], size)


def shame(value: int, size: Size) -> tuple[str, ...]:
    """Return a Shame card's lines.

    >>> shame(10, SMALL), shame(2, MEDIUM)
    (('10!',), ('▏2   ', '▏o o ', '▏ -  ', '▏    '))
    """
    if size == SMALL:
        return block([f"{value:>2}!"], size)
    corner = f"▏{value}" if value < 10 else str(value)
    eyes, mouth = _FACES.get(value, _FACES[10])
    if size == MEDIUM:
        return block([corner, f"▏{eyes}", f"▏{mouth}", "▏"], size)
    face = [f"▏ {row}" for row in _LARGE_FACES.get(value, _LARGE_FACES[10])]
    return block([corner, "▏", *face, "▏", f"▏{'':5}{value:>2}"], size)
