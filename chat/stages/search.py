"""Search the hospital's pages, and once more for words that no passage has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from chat.question.complaints import ABOUT_ONE
from chat.question.content_words import asked_before, asked_words, stop_words_of, without_marks
from chat.question.query_expansion import Enrichment, enrich
from chat.question.query_terms import terms_of
from chat.sources.quotation.candidates import describes_complaints
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.boosts import rebalance
from retrieval.passage import Passage, by_weight
from retrieval.query import Query, SearchResult, fused, preferring
from taxonomy.lexicon import lexicon_of
from zol.errors import ExpectedError
from zol.text import word_set, words

#: A filter that leaves fewer hits than this is dropped.
FEWEST_FILTERED = 3
#: What a passage counts on a page of a kind that does not suit the intent.
OTHER_KINDS = 0.8
#: What counts for a part of a question that was found by the words of all of it.
OF_THE_WHOLE = 0.5
#: What kinds of pages are called in questions, by concept.
NAMED_KINDS = {"brochure": "Brochure"}


@dataclass(frozen=True, slots=True)
class Found:
    """A search and what it gave."""

    query: Query
    enriched: Enrichment
    result: SearchResult


def search(ctx: Context, tools: Tools) -> StageResult:
    """Gather evidence from both lanes in one round trip; pages that suit the intent come sooner.

    What a model made of the question is searched for beside the visitor's own words.
    """
    searched = found_for(as_rewritten(ctx, tools), tools)
    query, enriched, found = searched.query, searched.enriched, searched.result
    kinds = preferred_kinds(ctx, tools)
    if ctx.own is not None and ctx.understanding.by_model:
        is_part = ctx.understanding.classification is None
        found = fused(found, ctx.own, share=OF_THE_WHOLE if is_part else 1.0)
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
            "enrichment": enriched.as_data(),
            "categories": sorted(query.categories or kinds),
            "filter_dropped": dropped,
            **found_detail(found),
        },
    )


def found_for(ctx: Context, tools: Tools) -> Found:
    """Search for what a question says, in the pages' language and as it was asked."""
    enriched = enriched_question(ctx, tools)
    enriched.log()
    query = query_for(ctx, tools, enriched.query)
    query = replace(query, words=weighted_words(ctx, tools, query.text))
    return Found(query, enriched, tools.search(query))


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


#: A shorter word is not specific enough to be looked up alone.
SPECIFIC = 6
#: Passages in which a word must stand somewhere not to be missed.
LOOKED_AT = 10
RESCUED = 3
#: The place of the passage that a rescued one may not outweigh.
RUNNER_UP = 5
#: Which search a passage entered by.
RESCUE, GUIDANCE = "rescue", "guidance"


def search_missing_words(ctx: Context, tools: Tools) -> StageResult:
    """Look up specific words that none of the best passages contains, by the keyword index; and for
    who describes complaints, what tells where to go."""
    missing = missing_terms(ctx, tools)
    queries = {RESCUE: by_words(missing, ctx, tools), GUIDANCE: for_guidance(ctx, tools)}
    if not any(queries.values()):
        return StageResult(ctx)
    known = {passage.chunk_id for passage in ctx.passages}
    found: list[Passage] = []
    for name, query in queries.items():
        new = [p for p in tools.search(query).passages if p.chunk_id not in known] if query else []
        found += [dampened(p, ctx.passages).changed(entered_by=name) for p in new[:RESCUED]]
        known |= {passage.chunk_id for passage in found}
    rescued = rebalance(found, ctx.steering_row, tools.steering)
    return StageResult(
        ctx.learn(passages=by_weight((*ctx.passages, *rescued))),
        {"missing": list(missing), "rescued": [passage.chunk_id for passage in rescued]},
    )


def by_words(missing: Sequence[str], ctx: Context, tools: Tools) -> Query | None:
    """Return the search for words that were missed."""
    if not missing:
        return None
    # How near a passage is, is told by the question that was searched for, which is read already.
    query = query_for(ctx, tools, enriched_question(ctx, tools).query)
    words = dict.fromkeys(missing, 1.0)
    return replace(query, words=words, categories=frozenset(), dense_weight=0.0)


def for_guidance(ctx: Context, tools: Tools) -> Query | None:
    """Return the search for what tells where to go with complaints that nobody has a name for."""
    kinds = tools.steering.page_categories.get(ctx.understanding.intent, frozenset()) - ABOUT_ONE
    if not kinds or ctx.turn.categories or not describes_complaints(ctx, tools):
        return None
    return replace(query_for(ctx, tools, enriched_question(ctx, tools).query), categories=kinds)


def dampened(passage: Passage, passages: tuple[Passage, ...]) -> Passage:
    """Return a rescued passage with a base no higher than that of a runner-up of the whole search.

    It was found by a part of the question, and was the first only for that part.
    """
    bases = sorted((p.base or 0.0 for p in passages), reverse=True)
    ceiling = bases[min(RUNNER_UP, len(bases)) - 1] if bases else 1.0
    return passage.changed(base=min(passage.base or 0.0, ceiling), entered_by=RESCUE)


def missing_terms(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the visitor's specific words that stand in none of the best passages."""
    asked = asked_words(ctx, tools.snapshot)
    stops = stop_words_of(tools.snapshot)
    best = ctx.passages[:LOOKED_AT]
    shown = frozenset().union(*(word_set(p.text) | word_set(p.section) for p in best))
    return tuple(
        word for word in asked if len(word) >= SPECIFIC and word not in stops and word not in shown
    )
