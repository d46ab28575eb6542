"""A file that somebody made to keep the queue busy was taken in, and no page after it."""

from __future__ import annotations

import io
import time
import zipfile
from contextlib import suppress

import pytest

from retrieval.ingestion.read import DOCX, read
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
