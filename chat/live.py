"""The tools of a real turn, put together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache, lru_cache, partial

from chat.answer_cache.policy import Cache, NoCache
from chat.answer_cache.store import AnswerCache
from chat.answering.quotation.subjects import age_told, is_about_child
from chat.lookup.filters import conditions_of
from chat.lookup.filters import reader_of as criteria_of
from chat.phrases import phrases_of
from chat.question.by_code import understand
from chat.question.by_model import understand_by_model
from chat.question.content_words import without_marks
from chat.question.form import QuestionReader
from chat.question.language import detect
from chat.question.learned.emergencies import alarms_of
from chat.question.learned.needs import need_head
from chat.question.reader import Reader, reader_of
from chat.safety.verdict import Alarm
from chat.selectors import live_interventions
from chat.sources.curated import CuratedResult
from chat.sources.facts import FactAnswer, fact_for
from chat.sources.hearing import asked_in, curated_of
from chat.statement_vectors import Comparing
from chat.tools import Emit, Tools, ignore
from chat.turn import Context, Turn, Understanding
from retrieval.analysis import count_tokens, stems
from retrieval.embedding import get_embedder, get_hearer, get_listener
from retrieval.intents import BLOCKED, Intent
from retrieval.reranking import get_reranker
from retrieval.search import hybrid_search
from retrieval.selectors import live_pages, neighbours_of, rest_of
from retrieval.tuning import RetrievalTuning, steering_of
from retrieval.vectors import Matrix
from taxonomy.facts.index import facts_of
from taxonomy.live import is_trying, live_snapshot
from taxonomy.resolvers import resolver_index
from taxonomy.snapshot import Snapshot
from zol.clock import hospital_now
from zol.errors import LLMError
from zol.llm import get_llm, has_tier, is_configured
from zol.llm.base import Meter

logger = logging.getLogger(__name__)
#: Passages come back question after question.
tokens_of = lru_cache(maxsize=2_048)(count_tokens)


def tools(
    emit: Emit = ignore, flags: Mapping[str, bool] | None = None, at: datetime | None = None
) -> Tools:
    """Return what a turn of the served hospital may use, as of now; `at` sets its clock alone."""
    now = hospital_now(at)
    snapshot, embedder, meter = live_snapshot(), get_embedder(), Meter()
    comparing = Comparing(embedder) if embedder.compares_sentences else None
    asks = (flags or {}).get("model_understanding", True)
    return Tools(
        snapshot=snapshot,
        steering=steering_of(snapshot),
        phrases=phrases_of(snapshot),
        search=hybrid_search,
        understand=partial(understood, meter=meter) if asks else read_by_code,
        read=read_by_code,
        hear=heard_in,
        detect=detected,
        curated=partial(curated_for, snapshot=snapshot, today=now.date()),
        fact=partial(fact_of, snapshot=snapshot, now=now),
        needs=lambda ctx: asked_in(ctx).needs,
        neighbours=neighbours_of,
        rest_of=rest_of,
        pages=live_pages(),
        count_tokens=tokens_of,
        stem=stemmer(snapshot.profile.default_language),
        low_similarity=embedder.calibration.low_similarity,
        llm=get_llm if is_configured() else None,
        judge=get_llm("judge") if has_tier("judge") else None,
        guardrail=get_llm("guardrail") if has_tier("guardrail") else None,
        rerank=get_reranker(),
        meter=meter,
        resembles=resembles,
        likeness=comparing.likeness if comparing else None,
        answers=comparing.read if comparing else None,
        hears=getattr(embedder, "languages", frozenset()),
        compares_languages=embedder.name != "lexical",
        least_quality=get_listener().calibration.quality,
        now=now,
        interventions=live_interventions(),
        synonyms=snapshot.terminology.words_for,
        cache=cache_of(snapshot, flags or {}, now),
        emit=emit,
        flags=flags or {},
    )


def cache_of(snapshot: Snapshot, flags: Mapping[str, bool], now: datetime) -> Cache:
    """Return what was answered lately, in the same circumstances; nothing on a trial."""
    if is_trying():
        return NoCache()
    switches = map(str, sorted(flags.items()))
    return AnswerCache(snapshot, get_listener(), get_embedder().model, str(now.date()), *switches)


def understood(turn: Turn, snapshot: Snapshot, meter: Meter | None = None) -> Understanding:
    """Return what a question means: by code, and by a model where code is not certain."""
    read = partial(read_by_code, snapshot=snapshot)
    heard = read(turn)
    tuning = steering_of(snapshot).tuning
    if not is_configured() or not tuning.model_understanding or is_certain(heard, tuning):
        return heard
    try:
        asks = get_llm("standard"), meter or Meter()
        return understand_by_model(turn, heard, read, snapshot, asks)
    except LLMError as error:
        logger.warning("The model did not understand; code does", exc_info=True)
        return replace(heard, evidence={**heard.evidence, "model_failure": str(error)})


def read_by_code(turn: Turn, snapshot: Snapshot) -> Understanding:
    """Return what a question means, without asking a model."""
    return understand(without_marks(turn.question), turn, reader_for(snapshot))


def house_of(snapshot: Snapshot) -> QuestionReader:
    """Return what questions to the served hospital are read with, once and for all stages."""
    return QuestionReader(
        understand=partial(read_by_code, snapshot=snapshot),
        embed=get_hearer().heard,
        needs=need_head(),
        steering=steering_of(snapshot),
        filters=snapshot.derived(criteria_of).read,
        age=partial(age_told, snapshot=snapshot),
        is_child=partial(is_about_child, snapshot=snapshot),
    )


def heard_in(question: str, snapshot: Snapshot) -> Alarm:
    """Return how likely a question tells of an emergency."""
    return snapshot.derived(alarms_of).hear(without_marks(question))


def reader_for(snapshot: Snapshot) -> Reader:
    """Return what reads questions to the served hospital, with the pages it has now."""
    return replace(snapshot.derived(reader_of), headings=live_pages().headings)


def is_certain(heard: Understanding, tuning: RetrievalTuning) -> bool:
    """Whether a model need not be asked: a refusal by code stands, and so does what is sure."""
    is_refused = heard.intent in BLOCKED and heard.intent is not Intent.VAGUE_INPUT
    return is_refused or bool(heard.greeting) or heard.confidence >= tuning.certain_from


def detected(turn: Turn, snapshot: Snapshot) -> Understanding:
    """Return the languages to answer a question in, with no more understood of it."""
    found = detect(turn.question, turn.language, snapshot.derived(resolver_index))
    return Understanding(language=found.language, detected=found.written, query=turn.question)


def curated_for(ctx: Context, snapshot: Snapshot, today: date) -> CuratedResult:
    """Return the answer that staff approved for a question, if there is one."""
    curated = snapshot.derived(curated_of)
    return curated.look_up(asked_in(ctx), today) if curated.entries else CuratedResult()


def fact_of(ctx: Context, snapshot: Snapshot, now: datetime) -> FactAnswer | None:
    """Return the published fact that answers a question, if there is one."""
    if not facts_of(snapshot):
        return None
    asked, house = asked_in(ctx), house_of(snapshot)
    filters = house.filters(asked.text, asked.language)
    conditions = conditions_of(
        asked.matches,
        ctx.understanding.concepts,
        filters,
        age=house.age(asked.text, asked.language),
        is_child=house.is_child(asked.text, asked.language),
    )
    own = without_marks(ctx.question)
    said = [(own, asked.language)]
    if asked.text != own:
        said.append((asked.text, snapshot.profile.default_language))
    return fact_for(asked, conditions, snapshot, now, said, names_somebody=own != ctx.question)


def resembles(one: str, other: str) -> float:
    """Return the cosine of two texts."""
    return float(_vector(one) @ _vector(other))


@lru_cache(maxsize=2_000)
def _vector(text: str) -> Matrix:
    """Return a text's vector; passages are compared with answer after answer."""
    vector: Matrix = get_listener().embed_documents([text])[0]
    return vector


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """Return how words of a language are compared: by their stem."""
    return lru_cache(maxsize=50_000)(lambda word: stems([word], language)[0])
