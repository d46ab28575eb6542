from __future__ import annotations

from dataclasses import replace

from chat.tools import Tools, no_neighbours
from chat.turn import Context, StageResult
from retrieval import assembly
from retrieval.passage import Passage
from zol.errors import ExpectedError


def assemble_what_was_found(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Read the passages found without what stands next to them."""
    return assemble(ctx.learn(degraded=True), replace(tools, neighbours=no_neighbours))


def assemble(ctx: Context, tools: Tools) -> StageResult:
    """Make coherent reading of the best passages, within the budget."""
    tuning = tools.steering.tuning
    chosen = ctx.passages[: tuning.limit]
    widened = assembly.with_neighbours(chosen, tools.neighbours(chosen), tuning.neighbour_factor)
    blocks = assembly.assemble(
        widened, budget=tuning.context_tokens, count_tokens=tools.count_tokens
    )
    dossier = replace(
        ctx.dossier, blocks=blocks, guard=tools.steering.guards.get(ctx.primary_category, "")
    )
    return StageResult(
        ctx.learn(dossier=dossier),
        {
            "passages": len(chosen),
            "with_neighbours": len(widened),
            "documents": len(blocks),
            "tokens": sum(block.tokens for block in blocks),
            "ranking": [explained(passage) for passage in ctx.passages[:20]],
        },
    )


def explained(passage: Passage) -> dict[str, object]:
    """Return every factor that put a passage where it is, for staff."""
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
        "answering": round(passage.answering, 4),
        "reading": {said.name: round(said.factor, 3) for said in passage.reading},
        "steered_by": passage.steered_by,
        "relevance": None if passage.relevance is None else round(passage.relevance, 4),
        "score": round(passage.score, 4),
    }
