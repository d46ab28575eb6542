"""A file that somebody made to keep the queue busy was taken in, and no page after it."""

import io
import time
import zipfile
from contextlib import suppress

import pytest

from retrieval.reading import DOCX, read
from tests.word import document
from zol.errors import UnreadableDocument

HTML = "text/html"
GOOD = b"<main><h1>Bezoek</h1><p>U bent welkom van 14 tot 20 uur.</p></main>"
#: Seconds that a file is given here; production gives more.
LONGEST = 6
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
    "a Word document of tables that repeat each other": (document(within(60, REPEATED)), DOCX),
    "a Word document with an enormous number": (document(STEP * 50_000, numbering=NUMBERS), DOCX),
    "a Word document whose styles go round": (
        document('<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr></w:p>', styles=CIRCLE), DOCX,
    ),
    "a Word document without ends of paragraphs": (document(DELETED_END * 100_000), DOCX),
    "a Word document that hides a hundred thousand runs": (
        document(f"<w:p>{'<w:r><w:rPr><w:vanish/></w:rPr></w:r>' * 100_000}</w:p>"), DOCX,
    ),
    "a Word document of fields that never end": (
        document(f"<w:p>{'<w:r><w:fldChar w:fldCharType=`begin`/><w:t>a</w:t></w:r>' * 90_000}</w:p>"
                 .replace("`", '"')), DOCX,
    ),
    "a Word document that refers to one note for ever": (
        document(f"<w:p>{'<w:r><w:footnoteReference w:id=`1`/></w:r>' * 90_000}</w:p>"
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
    assert read(GOOD, HTML)[-1].text == "U bent welkom van 14 tot 20 uur."


def test_more_letters_than_a_document_may_have_are_refused_with_their_number():
    with pytest.raises(UnreadableDocument, match="letters; at most 2,000,000 are read"):
        read(b"aap noot mies " * 200_000, "text/plain")


def test_a_long_list_keeps_its_numbers():
    blocks = read(page("<p>Zo gaat het:</p><ol>" + "<li>een stap</li>" * 3_000 + "</ol>"), HTML)

    assert [block.mark for block in blocks][-1] == "3000. "
