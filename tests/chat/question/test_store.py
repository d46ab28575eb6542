"""What was learned from a version's rows is kept for the next process, and is the same there."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest

from chat.question.by_code import understand
from chat.question.cues import cue_book_of
from chat.question.learned.examples import examples_of
from chat.question.learned.features import Sketcher
from chat.question.learned.store import READING, deciding, key_of, shelf
from chat.question.reader import _wisdom, lessons_of, reader_of
from chat.turn import Turn
from taxonomy.kinds import Kind
from taxonomy.lexicon import lexicon_of
from taxonomy.resolvers import resolver_index
from taxonomy.snapshot import DerivedValues
from taxonomy.vocabulary import Fact, Vocabulary
from tests import factories
from tests.chat.question import readers
from zol.imports import ROOT

QUESTIONS = (
    "Welke arts behandelt een hernia?",
    "Mijn man ligt op de grond en ademt niet meer goed",
    "Quels sont les horaires de visite ?",
    "set an alarm for tomorrow morning",
    "mag ik mijn pillen stoppen?",
    "Πού μπορώ να παρκάρω;",
)


@cache
def snapshot():
    """Return a version with few examples: the same code reads them, in a tenth of the time."""
    rows = dict(readers.snapshot().rows)
    rows |= {name: rows[name][:: factories.FEW] for name in factories.LEARNED_FROM}
    return replace(readers.snapshot(), rows=rows, _derived=DerivedValues())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shelf, "folder", tmp_path / "learned")
    _wisdom.clear()
    return tmp_path / "learned"


def decisions():
    """Return what a process that starts now makes of the questions."""
    _wisdom.clear()
    reader = reader_of(snapshot())
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


def test_another_row_another_encoder_or_another_name_is_learned_anew():
    known, key = snapshot(), key_of(lessons_of(snapshot()), "encoder")
    rows = dict(known.rows)
    rows["chat.cue"] = rows["chat.cue"][:-1]
    department = next(known.vocabulary.of_kind(Kind.DEPARTMENT))

    assert key_of(lessons_of(replace(known, rows=rows)), "encoder") != key
    assert key_of(lessons_of(known), "another") != key
    assert key_of(lessons_of(edited(replace(department, name="Iets anders"))), "encoder") != key
    assert key_of(lessons_of(replace(known)), "encoder") == key


def edited(thing):
    """Return the snapshot with one of its things, by its key, replaced."""
    known = snapshot().vocabulary
    things = {old: thing if (old.kind, old.key) == (thing.kind, thing.key) else old
              for old in known.things}  # fmt: skip
    facts = (Fact(things[f.subject], f.predicate, things[f.object]) for f in known.facts)
    return replace(
        snapshot(), vocabulary=Vocabulary(things.values(), facts), _derived=DerivedValues()
    )


def test_what_no_example_is_read_by_has_nothing_learned_anew(folder):
    before = reader_of(snapshot())
    [kept] = folder.glob("*.npz")
    known = snapshot().vocabulary
    changed = [
        replace(next(known.of_kind(kind)), data={**next(known.of_kind(kind)).data, "phone": "1"})
        for kind in (Kind.DEPARTMENT, Kind.DOCTOR)
    ]
    texts = (
        *snapshot().rows_of("chat.fixedtext"),
        {"kind": "new", "language": "nl", "text": "Nieuw"},
    )
    others = [edited(thing) for thing in changed]
    others.append(replace(snapshot(), rows={**snapshot().rows, "chat.fixedtext": texts},
                          _derived=DerivedValues()))  # fmt: skip

    assert all(reader_of(each).wisdom is before.wisdom for each in others)
    assert list(folder.glob("*.npz")) == [kept]


def test_examples_are_read_with_all_that_they_are_found_by():
    """The lessons leave out doctors and what things say of themselves: it changes no reading."""
    whole, lessons = readers.snapshot(), lessons_of(readers.snapshot())
    sketchers = [
        Sketcher(each.derived(lexicon_of), each.derived(resolver_index), each.derived(cue_book_of))
        for each in (whole, lessons)
    ]

    for example in examples_of(whole.rows_of("chat.intentexample"))[::5]:
        one, other = (each.of_example(example.text, example.language) for each in sketchers)
        assert one == other


#: Packages that learning imports and that leave no trace in what is learned.
INDIFFERENT = {
    "django", "asgiref", "cachetools", "charset-normalizer", "protobuf", "threadpoolctl", "holidays",
    "python-dateutil", "pytz", "six", "pydantic", "pydantic_core", "annotated-types",
    "typing-inspection", "typing_extensions",
}  # fmt: skip


def test_the_key_knows_every_file_and_package_that_learning_reads():
    """Whoever adds an import is known at once; who reads another file of data is told here."""
    command = [sys.executable, "-m", "tests.chat.question.learning"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        input=json.dumps(snapshot().rows),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    read = json.loads(done.stdout)

    known = {str(path.relative_to(ROOT)) for path in deciding()}
    assert set(read["files"]) - known == set()
    packages = {name.lower() for name in READING}
    assert {name.lower() for name in read["packages"]} - packages - INDIFFERENT == set()
    assert "chat/question/learned/classifier.py" in read["files"]


def test_no_code_decides_that_learning_cannot_reach():
    """An edit of a page, of an engine or of the back office has nobody learn anew."""
    known = {str(path.relative_to(ROOT)) for path in deciding()}
    others = ("chat/channels/views.py", "chat/answering", "chat/stages", "chat/checking/by_line.py", "chat/defaults/texts.csv",
              "retrieval/models", "taxonomy/services", "zol/settings.py", "zol/embedded")  # fmt: skip

    assert not [path for path in known if path.startswith(others)]
