"""The table of contents: which stages a question goes through, and what happens when one fails."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias

from chat.stages.assemble import assemble, assemble_what_was_found, filter_sentences, merge_parts
from chat.stages.boost import apply_affinity, boost, keep_order, rerank
from chat.stages.check import check
from chat.stages.detect_emergency import detect_emergency
from chat.stages.generate import apologise, generate
from chat.stages.grade_evidence import grade_evidence
from chat.stages.judge import guardrails, judge, quote_instead
from chat.stages.look_up import add_roster, gate_facts, look_up, state_fact
from chat.stages.match_curated import match_curated
from chat.stages.read_cache import read_cache, read_cache_exact, remember_nothing
from chat.stages.refuse import refuse, refuse_unfound
from chat.stages.search import search, search_missing_words, search_nothing
from chat.stages.split_question import split_question
from chat.stages.supplement import add_bulletins, suggest, supplement
from chat.stages.understand import treat_as_unknown, understand
from chat.tools import Tools
from chat.turn import Context, Phase, Record, StageResult, StageStarted, Turn
from zol.errors import ExpectedError

logger = logging.getLogger(__name__)

Stage: TypeAlias = Callable[[Context, Tools], StageResult]
Fallback: TypeAlias = Callable[[Context, Tools, ExpectedError], StageResult]


def carry_on(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Go on with what was known before."""
    return StageResult(ctx.learn(degraded=True))


@dataclass(frozen=True, slots=True)
class PipelineStep:
    """A stage, what to do when it fails, and the switch that turns it off."""

    stage: Stage
    phase: Phase
    fallback: Fallback | None = None
    switch: str = ""
    #: Whether it is done for each part of a question that was taken apart.
    for_parts: bool = False

    @property
    def name(self) -> str:
        return self.stage.__name__

    def is_on(self, tools: Tools) -> bool:
        return not self.switch or tools.is_on(self.switch)

    def perform(self, ctx: Context, tools: Tools) -> tuple[StageResult, Record]:
        """Run the stage, for the whole question or for each of its parts."""
        if not (self.for_parts and ctx.parts):
            return self._perform(ctx, tools)
        done = [self._perform(part, tools) for part in ctx.parts]
        parts = tuple(result.context for result, _ in done)
        degraded = ctx.degraded or any(part.degraded for part in parts)
        record = Record(
            self.name,
            sum(each.seconds for _, each in done),
            {"parts": [dict(each.detail) for _, each in done]},
            "; ".join(each.failure for _, each in done if each.failure),
        )
        return StageResult(ctx.learn(parts=parts, degraded=degraded), record.detail), record

    def _perform(self, ctx: Context, tools: Tools) -> tuple[StageResult, Record]:
        """Run the stage, or its fallback when it fails as expected."""
        started, failure = perf_counter(), ""
        try:
            result = self.stage(ctx, tools)
        except ExpectedError as error:
            if self.fallback is None:
                raise
            logger.warning("%s failed; %s", self.name, self.fallback.__name__, exc_info=True)
            result, failure = self.fallback(ctx, tools, error), repr(error)
        seconds = perf_counter() - started
        return result, Record(self.name, seconds, result.detail, failure)


PIPELINE = (
    PipelineStep(detect_emergency, Phase.UNDERSTANDING),
    PipelineStep(read_cache_exact, Phase.UNDERSTANDING, fallback=remember_nothing, switch="cache"),
    PipelineStep(understand, Phase.UNDERSTANDING, fallback=treat_as_unknown),
    PipelineStep(refuse, Phase.UNDERSTANDING),
    PipelineStep(match_curated, Phase.UNDERSTANDING, fallback=carry_on),
    PipelineStep(read_cache, Phase.UNDERSTANDING, fallback=remember_nothing, switch="cache"),
    PipelineStep(split_question, Phase.UNDERSTANDING, fallback=carry_on, switch="decomposition"),
    PipelineStep(search, Phase.SEARCHING, fallback=search_nothing, for_parts=True),
    PipelineStep(rerank, Phase.SEARCHING, fallback=keep_order, switch="reranker", for_parts=True),
    PipelineStep(boost, Phase.ANALYZING, fallback=carry_on, switch="boosts", for_parts=True),
    PipelineStep(
        apply_affinity, Phase.ANALYZING, fallback=carry_on, switch="value_framework", for_parts=True
    ),
    PipelineStep(
        search_missing_words, Phase.ANALYZING, fallback=carry_on, switch="rescue", for_parts=True
    ),
    PipelineStep(look_up, Phase.ANALYZING, fallback=carry_on, switch="taxonomy", for_parts=True),
    PipelineStep(add_roster, Phase.ANALYZING, fallback=carry_on, switch="roster", for_parts=True),
    PipelineStep(state_fact, Phase.ANALYZING, fallback=carry_on, switch="taxonomy", for_parts=True),
    PipelineStep(gate_facts, Phase.ANALYZING, fallback=carry_on, switch="taxonomy", for_parts=True),
    PipelineStep(grade_evidence, Phase.ANALYZING, fallback=carry_on, switch="crag", for_parts=True),
    PipelineStep(assemble, Phase.ANALYZING, fallback=assemble_what_was_found, for_parts=True),
    PipelineStep(merge_parts, Phase.ANALYZING),
    PipelineStep(refuse_unfound, Phase.ANALYZING),
    PipelineStep(filter_sentences, Phase.ANALYZING, fallback=carry_on, switch="filco"),
    PipelineStep(generate, Phase.GENERATING, fallback=apologise),
    PipelineStep(check, Phase.EVALUATING, fallback=carry_on),
    PipelineStep(guardrails, Phase.EVALUATING, fallback=quote_instead, switch="guardrails"),
    PipelineStep(judge, Phase.EVALUATING, fallback=quote_instead, switch="judge"),
    PipelineStep(supplement, Phase.EVALUATING, fallback=carry_on, switch="supplement"),
    PipelineStep(suggest, Phase.EVALUATING, fallback=carry_on),
)

#: What comes last, whichever stage has answered; done only while staff announce something.
LAST = PipelineStep(add_bulletins, Phase.EVALUATING, fallback=carry_on)
#: What stops a turn before any queue: an emergency, an attack, a decision of staff.
STOPS = PIPELINE[:1]


def run(
    turn: Turn, tools: Tools, steps: Sequence[PipelineStep] = PIPELINE
) -> tuple[Context, tuple[Record, ...]]:
    """Carry a turn through the steps; return what was learned, and the trace."""
    ctx, trace = Context(turn, question=turn.question), []
    last, stopped = (LAST,) if tools.interventions.bulletins(tools.today) else (), False
    for step in (*steps, *last):
        if not step.is_on(tools) or (stopped and step is not LAST):
            continue
        tools.emit(StageStarted(step.name, step.phase))
        result, record = step.perform(ctx, tools)
        tools.emit(record)
        trace.append(record)
        ctx = result.context
        stopped = stopped or result.stop
    return ctx, tuple(trace)
