"""Text of a page is shown as it stands there, while it arrives and once it is whole."""

import re
from html import escape

import pytest
from playwright.sync_api import expect

from retrieval.ingestion.process import keep_original
from retrieval.models import Document
from tests.answering import ingest
from tests.chat.page.steps import Line, ask
from tests.tricks import TRICKS
from zol.text import JOINER

pytestmark = pytest.mark.browser

PATH = "opnameformulier.html"
QUESTION = "Welke formulieren moet ik meebrengen bij mijn opname?"
#: A page of its own for so many: of a long list an answer shows a part.
AT_ONCE = 4
#: Of the others, what looks like a figure or like markup is taken out before an answer is made of
#: it, and a row of a table shows its cells.
LISTED = [trick for trick in TRICKS if not re.search(r"[(\[]\d[)\]]|\||[<>]", trick)]
#: Entities that were encoded twice are read as the signs that they stand for, tags left out.
READ = {"&lt;b&gt; &#91;ons&#93;(https://evil.example) &copy;": "[ons](https://evil.example) ©"}
NOT_TEXT = "a, img, em, code, s, table, ul, ol, strong, blockquote"


@pytest.fixture
def publish(mini):
    """Put a page into the corpus that lists some texts."""

    def put(texts):
        items = "".join(f"<li>Opnameformulier {escape(text)}</li>" for text in texts)
        body = f"<main><h1>Opnameformulier</h1><p>Deze formulieren brengt u mee bij uw opname:</p><ul>{items}</ul></main>"
        original = keep_original(mini.pk, f"<html><body>{body}</body></html>".encode(), "text/html")
        values = {"title": "Opnameformulier", "original": original}
        Document.objects.update_or_create(hospital=mini, path=PATH, defaults=values)
        ingest(mini, path=PATH)

    yield put
    Document.objects.filter(path=PATH).delete()


def test_nothing_that_a_page_says_becomes_a_link(visit, publish):
    line = Line()
    page = visit(prepare=line.prepare)
    for first in range(0, len(LISTED), AT_ONCE):
        tricks = LISTED[first : first + AT_ONCE]
        publish(tricks)
        line.holds = {"answer"}
        ask(page, QUESTION)
        exchange = page.locator(".exchange").last
        items = exchange.locator(".text li")

        expect(items).to_have_count(len(tricks))
        shown = [READ.get(trick, trick) for trick in tricks]
        assert told(items) == shown
        assert items.locator(NOT_TEXT).count() == 0

        line.release()
        expect(exchange.locator(".tools")).to_have_count(1)
        assert told(items) == shown
        assert items.locator(NOT_TEXT).count() == 0


def told(items):
    """Return what items say behind their first word, without the number of the source."""
    said = (item.replace(JOINER, "").partition(" ")[2] for item in items.all_inner_texts())
    return [re.sub(r"\s*\n?1?$", "", each) for each in said]
