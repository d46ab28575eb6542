"""One number per page, also for pages that have no address."""

from datetime import date

from chat.answering.citations import Ledger
from retrieval.passage import Page, Pages
from taxonomy.vocabulary import Kind
from tests.builders import passage, source, thing
from zol.text import fold

DAY = date(2026, 3, 1)


def test_two_pages_without_an_address_have_two_numbers():
    ledger = Ledger(Pages())

    marks = [ledger.page(Page(n, f"Folder {n}", "", chunk_id=n), "x") for n in (1, 2)]

    assert marks == ["[1]", "[2]"]
    assert [citation.document_id for citation in ledger.citations] == [1, 2]


def test_what_is_said_of_a_campus_cites_the_page_that_is_titled_after_it():
    page = Page(1, "Campus Noord Genk", "https://a.be/noord", chunk_id=3)
    parking = Page(2, "Campus Noord Genk: parkeren", "https://a.be/parkeren", chunk_id=4)
    titles = {fold(each.title): each for each in (parking, page)}
    ledger = Ledger(Pages(by_title=titles))

    ledger.fact(thing(Kind.CAMPUS, "Campus Noord", url=""), "Telefoon 089 00 11 22")

    assert [citation.url for citation in ledger.citations] == [page.url]


def test_what_we_say_ourselves_is_never_shown_as_a_quotation():
    page = Page(1, "Cardiologie", "https://a.be/c", chunk_id=3, opening="Bel 089.", updated_on=DAY)
    department = thing(Kind.DEPARTMENT, "Cardiologie", url=page.url)
    ledger = Ledger(Pages(by_url={page.url: page}))

    ledger.fact(department, "Hartfalen gebeurt bij Cardiologie.")
    ledger.page(page, "Bel 089 00 50 50.")

    (citation,) = ledger.citations
    assert citation.passage == ""
    assert citation.updated_on == "2026-03-01"


def test_a_page_that_is_quoted_twice_opens_both_passages():
    page = source("Bezoek", updated_on=DAY)
    first, second = (passage(text, source=page) for text in ("Kom op tijd.", "Bel eerst."))
    ledger = Ledger(Pages())

    ledger.fact(thing(Kind.DEPARTMENT, "Bezoek", url=page.url), "Onthaal: zie Bezoek.")
    marks = [ledger.quote(each, each.text) for each in (first, second)]

    (citation,) = ledger.citations
    assert marks == ["[1]", "[1]"]
    assert citation.passage == "Kom op tijd.\n\nBel eerst."
    assert (citation.chunk_id, citation.also) == (first.chunk_id, (second.chunk_id,))
    assert citation.updated_on == "2026-03-01"
