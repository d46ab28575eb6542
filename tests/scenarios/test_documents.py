"""Files that staff or strangers hand in."""

import io
import time
import zipfile
from contextlib import suppress

import pdfplumber
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pdfplumber.utils.exceptions import PdfminerException
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from chat import services as chat
from chat.channels import sessions
from chat.services import TurnRequest
from retrieval import services
from retrieval.models import Document, IngestionItem
from retrieval.reading import DOCX, compared, read
from retrieval.reading.pdf import read_pdf
from tests.files import docx, pdf
from tests.packs import MINI
from tests.retrieval.ingestion.conftest import document, ingest  # noqa: F401
from tests.taxonomy.releases import author
from tests.word import document as docx_of
from zol.errors import OnlyImages, UnreadableDocument
from zol.runtime.confined import Confined

# A brochure's PDF crashed the parser, and the service with it.
PDF = "application/pdf"
GOOD = (MINI / "pages/folders/cataractoperatie.pdf").read_bytes()


def one_page(content: bytes, *, length: int | None = None) -> bytes:
    """A one-page PDF with a content stream, right or wrong."""
    size = len(content) if length is None else length
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (size, content),
    ]
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n")
    for place in places:
        out.write(b"%010d 00000 n \n" % place)
    out.write(b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % start)
    return out.getvalue()


def endless() -> bytes:
    """Letters upon letters, which take a parser longer than anybody waits."""
    return one_page(
        b"BT /F1 9 Tf "
        + b"1 0 0 1 9 9 Tm (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj " * 60_000
        + b"ET"
    )


def scan() -> bytes:
    """A page that is a picture."""
    from PIL import Image

    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawImage(ImageReader(Image.new("RGB", (40, 40), "white")), 50, 500)
    canvas.save()
    return file.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"%PDF-1.7\n%%EOF", id="only a header"),
        pytest.param(GOOD[: len(GOOD) // 2], id="cut in half"),
        pytest.param(b"\x00" * 100_000, id="zeros"),
        pytest.param(GOOD.replace(b"/Root", b"/Boot"), id="no root"),
    ],
)
def test_a_broken_pdf_fails_with_a_reason(data):
    with pytest.raises(UnreadableDocument):
        read(data, PDF)


def test_a_pdf_that_takes_too_long_is_stopped():
    started = time.monotonic()

    with pytest.raises(UnreadableDocument, match="more than 2 seconds"):
        read(endless(), PDF, longest=2)

    assert time.monotonic() - started < 6


def test_a_pdf_that_takes_too_much_memory_is_stopped():
    reader = Confined(memory=400 * 1024**2)
    try:
        with pytest.raises(UnreadableDocument, match=r"memory|ended its reader"):
            compared(endless(), PDF, by=reader)
    finally:
        reader.close()


def test_a_parser_that_runs_out_of_memory_does_not_call_the_document_damaged(monkeypatch):
    def out_of_memory(*_, **__):
        raise PdfminerException(MemoryError())

    monkeypatch.setattr(pdfplumber, "open", out_of_memory)

    with pytest.raises(MemoryError):
        read_pdf(GOOD)


def test_a_scan_is_reported_as_such():
    with pytest.raises(OnlyImages, match="only images"):
        read(scan(), PDF)


@pytest.mark.django_db
def test_only_that_document_fails(document, ingest):  # noqa: F811
    media_type = PDF
    broken = document("broken.pdf", data=GOOD[:900], media_type=media_type, title="Kapot")
    scanned = document("scan.pdf", data=scan(), media_type=media_type, title="Scan")
    good = document("good.pdf", data=GOOD, media_type=media_type, title="Goed")

    states = {page.title: ingest(page).state for page in (broken, scanned, good)}

    State = IngestionItem.State  # noqa: N806
    assert states == {"Kapot": State.DEAD, "Scan": State.EMPTY, "Goed": State.PROCESSED}
    assert broken.status == Document.Status.FAILED
    assert broken.reason
    assert scanned.reason == "The PDF holds only images, no text"
    assert {chunk.page for chunk in good.chunks.all()} == {1, 2}


# A file that somebody made to keep the queue busy was taken in, and no page after it.
HTML = "text/html"
VISIT = b"<main><h1>Bezoek</h1><p>U bent welkom van 14 tot 20 uur.</p></main>"
#: Seconds that a file is given here; production gives more.
LONGEST = 3
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def page(body: str) -> bytes:
    return f"<html><body><main><h1>Lijst</h1>{body}</main></body></html>".encode()


def word(body: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f"<w:document {W}><w:body>{body}</w:body></w:document>"
        )
    return file.getvalue()


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def nested(depth: int) -> str:
    inner = paragraph("a " * 20_000)
    for _ in range(depth):
        inner = f"<w:tbl><w:tr><w:tc>{inner}</w:tc></w:tr></w:tbl>"
    return inner


def within(depth: int, table: str) -> str:
    """Return a table that stands in a cell of itself, again and again."""
    inner = paragraph("kern")
    for _ in range(depth):
        inner = table.format(inner)
    return inner


#: Each level says what stands in it twice, or at each of the columns that it spans.
REPEATED = (
    "<w:tbl><w:tr><w:tc>{0}</w:tc><w:tc><w:tcPr><w:gridSpan w:val='60'/></w:tcPr>{0}</w:tc></w:tr>"
    "<w:tr><w:tc/><w:tc/></w:tr></w:tbl>"
).replace("{0}", "<w:p/>", 1)
STEP = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:p>'
NUMBERS = (
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="999999999"/>'
    f'<w:numFmt w:val="upperRoman"/><w:lvlText w:val="{"%1" * 9_000}"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
)
CIRCLE = "".join(
    f'<w:style w:styleId="{one}"><w:basedOn w:val="{other}"/></w:style>'
    for one, other in ("ab", "ba")
)
DELETED_END = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
NOTE = f'<w:footnote w:id="1">{paragraph("noot " * 90_000)}</w:footnote>'

