"""Bytes become headings, paragraphs, items and rows; hostile ones fail by themselves."""

import io
import zipfile

import pytest

from retrieval.reading import DOCX, read
from retrieval.reading.blocks import Sort
from tests.packs import MINI
from zol.errors import UnreadableDocument


def page(name: str) -> bytes:
    return (MINI / "pages" / name).read_bytes()


def html(body: str) -> bytes:
    return f"<html><body><main><h1>Titel</h1>{body}</main></body></html>".encode()


def texts(blocks, sort=None):
    return [block.text for block in blocks if sort in (None, block.sort)]


def test_a_page_keeps_its_content_and_loses_its_furniture():
    found = "\n".join(texts(read(page("zorg/astma.html"), "text/html")))

    assert "meten we hoeveel lucht u kunt uitblazen" in found
    for furniture in ("cookies", "Akkoord", "Diensten", "Verzonnen gegevens"):
        assert furniture not in found


def test_plain_text_in_an_old_encoding():
    text = "De dienst Oogziekten ligt op campus Heide.\n\nEen café vindt u naast de cafetaria, één verdieping hoger."

    blocks = read(text.encode("cp1252"), "text/plain")

    assert texts(blocks)[1].startswith("Een café")


def test_a_pdf_with_its_headings_rows_and_page_numbers():
    blocks = read(page("folders/cataractoperatie.pdf"), "application/pdf")

    headings = [(block.text, block.page) for block in blocks if block.sort is Sort.HEADING]
    assert ("Wanneer belt u ons?", 2) in headings
    assert texts(blocks, Sort.ROW)[:2] == ["week 1 | 4", "week 2 | 3"]
    assert not any("verzonnen gegevens" in block.text for block in blocks)


def docx(xml: str, name: str = "word/document.xml") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, xml)
    return file.getvalue()


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


@pytest.mark.parametrize(
    ("data", "media_type", "why"),
    [
        pytest.param(docx("x", "other.xml"), DOCX, "not a Word document", id="another zip"),
        pytest.param(b"PK\x03\x04broken", DOCX, "not a Word document", id="a broken zip"),
        pytest.param(
            docx("<a>" + " " * 60 * 1024**2), DOCX, "too large once unpacked", id="a zip bomb"
        ),
        pytest.param(b"x" * (11 * 1024**2), "text/html", "at most 10 MB", id="a huge page"),
        pytest.param(b"\x00\x01", "image/png", "cannot be read", id="a picture"),
    ],
)
def test_hostile_input_fails_with_a_reason(data, media_type, why):
    with pytest.raises(UnreadableDocument, match=why):
        read(data, media_type)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"<html><body></body></html>", id="an empty page"),
        pytest.param(b"\xff\xfe\x00<p>\x00", id="broken bytes"),
        pytest.param(b"<div>" * 20_000, id="very deep"),
        pytest.param(b"<script>alert(1)</script>", id="only script"),
    ],
)
def test_a_page_without_content_has_no_blocks(data):
    assert texts(read(data, "text/html")) in ([], ["<p>"], ["p"])


def test_what_the_database_cannot_store_is_gone():
    long = "De ingang ligt aan de Dijkstraat.\x00\ufeff " * 10

    found = " ".join(texts(read(html(f"<p>{long}</p>"), "text/html")))

    assert "Dijkstraat" in found
    assert "\x00" not in found
