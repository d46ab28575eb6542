"""What a page says is embedded when the page comes in; an answer only compares."""

from __future__ import annotations

import pytest

from chat.statement_vectors import Comparing
from retrieval import statements as cutting
from retrieval.analysis import IndexedChunk
from retrieval.embedding import get_embedder
from retrieval.index import statements, writing
from retrieval.index.state import is_outdated
from retrieval.index.statements import kept_of, key_of
from retrieval.index.writing import rebuild
from retrieval.models import Chunk, ChunkStatements, Document
from retrieval.query import QueryText
from tests.builders import passage
from tests.retrieval.index_builders import HashedWords
from zol.tenancy import serving

pytestmark = pytest.mark.django_db

PAGE = (
    "U parkeert uw auto op parking 1. Een uur kost twee euro.\n\n## Fietsen\n"
    "De fietsenstalling staat naast de hoofdingang."
)
SAID = (
    "Parkeren: U parkeert uw auto op parking 1.",
    "Parkeren: Een uur kost twee euro.",
    "Fietsen: De fietsenstalling staat naast de hoofdingang.",
)


def chunk_of(hospital, content=PAGE, section="Bezoek › Parkeren"):
    with serving(hospital):
        page = Document.objects.create(
            hospital=hospital, path=f"p{Document.objects.count()}", status=Document.Status.READY
        )
        chunk = Chunk.objects.create(
            hospital=hospital, document=page, ordinal=0, content=content, section=section
        )
        embedder = get_embedder()
        writing.prepare(embedder)
        told = IndexedChunk(chunk.pk, "", content, section)
        writing.index_chunks(page.pk, writing.embedded([told], embedder))
    return chunk


def as_found(chunk):
    return passage(chunk.content, 0.8, chunk_id=chunk.pk, section=chunk.section)


def test_every_statement_points_where_its_passage_has_it_and_nearest_to_itself(hospital):
    chunk = chunk_of(hospital)
    told = IndexedChunk(chunk.pk, "", chunk.content, chunk.section)

    kept = kept_of([as_found(chunk)], get_embedder())[chunk.pk]

    _, (read,) = get_embedder().embed_passages([statements.written(told)])
    assert (kept * read).sum(axis=1).min() > 0.999
    alone = get_embedder().embed_documents(SAID)
    assert (kept @ alone.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_nothing_of_a_page_is_embedded_while_somebody_waits(hospital, monkeypatch):
    found = as_found(chunk_of(hospital))
    embedded_now = []
    really = get_embedder().embed_documents
    monkeypatch.setattr(
        get_embedder(), "embed_documents", lambda texts: embedded_now.extend(texts) or really(texts)
    )

    alike = Comparing(get_embedder()).likeness(QueryText("waar staan de fietsen", "nl"), [found])

    assert max(alike) == alike[2]
    assert embedded_now == []


def test_a_text_that_was_changed_since_is_embedded_now(hospital):
    chunk = chunk_of(hospital)
    text = "De fietsenstalling is gesloten."
    chunk.content = text
    found = as_found(chunk)

    (alike,) = Comparing(get_embedder()).likeness(
        QueryText("is de fietsenstalling dicht", "nl"), [found]
    )

    embedder = get_embedder()
    (told,) = statements.told_now([found], embedder)
    cosine = embedder.embed_query("is de fietsenstalling dicht") @ told[0]
    assert alike == pytest.approx(float(cosine) * embedder.calibration.gain)


def test_text_cut_by_another_edition_is_not_compared_by_place(hospital, monkeypatch):
    chunk = chunk_of(hospital)
    monkeypatch.setattr("retrieval.index.statements.EDITION", cutting.EDITION + 1)

    assert kept_of([as_found(chunk)], get_embedder()) == {}


def test_vectors_of_another_embedding_are_not_compared():
    assert key_of(PAGE, "", HashedWords()) != key_of(PAGE, "", HashedWords(768))


def test_making_the_index_anew_fills_in_what_is_missing(hospital):
    chunk = chunk_of(hospital)
    ChunkStatements.objects.all().delete()

    assert sum(rebuild(get_embedder())) == 1

    assert len(kept_of([as_found(chunk)], get_embedder())[chunk.pk]) == len(SAID)


def test_vectors_that_1_1_0_wrote_are_read_until_their_chunk_is_indexed_again(hospital):
    chunk = chunk_of(hospital)
    _, old = statements.keys_of(chunk.content, chunk.section, get_embedder())
    ChunkStatements.objects.update(key=old, pieces=b"states")
    statements._recent.clear()

    assert not is_outdated(get_embedder())
    assert len(kept_of([as_found(chunk)], get_embedder())[chunk.pk]) == len(SAID)

    told = IndexedChunk(chunk.pk, "", chunk.content, chunk.section)
    writing.index_chunks(None, writing.embedded([told], get_embedder()))

    row = ChunkStatements.objects.get()
    assert (bytes(row.key), bytes(row.pieces)) == (key_of(PAGE, chunk.section, get_embedder()), b"")


def test_a_chunk_indexed_again_has_the_vectors_of_its_new_text(hospital):
    chunk = chunk_of(hospital)
    chunk.content = "De hoofdingang is open tot acht uur."
    told = IndexedChunk(chunk.pk, "", chunk.content, chunk.section)

    writing.index_chunks(None, writing.embedded([told], get_embedder()))

    assert len(kept_of([as_found(chunk)], get_embedder())[chunk.pk]) == 1


def test_a_text_without_a_statement_has_none_and_asks_for_none(hospital):
    chunk = chunk_of(hospital, content="Tel.")

    assert kept_of([as_found(chunk)], get_embedder())[chunk.pk].shape[0] == 0


def test_vectors_go_with_their_chunk(hospital):
    chunk = chunk_of(hospital)

    Chunk.objects.filter(pk=chunk.pk).delete()

    assert not ChunkStatements.objects.exists()


def test_another_hospital_does_not_see_them(hospital, other_hospital):
    chunk = chunk_of(hospital)

    with serving(other_hospital):
        assert kept_of([as_found(chunk)], get_embedder()) == {}
