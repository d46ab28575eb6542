"""Two models that look at a written answer before it counts; both come after the checks by code.

The guardrail is an independent classifier that answers "safe" or "unsafe" (the form of Llama
Guard); the judge says whether the sources bear the answer out. Where a layer cannot be asked, an
answer about health is replaced by quotations (closed), one about parking stands (open): spec 06.
"""

from __future__ import annotations

from dataclasses import dataclass

from chat.answering.model.evidence import evidence_for, rendered
from chat.behaviours import Behaviour
from chat.phrases import prompts_of
from chat.stages.check import quoting
from chat.tools import Tools
from chat.turn import EMBEDDED, Context, StageResult
from retrieval.intents import Intent
from zol.errors import ExpectedError, LLMError
from zol.llm.base import Limits, Message, structured_call

LIMITS = Limits(tokens=200, patience=3.0, seconds=3.0)
#: Intents for which an answer that nobody could look at stands.
HARMLESS = frozenset(
    {
        Intent.NAVIGATION_OR_PRACTICAL_INFO,
        Intent.BOOKING_OR_CONTACT,
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
    }
)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """The shape that the judge is held to."""

    is_borne_out: bool
    is_medical_advice: bool
    reason: str = ""


def guardrails(ctx: Context, tools: Tools) -> StageResult:
    """Have the guardrail classify the question with its answer."""
    if tools.guardrail is None or not is_written(ctx):
        return StageResult(ctx, off(tools.guardrail is None, "GUARDRAIL_URL"))
    said = [Message("user", ctx.question), Message("assistant", ctx.answer)]
    try:
        reply = tools.guardrail.reply(said, limits=LIMITS, meter=tools.meter).text.strip()
    except LLMError as error:
        return unseen(ctx, tools, error)
    is_safe = reply.split(maxsplit=1)[:1] == ["safe"]
    return decided(ctx, tools, stands=is_safe, why=reply)


def judge(ctx: Context, tools: Tools) -> StageResult:
    """Have the judge say whether the sources bear the answer out, without advice."""
    if tools.judge is None or not is_written(ctx):
        return StageResult(ctx, off(tools.judge is None, "JUDGE_MODEL"))
    system = tools.snapshot.derived(prompts_of).say("judge", {})
    material = rendered(evidence_for(ctx, tools))
    asked = f"{material}\n\nQuestion: {ctx.question}\n\nAnswer: {ctx.answer}"
    messages = [Message("system", system), Message("user", asked)]
    try:
        verdict = structured_call(
            tools.judge, messages, JudgeVerdict, attempts=1, limits=LIMITS, meter=tools.meter
        )
    except LLMError as error:
        return unseen(ctx, tools, error)
    stands = verdict.is_borne_out and not verdict.is_medical_advice
    return decided(ctx, tools, stands=stands, why=verdict.reason)


def is_written(ctx: Context) -> bool:
    """Whether a model wrote this answer: quotations need no judge."""
    return ctx.engine != EMBEDDED and ctx.behaviour is Behaviour.ANSWER


def off(is_off: bool, setting: str) -> dict[str, object]:  # noqa: FBT001
    return {"off": f"{setting} is not set"} if is_off else {"not_needed": "nothing was written"}


def decided(ctx: Context, tools: Tools, *, stands: bool, why: str) -> StageResult:
    if stands:
        return StageResult(ctx, {"stands": True})
    return StageResult(quoting(ctx, tools), {"stands": False, "why": why, "needs_review": True})


def unseen(ctx: Context, tools: Tools, error: LLMError) -> StageResult:
    """Let a harmless answer stand that could not be looked at, and no other."""
    if ctx.understanding.intent in HARMLESS:
        return StageResult(ctx, {"stands": True, "unseen": str(error)})
    return StageResult(quoting(ctx, tools), {"stands": False, "unseen": str(error)})


def quote_instead(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer with quotations, when even asking failed."""
    return StageResult(quoting(ctx, tools) if is_written(ctx) else ctx.learn(degraded=True))
