from __future__ import annotations

from dataclasses import replace

from chat.stages.search import query_for
from chat.tools import Tools
from chat.turn import Context, StageResult
from chat.wording import asked_words, stop_words_of
from retrieval.affinity import rebalance
from retrieval.passage import Passage, by_weight
from zol.text import word_set

#: A shorter word is not specific enough to be looked up alone.
SPECIFIC = 6
#: Passages in which a word must stand somewhere not to be missed.
LOOKED_AT = 10
RESCUED = 3
#: The place of the passage that a rescued one may not outweigh.
RUNNER_UP = 5


def rescue(ctx: Context, tools: Tools) -> StageResult:
    """Look up specific words that none of the best passages contains, by the keyword index."""
    missing = missing_terms(ctx, tools)
    if not missing:
        return StageResult(ctx)
    query = replace(
        query_for(ctx, tools, " ".join(missing)), categories=frozenset(), dense_weight=0.0
    )
    known = {passage.chunk_id for passage in ctx.passages}
    found = [p for p in tools.search(query).passages if p.chunk_id not in known][:RESCUED]
    found = [dampened(passage, ctx.passages) for passage in found]
    rescued = rebalance(found, ctx.steering_row, tools.steering)
    return StageResult(
        ctx.learn(passages=by_weight((*ctx.passages, *rescued))),
        {"missing": list(missing), "rescued": [passage.chunk_id for passage in rescued]},
    )


def dampened(passage: Passage, passages: tuple[Passage, ...]) -> Passage:
    """Return a rescued passage with a base no higher than that of a runner-up of the whole search.

    It was found by a part of the question, and was the first only for that part.
    """
    bases = sorted((p.base or 0.0 for p in passages), reverse=True)
    ceiling = bases[min(RUNNER_UP, len(bases)) - 1] if bases else 1.0
    return replace(passage, base=min(passage.base or 0.0, ceiling), entered_by="rescue")


def missing_terms(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the visitor's specific words that stand in none of the best passages."""
    asked = asked_words(ctx, tools.snapshot)
    stops = stop_words_of(tools.snapshot)
    best = ctx.passages[:LOOKED_AT]
    shown = frozenset().union(*(word_set(p.text) | word_set(p.section) for p in best))
    return tuple(
        word for word in asked if len(word) >= SPECIFIC and word not in stops and word not in shown
    )
