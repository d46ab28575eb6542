"""Sorts of emergencies that code treats apart have rows, and a check says so where they have none."""

from __future__ import annotations

from chat.apps import emergencies_that_code_knows
from chat.safety import rows


def test_every_sort_that_code_knows_has_default_rows():
    assert emergencies_that_code_knows() == []


def test_a_sort_without_rows_is_told_by_name(monkeypatch):
    others = [row for row in rows.defaults("red_flags") if row["kind"] != "magnets"]
    monkeypatch.setattr(rows, "defaults", lambda name: others)

    (error,) = emergencies_that_code_knows()

    assert "magnets" in error.msg
