"""Build the tools of a turn from the served hospital, and explain a question for staff."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache, lru_cache, partial
from threading import Lock
from time import perf_counter
from typing import Any

from cachetools import LRUCache
from django.conf import settings

from chat.answer_cache.store import AnswerCache
from chat.behaviours import Mode
from chat.engines.embedded import EMBEDDED_ENGINE
from chat.engines.embedded.classify import code_reader_of
from chat.engines.model import MODEL_ENGINE
from chat.phrases import phrases_of
from chat.question.content_words import moments_asked, without_marks
from chat.question.language import detect
from chat.question.networks import read_message
from chat.question.understanding import message_reader_of, understood
from chat.safety.attacks import injection_patterns_of, suffix_detector_of
from chat.safety.emergencies.alarm import Alarm, Detector, situations_of
from chat.safety.emergencies.phrases import red_flags_of
from chat.safety.emergencies.texts import alarm_detail
from chat.safety.redaction import redactor_of
from chat.selectors import budget_used, live_interventions
from chat.sources.curated import CuratedResult
from chat.sources.facts import FactAnswer, fact_for
from chat.sources.guards import age_asked
from chat.sources.question_vectors import asked_in, curated_of
from chat.tools import CLASSIFYING, Corpus, Emit, Given, Models, Reading, Tools, ignore
from chat.turn import Context, Turn, Understanding
from retrieval.analysis import count_tokens, stems
from retrieval.categories import classifier_of
from retrieval.embedding import get_embedder, get_encoder
from retrieval.query import Query
from retrieval.reranking import get_reranker
from retrieval.search import hybrid_search, question_vector, search_pages
from retrieval.selectors import cached_pages, live_pages, neighbours_of, rest_of
from retrieval.tuning import steering_of
from retrieval.vectors import Matrix
from taxonomy.facts.index import facts_of
from taxonomy.language.greeklish import greeklish_of
from taxonomy.publishing.live import is_trying, live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.resolvers import resolver_index
from zol.clock import hospital_now
from zol.languages import LANGUAGES
from zol.llm import answer_limits, classify_limits, get_llm, has_tier, is_configured, verify_limits
from zol.llm.base import Meter
from zol.runtime.bridge import beside
from zol.runtime.processor import computing
from zol.text import storable

#: Flag that turns models on; evaluation turns it off by default.
MODEL = "model"
tokens_of = lru_cache(maxsize=2_048)(count_tokens)


def tools(
    emit: Emit = ignore,
    flags: Mapping[str, bool] | None = None,
    at: datetime | None = None,
    meter: Meter | None = None,
) -> Tools:
    """Return the tools of a turn at the served hospital; `at` sets only the turn's clock."""
    now = hospital_now(at)
    snapshot, embedder, meter = live_snapshot(), get_embedder(), meter or Meter()
    pages, is_asked = live_pages(), (flags or {}).get(MODEL, True) and models_answer()
    return Tools(
        snapshot=snapshot,
        steering=steering_of(snapshot),
        phrases=phrases_of(snapshot),
        engine=MODEL_ENGINE if is_asked else EMBEDDED_ENGINE,
        models=models_of(meter) if is_asked else Models(meter=meter),
        corpus=Corpus(
            search=partial(search_pages, pages=pages, classifier=snapshot.derived(classifier_of)),
            pages=pages,
            neighbours=neighbours_of,
            rest_of=rest_of,
            rerank=get_reranker(),
            low_similarity=embedder.calibration.low_similarity,
            embedded_languages=getattr(embedder, "languages", frozenset()),
            resembles=resembles,
            likeness=likeness,
            count_tokens=tokens_of,
            stem=stemmer(snapshot.profile.default_language),
        ),
        reading=Reading(
            read=read_by_code,
            understand=partial(understood, reader=snapshot.derived(message_reader_of)),
            alarm=partial(alarm_in, snapshot=snapshot),
            detect=detected,
            fact=partial(fact_of, snapshot=snapshot, now=now),
            needs=lambda ctx: asked_in(ctx, snapshot).needs,
        ),
        given=Given(
            curated=partial(curated_for, snapshot=snapshot, today=now.date()),
            interventions=live_interventions(),
            cache=cache_of(snapshot, flags or {}, now),
        ),
        now=now,
        emit=emit,
        flags=flags or {},
    )


