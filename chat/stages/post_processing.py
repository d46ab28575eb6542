"""Check an answer by code and by two models, complete it, and add bulletins.

The guardrail is an independent classifier that answers "safe" or "unsafe" (Llama Guard's format);
the judge decides whether the sources support the answer. A health answer is shown only after both
checks; if one fails or cannot run, quotations replace it (fail closed). A practical answer, such as
on parking, is shown before the checks end, and staff see a failure in the trace (fail open): spec
06.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from chat.answering.additions import (
    additions,
    asks_for_doctors,
    member_list,
    missing,
    next_questions,
    routing_text,
    unnamed,
)
from chat.answering.answer import answered_anew, is_held
from chat.behaviours import Behaviour
from chat.checking.base import NumberedEvidence
from chat.phrases import prompts_of
from chat.safety.interventions import Intervention
from chat.sources.lookup import asked_of, departments_in
from chat.sources.numbered import rendered
from chat.sources.sentences import Phrasing, doctor_name
from chat.tools import Step, Tools, in_order
from chat.turn import Context, StageResult, Token
from retrieval.intents import Intent
from taxonomy.language.tokens import folded
from taxonomy.vocabulary import Kind, Thing
from zol.errors import ExpectedError, LLMError
from zol.llm.base import LLM, Limits, Message, structured_call

#: Weights of similarity to the evidence, and to the question (decision D11).
CONTEXT, QUESTION = 0.7, 0.3
#: Quality threshold below which staff review an answer: none of 140 right answers of the
#: demonstration lies below, and 86 % of the answers to other questions do.
LEAST_QUALITY = 0.18
#: Intents that a department answers.
FOR_A_DEPARTMENT = frozenset(
    {
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
        Intent.BOOKING_OR_CONTACT,
        Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION,
    }
)
#: Limits of guardrail and judge.
LIMITS = Limits(tokens=200, patience=3.0, seconds=3.0)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """The reply schema of the judge."""

    is_borne_out: bool
    is_medical_advice: bool
    reason: str = ""


def post_processing(ctx: Context, tools: Tools) -> StageResult:
    """Check and complete an answer; for a turn that ended early, only add bulletins."""
    if ctx.is_settled:
        return in_order(ctx, tools, Step(_add_bulletins))
    return in_order(
        ctx,
        tools,
        Step(_check),
        Step(_guardrails, switch="guardrails", fallback=quote_instead),
        Step(_judge, switch="judge", fallback=quote_instead),
        Step(_supplement, switch="supplement"),
        Step(_suggest),
        Step(_add_bulletins),
    )


def _check(ctx: Context, tools: Tools) -> StageResult:
    """Add entities that the answer should name, and flag for staff one unlike its evidence."""
    detail: dict[str, Any] = {}
    if ctx.was_written:
        score = _quality_of(ctx, tools)
        detail |= {"quality": round(score, 3)}
        detail |= {"needs_review": True} if score < LEAST_QUALITY else {}
    if added := "\n\n".join(_unnamed_in(ctx, tools)):
        if not is_held(ctx, tools):
            tools.emit(Token(f"\n\n{added}"))
        detail["added"] = added
    answer = "\n\n".join(filter(None, (ctx.answer.rstrip(), added)))
    return StageResult(ctx.learn(text=answer), detail)


def _unnamed_in(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield texts on entities that the answer should name: doctors of a list, a department.

    A model's answer gets a department only if the question asks for one and the answer refers to
    none.
    """
    if unlisted := missing(ctx):
        yield member_list(unlisted, ctx, tools)
    is_referred = ctx.was_written and (
        ctx.understanding.intent not in FOR_A_DEPARTMENT
        or departments_in(ctx.answer, tools.snapshot) is not None
    )
    if unnamed(ctx) and not is_referred:
        yield routing_text(ctx, tools)


def _quality_of(ctx: Context, tools: Tools) -> float:
    """Return the weighted similarity of an answer to its cited lines and to the question."""
    cited = [citation.passage for citation in ctx.citations if citation.passage]
    if not cited:
        return 1.0
    context = ("\n".join(cited), *cited)
    nearest = max(tools.corpus.resembles(ctx.answer, text) for text in context)
    return CONTEXT * nearest + QUESTION * tools.corpus.resembles(ctx.question, ctx.answer)


def _guardrails(ctx: Context, tools: Tools) -> StageResult:
    """Classify question and answer with the guardrail."""

    def is_safe(model: LLM) -> tuple[bool, str]:
        exchange = [Message("user", ctx.question), Message("assistant", ctx.answer)]
        reply = model.reply(exchange, limits=LIMITS, meter=tools.models.meter).strip()
        return reply.split(maxsplit=1)[:1] == ["safe"], reply

    return _checked(ctx, tools, tools.models.guardrail, "GUARDRAIL_URL", is_safe)


