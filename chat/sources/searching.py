"""The searches for a question: in the pages' language, as it was asked, by its missing words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt

from chat.question.content_words import asked_before, asked_words, stop_words_of, without_marks
from chat.question.query_expansion import Enrichment, enrich
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.passage import Passage
from retrieval.query import Query, SearchResult, fused, preferring
from zol.text import words

#: A filter that leaves fewer hits than this is dropped.
FEWEST_FILTERED = 3
#: What a passage counts on a page of a kind that does not suit the intent.
OTHER_KINDS = 0.8
#: What counts for a part of a question that was found by the words of all of it.
OF_THE_WHOLE = 0.5
#: What a word counts that was asked, and one that was only added to the question.
ASKED, ADDED = 0.9, 0.5
#: The place of the passage that one of a further search may not outweigh.
RUNNER_UP = 5


@dataclass(frozen=True, slots=True)
class Found:
    """A search and what it gave."""

    query: Query
    result: SearchResult


def searched(ctx: Context, tools: Tools) -> StageResult:
    """Gather evidence from both lanes in one round trip; pages that suit the question come sooner.

    What a model made of the question is searched for beside the visitor's own words.
    """
    found_by = found_for(as_rewritten(ctx, tools), tools)
    query, found, kinds = found_by.query, found_by.result, ctx.strategy.preferred
    if ctx.found.own is not None and ctx.understanding.by_model:
        is_part = ctx.understanding.classification is None
        found = fused(found, ctx.found.own, share=OF_THE_WHOLE if is_part else 1.0)
    suitable = sum(passage.source.category in kinds for passage in found.passages)
    dropped = bool(kinds) and suitable < FEWEST_FILTERED
    passages = found.passages
    if kinds and not dropped:
        passages = preferring(passages, kinds, factor=OTHER_KINDS)
    return StageResult(
        ctx.learn(
            passages=passages, best_similarity=found.best_similarity, dense_hits=found.dense_hits
        ),
        {
            "query": query.text,
            "words": {word: round(weight, 2) for word, weight in query.words.items()},
            "categories": sorted(query.categories or kinds),
            "filter_dropped": dropped,
            **found_detail(found),
        },
    )


def found_detail(found: SearchResult) -> dict[str, object]:
    """Return what the trace keeps of a search."""
    return {
        "found": len(found.passages),
        "dense": sum(passage.dense_rank > 0 for passage in found.passages),
        "keyword": sum(passage.keyword_rank > 0 for passage in found.passages),
        "best_similarity": round(found.best_similarity, 4),
    }


def found_for(ctx: Context, tools: Tools) -> Found:
    """Search for what a question says, in the pages' language and as it was asked."""
    query = question_query(ctx, tools)
    query = replace(query, words=weighted_words(ctx, tools, query.text))
    return Found(query, tools.corpus.search(query))


def as_rewritten(ctx: Context, tools: Tools) -> Context:
    """Return a turn as if its question had been asked as a model put it: in the pages' language,
    complete without the conversation."""
    meant = ctx.understanding
    said = meant.classification if meant.by_model else None
    if said is None or not said.rewritten:
        return ctx
    own = tools.snapshot.profile.default_language
    plain = replace(meant, language=own, detected=own, is_followup=False)
    return ctx.learn(question=said.rewritten, understanding=plain)


def enriched_question(ctx: Context, tools: Tools) -> Enrichment:
    """Return what is asked, in the pages' language, with the hospital's names appended."""
    meant = ctx.understanding
    # The fixed form of a question has words of its template, which every page of a kind has.
    asked = asked_words(ctx, tools.snapshot)
    said = " ".join(dict.fromkeys((*asked, *meant.terms))) or meant.query or ctx.question
    return enrich(
        said, meant.matches, tools.snapshot.vocabulary, tools.snapshot.terminology.words_for
    )


def question_query(ctx: Context, tools: Tools) -> Query:
    """Return the search for a question with the hospital's names for it."""
    enriched = ctx.found.enrichment or enriched_question(ctx, tools)
    return query_for(ctx, tools, enriched.query)


def query_for(ctx: Context, tools: Tools, text: str) -> Query:
    """Return the search for a text: within the kinds of pages that the request names, if any."""
    return Query(
        text=text,
        language=tools.snapshot.profile.default_language,
        asked=without_marks(ctx.question),
        asked_in=ctx.understanding.language,
        before=asked_before(ctx),
        categories=frozenset(ctx.turn.categories),
        stop_words=stop_words_of(tools.snapshot),
        tuning=tools.steering.tuning,
        dense_weight=None if tools.is_on("dense") else 0.0,
        keyword_weight=None if tools.is_on("keyword") else 0.0,
    )


def weighted_words(ctx: Context, tools: Tools, text: str) -> Mapping[str, float]:
    """Return folded words with what each counts: those asked, all names of what is meant, in the
    pages' language and in the asker's, and less those that were only added."""
    snapshot, stem = tools.snapshot, tools.corpus.stem
    languages = {snapshot.profile.default_language, ctx.understanding.language}
    stop = stop_words_of(snapshot)
    weights = {word: ADDED for word in words(text) if word not in stop}
    weights |= dict.fromkeys(asked_words(ctx, snapshot), ASKED)
    for match in ctx.understanding.matches:
        aliases = (each.text for each in match.thing.aliases if each.language in languages)
        names = {word for name in (match.thing.name, *aliases) for word in words(name)} - stop
        share = 1 / sqrt(max(1, len({stem(word) for word in names})))
        weights |= {word: max(weights.get(word, 0.0), share) for word in names}
    return weights


def dampened(passage: Passage, passages: tuple[Passage, ...], entered_by: str) -> Passage:
    """Return a passage of a further search with a base no higher than that of a runner-up of the
    first: it was found by a part of the question, and was the best only for that part."""
    bases = sorted((p.base or 0.0 for p in passages), reverse=True)
    ceiling = bases[min(RUNNER_UP, len(bases)) - 1] if bases else 1.0
    return passage.changed(base=min(passage.base or 0.0, ceiling), entered_by=entered_by)
