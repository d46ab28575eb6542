from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

from chat.answering.query_terms import terms_of
from chat.question.content_words import asked_before, asked_words, stop_words_of, without_marks
from chat.question.query_expansion import Enrichment, enrich
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.query import Query, SearchResult, preferring
from taxonomy.lexicon import lexicon_of
from zol.errors import ExpectedError
from zol.text import words

#: A filter that leaves fewer hits than this is dropped.
FEWEST_FILTERED = 3
#: What kinds of pages are called in questions, by concept.
NAMED_KINDS = {"brochure": "Brochure"}


def search(ctx: Context, tools: Tools) -> StageResult:
    """Gather evidence from both lanes in one round trip; pages that suit the intent come sooner."""
    enriched = enriched_question(ctx, tools)
    enriched.log()
    query, kinds = query_for(ctx, tools, enriched.query), preferred_kinds(ctx, tools)
    query = replace(query, words=weighted_words(ctx, tools, query.text))
    found = tools.search(query)
    suitable = sum(passage.source.category in kinds for passage in found.passages)
    dropped = bool(kinds) and suitable < FEWEST_FILTERED
    passages = found.passages
    if kinds and not dropped:
        passages = preferring(passages, kinds, factor=tools.steering.tuning.other_kinds)
    return StageResult(
        ctx.learn(
            passages=passages, best_similarity=found.best_similarity, dense_hits=found.dense_hits
        ),
        {
            "query": query.text,
            "words": {word: round(weight, 2) for word, weight in query.words.items()},
            "enrichment": enriched.as_data(),
            "categories": sorted(query.categories or kinds),
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
    """Return the search for a text: within the kinds of pages that the request names, if any."""
    tuning = tools.steering.tuning
    return Query(
        text=text,
        language=tools.snapshot.profile.default_language,
        asked=without_marks(ctx.question),
        asked_in=ctx.understanding.language,
        before=asked_before(ctx),
        categories=frozenset(ctx.turn.categories),
        stop_words=stop_words_of(tools.snapshot),
        tuning=tuning,
        dense_weight=None if tools.is_on("dense") else 0.0,
        keyword_weight=None if tools.is_on("keyword") else 0.0,
    )


def preferred_kinds(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the kinds of pages that are asked for by name, else those that suit the intent; none
    where the request or a follow-up rules.

    An intent may be wrong, so pages of other kinds are not left out: they count for less.
    """
    if ctx.turn.categories or ctx.understanding.is_followup:
        return frozenset()
    if named := kinds_named(ctx, tools):
        return named
    return tools.steering.page_categories.get(ctx.understanding.intent, frozenset())


def kinds_named(ctx: Context, tools: Tools) -> frozenset[str]:
    """Return the kinds of pages that a question asks for by what they are: "wat staat er in de
    folder"; it is about something else."""
    lexicon, meant = tools.snapshot.derived(lexicon_of), ctx.understanding
    spoken = lexicon.read(words(ctx.question), meant.detected or meant.language)
    named = {concept.name for use in spoken for concept in use.concepts}
    return frozenset(kind for name, kind in NAMED_KINDS.items() if name in named)


def found_detail(found: SearchResult) -> dict[str, object]:
    return {
        "found": len(found.passages),
        "dense": sum(passage.dense_rank > 0 for passage in found.passages),
        "keyword": sum(passage.keyword_rank > 0 for passage in found.passages),
        "best_similarity": round(found.best_similarity, 4),
    }


def search_nothing(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer from the taxonomy alone."""
    return StageResult(ctx.learn(degraded=True))


#: What a word counts that names nothing we know, or was only added to the question.
ADDED = 0.5


def weighted_words(ctx: Context, tools: Tools, text: str) -> Mapping[str, float]:
    """Return folded words with what each counts: all names of what is meant, and those of a text.

    Names in the pages' language and in the asker's: a page in that one is the better answer.
    """
    languages = (tools.snapshot.profile.default_language, ctx.understanding.language)
    stop, stem = stop_words_of(tools.snapshot), tools.stem
    weights = {word: ADDED for word in words(text) if word not in stop}
    for term in terms_of(ctx, tools, tuple(dict.fromkeys(languages))):
        said = {word for name in term.names for word in words(name) if word not in stop}
        share = term.worth / sqrt(max(1, len({stem(word) for word in said})))
        weights |= {word: max(weights.get(word, 0.0), share) for word in said}
    return weights
