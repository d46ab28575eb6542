"""The index is written by whoever serves the hospital, and is rebuilt while it serves."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from retrieval.analysis import IndexedChunk, embedded_text, keyword_text
from retrieval.index import writing
from retrieval.index.state import ensure_index_matches
from retrieval.index.writing import rebuild
from retrieval.models import Chunk, CorpusState
from retrieval.query import Query
from retrieval.search import hybrid_search
from tests.retrieval.index_builders import EMBEDDER, HashedWords, indexed
from zol.errors import WrongIndex
from zol.tenancy import serving

pytestmark = pytest.mark.django_db

PARKING = "U parkeert uw auto op parking 1"


def search(text, embedder=EMBEDDER, **fields):
    return [p.text for p in hybrid_search(Query(text, **fields), embedder=embedder).passages]


def test_title_section_context_and_questions_are_searched_by_both_lanes():
    chunk = IndexedChunk(1, "Titel", "Inhoud", "Sectie", "Context", ("Vraag?", "Tweede?"))

    for text in (keyword_text(chunk), embedded_text(chunk)):
        for part in ("Titel", "Inhoud", "Sectie", "Context", "Vraag?", "Tweede?"):
            assert text.count(part) == 1
    assert embedded_text(chunk).startswith("Titel \u203a Sectie\n")


def test_a_chunk_written_again_takes_the_place_of_what_was_there(hospital):
    (chunk,) = indexed(hospital, PARKING)
    chunk.content = "De huidarts ontvangt u"
    chunk.save()

    writing.index_chunks(
        None, writing.embedded([IndexedChunk(chunk.pk, "", chunk.content)], EMBEDDER)
    )

    assert search("parking", dense_weight=0.0) == []
    assert search("huidarts", dense_weight=0.0) == ["De huidarts ontvangt u"]


def test_chunks_of_another_hospital_cannot_be_indexed(hospital, other_hospital):
    (theirs,) = indexed(other_hospital, PARKING)
    indexed(hospital, "iets")
    rows = writing.embedded([IndexedChunk(theirs.pk, "", "gestolen")], EMBEDDER)

    with pytest.raises(DatabaseError, match="not of this hospital"), transaction.atomic():
        writing.index_chunks(None, rows)
    with serving(other_hospital):
        assert search("parking") == [PARKING]


def test_a_failed_transaction_leaves_the_index_as_it_was(hospital):
    indexed(hospital, PARKING)

    with pytest.raises(ZeroDivisionError), transaction.atomic():
        indexed(hospital, "parking parking parking")
        raise ZeroDivisionError

    assert search("parking", floor=-1.0) == [PARKING]


def test_an_index_of_another_embedding_fails_with_the_command_that_helps(hospital):
    indexed(hospital, PARKING)

    with pytest.raises(WrongIndex, match=f"manage.py reindex --hospital {hospital.slug}"):
        ensure_index_matches(HashedWords(768))


def test_rebuilding_takes_another_size_and_finds_the_same(hospital):
    chunks = indexed(hospital, PARKING, "De huidarts ontvangt u")
    smaller = HashedWords(768)
    revision = CorpusState.objects.get().revision

    assert sum(rebuild(smaller)) == len(chunks)

    ensure_index_matches(smaller)
    assert CorpusState.objects.get().revision == revision + 1
    assert search("parking", smaller)[0] == PARKING
    assert search("parking", smaller, keyword_weight=0.0, floor=-1.0)[0] == PARKING
    assert indexed_again(hospital, smaller) == ["Betaal aan de automaat"]


def indexed_again(hospital, embedder):
    """Show that a rebuilt index takes new chunks."""
    (chunk,) = Chunk.objects.bulk_create(
        [
            Chunk(
                hospital=hospital,
                document=Chunk.objects.first().document,
                ordinal=99,
                content="Betaal aan de automaat",
            )
        ]
    )
    rows = writing.embedded([IndexedChunk(chunk.pk, "", chunk.content)], embedder)
    writing.index_chunks(None, rows)
    return search("automaat", embedder, dense_weight=0.0)


def test_the_old_index_serves_until_the_swap(hospital):
    indexed(hospital, PARKING)

    steps = rebuild(HashedWords(768))
    next(steps)

    assert search("parking") == [PARKING]
    assert list(steps) == []


def test_the_command_rebuilds_and_says_with_what(hospital, capsys):
    indexed(hospital, PARKING)

    call_command("reindex", hospital=hospital.slug)

    assert "1 chunks indexed with e5" in capsys.readouterr().out
    assert [p.text for p in hybrid_search(Query("parking")).passages] == [PARKING]


def test_only_an_index_that_another_embedding_made_is_made_anew_where_that_is_asked(
    hospital, capsys, settings
):
    indexed(hospital, PARKING)
    settings.EMBEDDING = {**settings.EMBEDDING, "dimensions": 512}

    call_command("reindex", outdated=True)
    call_command("reindex", hospital=hospital.slug, outdated=True)

    first, second = capsys.readouterr().out.splitlines()
    assert "1 chunks indexed with e5" in first
    assert second == f"{hospital.slug}: the index needs nothing."
    assert [p.text for p in hybrid_search(Query("parking")).passages] == [PARKING]


def test_a_graph_is_built_in_bulk_and_finds_what_a_scan_finds(hospital, monkeypatch):
    texts = [
        f"pagina {number} over onderwerp {number % 17} en zaal {number % 5}"
        for number in range(300)
    ]
    indexed(hospital, *texts)
    query = Query("onderwerp 7 zaal 2", keyword_weight=0.0, floor=-1.0)
    scanned = hybrid_search(query, embedder=EMBEDDER)

    monkeypatch.setattr(writing, "SCAN_UP_TO", 100)
    monkeypatch.setattr("retrieval.search.SCAN_UP_TO", 100)
    writing.refresh_statistics(hospital)
    found = hybrid_search(query, embedder=EMBEDDER)

    best = [round(p.similarity, 4) for p in scanned.passages]
    assert [round(p.similarity, 4) for p in found.passages][:10] == best[:10]
    assert len(found.passages) == len(scanned.passages)


def test_an_index_dropped_is_gone_and_can_be_made_again(hospital):
    indexed(hospital, PARKING)

    writing.call("SELECT zol_drop_index()", [])

    assert search("parking") == []
    assert indexed(hospital, PARKING)
    assert search("parking") == [PARKING]
