"""Pages that are pictures are read where a hospital asks for it and Tesseract is installed."""

import io
import os
import shutil

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from retrieval.models import Document, IngestionItem
from retrieval.reading import compared, read
from tests.files import Sheet, sheets
from zol.errors import OnlyImages, UnreadableDocument
from zol.runtime.confined import Confined

PDF = "application/pdf"
#: Where the integration server lacks it, tests that are skipped would hide what is broken.
with_tesseract = pytest.mark.skipif(
    not shutil.which("tesseract") and not os.environ.get("CI"),
    reason="Tesseract is not installed: apt-get install tesseract-ocr tesseract-ocr-nld",
)
PAGE = Sheet(
    lines=[
        (60, 80, "Darmonderzoek", 20),
        (60, 120, "Bel ons op 089 00 51 04, van maandag tot vrijdag."),
        (60, 160, "De dag voordien drinkt u alleen water en thee. De dokter"),
        (60, 174, "ziet anders niet genoeg van de darm."),
    ],
    grids=[(60, 220, (120, 200), [("Wanneer", "Wat"), ("9.30 uur", "1 liter"), ("14 uur", "2 glazen")])],
)  # fmt: skip


def pictures(*images):
    """Return a PDF of pictures, one a page."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    for image in images:
        canvas.drawImage(ImageReader(image), 0, 0, 595, 842)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def scan(*pages, dots=200, turned=0.0):
    """Return pages as a scanner makes them, a little askew or coarse."""
    drawn = (
        page.render(scale=dots / 72).to_pil() for page in pypdfium2.PdfDocument(sheets(*pages))
    )
    return pictures(*(image.convert("L").rotate(turned, fillcolor=255) for image in drawn))


def photo():
    return Image.radial_gradient("L").resize((900, 1200))


@with_tesseract
@pytest.mark.parametrize("turned", [0.0, 0.4])
def test_a_scan_is_read_as_the_page_that_was_scanned(turned):
    drawn, scanned = read(sheets(PAGE), PDF), read(scan(PAGE, turned=turned), PDF, ocr="nld")

    assert [(block.sort, block.text, block.header) for block in scanned] == [
        (block.sort, block.text, block.header) for block in drawn
    ]


@with_tesseract
def test_it_is_told_how_far_it_is_and_which_words_are_not_sure():
    told = []

    read(scan(PAGE, PAGE, dots=62), PDF, ocr="nld", tell=told.append)

    assert told[:2] == ["Reading by OCR: page 1 of 2", "Reading by OCR: page 2 of 2"]
    assert told[2].startswith("Read by OCR: compare the figures with the original.")
    assert "%" in told[2]


@with_tesseract
def test_a_photo_is_no_text():
    with pytest.raises(OnlyImages):
        read(pictures(photo()), PDF, ocr="nld")


@with_tesseract
def test_a_language_that_is_not_installed_is_said():
    with pytest.raises(UnreadableDocument, match=r"OCR failed: .*xyz"):
        read(scan(PAGE), PDF, ocr="xyz")


@with_tesseract
def test_it_is_stopped_in_time_and_the_next_document_is_read():
    reader = Confined()
    try:
        # Its process runs, so that what takes too long is the picture.
        assert compared(sheets(PAGE), PDF, by=reader)
        with pytest.raises(UnreadableDocument, match="took more than"):
            compared(scan(PAGE), PDF, ocr="nld", longest=0.1, by=reader)
        assert compared(sheets(PAGE), PDF, by=reader)
    finally:
        reader.close()


def test_without_tesseract_it_says_what_is_missing(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    reader = Confined()
    try:
        with pytest.raises(UnreadableDocument, match="Tesseract is not installed"):
            compared(scan(PAGE), PDF, ocr="nld", by=reader)
    finally:
        reader.close()


@with_tesseract
@pytest.mark.django_db
def test_a_scan_that_had_no_text_is_read_once_ocr_is_set(document, ingest, settings):
    page = document("scan.pdf", data=scan(PAGE), media_type=PDF, title="Darmonderzoek")
    assert ingest(page).state == IngestionItem.State.EMPTY

    settings.OCR = "nld"
    item = ingest(page)

    assert item.state == IngestionItem.State.PROCESSED
    assert page.status == Document.Status.READY
    assert "089 00 51 04" in page.chunks.get().content
    assert item.reason == page.reason
    assert page.reason.startswith("Read by OCR")
    assert ingest(page).state == IngestionItem.State.UNCHANGED
