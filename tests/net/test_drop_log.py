"""What a host says in its log about messages that it dropped."""

from __future__ import annotations

import logging

import pytest

from net.drop_log import DropLog


def test_a_flood_of_forgeries_is_a_few_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    told, now = DropLog(), 0.0
    for total in range(0, 100_000, 10):
        told.look({"unreadable": total - total // 10, "stale": total // 10}, now)
        now += 0.2
    assert 5 < len(caplog.records) < 20
    assert caplog.records[0].message.startswith("10 messages dropped so far: unreadable 9")
    loud = [record.levelno > logging.INFO for record in caplog.records]
    assert loud == sorted(loud), "many are worth a warning, few are not"
    assert loud[-1]


def test_nothing_dropped_is_nothing_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    told = DropLog()
    for now in range(1000):
        told.look({"stale": 3} if now > 500 else {}, float(now))
    assert [record.message for record in caplog.records] == ["3 messages dropped so far: stale 3"]
