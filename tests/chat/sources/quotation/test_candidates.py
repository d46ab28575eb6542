"""What is asked next is looked for on the pages of the answer before, too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.live import tools
from chat.sources.quotation.candidates import cited_before, pool_of
from chat.turn import Context, Exchange, Turn
from retrieval.models import Document


@pytest.fixture
def astma(mini):
    return Document.objects.get(title="Astma")


def asked_after(*history):
    return Context(Turn("En welke test gebeurt er?", "nl", history=history))


def test_a_page_that_was_cited_before_is_read_though_nothing_of_it_was_found(astma):
    ctx = asked_after(Exchange("Wat is astma?", "Overgevoelige luchtwegen.", (astma.url,)))

    pool = pool_of(ctx, tools())

    assert {passage.source.document_id for passage in pool} == {astma.pk}
    assert any("blaastest" in passage.text for passage in pool)


def test_after_an_answer_without_pages_those_of_the_one_before_it_count(astma):
    told = Exchange("Wat is astma?", "Overgevoelige luchtwegen.", (astma.url,))

    assert cited_before(asked_after(told, Exchange("Bedankt!", "Graag gedaan!")), tools()) == {
        astma.url
    }


def test_the_page_of_the_hospitals_number_says_nothing_of_what_was_asked(astma):
    told, known = asked_after(Exchange("Wifi?", "Bel ons.", (astma.url,))), tools()
    pages = replace(known.pages, contacts=(known.pages.by_url[astma.url],))

    assert cited_before(told, replace(known, pages=pages)) == set()
