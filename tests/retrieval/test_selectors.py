"""Which page a citation leads to."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.db import DatabaseError, connection, transaction

from retrieval.embedding import get_embedder
from retrieval.index.statements import kept_of
from retrieval.models import Chunk, Document
from retrieval.pages import Page, Pages
from retrieval.selectors import neighbours_of, read_pages, rest_of
from tests.builders import passage
from zol.errors import SearchFailed


def test_a_thing_without_an_address_is_not_cited_to_a_page_without_one():
    page = Page(1, "Folder zonder adres", "")

    assert Pages(by_url={"": page}).about("Cardiologie", "") is None


def document(hospital, title, *contents, url="", position=1):
    row = Document.objects.create(
        hospital=hospital, path=f"{title}.html", title=title, url=url, status="ready",
        position=position,
    )  # fmt: skip
    chunks = [
        Chunk.objects.create(hospital=hospital, document=row, ordinal=ordinal, content=content)
        for ordinal, content in enumerate(contents)
    ]
    return row, chunks


@pytest.mark.django_db
def test_a_page_opens_at_its_first_passage_that_may_be_seen(hospital):
    row, (first, second) = document(hospital, "Parkeren", "Oud.", "Nieuw.", url="https://a.be/p")
    Chunk.objects.filter(pk=first.pk).update(is_enabled=False)

    page = read_pages().by_url["https://a.be/p"]

    assert (page.chunk_id, page.opening) == (second.pk, "Nieuw.")
    assert page.document_id == row.pk


@pytest.mark.django_db
def test_a_page_of_which_nothing_may_be_seen_is_not_cited(hospital):
    _, chunks = document(hospital, "Parkeren", "Oud.", url="https://a.be/p")
    Chunk.objects.filter(pk=chunks[0].pk).update(is_enabled=False)

    assert read_pages().by_url == {}


@pytest.mark.django_db
def test_of_two_pages_of_one_title_the_first_of_the_pack_counts(hospital):
    document(hospital, "Later", "Twee.", url="https://a.be/2", position=2)
    row, _ = document(hospital, "Eerst", "Een.", url="https://a.be/1", position=1)
    Document.objects.update(title="Zelfde")

    assert read_pages().by_title["zelfde"].document_id == row.pk
    assert "" not in read_pages().by_url


@pytest.mark.django_db
def test_whom_to_call_is_a_page_that_gives_the_number_of_the_hospital(hospital):
    type(hospital).objects.update(phone="02 555 40 00")
    document(hospital, "Verloren voorwerpen", "Bel 02 555 40 001.", position=1)
    row, (_, giving) = document(hospital, "Contact", "Welkom.", "Bel 02/555.40.00.", position=2)
    french, _ = document(hospital, "Nous contacter", "Appelez le 02 555 40 00", position=3)
    Document.objects.update(category="Contact")
    Document.objects.filter(pk=french.pk).update(language="fr")

    pages = read_pages()

    assert (pages.contact("nl").document_id, pages.contact("nl").chunk_id) == (row.pk, giving.pk)
    assert pages.contact("fr").document_id == french.pk
    assert pages.contact("el").document_id == row.pk


@pytest.mark.django_db
def test_nothing_is_cited_for_a_number_that_no_page_gives(hospital):
    type(hospital).objects.update(phone="02 555 40 00")
    document(hospital, "Verloren voorwerpen", "Aan het onthaal.", position=1)
    Document.objects.update(category="Contact")

    assert read_pages().contact("nl") is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "read",
    [
        pytest.param(neighbours_of, id="what stands beside passages"),
        pytest.param(rest_of, id="the rest of their pages"),
        pytest.param(lambda found: kept_of(found, get_embedder()), id="what was kept of them"),
    ],
)
def test_a_database_that_cannot_read_is_a_search_that_failed(hospital, read):
    document(hospital, "Parkeren", "Oud.", "Nieuw.")
    found = [passage("Oud.")]

    with pytest.raises(SearchFailed), transaction.atomic():
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
        read(found)
