"""What must be said openly beside an answer: from when figures are that may have changed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from chat import services
from chat.engines.embedded.outdated import OLD
from chat.turn import Turn
from retrieval.models import Document

QUESTION = "Hoeveel kost parkeren met de auto?"
PAGE = "bereikbaarheid"


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
