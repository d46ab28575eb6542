"""A quotation is written as it stands on its page: a list stays a list. What may have changed is
told with its year."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat import services
from chat.answering.quotation.layout import OLD, beside_source, lines_of
from chat.channels.frames import html_of
from chat.sources.quotation.choice import choose
from chat.sources.quotation.scores import Quote, QuoteRequest
from chat.turn import Turn
from retrieval.models import Document
from tests.builders import passage
from tests.chat.sources.quotation.test_choice import asked as terms

QUESTION = "Hoeveel kost parkeren met de auto?"
PAGE = "bereikbaarheid"


def quoted(text: str, *words: str) -> Quote:
    (quote,) = choose([passage(text, 0.8)], QuoteRequest(terms(*words)), str)
    return quote


def shown(quote: Quote) -> str:
    return html_of("\n".join(f"> {line}".rstrip() for line in lines_of(quote)))


def test_sentences_are_one_paragraph():
    quote = quoted("Parkeren kan hier. De parking is open.", "parking")

    assert list(lines_of(quote)) == ["Parkeren kan hier. De parking is open."]


def test_steps_keep_their_numbers_and_all_their_sentences():
    quote = quoted(
        "2. Meld u aan de balie. Neem daarna even plaats.\n3. Wacht op uw naam.", "balie"
    )

    assert beside_source(quote).splitlines() == [
        "2. Meld u aan de balie. Neem daarna even plaats.",
        "3. Wacht op uw naam.",
    ]
    assert '<ol start="2">' in shown(quote)


def test_steps_under_a_line_of_text_are_a_list_of_their_own():
    page = "## Opname\nZo verloopt het:\n2. Meld u aan de balie.\n3. Wacht op uw naam."

    html = shown(quoted(page, "balie"))

    assert "Zo verloopt het:</p>" in html
    assert html.count("<li>") == 2


def test_of_steps_that_are_too_long_it_is_known_how_many_are_shown():
    steps = "\n".join(
        f"{number}. Meld u {'rustig ' * 40}aan balie {number}." for number in range(1, 9)
    )

    quote = quoted(steps, "balie")

    assert 0 < quote.shown < 8
    assert (quote.of, quote.is_part) == (8, True)
    assert len(beside_source(quote).splitlines()) == 8


def test_steps_are_whole_however_long_the_section_around_them_is():
    steps = "\n".join(
        f"{number}. Meld u {'rustig ' * 8}aan balie {number}." for number in range(1, 9)
    )

    quote = quoted(f"{'Lees dit eerst. ' * 40}\n{steps}", "balie")

    assert (quote.shown, quote.of) == (8, 8)
    assert not quote.is_part


def test_a_short_item_says_something():
    quote = quoted("Neem mee:\n- uw kaart\n- bril\n- medicatie van thuis", "kaart")

    assert list(lines_of(quote)) == ["Neem mee:", "- uw kaart", "- bril", "- medicatie van thuis"]


def test_a_heading_with_the_number_to_call_is_said():
    said = quoted("## Eerst bellen: 1733\nEen medewerker beslist met u.", "medewerker")

    assert next(lines_of(said)) == "**Eerst bellen: 1733**"


def test_every_quotation_says_what_it_stands_under():
    said = quoted("## De opname\nEen medewerker wacht op u.", "medewerker")

    assert list(lines_of(said)) == ["**De opname**", "Een medewerker wacht op u."]


@pytest.fixture
def parking(mini):
    """Return what gives the page about parking an age; it gets its own again."""
    pages = Document.objects.filter(url__contains=PAGE)
    known = {page.pk: page.updated_on for page in pages}
    assert known
    yield lambda age: pages.update(updated_on=timezone.localdate() - age)
    for pk, updated_on in known.items():
        Document.objects.filter(pk=pk).update(updated_on=updated_on)


def asked(question):
    return services.take_turn(Turn(question)).context


def test_a_price_of_an_old_page_is_told_with_its_year(parking):
    parking(OLD + timedelta(days=400))
    year = (timezone.localdate() - OLD - timedelta(days=400)).year

    context = asked(QUESTION)

    assert "1,50" in context.answer
    assert f"pagina uit {year}" in context.answer


def test_a_page_that_was_kept_up_needs_no_year(parking):
    parking(timedelta(days=30))

    context = asked(QUESTION)

    assert "1,50" in context.answer
    assert "pagina uit" not in context.answer
