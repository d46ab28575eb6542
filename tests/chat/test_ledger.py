"""One number per page, also for pages that have no address."""

from __future__ import annotations

from chat.engines.embedded.ledger import Ledger
from retrieval.pages import Page, Pages


def test_two_pages_without_an_address_have_two_numbers():
    ledger = Ledger(Pages())

    marks = [ledger.page(Page(n, f"Folder {n}", "", chunk_id=n), "x") for n in (1, 2)]

    assert marks == ["[1]", "[2]"]
    assert [citation.document_id for citation in ledger.citations] == [1, 2]


def test_a_page_has_one_number_however_it_is_cited():
    ledger = Ledger(Pages())
    page = Page(1, "Folder", "https://a.be/f", chunk_id=3)

    assert ledger.page(page, "x") == ledger.page(page, "y") == "[1]"
