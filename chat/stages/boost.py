"""Put what was found in order: a reranker where there is one, boosts, affinity."""

from __future__ import annotations

from dataclasses import replace

from chat.behaviours import Mode
from chat.question.answer_types import Sort, sorts_of
from chat.question.content_words import asked_words, without_marks
from chat.tools import ESCALATED_CANDIDATES, Tools
from chat.turn import Context, StageResult
from retrieval import boosts
from retrieval.boosts import Hints
from retrieval.reranking.base import read_as, reordered
from retrieval.scope import scope_of
from taxonomy.kinds import Kind
from zol.errors import ExpectedError

#: Passages that the reranker is given.
CANDIDATES = 20


def rerank(ctx: Context, tools: Tools) -> StageResult:
    """Have a model that reads question and passage together put the best of them in order."""
    if tools.rerank is None or not ctx.passages:
        return StageResult(ctx, {"off": "RERANK_URL is not set"} if tools.rerank is None else {})
    meant = ctx.understanding
    asked = meant.query if meant.is_followup else without_marks(ctx.question)
    count = ESCALATED_CANDIDATES if ctx.turn.mode == Mode.ESCALATED else CANDIDATES
    first, others = ctx.passages[:count], ctx.passages[count:]
    relevance = tools.rerank(asked or ctx.question, [read_as(passage) for passage in first])
    passages = reordered(first, relevance)
    moved = sum(one.chunk_id != other.chunk_id for one, other in zip(first, passages, strict=True))
    return StageResult(
        ctx.learn(passages=(*passages, *others)),
        {"judged": sum(score is not None for score in relevance), "moved": moved},
    )


def keep_order(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Go on in the order of the search, which is what there is without a reranker."""
    return StageResult(ctx)


#: Sorts of answer that some passages have and others lack; nearly all name a place or a condition.
TELLING = frozenset({Sort.TIME, Sort.DURATION, Sort.AMOUNT, Sort.PHONE, Sort.EMAIL})
#: Passages of which it is looked up: what stands lower no boost brings near the top.
WITHIN_REACH = 30
#: The topic of questions for what is new.
NEWS = "news"


def boost(ctx: Context, tools: Tools) -> StageResult:
    """Lift and lower passages by what is known about their pages and the conversation."""
    hints = replace(hints_for(ctx, tools), giving=giving(ctx, tools))
    passages = boosts.boost(ctx.passages, hints, tools.steering.tuning)
    return StageResult(ctx.learn(passages=passages), {"terms": sorted(hints.terms)})


def giving(ctx: Context, tools: Tools) -> frozenset[int]:
    """Return the chunks that have what is asked for, where that tells passages apart."""
    sorts = tools.snapshot.derived(sorts_of)
    meant = ctx.understanding
    wanted = sorts.asked(ctx.question, meant.detected or meant.language) & TELLING
    if not wanted:
        return frozenset()
    return frozenset(
        p.chunk_id for p in ctx.passages[:WITHIN_REACH] if wanted & sorts.given(p.text)
    )


def hints_for(ctx: Context, tools: Tools) -> Hints:
    meant, steering = ctx.understanding, tools.steering
    last = ctx.turn.history[-1].citations if meant.is_followup and ctx.turn.history else ()
    return Hints(
        intent=meant.intent,
        terms=frozenset(asked_words(ctx, tools.snapshot)),
        campuses=frozenset(thing.key for thing in meant.matched(Kind.CAMPUS)),
        scope=tools.snapshot.derived(scope_of).named(
            ctx.question, meant.detected or meant.language
        ),
        page_categories=steering.preferred_categories.get(meant.intent, frozenset()),
        entity_kinds=steering.entity_kinds.get(meant.intent, frozenset()),
        cited_urls=frozenset(last),
        language=meant.language,
        wants_recent=meant.topic == NEWS,
        today=tools.today,
    )


def apply_affinity(ctx: Context, tools: Tools) -> StageResult:
    """Reorder passages by how well their subject suits what was asked."""
    steering, meant = tools.steering, ctx.understanding
    row = steering.row_for(meant.intent, meant.topic)
    passages = boosts.rebalance(ctx.passages, row, steering)
    primary = boosts.primary_category(passages)
    off = boosts.mismatch(passages, row, steering)
    return StageResult(
        ctx.learn(passages=passages, steering_row=row, primary_category=primary),
        {"row": row, "primary": primary, "mismatch": round(off.rate, 3), "off": off.off},
    )
