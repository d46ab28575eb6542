"""The index is written by whoever serves the hospital, and is rebuilt while it serves."""

from functools import partial

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from retrieval.analysis import IndexedChunk, embedded_text, keyword_text
from retrieval.index import ensure_index_matches, writing
from retrieval.index.writing import rebuild
from retrieval.models import CorpusState
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

    rows = [IndexedChunk(chunk.pk, "", chunk.content)]
    writing.index_chunks(rows, writing.embed_chunks(rows, EMBEDDER))

    assert search("parking", dense_weight=0.0) == []
    assert search("huidarts", dense_weight=0.0) == ["De huidarts ontvangt u"]


def test_chunks_of_another_hospital_cannot_be_indexed(hospital, other_hospital):
    (theirs,) = indexed(other_hospital, PARKING)
    indexed(hospital, "iets")
    rows = [IndexedChunk(theirs.pk, "", "gestolen")]
    vectors = writing.embed_chunks(rows, EMBEDDER)

    with pytest.raises(DatabaseError, match="not of this hospital"), transaction.atomic():
        writing.index_chunks(rows, vectors)
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
    (chunk,) = indexed(hospital, "Betaal aan de automaat", embedder=smaller)
    assert search("automaat", smaller, dense_weight=0.0) == [chunk.content]


def test_the_old_index_serves_until_the_swap(hospital):
    indexed(hospital, PARKING)

    steps = rebuild(HashedWords(768))
    next(steps)

    assert search("parking") == [PARKING]
    assert list(steps) == []


def test_the_command_rebuilds_an_index_or_only_what_another_embedding_made(
    hospital, capsys, settings
):
    indexed(hospital, PARKING)
    command = partial(call_command, "reindex", hospital=hospital.slug)

    command()
    settings.EMBEDDING = {**settings.EMBEDDING, "dimensions": 512}
    command(outdated=True)
    command(outdated=True)

    first, second, third = capsys.readouterr().out.splitlines()
    assert "1 chunks indexed with e5" in first
    assert "1 chunks indexed with e5" in second
    assert third == f"{hospital.slug}: the index is up to date."
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
