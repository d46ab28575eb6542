"""Asking a model for the answer, and holding it to the evidence while it speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chat.behaviours import Mode
from chat.checks.evidence import Evidence
from chat.checks.knowledge import knowledge_of
from chat.engines.model.reading import evidence_for, rendered
from chat.engines.model.sieve import Removed, Sieve
from chat.phrases import prompts_of
from chat.tools import Tools
from chat.trace import Token
from chat.turn import Citation, Context, Understanding
from retrieval.intents import Intent
from zol.errors import UnusableReply
from zol.llm.base import Limits, Message

#: Exchanges of the conversation that a model is shown, and letters of each answer.
REMEMBERED, REMEMBERED_LETTERS = 3, 600


@dataclass(frozen=True, slots=True)
class Effort:
    """Which model answers, and how much it may say."""

    tier: str
    limits: Limits


#: Questions that the published taxonomy answers whole, once it knows what they name.
TOLD_BY_CODE = frozenset(
    {
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
        Intent.BOOKING_OR_CONTACT,
        Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION,
    }
)

EFFORTS: Mapping[Mode, Effort] = {
    Mode.STANDARD: Effort("primary", Limits(tokens=1_000, patience=8.0, seconds=30.0)),
    Mode.FULL: Effort("primary", Limits(tokens=1_500, patience=8.0, seconds=45.0)),
    Mode.ESCALATED: Effort("escalation", Limits(tokens=3_000, patience=20.0, seconds=90.0)),
}


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote, as far as it may be shown."""

    text: str
    citations: tuple[Citation, ...]
    removed: tuple[Removed, ...]
    prompt: str

    @property
    def detail(self) -> dict[str, Any]:
        return {
            "engine": "model",
            "citations": len(self.citations),
            "removed": [
                {"text": each.text, "check": each.fault.check, "why": each.fault.detail}
                for each in self.removed
            ],
            "prompt": self.prompt,
        }


def model_answers(ctx: Context, tools: Tools) -> bool:
    """Whether a model is asked: there is one, and something to answer from that needs words.

    Who works where, telephone numbers and hours are told by code in both engines (spec 00).
    """
    if tools.llm is None or ctx.roster or not ctx.dossier.blocks:
        return False
    return not all(is_told_by_code(part.understanding) for part in ctx.parts or (ctx,))


def is_told_by_code(meant: Understanding) -> bool:
    return meant.intent in TOLD_BY_CODE and bool(meant.matches)


def answer_by_model(ctx: Context, tools: Tools) -> Written:
    """Show a model's answer as it passes the checks; return what was shown.

    :raises LLMError: when there is no usable answer; what was shown by then must be taken back.
    """
    if tools.llm is None:
        raise UnusableReply("No model is configured")
    evidence = evidence_for(ctx, tools)
    messages = prompt_for(ctx, tools, evidence)
    effort = EFFORTS[ctx.turn.mode]
    known = tools.snapshot.derived(knowledge_of)
    sieve = Sieve(evidence, known, ctx.understanding.language)
    pieces = tools.llm(effort.tier).stream(messages, limits=effort.limits, meter=tools.meter)
    for piece in pieces:
        for shown in sieve.feed(piece):
            tools.emit(Token(shown))
    for shown in sieve.finish():
        tools.emit(Token(shown))
    if not sieve.kept:
        raise UnusableReply(f"Nothing of the answer passed the checks: {_reasons(sieve)}")
    cited = [exhibit.citation for exhibit in evidence.exhibits if f"[{exhibit.n}]" in sieve.text]
    prompt = "\n\n".join(f"{message.role}: {message.text}" for message in messages)
    return Written(sieve.text, tuple(cited), tuple(sieve.removed), prompt)


def _reasons(sieve: Sieve) -> str:
    return (
        "; ".join(f"{each.fault.check}: {each.fault.detail}" for each in sieve.removed) or "empty"
    )


def prompt_for(ctx: Context, tools: Tools, evidence: Evidence) -> list[Message]:
    """Return what the model is told: who it speaks for, what was said before, and the evidence."""
    prompts = tools.snapshot.derived(prompts_of)
    profile = tools.snapshot.profile
    values = {
        "short_name": profile.short_name,
        "phone": profile.phone,
        "guard": ctx.dossier.guard,
        "language_name": ", and then again in ".join(
            tools.phrases.say(f"language_name_{code}", "en") or code
            for code in ctx.understanding.answered_in
        ),
    }
    earlier = [
        message
        for exchange in ctx.turn.history[-REMEMBERED:]
        for message in (
            Message("user", exchange.question),
            Message("assistant", exchange.answer[:REMEMBERED_LETTERS]),
        )
    ]
    asked = f"{rendered(evidence)}\n\nQuestion: {ctx.question}"
    return [Message("system", prompts.say("answer", values)), *earlier, Message("user", asked)]
