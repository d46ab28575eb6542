from __future__ import annotations

from dataclasses import replace

from chat.lookup.finding import states
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.grading import decide
from retrieval.intents import Intent
from taxonomy.kinds import Kind

#: What has a telephone number, an address or hours of its own.
REACHED = (Kind.DEPARTMENT, Kind.DOCTOR, Kind.CAMPUS, Kind.SPECIALTY)


def gate_facts(ctx: Context, tools: Tools) -> StageResult:
    """Decide whether facts of the taxonomy join the passages, and which of them say more."""
    tuning = tools.steering.tuning
    decision = decide(
        ctx.understanding.intent,
        names_a_place=names_a_place(ctx),
        dense_hits=ctx.dense_hits,
        best_similarity=ctx.best_similarity,
        min_hits=tuning.gate_min_dense_results,
        low_similarity=tools.low_similarity * tuning.gate_low_similarity,
    )
    read = [passage.text for passage in ctx.passages[: tuning.limit]]
    stated = tuple(f for f in ctx.findings if decision.injects and states(read, f))
    dossier = replace(ctx.dossier, with_facts=decision.injects, stated=stated)
    return StageResult(
        ctx.learn(dossier=dossier),
        {
            "injects": decision.injects,
            "rule": decision.rule,
            "suppressed": 0 if decision.injects else len(ctx.findings),
            "stated_by_passages": [finding.as_data() for finding in stated],
        },
    )


def names_a_place(ctx: Context) -> bool:
    """Whether something is named that can be reached, or for an appointment what is done at one."""
    books = ctx.understanding.intent is Intent.BOOKING_OR_CONTACT and bool(ctx.routed)
    return books or bool(ctx.understanding.matched(*REACHED))
