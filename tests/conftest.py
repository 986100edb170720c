"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None)  # a busy machine is no fault
settings.load_profile("house")