def models_of(meter: Meter) -> Models:
    """Return the configured models with their limits."""
    return Models(
        tier=get_llm,
        classify=classify_limits(tokens=CLASSIFYING),
        answer=lambda mode: answer_limits(is_escalated=mode == Mode.ESCALATED),
        verify=verify_limits(tokens=300) if settings.MODEL_VERIFY else None,
        judge=get_llm("judge") if has_tier("judge") else None,
        guardrail=get_llm("guardrail") if has_tier("guardrail") else None,
        meter=meter,
        aside=beside,
        lent=computing.lent,
    )


def models_answer() -> bool:
    """Return whether a model is configured and the day's budget is not used up."""
    return is_configured() and budget_used() < 1


def tools_for_stops() -> Tools:
    """Return the tools of the check for emergencies; all are in memory, so that it never waits."""
    snapshot = live_snapshot()
    return Tools(
        snapshot=snapshot,
        steering=steering_of(snapshot),
        phrases=phrases_of(snapshot),
        engine=EMBEDDED_ENGINE,
        corpus=Corpus(search=hybrid_search, pages=cached_pages()),
        reading=Reading(
            read=read_by_code, alarm=partial(stop_in, snapshot=snapshot), detect=detected
        ),
        given=Given(interventions=live_interventions()),
        now=hospital_now(),
    )


def cache_of(snapshot: Snapshot, flags: Mapping[str, bool], now: datetime) -> AnswerCache | None:
    """Return the answer cache for a day and switches; None in a trial."""
    if is_trying():
        return None
    switches = map(str, sorted(flags.items()))
    return AnswerCache(snapshot, get_embedder().model, str(now.date()), *switches)


def read_by_code(turn: Turn, snapshot: Snapshot) -> Understanding:
    """Understand a question without a model."""
    return snapshot.derived(code_reader_of).understand(turn)


def alarm_in(message: str, before: str = "", *, snapshot: Snapshot) -> Alarm:
    """Return the alarm of a message, read with the one before it."""
    return snapshot.derived(detector_of).alarm(without_marks(message), without_marks(before))


def stop_in(message: str, before: str = "", *, snapshot: Snapshot) -> Alarm:
    """Return the alarm of a message only if it stops the turn."""
    return snapshot.derived(detector_of).stop(without_marks(message), without_marks(before))


def detector_of(snapshot: Snapshot) -> Detector:
    """Return the alarm detector of a version; use it through `snapshot.derived`."""
    return Detector(red_flags_of(snapshot), situations_of(snapshot), read_message)


def detected(turn: Turn, snapshot: Snapshot) -> Understanding:
    """Detect only the languages to answer a question in."""
    found = detect(turn.question, turn.language, snapshot.derived(resolver_index))
    is_offered = found.written in {turn.language, *(snapshot.profile.languages or LANGUAGES)}
    language = found.language if is_offered else turn.language
    return Understanding(
        language=language, detected=found.written, is_offered=is_offered, query=turn.question
    )


def curated_for(ctx: Context, snapshot: Snapshot, today: date) -> CuratedResult:
    """Return the curated answer to a question, if there is one."""
    curated = snapshot.derived(curated_of)
    return curated.look_up(asked_in(ctx, snapshot), today) if curated.entries else CuratedResult()


