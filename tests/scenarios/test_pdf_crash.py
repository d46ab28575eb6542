"""A brochure's PDF crashed the parser, and the service with it."""

import io
import time

import pdfplumber
import pytest
from pdfplumber.utils.exceptions import PdfminerException
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from retrieval.models import Document, IngestionItem
from retrieval.reading import read
from retrieval.reading.pdf import read_pdf
from retrieval.reading.process import Reader
from tests.packs import MINI
from tests.retrieval.ingestion.conftest import document, ingest  # noqa: F401
from zol.errors import OnlyImages, UnreadableDocument

PDF = "application/pdf"
GOOD = (MINI / "pages/folders/cataractoperatie.pdf").read_bytes()


def pdf(content: bytes, *, length: int | None = None) -> bytes:
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
    return pdf(
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
    reader = Reader(memory=600 * 1024**2)
    try:
        with pytest.raises(UnreadableDocument, match=r"memory|ended its reader"):
            reader.read(endless(), PDF)
    finally:
        reader.close()


def test_a_parser_that_runs_out_of_memory_does_not_call_the_document_damaged(monkeypatch):
    def out_of_memory(_):
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
