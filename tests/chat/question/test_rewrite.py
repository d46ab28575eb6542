"""A question is given the hospital's own words; what is appended is seen every time."""

from chat.question.rewrite import LATIN, ROUTING, SYNONYMS, enrich
from chat.stages.query_rewrite import query_rewrite
from chat.stages.retrieval import retrieval
from retrieval.query import SearchResult
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import context, match, meant, thing, tools, vocabulary

CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie")
PALPITATIONS = thing(Kind.CONDITION, "Palpitaties", "hartkloppingen", latin="Palpitatio cordis")
WORDS = vocabulary((CARDIOLOGY, Predicate.HANDLES, PALPITATIONS))


def test_the_names_follow_the_question_in_parentheses_and_every_layer_is_told_apart():
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


def test_what_was_said_is_not_said_again():
    enriched = enrich("palpitaties cardiologie", [match(PALPITATIONS)], WORDS)

    assert enriched.added == ("Palpitatio cordis",)


def test_what_is_appended_is_what_is_searched():
    """The contract of the hand-off: the search is asked the enriched question, and says so."""
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
