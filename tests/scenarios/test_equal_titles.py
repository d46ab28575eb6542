"""Twenty-four documents were lost because another one had the same title."""

import pytest

from retrieval.models import Document, IngestionItem
from tests.retrieval.ingestion.conftest import document, ingest  # noqa: F401

pytestmark = pytest.mark.django_db


def test_every_page_with_the_same_title_is_searchable(document, ingest):  # noqa: F811
    pages = [
        document(f"{n}/contact.html", f"<p>Bel de dienst op 011 00 10 0{n}.</p>", title="Contact")
        for n in range(5)
    ]

    states = [ingest(page).state for page in pages]

    assert set(states) == {IngestionItem.State.PROCESSED}
    assert Document.objects.filter(title="Contact", status=Document.Status.READY).count() == 5
    texts = {page.chunks.get().content for page in pages}
    assert len(texts) == 5


def test_even_the_same_content_at_two_addresses_is_two_pages(document, ingest):  # noqa: F811
    first, second = document("a.html"), document("b.html")

    ingest(first)

    assert ingest(second).state == IngestionItem.State.PROCESSED
    assert first.original == second.original
    assert second.chunks.count() == 1
