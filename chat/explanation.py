"""Explain a question for staff and commands: everything detected before the search, and the answer
it would get.

Nothing is stored.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from chat.models import Message
from chat.phrases import calendar_of, phrases_of
from chat.safety.attacks import injection_patterns_of, suffix_detector_of
from chat.safety.emergencies.texts import told_of_alarm
from chat.safety.redaction import redactor_of
from chat.selectors import live_interventions
from chat.services import take_turn, told_of
from chat.turn import Context, Turn
from chat.wiring import alarm_in, curated_for, fact_of, moments_of, read_by_code
from taxonomy.publishing.snapshot import Snapshot
from zol.clock import hospital_now
from zol.text import storable


def tried(turn: Turn) -> Message:
    """Answer a turn without the cache; return an unsaved message."""
    answered = take_turn(turn, flags={"cache": False})
    return Message(question=answered.context.question, mode=turn.mode, **told_of(answered))


def understood(given: Turn, snapshot: Snapshot) -> dict[str, Any]:
    """Return everything detected in a question before the search."""
    now, interventions = hospital_now(given.at), live_interventions()
    started = perf_counter()
    redaction = snapshot.derived(redactor_of).redact(storable(given.question))
    asked = redaction.text
    before = given.history[-1].question if given.history else ""
    alarm = alarm_in(asked, before, snapshot=snapshot)
    attack = snapshot.derived(injection_patterns_of).check(asked)
    machine_made = snapshot.derived(suffix_detector_of).check(asked)
    decided = interventions.about(asked, now.date())
    turn = replace(given, question=asked, at=now)
    meaning = read_by_code(turn, snapshot)
    chance, phrase = meaning.evidence["advice"]
    ctx = Context(turn, asked, understanding=meaning)
    moments = moments_of(ctx, snapshot, now)
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
        "wants": meaning.wants,
        "parts": list(meaning.parts),
        "greeting": meaning.greeting,
        "red_flag": alarm.kind if alarm.stops else "",
        "warning": str(alarm.danger),
        "advice": chance,
        "advice_words": phrase,
        "attack": attack.description or machine_made.stretch,
        "redacted": list(redaction.kinds),
        "intervention": str(decided.sort) if decided else "",
        "curated": curated.told,
        "needs": meaning.evidence.get("needs", []),
        "fact": fact.text(meaning.language, name, snapshot) if fact else "",
        "moment": (
            moments[0].data(snapshot.derived(calendar_of), meaning.language) if moments else None
        ),
        "at": now.isoformat(timespec="minutes"),
        "why": {**meaning.evidence, "alarm": told_of_alarm(alarm)},
        "ms": round((perf_counter() - started) * 1000, 3),
    }  # fmt: skip
