"""How hard a turn tries: more passages in full mode, a wider search when it thinks harder."""

from __future__ import annotations

from dataclasses import replace

from chat.behaviours import Mode
from chat.tools import Tools
from retrieval.tuning import RetrievalTuning


def widened(tools: Tools, mode: Mode) -> Tools:
    """Return the tools of a turn in its mode."""
    if mode == Mode.STANDARD:
        return tools
    tuning = tuned_for(tools.steering.tuning, mode)
    return replace(tools, steering=replace(tools.steering, tuning=tuning))


def tuned_for(tuning: RetrievalTuning, mode: Mode) -> RetrievalTuning:
    """Return the numbers of retrieval for a mode; each is a setting of its own."""
    if mode == Mode.FULL:
        return replace(tuning, limit=tuning.full_limit, reranker=True)
    return replace(
        tuning,
        limit=tuning.escalated_limit,
        reranker=True,
        rerank_candidates=tuning.escalated_candidates,
        over_fetch=tuning.escalated_candidates // tuning.escalated_limit,
    )
