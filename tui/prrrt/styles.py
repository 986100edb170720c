"""Where the styles of PRRRT's screens are: one file, loaded with the first of them."""

from __future__ import annotations

from pathlib import Path

STYLES = Path(__file__).with_name("prrrt.tcss")
