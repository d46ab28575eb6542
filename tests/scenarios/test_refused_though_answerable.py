"""A quality filter refused answerable Turkish and Romanian questions: grading must not."""

import pytest

from chat.behaviours import Behaviour
from chat.services import take_turn
from chat.stages.context_building import context_building
from chat.turn import Turn
from retrieval.context import Grade, GradedEvidence
from retrieval.context import grade as graded
from retrieval.query import SearchResult
from tests.builders import context, meant, passage, phrases, told, tools

#: What nothing found resembles, in words or meaning.
UNRELATED = passage("Het menu van vandaag is soep.", 0.9)
NOTHING_LIKE_IT = GradedEvidence(likeness=0.4, cover=0.0)

TAXONOMY = [
    ("nl", "Welke artsen werken bij longziekten?"),
    ("tr", "Göğüs hastalıklarında hangi doktorlar çalışıyor?"),
    ("ro", "Ce medici lucrează la pneumologie?"),
    ("el", "Ποιοι γιατροί εργάζονται στην πνευμονολογία;"),
]
PAGES = [
    ("nl", "Wat kost parkeren?"),
    ("tr", "Otopark ücreti ne kadar?"),
    ("ro", "Cât costă parcarea?"),
    ("el", "Πόσο κοστίζει το πάρκινγκ;"),
]


@pytest.mark.parametrize(("language", "question"), TAXONOMY)
def test_what_the_taxonomy_answers_is_answered_however_it_is_asked(mini, language, question):
    answered = take_turn(Turn(question, language), flags={"crag": True, "cache": False})

    assert "Lotte Van der Aa" in answered.context.answer
    assert told("grade_evidence", answered.trace) == {"bypassed": "the taxonomy answers"}


@pytest.mark.parametrize(("language", "question"), PAGES)
def test_what_a_page_answers_is_answered_however_it_is_asked(mini, language, question):
    context = take_turn(Turn(question, language), flags={"crag": True, "cache": False}).context

    assert context.behaviour is Behaviour.ANSWER
    assert any("bereikbaarheid" in citation.url for citation in context.citations)


def test_one_good_sign_is_enough_and_two_bad_ones_are_needed():
    assert graded(GradedEvidence(likeness=2.0, cover=0.0)) is Grade.CORRECT
    assert graded(GradedEvidence(likeness=0.1, cover=0.9)) is Grade.CORRECT
    assert graded(GradedEvidence(likeness=1.3, cover=0.1)) is Grade.AMBIGUOUS
    assert graded(NOTHING_LIKE_IT) is Grade.INCORRECT


def asked(language="nl", **learned):
    """A question of which nothing is found, in a language that the embedding may not hear."""
    ctx = context("Hoe hoog is de Eiffeltoren?", passages=(UNRELATED,), best_similarity=0.1)
    return ctx.learn(understanding=meant(language=language, query="hoogte toren"), **learned)


def kit(**fields):
    values = {"phrases": phrases(), "low_similarity": 0.35} | fields
    return tools(finds=[UNRELATED], flags={"crag": True}, **values)


def graded_in(ctx, values):
    result = context_building(ctx, values)
    return result.context, result.detail["grade_evidence"]


def test_what_has_nothing_to_do_with_the_question_is_left_out():
    strict = kit(search=lambda query: SearchResult())

    ctx, detail = graded_in(asked(), strict)

    assert ctx.passages == ()
    assert detail["after_second_search"] == "incorrect"


def test_a_language_that_nobody_hears_is_no_reason_to_refuse():
    deaf = kit(search=lambda query: SearchResult(), hears=frozenset({"nl", "en"}))

    ctx, detail = graded_in(asked("el"), deaf)

    assert ctx.passages == (UNRELATED,)
    assert detail["grade"] == "ambiguous"


def test_doubt_searches_once_more_without_floor_and_says_which_passages_are_new():
    asked_for = []
    better = passage("De Eiffeltoren is 330 meter hoog.", 1.0, chunk_id=9)

    def search(query):
        asked_for.append(query)
        return SearchResult(passages=(better,), best_similarity=0.9)

    ctx, detail = graded_in(asked(), kit(search=search))

    assert [query.floor for query in asked_for] == [-1.0]
    new = next(p for p in ctx.passages if p.chunk_id == 9)
    assert new.entered_by == "second search"
    assert detail["after_second_search"] == "correct"
