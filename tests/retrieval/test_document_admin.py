"""Documents and chunks: what comes in by hand, and what staff correct."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from retrieval import services
from retrieval.models import Chunk, CorpusState, Document, IngestionItem, IngestionRun
from retrieval.query import Query
from retrieval.search import hybrid_search
from tests.files import docx, pdf
from tests.zol.staff import filled_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("broker_in_memory")]
ADD = "/admin/retrieval/document/add/"
PAGE = b"""<html><body><main><h1>Bezoekuren</h1>
<p>Bezoek is elke dag welkom van 14 tot 20 uur op alle verpleegafdelingen van het ziekenhuis.</p>
</main></body></html>"""


def upload(curator, name="bezoek.html", data=PAGE, **fields):
    values = {
        "title": "Bezoekuren", "category": "Practical", "language": "nl", "authority": "1.0",
        "url_tier": "1", "url": "https://www.example.org/bezoek",
    }  # fmt: skip
    return curator.post(ADD, values | {"file": SimpleUploadedFile(name, data)} | fields)


def ingested(hospital):
    """Do what a worker does with everything that waits."""
    for item in IngestionItem.objects.values_list("pk", flat=True):
        services.ingest_item(item)
    return Document.objects.first()


def found_for(words):
    return [passage.text for passage in hybrid_search(Query(text=words)).passages]


SENTENCE = "Neem voor het bezoek de lift naar de vierde verdieping van de verpleegafdeling."
HTML = f"<html><body><main><h1>Bezoek</h1><p>{SENTENCE}</p></main></body></html>"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("folder.pdf", pdf(SENTENCE), id="PDF"),
        pytest.param("FOLDER.PDF", pdf(SENTENCE), id="PDF in capitals"),
        pytest.param("brief.docx", docx(SENTENCE), id="Word"),
        pytest.param("nota.md", f"# Bezoek\n\n{SENTENCE}\n".encode(), id="Markdown"),
        pytest.param("nota.txt", SENTENCE.encode(), id="plain text"),
        pytest.param("pagina.htm", HTML.encode(), id="HTML"),
    ],
)
def test_every_kind_of_file_that_is_offered_becomes_searchable(hospital, curator, name, data):
    upload(curator, name, data)
    document = ingested(hospital)

    assert (document.status, document.reason) == (Document.Status.READY, "")
    assert IngestionRun.objects.get().started_by.username == "curator"
    assert any("vierde verdieping" in text for text in found_for("lift verdieping bezoek"))


@pytest.mark.parametrize(("model", "action"), [(Document, "withdraw"), (Chunk, "disable")])
def test_what_is_taken_out_of_search_is_not_found(hospital, curator, model, action):
    upload(curator)
    ingested(hospital)
    assert found_for("bezoek verpleegafdelingen")

    values = {"action": action, "_selected_action": [model.objects.get().pk]}
    curator.post(f"/admin/retrieval/{model._meta.model_name}/", values)

    assert found_for("bezoek verpleegafdelingen") == []


def test_several_files_make_a_document_each(hospital, curator):
    files = [SimpleUploadedFile("heup_operatie.pdf", pdf(SENTENCE)),
             SimpleUploadedFile("knie.docx", docx("De knieschool is op dinsdag."))]  # fmt: skip

    answer = upload(curator, file=files, title="", url="")
    ingested(hospital)

    assert answer.status_code == 302
    rows = Document.objects.order_by("path").values_list("path", "title", "status", "category")
    assert list(rows) == [
        ("uploads/heup_operatie.pdf", "Heup operatie", "ready", "Practical"),
        ("uploads/knie.docx", "Knie", "ready", "Practical"),
    ]
    assert IngestionRun.objects.get().items.count() == 2


@pytest.fixture
def failed(hospital, curator):
    """A brochure of which only the beginning arrived."""
    upload(curator, "folder.pdf", pdf(SENTENCE)[:200])
    document = ingested(hospital)
    assert document.status == Document.Status.FAILED
    return document


def test_a_document_that_failed_is_given_another_file(hospital, curator, failed):
    address = f"/admin/retrieval/document/{failed.pk}/change/"
    better = SimpleUploadedFile("beter.docx", docx(SENTENCE))
    answer = curator.post(address, filled_in(curator.get(address), file=better))
    document = ingested(hospital)

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert (document.pk, document.path) == (failed.pk, "uploads/folder.docx")
    assert (document.status, document.reason) == (Document.Status.READY, "")
    assert any("vierde verdieping" in text for text in found_for("lift verdieping bezoek"))


@pytest.mark.parametrize("as_list", [True, False], ids=["from the list", "from its page"])
def test_what_was_searchable_is_withdrawn_and_never_deleted(hospital, curator, as_list):
    upload(curator)
    document = ingested(hospital)

    if as_list:
        values = {"action": "delete_selected", "_selected_action": [document.pk], "post": "yes"}
        curator.post("/admin/retrieval/document/", values)
    else:
        address = f"/admin/retrieval/document/{document.pk}/delete/"
        assert curator.post(address, {"post": "yes"}).status_code == 403

    assert Document.objects.exists()


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

    assert f"“{name}” cannot be read: upload HTML" in page.text
    assert not Document.objects.exists()


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


def test_an_edit_of_a_chunk_keeps_before_and_after_and_is_taken_back(hospital, curator):
    upload(curator)
    ingested(hospital)
    chunk = Chunk.objects.get()
    address, before = f"/admin/retrieval/chunk/{chunk.pk}/", chunk.content
    values = {"category": "general", "is_enabled": "on"}
    curator.post(f"{address}change/", values | {"content": "Bezoek is verboden."})

    history = curator.get(f"{address}history/")
    opened = curator.get(history.text.split('class="button" href="')[1].split('"')[0])
    again = opened.context["adminform"].form["content"].value()
    curator.post(f"{address}change/", values | {"content": again})

    assert "<ins>Bezoek is verboden.</ins>" in history.text
    assert again == before
    assert Chunk.objects.get().content == before
    assert curator.get(f"{address}history/").text.count("<ins>") >= 2


FRAMED = b"""<html><body><div id=cookie-banner>Wij gebruiken cookies</div>
<nav><a href=/>Start</a> <a href=/zorg>Zorg</a></nav><main><h1>Bezoek</h1><section id=uren><h2>Uren</h2>
<p>Bezoek is elke dag welkom van 14 tot 20 uur op alle afdelingen.</p></section><p hidden>Oude uren</p></main>
<script>let uren = 1</script><footer>Privacy en cookies van het ziekenhuis</footer></body></html>"""


def test_what_was_read_stands_beside_what_was_left_out_with_the_reason(hospital, curator):
    upload(curator, data=FRAMED)
    document = ingested(hospital)
    page = curator.get(f"/admin/retrieval/document/{document.pk}/change/")
    reading = f"/admin/retrieval/document/{document.pk}/reading/"

    told = curator.get(reading)

    assert reading in page.text
    kept, left_out = told.context["kept"], dict(told.context["left_out"])
    assert [(b.text, b.anchor) for b in kept if b.level] == [("Bezoek", ""), ("Uren", "uren")]
    assert left_out == {
        "let uren = 1": "script, style or field: not text",
        "Oude uren": "hidden on the page",
        "Wij gebruiken cookies": "cookie banner",
        "Start Zorg": "navigation",
        "Privacy en cookies van het ziekenhuis": "footer",
    }
    (chunk,) = Chunk.objects.all()
    assert chunk.fields["places"][0]["anchor"] == "uren"


def test_a_page_that_a_script_fills_says_so(hospital, curator):
    upload(
        curator, data=b"<html><body><div id=root></div><script src=/app.js></script></body></html>"
    )
    document = ingested(hospital)
    said = "A script fills this page, so only its frame could be read: upload its text as a file"

    assert (document.status, document.reason) == (Document.Status.EMPTY, said)
    assert said in curator.get(f"/admin/retrieval/document/{document.pk}/reading/").text
    assert said in curator.get("/admin/retrieval/document/").text


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("αξονική τομογραφία.html", "uploads/αξονικη-τομογραφια.html"),
        ("الأشعة السينية.html", "uploads/الاشعة-السينية.html"),
        ("E\u0301chographie.html", "uploads/echographie.html"),
        ("😀🏥.html", "uploads/grinning-face-hospital.html"),
        ("a" * 240 + ".html", f"uploads/{'a' * 200}.html"),
    ],
)
def test_a_file_keeps_a_name_that_can_be_read(curator, hospital, name, path):
    upload(curator, name, title="")

    assert Document.objects.get().path == path
