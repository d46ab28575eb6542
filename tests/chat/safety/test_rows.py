"""Sorts of emergencies that code treats apart have rows, and a check says so where they have none."""

from __future__ import annotations

from chat.apps import emergencies_that_code_knows, languages_with_red_flags
from chat.safety import rows
from zol.languages import LANGUAGES


def test_every_sort_that_code_knows_has_default_rows():
    assert emergencies_that_code_knows() == []


def test_a_sort_without_rows_is_told_by_name(monkeypatch):
    others = [row for row in rows.defaults("red_flags") if row["kind"] != "magnets"]
    monkeypatch.setattr(rows, "defaults", lambda name: others)

    (error,) = emergencies_that_code_knows()

    assert "magnets" in error.msg


def test_every_language_has_red_flags_of_its_own():
    assert languages_with_red_flags() == []


def test_a_language_without_red_flags_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(rows, "LANGUAGES", (*LANGUAGES, "ar"))

    (error,) = languages_with_red_flags()

    assert error.msg.startswith("“ar” has no red flags of its own")
    assert "red_flags.csv" in error.hint


def test_a_language_that_lacks_the_words_of_one_slot_is_refused_by_that_slot(monkeypatch):
    said = [
        row
        for row in rows.defaults("red_flags")
        if (row["language"], row["kind"]) != ("el", "chest")
    ]
    monkeypatch.setattr(rows, "defaults", lambda name: said)

    (error,) = languages_with_red_flags()

    assert "“el”" in error.msg
    assert "“chest”" in error.msg
