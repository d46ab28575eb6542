"""Tools, the only access of stages to search, models and data; and steps with their fallbacks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, TypeAlias

from chat.answer_cache.reuse import Cache
from chat.behaviours import Mode
from chat.checking.base import Claim
from chat.phrases import Phrases
from chat.question.classification import Classification
from chat.safety.emergencies.alarm import Alarm
from chat.safety.interventions import Interventions
from chat.sources.curated import CuratedResult as FoundCurated
from chat.sources.facts import FactAnswer
from chat.turn import Context, StageResult, Turn, Understanding, placed, places_of
from retrieval.passage import Pages, Passage
from retrieval.query import Query, SearchResult
from retrieval.ranking import Reranker
from retrieval.tuning import RetrievalTuning, Steering
from taxonomy.snapshot import Snapshot
from zol.errors import ExpectedError
from zol.llm.base import LLM, Limits, Meter

logger = logging.getLogger(__name__)

#: Token limit of a classification.
CLASSIFYING = 600
#: Candidates of each search, and of the reranker, in escalated mode.
ESCALATED_CANDIDATES = 100
Emit: TypeAlias = Callable[[Any], None]


def ignore(event: Any) -> None:
    """Discard an event."""


def nothing_found(query: Query) -> SearchResult:
    return SearchResult()


def not_understood(turn: Turn, snapshot: Snapshot) -> Understanding:
    """Return an understanding that only has the visitor's own words."""
    return Understanding(language=turn.language, query=turn.question)


#: Yields the claims of an answer in order, without those shown already. Raises `ExpectedError`.
Generate: TypeAlias = "Callable[[Context, Sequence[Claim], Tools], Iterator[Claim]]"
Classify: TypeAlias = "Callable[[Turn, Tools], Classification | None]"


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to classify messages and generate answers: by a language model, or by code alone.

    The output is unchecked.
    """

    name: str
    generate: Generate
    #: Classifies a message; None leaves that to code.
    classify: Classify = lambda turn, tools: None
    #: The engine that continues an answer on failure.
    spare: Engine | None = None


@dataclass(frozen=True, slots=True)
class Models:
    """The language models of a turn and their time limits."""

    #: The model of a tier; None without an endpoint, so that the embedded engine answers.
    tier: Callable[[str], LLM] | None = None
    #: Limits of a classification.
    classify: Limits = Limits(tokens=CLASSIFYING, seconds=4.0)
    #: Limits of an answer, by mode.
    answer: Callable[[str], Limits] = lambda mode: Limits()
    #: Limits of a verdict on a statement; None without verdicts.
    verify: Limits | None = None
    #: Models that check a written answer; None where a layer is off.
    judge: LLM | None = None
    guardrail: LLM | None = None
    meter: Meter = field(default_factory=Meter)
    #: Starts a function in another thread, and returns a function that waits for its result; None
    #: without models.
    aside: Callable[[Callable[[], Any]], Callable[[], Any]] | None = None
    #: Releases the turn's permit to compute while it waits for another thread.
    lent: Callable[[], AbstractContextManager[None]] = nullcontext
    #: Reasons for falling back to another engine.
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages of the hospital: search, reading, comparison."""

    search: Callable[[Query], SearchResult] = nothing_found
    pages: Pages = field(default_factory=Pages)
    #: The chunks before and after each passage, by its chunk's id.
    neighbours: Callable[[Sequence[Passage]], Mapping[int, Sequence[Passage]]] = lambda passages: {}
    #: The other chunks of the passages' pages.
    rest_of: Callable[[Sequence[Passage]], Sequence[Passage]] = lambda passages: ()
    #: Scores passages for the question; None when no reranker is configured.
    rerank: Reranker | None = None
    #: Cosine threshold of the provider below which the best hit is weak.
    low_similarity: float = 0.35
    #: Languages that the provider embeds; empty means all.
    embedded_languages: frozenset[str] = frozenset()
    #: Cosine of two texts.
    resembles: Callable[[str, str], float] = lambda one, other: 1.0
    #: Cosines of a question with texts, in their order.
    likeness: Callable[[Query, Sequence[str]], Sequence[float]] = lambda question, texts: (
        [0.0] * len(texts)
    )
    count_tokens: Callable[[str], int] = len
    #: Stemmer of the content language.
    stem: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Reading:
    """Functions that understand a question without a model."""

    #: Full understanding by code, also used for the parts of a question.
    read: Callable[[Turn, Snapshot], Understanding] = not_understood
    #: Understanding of a message by its classification.
    understand: Callable[[Classification, Turn], Understanding] = lambda found, turn: Understanding(
        query=found.rewritten or turn.question, classification=found, by_model=True
    )
    #: The alarm of a message, read together with the one before it.
    alarm: Callable[[str, str], Alarm] = lambda message, before: Alarm()
    #: The languages to answer in, and nothing else.
    detect: Callable[[Turn, Snapshot], Understanding] = not_understood
    #: The published fact that answers, if there is one.
    fact: Callable[[Context], FactAnswer | None] = lambda ctx: None
    #: Probability of each need; empty without a trained head.
    needs: Callable[[Context], Mapping[str, float]] = lambda ctx: {}