def fact_of(ctx: Context, snapshot: Snapshot, now: datetime) -> FactAnswer | None:
    """Return the published fact that answers a question, if there is one."""
    if not facts_of(snapshot):
        return None
    asked = asked_in(ctx, snapshot)
    age = age_asked(asked.text, asked.language, snapshot)
    own = without_marks(ctx.question)
    texts = [(own, asked.language)]
    if asked.text != own:
        texts.append((asked.text, snapshot.profile.default_language))
    found = fact_for(asked, snapshot, now, texts, age=age, names_somebody=own != ctx.question)
    return found and replace(found, moments=moments_asked(ctx, snapshot, now))


def explained(given: Turn, snapshot: Snapshot) -> dict[str, Any]:
    """Return everything that is detected in a question before the search, as plain values."""
    now, interventions = hospital_now(given.at), live_interventions()
    started = perf_counter()
    redaction = snapshot.derived(redactor_of).redact(storable(given.question))
    asked = snapshot.derived(greeklish_of).in_greek(redaction.text)
    before = given.history[-1].question if given.history else ""
    alarm = alarm_in(asked, before, snapshot=snapshot)
    attack = snapshot.derived(injection_patterns_of).check(asked)
    machine_made = snapshot.derived(suffix_detector_of).check(asked)
    decided = interventions.about(asked, now.date())
    turn = replace(given, question=asked, at=now)
    meaning = read_by_code(turn, snapshot)
    chance, phrase = meaning.evidence["advice"]
    ctx = Context(turn, asked, understanding=meaning)
    curated, fact = curated_for(ctx, snapshot, now.date()), fact_of(ctx, snapshot, now)
    name = partial(phrases_of(snapshot).name, language=meaning.language)
    return {
        "text": redaction.text,
        "intent": str(meaning.intent),
        "confidence": meaning.confidence,
        "entities": [
            {
                "kind": str(match.thing.kind), "key": match.thing.key, "name": match.thing.name,
                "text": match.text, "resolver": match.by, "confidence": round(match.confidence, 3),
                "alternatives": [thing.name for thing in match.alternatives],
            }
            for match in meaning.matches
        ],
        "language": meaning.language,
        "detected": meaning.detected,
        "rewrite": meaning.query,
        "resolver": meaning.matches[0].by if meaning.matches else "",
        "topic": meaning.topic,
        "parts": list(meaning.parts),
        "red_flag": alarm.kind if alarm.stops else "",
        "warning": str(alarm.danger),
        "advice": chance,
        "advice_words": phrase,
        "attack": attack.description or machine_made.stretch,
        "redacted": list(redaction.kinds),
        "intervention": str(decided.sort) if decided else "",
        "curated": curated.as_data(),
        "needs": meaning.evidence.get("needs", []),
        "fact": fact.text(meaning.language, name, snapshot) if fact else "",
        "at": now.isoformat(timespec="minutes"),
        "why": {**meaning.evidence, "alarm": alarm_detail(alarm)},
        "ms": round((perf_counter() - started) * 1000, 3),
    }  # fmt: skip


def resembles(one: str, other: str) -> float:
    """Return the cosine of two texts."""
    first, second = vectors_of([one, other])
    return float(first @ second)


def likeness(question: Query, texts: Sequence[str]) -> Sequence[float]:
    """Return the cosines of a question with texts."""
    asked = question_vector(question, get_encoder())
    return [float(each @ asked) for each in vectors_of(texts)]


def vectors_of(texts: Sequence[str]) -> list[Matrix]:
    """Return the vectors of texts from the cache; texts not cached are embedded as one batch."""
    with _vectors_lock:
        known = {text: _vectors[text] for text in texts if text in _vectors}
    new = [text for text in dict.fromkeys(texts) if text not in known]
    found = dict(zip(new, get_encoder().embed_documents(new), strict=True)) if new else {}
    with _vectors_lock:
        _vectors.update(found)
    return [known[text] if text in known else found[text] for text in texts]


#: Cached vectors of lines, 2 KB each.
_vectors: LRUCache[str, Matrix] = LRUCache(8_000)
_vectors_lock = Lock()


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """Return the cached stemmer of a language."""
    return lru_cache(maxsize=50_000)(lambda word: stems([word], language)[0])