def _judge(ctx: Context, tools: Tools) -> StageResult:
    """Let the judge decide whether the sources support the answer, without medical advice."""

    def is_supported(model: LLM) -> tuple[bool, str]:
        material = rendered(ctx.dossier.evidence or NumberedEvidence(), tools)
        asked = f"{material}\n\nQuestion: {ctx.question}\n\nAnswer: {ctx.answer}"
        system = tools.snapshot.derived(prompts_of).say("judge", {})
        verdict = structured_call(
            model, [Message("system", system), Message("user", asked)], JudgeVerdict, name="judge",
            attempts=1, limits=LIMITS, meter=tools.models.meter,
        )  # fmt: skip
        return verdict.is_borne_out and not verdict.is_medical_advice, verdict.reason

    return _checked(ctx, tools, tools.models.judge, "JUDGE_MODEL", is_supported)


def _checked(
    ctx: Context,
    tools: Tools,
    model: LLM | None,
    setting: str,
    check: Callable[[LLM], tuple[bool, str]],
) -> StageResult:
    """Check a written answer with a model.

    If it fails or cannot be checked, quotations replace it. An answer that was already shown stays,
    and the trace records the failure for staff.
    """
    if model is None:
        return StageResult(ctx, {"off": f"{setting} is not set"})
    if not ctx.was_written:
        return StageResult(ctx, {"not_needed": "nothing was written"})
    try:
        stands, why = check(model)
        detail: dict[str, object] = {"why": why, "needs_review": True}
    except LLMError as error:
        stands, detail = False, {"unseen": str(error)}
    if stands:
        return StageResult(ctx, {"stands": True})
    is_replaced = is_held(ctx, tools)
    learned = _answered_instead(ctx, tools) if is_replaced else ctx
    return StageResult(learned, {"stands": not is_replaced, **detail})


def _answered_instead(ctx: Context, tools: Tools) -> Context:
    """Return the turn with the embedded engine's answer in place of an unshown one."""
    spare = tools.engine.spare or tools.engine
    return answered_anew(ctx.learn(degraded=True), tools, spare.generate)[0]


def quote_instead(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer with quotations if the check itself failed."""
    if ctx.was_written and is_held(ctx, tools):
        return StageResult(_answered_instead(ctx, tools))
    return StageResult(ctx.learn(degraded=True))


def _supplement(ctx: Context, tools: Tools) -> StageResult:
    """Append the doctors of the routed department if the question also asks for doctors."""
    if ctx.behaviour is not Behaviour.ANSWER or not asks_for_doctors(ctx, tools):
        return StageResult(ctx)
    added = list(additions(ctx, tools))
    if not added:
        return StageResult(ctx)
    phrasing = Phrasing(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    texts = [
        phrasing.say(
            "supplement",
            department=phrasing.name(department),
            doctors=phrasing.phrases.listed([doctor_name(d) for d in doctors], phrasing.language),
        )
        for department, doctors in added
    ]
    answer = "\n\n".join((ctx.answer.rstrip(), *(f"*{text}*" for text in texts if text)))
    return StageResult(
        ctx.learn(text=answer),
        {"supplement": {d.name: [doctor.name for doctor in doctors] for d, doctors in added}},
    )


def _suggest(ctx: Context, tools: Tools) -> StageResult:
    """Suggest next questions; after a model's answer, `services.settle` does so later."""
    if ctx.was_written:
        return StageResult(ctx)
    return StageResult(ctx.learn(follow_ups=tuple(next_questions(ctx, tools))))


def _add_bulletins(ctx: Context, tools: Tools) -> StageResult:
    """Put bulletins above an answer, except above a safety text; they are not cached with it."""
    held = tools.given.interventions.bulletins(tools.today)
    if not held or ctx.behaviour is not Behaviour.ANSWER or ctx.alarm or not ctx.answer:
        return StageResult(ctx)
    words = frozenset(folded(ctx.question))
    shown = [b for b in held if b.is_general or b.is_about(words) or _names_subject(b, ctx, tools)]
    language = ctx.understanding.language
    texts = (each.announced(tools.phrases, language) for each in shown)
    bulletin = "".join(f"**{heading}**\n{text}\n\n" for heading, text, _ in texts)
    learned = ctx.learn(text=bulletin + ctx.answer, bulletin=bulletin)
    return StageResult(learned, {"bulletins": [each.id for each in shown]})


def _names_subject(bulletin: Intervention, ctx: Context, tools: Tools) -> bool:
    """Return whether a question names a bulletin's subject, or who works or what is done there."""
    vocabulary = tools.snapshot.vocabulary
    kind, key = bulletin.subject or ("", "")
    subject = vocabulary.get(Kind(kind), key) if kind else None
    if subject is None:
        return False
    places = vocabulary.departments_of(subject) if subject.kind is Kind.SPECIALTY else ()
    return not _things_of(ctx, tools).isdisjoint((subject, *places))


def _things_of(ctx: Context, tools: Tools) -> set[Thing]:
    """Return the entities that a question names or may mean, and their departments."""
    meant = ctx.understanding
    # A cached answer skipped the understanding.
    whole = meant if meant.matches else tools.reading.read(ctx.turn, tools.snapshot)
    asked = (whole, *(part.understanding for part in ctx.parts))
    named = {t for each in asked for m in each.matches for t in (m.thing, *m.alternatives)}
    return named.union(*(asked_of(each, tools.snapshot).departments for each in asked))
