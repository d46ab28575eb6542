from __future__ import annotations

from dataclasses import replace

from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.gate import decide
from taxonomy.kinds import Kind

#: What has a telephone number, an address or hours of its own.
REACHED = (Kind.DEPARTMENT, Kind.DOCTOR, Kind.CAMPUS, Kind.SPECIALTY)


def gate(ctx: Context, tools: Tools) -> StageResult:
    """Decide whether facts of the taxonomy join the passages."""
    decision = decide(
        ctx.understanding.intent,
        names_a_place=bool(ctx.understanding.matched(*REACHED)),
        dense_hits=ctx.dense_hits,
        best_similarity=ctx.best_similarity,
        min_hits=tools.steering.tuning.gate_min_dense_results,
        low_similarity=tools.low_similarity,
    )
    dossier = replace(ctx.dossier, with_facts=decision.injects)
    return StageResult(
        ctx.learn(dossier=dossier), {"injects": decision.injects, "rule": decision.rule}
    )
