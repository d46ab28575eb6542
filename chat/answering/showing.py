"""Openings of an answer, and whether it is streamed."""

from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context
from retrieval.intents import Intent

#: Intents whose answers are shown even if neither guardrail nor judge could check them (spec 06).
HARMLESS = frozenset(
    {
        Intent.NAVIGATION_OR_PRACTICAL_INFO,
        Intent.BOOKING_OR_CONTACT,
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
    }
)


def opening(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the texts before every answer: a warning, and a note on an unsupported language."""
    spoken = ctx.understanding.answered_in
    said = spoken if len(spoken) > 1 else ()
    notices = (tools.phrases.say("unsupported_language", code) for code in said)
    return tuple(filter(None, (ctx.warning, *(f"{notice}\n\n" for notice in notices))))


def is_held(ctx: Context, tools: Tools) -> bool:
    """Return whether an answer is held back until guardrail and judge have checked it."""
    has_guardrail = tools.models.guardrail is not None and tools.is_on("guardrails")
    has_judge = tools.models.judge is not None and tools.is_on("judge")
    return (has_guardrail or has_judge) and ctx.understanding.intent not in HARMLESS
