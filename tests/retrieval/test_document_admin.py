"""Documents and chunks: what comes in by hand, and what staff correct."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from retrieval import services
from retrieval.models import Chunk, CorpusState, Document, IngestionItem, IngestionRun
from retrieval.query import Query
from retrieval.search import hybrid_search
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
ADD = "/admin/retrieval/document/add/"
PAGE = b"""<html><body><main><h1>Bezoekuren</h1>
<p>Bezoek is elke dag welkom van 14 tot 20 uur op alle verpleegafdelingen van het ziekenhuis.</p>
</main></body></html>"""


@pytest.fixture(autouse=True)
def no_broker(settings):
    """Workers are told in memory; each test does the work itself."""
    from zol.celery import app

    before = app.conf.broker_url
    app.conf.broker_url = "memory://"
    yield
    app.conf.broker_url = before


@pytest.fixture
def curator(hospital):
    return signed_in(hospital, Role.CURATOR)


def upload(curator, name="bezoek.html", data=PAGE, **fields):
    values = {
        "title": "Bezoekuren", "category": "Practical", "language": "nl", "authority": "1.0",
        "url_tier": "1", "url": "https://www.example.org/bezoek",
    }  # fmt: skip
    return curator.post(ADD, values | fields | {"file": SimpleUploadedFile(name, data)})


def ingested(hospital):
    """Do what a worker does with everything that waits."""
    for item in IngestionItem.objects.values_list("pk", flat=True):
        services.ingest_item(item)
    return Document.objects.get()


def found_for(words):
    return [passage.text for passage in hybrid_search(Query(text=words)).passages]


def test_an_uploaded_page_becomes_searchable(hospital, curator):
    answer = upload(curator)
    document = ingested(hospital)

    assert answer.status_code == 302
    assert (document.status, document.path) == (Document.Status.READY, "uploads/bezoek.html")
    assert IngestionRun.objects.get().started_by.username == "curator"
    assert any("14 tot 20 uur" in text for text in found_for("bezoek verpleegafdelingen"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("gevaar.exe", b"MZ", id="a program"),
        pytest.param("folder.pdf", b"<html>", id="a PDF that is none"),
        pytest.param("folder", b"tekst", id="no ending"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(curator, name, data):
    page = upload(curator, name, data)

    assert "This is not a page, brochure or text that can be read." in page.text
    assert not Document.objects.exists()


def test_a_path_that_is_taken_is_refused_in_words(curator):
    upload(curator)

    assert upload(curator).status_code == 200
    assert Document.objects.count() == 1


def test_an_edited_chunk_is_found_by_its_new_words(
    hospital, curator, django_capture_on_commit_callbacks
):
    upload(curator)
    ingested(hospital)
    chunk = Chunk.objects.get()
    before = CorpusState.objects.get().revision

    with django_capture_on_commit_callbacks(execute=True):
        answer = curator.post(
            f"/admin/retrieval/chunk/{chunk.pk}/change/",
            {
                "content": "Bezoekers zijn welkom in het pannenkoekenhuisje.",
                "category": "general",
                "is_enabled": "on",
                "questions": "Waar is het pannenkoekenhuisje?\n",
            },
        )

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    chunk.refresh_from_db()
    assert chunk.is_edited
    assert chunk.questions == ["Waar is het pannenkoekenhuisje?"]
    assert any("pannenkoekenhuisje" in text for text in found_for("pannenkoekenhuisje"))
    assert CorpusState.objects.get().revision > before


def test_a_chunk_that_is_switched_off_is_not_found(hospital, curator):
    upload(curator)
    ingested(hospital)
    chunk = Chunk.objects.get()

    curator.post("/admin/retrieval/chunk/", {"action": "disable", "_selected_action": [chunk.pk]})

    assert found_for("bezoek verpleegafdelingen") == []


def test_a_withdrawn_document_is_not_found(hospital, curator):
    upload(curator)
    document = ingested(hospital)

    page = curator.post(
        "/admin/retrieval/document/",
        {"action": "withdraw", "_selected_action": [document.pk]},
        follow=True,
    )

    assert "1 document was withdrawn." in page.text
    assert found_for("bezoek verpleegafdelingen") == []


def test_a_document_is_processed_again_although_it_is_the_same(hospital, curator):
    upload(curator)
    document = ingested(hospital)
    first = document.processed_at

    curator.post(
        "/admin/retrieval/document/", {"action": "ingest", "_selected_action": [document.pk]}
    )

    assert IngestionRun.objects.count() == 2
    assert ingested(hospital).processed_at > first


def test_how_far_a_run_is_can_be_asked(hospital, curator):
    upload(curator)
    run = IngestionRun.objects.get()
    url = f"/admin/retrieval/ingestionrun/{run.pk}/progress/"

    before = curator.get(url).json()
    ingested(hospital)
    after = curator.get(url).json()

    assert (before["done"], before["total"], before["running"]) == (0, 1, True)
    assert (after["done"], after["total"], after["running"]) == (1, 1, False)


def test_an_analyst_uploads_nothing(hospital):
    assert upload(signed_in(hospital, Role.ANALYST)).status_code == 403


@pytest.mark.parametrize("listing", ["document", "chunk", "ingestionrun", "ingestionitem"])
def test_a_list_costs_the_same_for_any_number_of_rows(
    hospital, curator, listing, django_assert_max_num_queries
):
    for number in range(12):
        document = Document.objects.create(
            hospital=hospital, path=f"pagina-{number}.html", title=f"Pagina {number}"
        )
        Chunk.objects.create(hospital=hospital, document=document, ordinal=0, content="Tekst")

    with django_assert_max_num_queries(12):
        curator.get(f"/admin/retrieval/{listing}/")
