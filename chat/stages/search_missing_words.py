from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.answering.complaints import ABOUT_ONE
from chat.answering.quotation.candidates import describes_complaints
from chat.question.content_words import asked_words, stop_words_of
from chat.stages.search import enriched_question, query_for
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.boosts import rebalance
from retrieval.passage import Passage, by_weight
from retrieval.query import Query
from zol.text import word_set

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
