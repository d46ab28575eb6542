"""Build the context of an answer: grade the evidence, rank it, merge the parts of a question.

The token budget is applied later, to numbered lines (`sources.numbered`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import TypeVar

from chat.answering.refusals import WAITING, refused
from chat.question.content_words import asked_words, without_marks
from chat.sources.searching import as_rewritten, dampened, query_for, ranked
from chat.tools import Step, Tools, for_each_part, in_order
from chat.turn import Context, StageResult
from retrieval import ranking
from retrieval.context import Grade, GradedEvidence, cover, grade, with_neighbours
from retrieval.intents import Intent
from retrieval.passage import Passage, by_weight

#: Weight of adjacent chunks, relative to their passage.
NEIGHBOURS = 0.5
#: Maximum passages added by the second search, and its name in the trace.
JOINING = 5
SECOND = "second search"
#: Passages whose ranking the trace keeps.
EXPLAINED = 20

T = TypeVar("T")


def context_building(ctx: Context, tools: Tools) -> StageResult:
    """Grade and rank the evidence, and refuse a question that no evidence supports."""
    built = for_each_part(Step(_build, fallback=None), ctx, tools)
    merged = _merged(built.context)
    return in_order(merged, tools, Step(_refuse_unfound, fallback=None)).after(built)


def _build(ctx: Context, tools: Tools) -> StageResult:
    return in_order(
        ctx, tools, Step(_grade_evidence, switch="crag"), Step(_assemble), Step(_add_neighbours)
    )


def _grade_evidence(ctx: Context, tools: Tools) -> StageResult:
    """Grade the evidence, and search again unless it is sufficient.

    Insufficient evidence is not refused here: the engine decides when it reads the lines.
    """
    # The taxonomy's answer needs no pages (spec 04, incident 15).
    if ctx.published.roster or (ctx.published.findings and ctx.dossier.with_facts):
        return StageResult(ctx, {"bypassed": "the taxonomy answers"})
    first, measures = _graded(ctx, tools)
    detail: dict[str, object] = {"grade": str(first), **measures}
    if first is Grade.CORRECT:
        return StageResult(ctx, detail)
    wider = _broadened(ctx, tools)
    second, measures = _graded(wider, tools)
    return StageResult(wider, detail | {"after_second_search": str(second), "second": measures})


def _graded(ctx: Context, tools: Tools) -> tuple[Grade, dict[str, float]]:
    """Return the grade and its measures.

    The evidence is incorrect only if question and pages can be compared, because they have the same
    language or the embedding covers the asker's.
    """
    read, corpus = ctx.passages[: tools.steering.tuning.limit], tools.corpus
    measured = GradedEvidence(
        likeness=ctx.found.best_similarity / corpus.low_similarity,
        cover=cover(asked_words(ctx, tools.snapshot), read, corpus.stem),
    )
    found, asker = grade(measured), ctx.understanding.written_in
    is_embedded = not corpus.embedded_languages or asker in corpus.embedded_languages
    if found is Grade.INCORRECT and not (
        is_embedded or asker == tools.snapshot.profile.default_language
    ):
        found = Grade.AMBIGUOUS
    return found, {name: round(value, 3) for name, value in asdict(measured).items()}


def _broadened(ctx: Context, tools: Tools) -> Context:
    """Return the turn with passages of a second search, without threshold or filter."""
    meant = ctx.understanding
    text = meant.query or without_marks(ctx.question)
    query = replace(query_for(ctx, tools, text), categories=frozenset(), floor=-1.0)
    found = tools.corpus.search(query)
    known = {passage.chunk_id for passage in ctx.passages}
    new = [passage for passage in found.passages if passage.chunk_id not in known][:JOINING]
    joining = ranked(
        [dampened(passage, ctx.passages, entered_by=SECOND) for passage in new], ctx, tools
    )
    return ctx.learn(
        passages=by_weight((*ctx.passages, *joining)),
        best_similarity=max(ctx.found.best_similarity, found.best_similarity),
    )


def _assemble(ctx: Context, tools: Tools) -> StageResult:
    """Rank current pages before those that they replaced, and record the ranking."""
    replaced = tools.corpus.pages.replaced(ctx.passages)
    passages = ranking.current_first(ctx.passages, replaced)
    return StageResult(
        ctx.learn(passages=passages),
        {
            "passages": len(passages[: tools.steering.tuning.limit]),
            "ranking": [_explained(passage) for passage in passages[:EXPLAINED]],
        },
    )


def _add_neighbours(ctx: Context, tools: Tools) -> StageResult:
    """Select the best passages, with the chunks before and after each."""
    chosen = ctx.passages[: tools.steering.tuning.limit]
    widened = with_neighbours(chosen, tools.corpus.neighbours(chosen), NEIGHBOURS)
    added = len(widened) - len(chosen)
    return StageResult(ctx.learn(selected=widened), {"added": added} if added else {})


def _explained(passage: Passage) -> dict[str, object]:
    """Return all ranking factors of a passage, for staff."""
    return {
        "chunk": passage.chunk_id,
        "title": passage.source.title,
        "section": passage.section,
        "category": passage.category,
        "dense_rank": passage.dense_rank,
        "keyword_rank": passage.keyword_rank,
        "similarity": round(passage.similarity, 4),
        "entered_by": passage.entered_by,
        "suited": passage.suited,
        "base": round(passage.base or 0.0, 4),
        "boosts": {boost.name: round(boost.factor, 3) for boost in passage.boosts},
        "affinity": passage.affinity,
        "steered_by": passage.steered_by,
        "relevance": None if passage.relevance is None else round(passage.relevance, 4),
        "score": round(passage.score, 4),
    }


def _merged(ctx: Context) -> Context:
    """Merge the results of a question's parts."""
    if not ctx.parts:
        return ctx
    parts = ctx.parts
    found, published = [part.found for part in parts], [part.published for part in parts]
    matches = _each_once(match for part in parts for match in part.understanding.matches)
    categories = {each.primary_category for each in found}
    return ctx.learn(
        understanding=replace(ctx.understanding, matches=matches),
        passages=by_weight(_best_of_each(p for each in found for p in each.passages)),
        best_similarity=max(each.best_similarity for each in found),
        dense_hits=max(each.dense_hits for each in found),
        steering_row=found[0].steering_row,
        primary_category=categories.pop() if len(categories) == 1 else "",
        findings=_each_once(finding for each in published for finding in each.findings),
        routed=_each_once(thing for each in published for thing in each.routed),
        roster=_each_once(thing for each in published for thing in each.roster),
        selected=_best_of_each(p for part in parts for p in part.dossier.selected),
        with_facts=any(part.dossier.with_facts for part in parts),
    )


def _best_of_each(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return each chunk once, with its best weight."""
    best: dict[int, Passage] = {}
    for passage in passages:
        known = best.get(passage.chunk_id)
        if known is None or known.weight < passage.weight:
            best[passage.chunk_id] = passage
    return tuple(best.values())


def _each_once(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


def _refuse_unfound(ctx: Context, tools: Tools) -> StageResult:
    """Refuse a question that a model classified as off topic, unless the pages may answer it.

    Without a model the embedded engine decides when it reads the lines.
    """
    meant = ctx.understanding
    if meant.intent not in WAITING or not meant.by_model:
        return StageResult(ctx)
    found, _ = _graded(as_rewritten(ctx, tools), tools)
    if found is Grade.INCORRECT and not ctx.published.answers:
        return refused(ctx, tools)
    answered = replace(meant, intent=Intent.UNKNOWN)
    return StageResult(ctx.learn(understanding=answered), {"grade": str(found)})
