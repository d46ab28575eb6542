"""Rerank passages by a reranker, boosts and affinity, and add passages for missing words."""

from __future__ import annotations

from dataclasses import replace

from chat.behaviours import Mode
from chat.question.content_words import asked_words, stop_words_of, without_marks
from chat.sources.searching import dampened, hints_for, question_query, row_asked, steered
from chat.tools import ESCALATED_CANDIDATES, Step, Tools, in_order, leave_out
from chat.turn import Context, StageResult
from retrieval import ranking
from retrieval.passage import by_weight
from retrieval.ranking import read_as, reordered
from zol.text import word_set

#: Passages given to the reranker.
CANDIDATES = 20
#: Minimum letters of a word specific enough to search alone.
SPECIFIC = 6
#: Top passages checked for missing words, and maximum passages added for them.
CHECKED, RESCUED = 10, 3
#: Name in the trace of the search for missing words.
RESCUE = "rescue"


def reranking(ctx: Context, tools: Tools) -> StageResult:
    """Order the passages, and add passages for missing words."""
    if not ctx.strategy.reads_pages:
        return StageResult(ctx)
    return in_order(
        ctx,
        tools,
        Step(_rerank, switch="reranker", fallback=leave_out),
        Step(_boost, switch="boosts"),
        Step(_apply_affinity, switch="value_framework"),
        Step(_search_missing_words, switch="rescue"),
    )


def _rerank(ctx: Context, tools: Tools) -> StageResult:
    """Order the best passages with a cross-encoder."""
    if tools.corpus.rerank is None or not ctx.passages:
        return StageResult(
            ctx, {"off": "RERANK_URL is not set"} if tools.corpus.rerank is None else {}
        )
    meant = ctx.understanding
    asked = meant.query if meant.is_followup else without_marks(ctx.question)
    count = ESCALATED_CANDIDATES if ctx.turn.mode == Mode.ESCALATED else CANDIDATES
    first, others = ctx.passages[:count], ctx.passages[count:]
    relevance = tools.corpus.rerank(asked or ctx.question, [read_as(passage) for passage in first])
    passages = reordered(first, relevance)
    moved = sum(one.chunk_id != other.chunk_id for one, other in zip(first, passages, strict=True))
    return StageResult(
        ctx.learn(passages=(*passages, *others)),
        {"judged": sum(score is not None for score in relevance), "moved": moved},
    )


def _boost(ctx: Context, tools: Tools) -> StageResult:
    """Boost passages by features of their pages and of the conversation."""
    hints = hints_for(ctx, tools)
    passages = ranking.boost(ctx.passages, hints, tools.steering.tuning)
    return StageResult(ctx.learn(passages=passages), {"terms": sorted(hints.terms)})


def _apply_affinity(ctx: Context, tools: Tools) -> StageResult:
    """Reorder passages by the affinity of their subject with the question."""
    steering, row = tools.steering, row_asked(ctx, tools)
    passages = steered(ctx.passages, ctx.learn(steering_row=row), tools)
    primary = ranking.primary_category(passages)
    off = ranking.mismatch(passages, row, steering)
    return StageResult(
        ctx.learn(passages=passages, steering_row=row, primary_category=primary),
        {"row": row, "primary": primary, "mismatch": round(off.rate, 3), "off": off.off},
    )


def _search_missing_words(ctx: Context, tools: Tools) -> StageResult:
    """Search the keyword index for specific words missing from the best passages."""
    missing = _missing_terms(ctx, tools)
    if not missing:
        return StageResult(ctx)
    # The question's own vector gives the distance of each hit.
    query = replace(
        question_query(ctx, tools),
        words=dict.fromkeys(missing, 1.0),
        categories=frozenset(),
        dense_weight=0.0,
    )
    known = {passage.chunk_id for passage in ctx.passages}
    new = [each for each in tools.corpus.search(query).passages if each.chunk_id not in known][
        :RESCUED
    ]
    found = [dampened(each, ctx.passages, entered_by=RESCUE) for each in new]
    rescued = steered(found, ctx, tools)
    return StageResult(
        ctx.learn(passages=by_weight((*ctx.passages, *rescued))),
        {"missing": list(missing), "rescued": [passage.chunk_id for passage in rescued]},
    )


def _missing_terms(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the visitor's specific words that no best passage contains."""
    asked = asked_words(ctx, tools.snapshot)
    stops = stop_words_of(tools.snapshot)
    best = ctx.passages[:CHECKED]
    shown = frozenset().union(*(word_set(p.text) | word_set(p.section) for p in best))
    return tuple(
        word for word in asked if len(word) >= SPECIFIC and word not in stops and word not in shown
    )
