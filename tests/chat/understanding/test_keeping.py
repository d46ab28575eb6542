"""What was learned from a version's rows is kept for the next process, and is the same there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.turn import Turn
from chat.understanding.embedded import understand
from chat.understanding.keeping import key_of, shelf
from chat.understanding.reader import reader_of
from tests.chat.understanding.readers import snapshot

QUESTIONS = (
    "Welke arts behandelt een hernia?",
    "Mijn man ligt op de grond en ademt niet meer goed",
    "Quels sont les horaires de visite ?",
    "set an alarm for tomorrow morning",
    "mag ik mijn pillen stoppen?",
    "Πού μπορώ να παρκάρω;",
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shelf, "folder", tmp_path / "learned")
    return tmp_path / "learned"


def decisions():
    """Return what a process that starts now makes of the questions."""
    reader = reader_of(replace(snapshot()))
    return [understand(text, Turn(text, "nl"), reader) for text in QUESTIONS]


def test_what_was_kept_decides_as_what_was_learned(folder):
    learned = decisions()
    [kept] = folder.glob("*.npz")
    written = kept.read_bytes()

    assert decisions() == learned
    assert kept.read_bytes() == written


def test_a_file_that_cannot_be_read_is_made_anew(folder):
    learned = decisions()
    [kept] = folder.glob("*.npz")
    kept.write_bytes(kept.read_bytes()[:1000])

    assert decisions() == learned
    assert kept.stat().st_size > 1000


def test_another_row_another_encoder_or_another_hospital_is_learned_anew():
    known, key = snapshot(), key_of(snapshot(), "encoder")
    rows = dict(known.rows)
    rows["chat.cue"] = rows["chat.cue"][:-1]

    assert key_of(replace(known, rows=rows), "encoder") != key
    assert key_of(known, "another") != key
    assert key_of(replace(known, profile=replace(known.profile, short_name="X")), "encoder") != key
    assert key_of(replace(known), "encoder") == key
