"""The stages of a turn in order, each with its phase and its fallback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from chat.stages.context_building import context_building
from chat.stages.generation import apologise, generation
from chat.stages.graph_enrichment import graph_enrichment
from chat.stages.input_processing import input_processing
from chat.stages.intent_classification import intent_classification, treat_as_unknown
from chat.stages.post_processing import post_processing, quote_instead
from chat.stages.query_rewrite import query_rewrite
from chat.stages.reranking import reranking
from chat.stages.retrieval import retrieval
from chat.stages.semantic_cache import semantic_cache
from chat.stages.strategy_selection import strategy_selection
from chat.tools import Action, Fallback, Step, Tools, carry_on, for_each_part
from chat.turn import Context, Phase, Record, StageStarted, Turn


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage, the phase that patients see meanwhile, and its fallback."""

    action: Action
    phase: Phase
    fallback: Fallback | None = carry_on
    #: Whether the stage runs for each part of a split question.
    for_parts: bool = False
    #: Whether the stage also runs once an earlier stage has settled the turn.
    is_always_run: bool = False

    @property
    def name(self) -> str:
        return self.action.__name__

    def perform(self, ctx: Context, tools: Tools) -> tuple[Context, Record]:
        """Run the stage; return the new context and the stage's record for the trace."""
        started, step = perf_counter(), Step(self.action, fallback=self.fallback)
        result = for_each_part(step, ctx, tools) if self.for_parts else step.take(ctx, tools)
        seconds = perf_counter() - started
        learned = result.context.learn(is_settled=result.stop)
        return learned, Record(self.name, seconds, result.detail, result.failure)


PIPELINE = (
    Stage(input_processing, Phase.UNDERSTANDING, fallback=None),
    Stage(intent_classification, Phase.UNDERSTANDING, fallback=treat_as_unknown),
    Stage(semantic_cache, Phase.UNDERSTANDING),
    Stage(query_rewrite, Phase.UNDERSTANDING),
    Stage(strategy_selection, Phase.SEARCHING, for_parts=True),
    Stage(retrieval, Phase.SEARCHING, for_parts=True),
    Stage(reranking, Phase.SEARCHING, for_parts=True),
    Stage(graph_enrichment, Phase.ANALYZING, for_parts=True),
    Stage(context_building, Phase.ANALYZING),
    Stage(generation, Phase.GENERATING, fallback=apologise),
    Stage(post_processing, Phase.EVALUATING, fallback=quote_instead, is_always_run=True),
)

#: Stages that run before any queue, to answer emergencies, attacks and interventions at once.
STOPS = PIPELINE[:1]


def run(
    turn: Turn, tools: Tools, stages: Sequence[Stage] = PIPELINE
) -> tuple[Context, tuple[Record, ...]]:
    """Run a turn through the stages; return its context and the trace.

    Once a stage settles the turn, only the stages follow that are always run.
    """
    ctx, trace, left = Context(turn, question=turn.question), list[Record](), list(stages)
    while left:
        stage = left.pop(0)
        tools.emit(StageStarted(stage.name, stage.phase))
        ctx, record = stage.perform(ctx, tools)
        tools.emit(record)
        trace.append(record)
        if ctx.is_settled:
            left = [each for each in left if each.is_always_run]
    return ctx, tuple(trace)
