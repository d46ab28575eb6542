"""What a visitor means, by a model: one call that classifies, extracts, rewrites and links at once.

The model decides what the question means; the words it gives are then read by the same code as
any question in the hospital's language, so that names, topics and departments are found by the
published taxonomy and never by the model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from chat.phrases import prompts_of
from chat.question.content_words import without_marks
from chat.turn import MODEL, Turn, Understanding
from retrieval.intents import BLOCKED, Intent
from taxonomy.snapshot import Snapshot
from zol.llm.base import LLM, Limits, Message, Meter, structured_call

PROMPT = "understand"
LIMITS = Limits(tokens=400, patience=6.0, seconds=8.0)
#: From here on a refusal for medical advice holds (spec 03).
BLOCKS_FROM = 0.70
#: From here on the model's word that a question follows another is taken (spec 03).
FOLLOWS_FROM = 0.1
REMEMBERED = 5

#: A question in the hospital's language, read by code.
Read = Callable[[Turn], Understanding]


@dataclass(frozen=True, slots=True)
class ModelReading:
    """The shape that a model is held to."""

    intent: Intent
    confidence: float
    #: The question in the hospital's content language, complete without the conversation.
    rewritten: str
    is_followup: bool = False
    followup_confidence: float = 0.0
    kind: Literal["question", "greeting", "thanks", "goodbye"] = "question"


def understand_by_model(
    turn: Turn, heard: Understanding, read: Read, snapshot: Snapshot, asks: tuple[LLM, Meter]
) -> Understanding:
    """Return the embedded engine's understanding, with the model's reading of what is meant.

    :raises LLMError: when no usable reply comes; the embedded understanding then stands.
    """
    llm, meter = asks
    meaning = structured_call(
        llm, messages_for(turn, snapshot), ModelReading, limits=LIMITS, meter=meter
    )
    intent = intent_of(meaning, heard)
    rewritten = replace(
        turn, question=meaning.rewritten, language=snapshot.profile.default_language, history=()
    )
    found = read(rewritten)
    follows = meaning.is_followup and meaning.followup_confidence >= FOLLOWS_FROM
    return replace(
        found,
        intent=intent,
        confidence=meaning.confidence,
        language=heard.language,
        detected=heard.detected,
        is_followup=bool(turn.history) and (follows or heard.is_followup),
        wants_list=heard.wants_list or found.wants_list,
        topic=heard.topic or found.topic,
        parts=heard.parts,
        matches=found.matches or heard.matches,
        greeting=heard.greeting,
        evidence={**heard.evidence, MODEL: {"intent": intent, "rewritten": meaning.rewritten}},
    )


def intent_of(meaning: ModelReading, heard: Understanding) -> Intent:
    """Return the intent that holds: a refusal by code is never undone by a model."""
    if heard.intent in BLOCKED and heard.intent is not Intent.VAGUE_INPUT:
        return heard.intent
    is_advice = meaning.intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
    if is_advice and meaning.confidence < BLOCKS_FROM:
        return heard.intent
    return meaning.intent


def messages_for(turn: Turn, snapshot: Snapshot) -> list[Message]:
    """Return what the model is told: what the intents are, and the conversation."""
    profile = snapshot.profile
    values = {
        "short_name": profile.short_name,
        "content_language": profile.default_language,
        "intents": ", ".join(Intent),
    }
    earlier = "\n".join(
        f"- asked: {exchange.question}; pages: {', '.join(exchange.citations) or 'none'}"
        for exchange in turn.history[-REMEMBERED:]
    )
    asked = f"Question: {without_marks(turn.question)}"
    said = f"Earlier in this conversation:\n{earlier}\n\n{asked}" if earlier else asked
    system = snapshot.derived(prompts_of).say(PROMPT, values)
    return [Message("system", system), Message("user", said)]
