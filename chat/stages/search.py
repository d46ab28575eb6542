from __future__ import annotations

from dataclasses import replace

from chat.enrichment import Enrichment, enrich
from chat.tools import Tools
from chat.turn import Context, StageResult
from chat.wording import asked_words, stop_words_of, without_marks
from retrieval.query import Found, Query
from zol.errors import ExpectedError

#: A filter that leaves fewer hits than this is dropped.
FEWEST_FILTERED = 3


def search(ctx: Context, tools: Tools) -> StageResult:
    """Gather evidence from both lanes in one round trip, within the pages that suit the intent."""
    enriched = enriched_question(ctx, tools)
    query = query_for(ctx, tools, enriched.query)
    found = tools.search(query)
    is_filtered = bool(query.categories) and not ctx.turn.categories
    dropped = is_filtered and len(found.passages) < FEWEST_FILTERED
    if dropped:
        found = tools.search(replace(query, categories=frozenset()))
    return StageResult(
        ctx.learn(
            passages=found.passages,
            best_similarity=found.best_similarity,
            dense_hits=found.dense_hits,
        ),
        {
            "query": query.text,
            "enrichment": enriched.as_data(),
            "categories": sorted(query.categories),
            "filter_dropped": dropped,
            **found_detail(found),
        },
    )


def enriched_question(ctx: Context, tools: Tools) -> Enrichment:
    """Return what is asked, in the pages' language, with the hospital's names appended."""
    meant = ctx.understanding
    # The fixed form of a question has words of its template, which every page of a kind has.
    asked = asked_words(ctx, tools.snapshot)
    said = " ".join(dict.fromkeys((*asked, *meant.terms))) or meant.query or ctx.question
    return enrich(said, meant.matches, tools.snapshot.vocabulary, tools.synonyms)


def query_for(ctx: Context, tools: Tools, text: str) -> Query:
    """Return the search for a text: within the kinds of pages that suit the question."""
    tuning = tools.steering.tuning
    return Query(
        text=text,
        language=tools.snapshot.profile.default_language,
        asked=without_marks(ctx.question),
        asked_in=meant.language,
        categories=categories_for(ctx, tools),
        stop_words=stop_words_of(tools.snapshot),
        tuning=tuning,
        dense_weight=None if tools.is_on("dense") else 0.0,
        keyword_weight=None if tools.is_on("keyword") else 0.0,
    )


def categories_for(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the kinds of pages to search: the request's, none for a follow-up, the intent's."""
    if ctx.turn.categories:
        return frozenset(ctx.turn.categories)
    if ctx.understanding.is_followup:
        return frozenset()
    return tools.steering.page_categories.get(ctx.understanding.intent, frozenset())


def found_detail(found: Found) -> dict[str, object]:
    return {
        "found": len(found.passages),
        "dense": sum(passage.dense_rank > 0 for passage in found.passages),
        "keyword": sum(passage.keyword_rank > 0 for passage in found.passages),
        "best_similarity": round(found.best_similarity, 4),
    }


def search_nothing(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer from the taxonomy alone."""
    return StageResult(ctx.learn(degraded=True))