HOSTILE = {
    "a list of sixty thousand items": (page("<ol>" + "<li>stap" * 60_000 + "</ol>"), HTML),
    "a flood of attributes": (
        page("<p " + " ".join(f"a{n}=''" for n in range(300_000)) + ">x</p>"), HTML,
    ),
    "a page that is nothing but depth": (page("<div>" * 100_000 + "x"), HTML),
    "a table in a table in a table": (page("<table><tr><td>x" * 3_000), HTML),
    "one word without an end": (page("<p>" + "a" * 9_000_000 + "</p>"), HTML),
    "styles without an end": (page("<style>." + "a{" * 400_000 + "</style><p>x</p>"), HTML),
    "a Word document of many million letters": (word(paragraph("a " * 20_000_000)), DOCX),
    "a Word document that unpacks without an end": (word("<w:p/>" * 20_000_000), DOCX),
    "a Word document of tables in tables": (word(nested(200)), DOCX),
    "a Word document of tables that repeat each other": (docx_of(within(60, REPEATED)), DOCX),
    "a Word document with an enormous number": (docx_of(STEP * 50_000, numbering=NUMBERS), DOCX),
    "a Word document whose styles go round": (
        docx_of('<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr></w:p>', styles=CIRCLE), DOCX,
    ),
    "a Word document without ends of paragraphs": (docx_of(DELETED_END * 100_000), DOCX),
    "a Word document that hides a hundred thousand runs": (
        docx_of(f"<w:p>{'<w:r><w:rPr><w:vanish/></w:rPr></w:r>' * 100_000}</w:p>"), DOCX,
    ),
    "a Word document of fields that never end": (
        docx_of(f"<w:p>{'<w:r><w:fldChar w:fldCharType=`begin`/><w:t>a</w:t></w:r>' * 90_000}</w:p>"
                 .replace("`", '"')), DOCX,
    ),
    "a Word document that refers to one note for ever": (
        docx_of(f"<w:p>{'<w:r><w:footnoteReference w:id=`1`/></w:r>' * 90_000}</w:p>"
                 .replace("`", '"'), footnotes=NOTE), DOCX,
    ),
    "a text that is one line": (b"a " * 4_500_000, "text/plain"),
    "Markdown of nothing but brackets": (b"[" * 200_000, "text/markdown"),
    "Markdown of nothing but quotes": (b"> " * 100_000, "text/markdown"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "media_type"), HOSTILE.values(), ids=HOSTILE.keys())
def test_it_ends_in_time_and_the_next_page_is_read(data, media_type):
    started = time.monotonic()

    with suppress(UnreadableDocument):
        blocks = read(data, media_type, longest=LONGEST)
        assert sum(len(block.text) for block in blocks) <= 2_000_000

    assert time.monotonic() - started < LONGEST + 5
    assert read(VISIT, HTML)[-1].text == "U bent welkom van 14 tot 20 uur."


def test_more_letters_than_a_document_may_have_are_refused_with_their_number():
    with pytest.raises(UnreadableDocument, match="letters; at most 2,000,000 are read"):
        read(b"aap noot mies " * 200_000, "text/plain")


def test_a_long_list_keeps_its_numbers():
    blocks = read(page("<p>Zo gaat het:</p><ol>" + "<li>een stap</li>" * 3_000 + "</ol>"), HTML)

    assert [block.mark for block in blocks][-1] == "3000. "


# Twenty-four documents were lost because another one had the same title.
@pytest.mark.django_db
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


@pytest.mark.django_db
def test_even_the_same_content_at_two_addresses_is_two_pages(document, ingest):  # noqa: F811
    first, second = document("a.html"), document("b.html")

    ingest(first)

    assert ingest(second).state == IngestionItem.State.PROCESSED
    assert first.original == second.original
    assert second.chunks.count() == 1


# Every PDF and Word document that staff uploaded failed, and its row could not be removed.
QUESTION = "Waar kan ik een bril passen na de behandeling met prismaglazen?"
SENTENCE = (
    "Na de behandeling met prismaglazen kan je een bril passen in lokaal 4.12 bij de opticien."
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("prisma.pdf", pdf(SENTENCE, title="Prismaglazen"), id="PDF"),
        pytest.param("prisma.docx", docx(SENTENCE, title="Prismaglazen"), id="Word"),
    ],
)
def test_a_question_is_answered_from_the_brochure_that_staff_uploaded(mini, client, name, data):
    client.defaults["HTTP_HOST"] = "azm-mini.localhost"
    client.force_login(author(mini))
    values = {
        "file": SimpleUploadedFile(name, data), "title": "Prismaglazen", "category": "Brochure",
        "language": "nl", "authority": "1.0", "url_tier": "1",
    }  # fmt: skip

    client.post("/admin/retrieval/document/add/", values)
    uploaded = Document.objects.get(path=f"uploads/{name}")
    for item in IngestionItem.objects.filter(document=uploaded):
        services.ingest_item(item.pk)
    message = chat.answer(sessions.start(mini, "nl"), TurnRequest(QUESTION))

    assert "4.12" in message.answer
    assert uploaded.pk in {citation["document_id"] for citation in message.citations}
