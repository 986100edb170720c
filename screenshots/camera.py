"""What makes a picture of the running app: SVG as Textual exports it, and PNG.

PNG with a font that every machine has (needs cairosvg and DejaVu Sans Mono).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import cairosvg
from PIL import Image
from textual.pilot import Pilot

HERE = Path(__file__).resolve().parent
SIZES = ((80, 24), (120, 40))
SEED = 11
NAME = "Camille"

App = Pilot[None]


def shoot(pilot: App, name: str) -> None:
    """Write what the app shows, as SVG and PNG."""
    width, height = pilot.app.size
    svg = pilot.app.export_screenshot(title="prrrt")
    svg = re.sub(r"@font-face\s*{[^}]*}", "", svg).replace("Fira Code", "DejaVu Sans Mono")
    svg = svg.replace("font-size: 20px", "font-size: 20.27px")  # as wide as the web font's 20
    path = HERE / f"{name}-{width}x{height}"
    path.with_suffix(".svg").write_text(svg, encoding="utf-8")
    draw(svg, path.with_suffix(".png"))
    print(path.name)


def draw(svg: str, path: Path) -> None:
    """Write the PNG. Cairo rounds a letter's width to whole pixels, and 12.2 * 5 is whole."""
    large = Image.open(BytesIO(cairosvg.svg2png(bytestring=svg.encode(), scale=5)))
    small = large.resize((large.width // 5, large.height // 5), Image.Resampling.LANCZOS)
    small.convert("RGB").save(path, optimize=True)


async def until(pilot: App, condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until the app has come to something."""
    async with asyncio.timeout(seconds):
        while not condition():
            await pilot.pause()
            await asyncio.sleep(0.02)
    for _ in range(3):  # let footer and cards be drawn
        await pilot.pause()
        await asyncio.sleep(0.05)
