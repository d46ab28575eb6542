"""Taxonomy facts join the passages if the question needs a department to contact."""

import pytest

from chat.stages.graph_enrichment import graph_enrichment
from retrieval.intents import Intent
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import context, meant, thing, tools, vocabulary

SCAN, RADIOLOGY = thing(Kind.EXAMINATION, "Mammografie"), thing(Kind.DEPARTMENT, "Radiologie")
DONE = vocabulary((RADIOLOGY, Predicate.PERFORMS, SCAN))
UNDONE = vocabulary(SCAN, RADIOLOGY)


def enriched(understood, words):
    """Return a turn whose question has many passages that are much like it."""
    asked = context("?", understanding=understood, dense_hits=9, best_similarity=0.9)
    return graph_enrichment(asked, tools(words=words)).context


@pytest.mark.parametrize(
    ("intent", "words", "joins"),
    [
        pytest.param(Intent.BOOKING_OR_CONTACT, DONE, True, id="who is called for a scan"),
        pytest.param(Intent.BOOKING_OR_CONTACT, UNDONE, False, id="nobody is known to do it"),
        pytest.param(
            Intent.NAVIGATION_OR_PRACTICAL_INFO, DONE, False, id="what to bring to a scan"
        ),
    ],
)
def test_an_examination_is_reached_where_it_is_done(intent, words, joins):
    assert enriched(meant(SCAN, intent=intent), words).dossier.with_facts is joins


def test_a_department_that_is_named_is_reached_itself():
    understood = meant(RADIOLOGY, intent=Intent.NAVIGATION_OR_PRACTICAL_INFO)

    assert enriched(understood, DONE).dossier.with_facts
