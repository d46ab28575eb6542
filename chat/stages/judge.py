"""Two models that look at a written answer before it counts; both come after the checks by code.

The guardrail is an independent classifier that answers "safe" or "unsafe" (the form of Llama
Guard); the judge says whether the sources bear the answer out. An answer about health is shown only
once they have: what they refuse, or cannot look at, is replaced by quotations (closed). One about
parking was shown as it was written and stands; staff are told (open): spec 06.
"""

from __future__ import annotations

from dataclasses import dataclass

from chat.checking.base import NumberedEvidence
from chat.phrases import prompts_of
from chat.sources.numbered import rendered
from chat.stages.check import quoting
from chat.stages.generate import is_held
from chat.tools import Tools
from chat.turn import Context, StageResult
from zol.errors import ExpectedError, LLMError
from zol.llm.base import Limits, Message, structured_call

LIMITS = Limits(tokens=200, patience=3.0, seconds=3.0)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """The shape that the judge is held to."""

    is_borne_out: bool
    is_medical_advice: bool
    reason: str = ""


def guardrails(ctx: Context, tools: Tools) -> StageResult:
    """Have the guardrail classify the question with its answer."""
    if tools.guardrail is None or not ctx.was_written:
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
    if tools.judge is None or not ctx.was_written:
        return StageResult(ctx, off(tools.judge is None, "JUDGE_MODEL"))
    system = tools.snapshot.derived(prompts_of).say("judge", {})
    material = rendered(ctx.evidence or NumberedEvidence(), tools)
    asked = f"{material}\n\nQuestion: {ctx.question}\n\nAnswer: {ctx.answer}"
    messages = [Message("system", system), Message("user", asked)]
    try:
        verdict = structured_call(
            tools.judge,
            messages,
            JudgeVerdict,
            name="judge",
            attempts=1,
            limits=LIMITS,
            meter=tools.meter,
        )
    except LLMError as error:
        return unseen(ctx, tools, error)
    stands = verdict.is_borne_out and not verdict.is_medical_advice
    return decided(ctx, tools, stands=stands, why=verdict.reason)


def off(is_off: bool, setting: str) -> dict[str, object]:  # noqa: FBT001
    return {"off": f"{setting} is not set"} if is_off else {"not_needed": "nothing was written"}


def decided(ctx: Context, tools: Tools, *, stands: bool, why: str) -> StageResult:
    """Replace an answer that is refused, where nobody has seen it; else tell staff."""
    if stands:
        return StageResult(ctx, {"stands": True})
    detail = {"stands": not is_held(ctx, tools), "why": why, "needs_review": True}
    return StageResult(quoting(ctx, tools) if is_held(ctx, tools) else ctx, detail)


def unseen(ctx: Context, tools: Tools, error: LLMError) -> StageResult:
    """Let a harmless answer stand that could not be looked at, and no other."""
    if not is_held(ctx, tools):
        return StageResult(ctx, {"stands": True, "unseen": str(error)})
    return StageResult(quoting(ctx, tools), {"stands": False, "unseen": str(error)})


def quote_instead(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer with quotations, when even asking failed."""
    if ctx.was_written and is_held(ctx, tools):
        return StageResult(quoting(ctx, tools))
    return StageResult(ctx.learn(degraded=True))
