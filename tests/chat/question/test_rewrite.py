"""A question is expanded with the hospital's own terms, and the trace shows them."""

from chat.question.rewrite import LATIN, ROUTING, SYNONYMS, enrich
from chat.stages.query_rewrite import query_rewrite
from chat.stages.retrieval import retrieval
from retrieval.query import SearchResult
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import context, match, meant, thing, tools, vocabulary

CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie")
PALPITATIONS = thing(Kind.CONDITION, "Palpitaties", "hartkloppingen", latin="Palpitatio cordis")
WORDS = vocabulary((CARDIOLOGY, Predicate.HANDLES, PALPITATIONS))


def test_names_follow_the_question_in_parentheses_by_layer():
    enriched = enrich("hartkloppingen", [match(PALPITATIONS)], WORDS, lambda about: ("hartbonzen",))

    assert (
        enriched.query == "hartkloppingen (Palpitaties, hartbonzen, Cardiologie, Palpitatio cordis)"
    )
    assert enriched.layers == {
        SYNONYMS: ("Palpitaties", "hartbonzen"),
        ROUTING: ("Cardiologie",),
        LATIN: ("Palpitatio cordis",),
    }


def test_words_that_name_nothing_known_add_nothing():
    assert enrich("bloemen", [], WORDS).query == "bloemen"


def test_words_of_the_question_are_not_repeated():
    enriched = enrich("palpitaties cardiologie", [match(PALPITATIONS)], WORDS)

    assert enriched.added == ("Palpitatio cordis",)


def test_the_expanded_question_is_searched():
    """The search receives the enriched question, and the trace shows it."""
    asked = []

    def find(query):
        asked.append(query.text)
        return SearchResult()

    ctx = context("hartkloppingen", understanding=meant(PALPITATIONS, query="hartkloppingen"))
    kit = tools(words=WORDS, search=find)
    rewritten = query_rewrite(ctx, kit)
    result = retrieval(rewritten.context, kit)

    enriched = "hartkloppingen (Palpitaties, Cardiologie, Palpitatio cordis)"
    assert asked == [enriched]
    assert result.detail["query"] == enriched
    assert rewritten.detail["enrichment"]["letters"] == len(enriched) - len("hartkloppingen")
