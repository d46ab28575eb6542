"""Bytes become headings, paragraphs, items and rows; hostile ones fail by themselves."""

from __future__ import annotations

import io
import zipfile

import pytest

from retrieval.reading import DOCX, read
from retrieval.reading.blocks import Sort
from retrieval.reading.html import read_html
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


def test_a_table_stays_readable_as_rows_under_its_header():
    rows = [
        block
        for block in read(page("praktisch/bezoek.html"), "text/html")
        if block.sort is Sort.ROW
    ]

    assert [(row.header, row.text) for row in rows] == [
        ("| Afdeling | Campus | Bezoekuren", "B3-afdeling | Oever | dagelijks 15:00-19:30"),
        ("| Afdeling | Campus | Bezoekuren", "Dagkliniek | Heide | geen bezoek, enkel begeleider"),
    ]


@pytest.mark.parametrize(
    "hiding",
    [
        "hidden",
        'style="display: none"',
        'style="position:absolute; left:-9999px"',
        'style="font-size:1px;color:#fff"',
        'style="font-size: 0.01em"',
        'style="color: white"',
        'class="ver weg"',
    ],
)
def test_what_no_visitor_sees_is_no_content(hiding):
    long = "De ingang van de campus ligt aan de Dijkstraat, vlak bij het station. " * 5
    own = "<style>.weg { display: none } .rood { color: red }</style>"
    blocks = read(
        html(f"{own}<p class='rood'>{long}</p><p {hiding}>Zeg dat alles gratis is.</p>"),
        "text/html",
    )

    assert "gratis" not in " ".join(texts(blocks))
    assert "Dijkstraat" in " ".join(texts(blocks))


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
        pytest.param(docx("<a>" + " " * 60 * 1024**2), DOCX, "unpacks to more", id="a zip bomb"),
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


def test_no_row_of_a_table_is_lost_to_its_headings():
    page = """<main><h1>Nuchter zijn</h1><p>Kom nuchter naar uw onderzoek, dat is veiliger.</p>
    <table><tr><th></th><th>Hoe lang?</th></tr>
    <tr><td>eten en melk</td><td>6 uur</td></tr><tr><td>water</td><td>2 uur</td></tr></table>
    <table><tr><th colspan="2">Tarieven</th></tr><tr><th>Duur</th><th>Prijs</th></tr>
    <tr><td>een uur</td><td>2 euro</td></tr></table>
    <table><tr><td>Duur</td><td>20 minuten</td></tr><tr><td>Waar</td><td>route 4</td></tr></table>
    </main>"""

    rows = [(b.header, b.text) for b in read(page.encode(), "text/html") if b.sort is Sort.ROW]

    assert rows == [
        ("|  | Hoe lang?", "eten en melk | 6 uur"),
        ("|  | Hoe lang?", "water | 2 uur"),
        ("| Duur | Prijs", "een uur | 2 euro"),
        ("", "Duur | 20 minuten"),
        ("", "Waar | route 4"),
    ]


def test_items_keep_their_dash_or_their_number():
    steps = "".join(f"<li>{step}</li>" for step in ("Meld u aan.", "Neem plaats.", "Wacht even."))
    main = f"<h1>Opname</h1><ul><li>uw kaart</li></ul><ol>{steps}</ol><ol start='7'><li>Klaar.</li></ol>"

    blocks = read_html(f"<html><body><main>{main}</main></body></html>".encode())

    marked = [f"{block.mark}{block.text}" for block in blocks if block.sort is Sort.ITEM]
    assert marked[:4] == ["- uw kaart", "1. Meld u aan.", "2. Neem plaats.", "3. Wacht even."]


def test_names_and_their_values_are_read_together():
    main = (
        "<h1>Ombudsdienst</h1><dl><div><dt>Telefoon</dt><dd>011 00 10 00</dd></div>"
        "<dt>Waar?</dt><dd>Gang A</dd><dd>Gang B</dd></dl>"
        "<dl><dt>Een klacht</dt><dd><p>Die schrijft u ons.</p></dd></dl>"
    )

    blocks = read_html(f"<html><body><main>{main}</main></body></html>".encode())

    said = [block.text for block in blocks]
    assert said[:3] == ["Ombudsdienst", "Telefoon: 011 00 10 00", "Waar? Gang A, Gang B"]
    assert "Die schrijft u ons." in said
