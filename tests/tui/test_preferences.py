"""The settings file: small, private, and whole whatever happens."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tui import preferences

DEEP = b'{"old": %s' % (b"[" * 100_000)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRRRT_HOME", str(tmp_path))


def test_what_is_remembered_is_private(tmp_path: Path) -> None:
    preferences.remember_name("Ada")
    assert preferences.load().name == "Ada"
    assert (tmp_path / "settings.json").stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_the_old_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    preferences.remember_name("Ada")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    preferences.remember_name("Bob")
    assert preferences.load().name == "Ada"


@pytest.mark.parametrize("broken", [b"", b"garbage", b"[]", b'{"name": 7}', b"\xff", DEEP])
def test_broken_settings_are_as_none(broken: bytes, tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_bytes(broken)
    assert preferences.load() == preferences.Preferences()