@dataclass(frozen=True, slots=True)
class Given:
    """Answers available before the search."""

    #: The curated answer to the question.
    curated: Callable[[Context], FoundCurated] = lambda ctx: FoundCurated()
    #: Interventions in force.
    interventions: Interventions = field(default_factory=Interventions)
    #: The answer cache; None where an answer must be made afresh.
    cache: Cache | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """All that stages use: the published version, search, models, the clock, a listener."""

    snapshot: Snapshot
    steering: Steering
    phrases: Phrases
    #: The engine that classifies and answers.
    engine: Engine
    models: Models = field(default_factory=Models)
    corpus: Corpus = field(default_factory=Corpus)
    reading: Reading = field(default_factory=Reading)
    given: Given = field(default_factory=Given)
    #: The hospital's local time: the only clock of a turn.
    now: datetime = datetime.min
    emit: Emit = ignore
    #: Overridden switches, by name; for evaluation and ablation.
    flags: Mapping[str, bool] = field(default_factory=dict)

    @property
    def today(self) -> date:
        return self.now.date()

    def is_on(self, switch: str) -> bool:
        """Return whether a switch is on, by the turn's flags or else the settings."""
        return self.flags.get(switch, bool(getattr(self.steering.tuning, switch, True)))

    def changed(self, **changes: Any) -> Tools:
        """Return these tools with new values, also of their groups, such as `search`."""
        return placed(self, PLACES, changes)


#: The group of each tool.
PLACES = places_of(models=Models, corpus=Corpus, reading=Reading, given=Given)


def widened(tools: Tools, mode: Mode) -> Tools:
    """Return the tools for a mode: full mode keeps more passages, escalated mode fetches more."""
    if mode == Mode.STANDARD:
        return tools
    tuning = tuned_for(tools.steering.tuning, mode)
    return replace(tools, steering=replace(tools.steering, tuning=tuning))


def tuned_for(tuning: RetrievalTuning, mode: Mode) -> RetrievalTuning:
    """Return the retrieval settings of a mode."""
    if mode == Mode.FULL:
        return replace(tuning, limit=tuning.full_limit, reranker=True)
    return replace(
        tuning,
        limit=tuning.escalated_limit,
        reranker=True,
        over_fetch=ESCALATED_CANDIDATES // tuning.escalated_limit,
    )


Action: TypeAlias = Callable[[Context, Tools], StageResult]
Fallback: TypeAlias = Callable[[Context, Tools, ExpectedError], StageResult]


def carry_on(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Continue the turn as degraded."""
    return StageResult(ctx.learn(degraded=True))


def leave_out(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Continue as if the step were switched off."""
    return StageResult(ctx)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a stage, with its switch and its fallback."""

    action: Action
    switch: str = ""
    fallback: Fallback | None = carry_on

    @property
    def name(self) -> str:
        """Return the name in the trace."""
        return self.action.__name__.strip("_")

    def is_on(self, tools: Tools) -> bool:
        return not self.switch or tools.is_on(self.switch)

    def take(self, ctx: Context, tools: Tools) -> StageResult:
        """Run the action; on an expected error, log it and run the fallback."""
        try:
            return self.action(ctx, tools)
        except ExpectedError as error:
            if self.fallback is None:
                raise
            logger.warning("%s failed; %s", self.name, self.fallback.__name__, exc_info=True)
            return replace(self.fallback(ctx, tools, error), failure=repr(error))


def in_order(ctx: Context, tools: Tools, *steps: Step) -> StageResult:
    """Run the steps that are on until one stops the turn; the detail has an entry for each."""
    done = StageResult(ctx)
    for step in steps:
        if step.is_on(tools) and not done.stop:
            result = step.take(done.context, tools)
            detail = {step.name: dict(result.detail)} if result.detail else {}
            done = replace(result, detail=detail).after(done)
    return done


def for_each_part(step: Step, ctx: Context, tools: Tools) -> StageResult:
    """Run a step for each part of a question, or for the whole if it has no parts."""
    if not ctx.parts:
        return step.take(ctx, tools)
    done = [step.take(part, tools) for part in ctx.parts]
    parts = tuple(result.context for result in done)
    return StageResult(
        ctx.learn(parts=parts, degraded=ctx.degraded or any(part.degraded for part in parts)),
        {"parts": [dict(result.detail) for result in done]},
        failure="; ".join(result.failure for result in done if result.failure),
    )
