"""A part of the help for the moment."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """A heading and its paragraphs."""

    title: str
    lines: tuple[str, ...]
