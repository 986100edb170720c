"""Where the styles of the screens of Low on Gas are: loaded with the first of them."""

from __future__ import annotations

from pathlib import Path

from tui.table.styles import STYLES as SHARED

STYLES = [*SHARED, Path(__file__).with_name("gas.tcss")]
