"""Twice as large a document takes about twice as long, whatever it is full of."""

import pytest

from retrieval.ingestion.prepare import prepare_here
from retrieval.ingestion.split import split
from retrieval.reading import DOCX, PDF, reader_of
from retrieval.reading.blocks import Block, Sort
from tests import word
from tests.files import Sheet, sheets
from tests.growth import MOST, growth
from zol.text import sentences

pytestmark = [pytest.mark.alone, pytest.mark.soak]

#: A page full of one thing, by its sign.
PAGES = {
    "items": "<li>Punt {n}</li>",
    "items with links": '<li><a href="/{n}">Link {n}</a></li>',
    "paragraphs": "<p>Zin {n} over de dienst.</p>",
    "bold paragraphs": "<p><strong>Vraag {n}</strong></p>",
    "headings": "<h2>Kop {n}</h2>",
    "sections": "<section><h2>Kop</h2><p>Zin {n}.</p></section>",
    "rows": "<tr><td>Dienst {n}</td><td>Route</td></tr>",
    "rows that span": "<tr><td rowspan=2>Dienst {n}</td><td>Route</td></tr>",
    "definitions": "<dt>Term {n}</dt><dd>Wat het is</dd>",
    "panels": "<details><summary>Vraag {n}</summary><p>Antwoord.</p></details>",
    "buttons": '<button aria-controls="p{n}">Vraag</button><div id="p{n}">Antwoord.</div>',
    "line breaks": "woord<br>",
    "raised figures": "{n}<sup>2</sup> ",
    "words": "woord{n} ",
    "abbreviations": "Nr. ",
    "stops": "...",
}
AROUND = {"items": "ul", "items with links": "ul", "rows": "table", "rows that span": "table"}
TEXTS = {
    "text/markdown": {
        "items": "- punt {n}\n",
        "rows": "| punt {n} | b |\n",
        "paragraphs": "Zin {n}.\n\n",
        "brackets": "[",
        "stars": "*a ",
        "notes": "[^{n}]: noot\n",
    },
    "text/plain": {"paragraphs": "Zin {n}.\n\n", "lines": "regel\n", "empty lines": "\n"},
}


def html(name):
    def made(count):
        tag = AROUND.get(name, "dl" if name == "definitions" else "div")
        body = "".join(PAGES[name].format(n=n) for n in range(count))
        return f"<html><body><main><h1>T</h1><{tag}>{body}</{tag}></main></body></html>".encode()

    return made


@pytest.mark.parametrize("name", PAGES)
def test_a_page(name):
    assert growth(reader_of("text/html"), html(name)) <= MOST


@pytest.mark.parametrize(
    ("media_type", "name"), [(kind, name) for kind, named in TEXTS.items() for name in named]
)
def test_a_text(media_type, name):
    head = "| a | b |\n|---|---|\n" if name == "rows" else ""

    def made(count):
        return (head + "".join(TEXTS[media_type][name].format(n=n) for n in range(count))).encode()

    assert growth(reader_of(media_type), made) <= MOST


@pytest.mark.parametrize(
    "name", ["paragraphs", "items", "rows", "rows that span", "cells", "runs", "notes"]
)
def test_a_word_document(name):
    def made(count):
        each = {
            "paragraphs": word.paragraph("Zin."),
            "items": word.listed(1, "Punt."),
            "rows": f"<w:tr>{word.cell('a')}{word.cell('b')}</w:tr>",
            "rows that span": f"<w:tr>{word.cell('a', properties='<w:vMerge/>')}{word.cell('b')}</w:tr>",
            "cells": word.cell("a"),
            "runs": word.run("woord ", "<w:b/>"),
            "notes": '<w:r><w:footnoteReference w:id="1"/></w:r>',
        }[name]
        body = each * count
        if "rows" in name or name == "cells":
            body = f"<w:tbl>{body if 'rows' in name else f'<w:tr>{body}</w:tr>'}</w:tbl>"
        if name in {"runs", "notes"}:
            body = f"<w:p>{body}</w:p>"
        return word.document(
            body, footnotes=f'<w:footnote w:id="1">{word.paragraph("n")}</w:footnote>'
        )

    assert growth(reader_of(DOCX), made) <= MOST


@pytest.mark.parametrize("name", ["pages", "one page"])
def test_a_brochure(name):
    def made(count):
        on_page, words = (400, 8) if name == "pages" else (count // 2, 8)
        lines = [
            (50.0, 60 + 700 * at * words / on_page, "woord " * words)
            for at in range(on_page // words)
        ]
        return sheets(*[Sheet(lines=lines)] * max(1, count // 2 // on_page))

    assert growth(reader_of(PDF), made) <= MOST


@pytest.mark.parametrize("sort", Sort)
@pytest.mark.parametrize("text", ["Punt {n}", "Nr. ", "Een zin over {n}. "])
def test_cutting_it(sort, text):
    def made(count):
        return [Block(sort, text.format(n=n), level=2, header="| a | b") for n in range(count)]

    def one(count):
        return [Block(sort, "".join(text.format(n=n) for n in range(count)))]

    assert growth(split, made) <= MOST
    assert growth(split, one) <= MOST


@pytest.mark.parametrize("text", ["Nr. ", "Dr. A ", ". ", ".", '."', "a", " ", "Een zin. "])
def test_sentences(text):
    assert growth(sentences, lambda count: f"x. {text * count}B") <= MOST


@pytest.mark.parametrize("name", ["items", "paragraphs", "words", "headings", "rows"])
def test_all_that_is_done_to_a_page(name):
    about = {"title": "Pagina", "media_type": "text/html", "language": "nl", "ocr": ""}

    assert growth(lambda data: prepare_here(data, about, lambda _: None), html(name)) <= MOST
