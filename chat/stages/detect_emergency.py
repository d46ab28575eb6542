from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from chat.behaviours import Behaviour
from chat.interventions import Intervention, Sort
from chat.safety.injection import injection_patterns_of
from chat.safety.red_flags import RedFlag, red_flags_of
from chat.safety.suffix import suffix_detector_of
from chat.safety.verdict import EMERGENCY, Alarm, emergency_text, texts_for, verdict
from chat.tools import Tools
from chat.turn import Citation, Context, StageResult

#: The end of the name of a text that says in one line what was said in full before.
AGAIN = "_again"


def opening(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return what comes before every answer: a warning, and that a language is not spoken here."""
    spoken = ctx.understanding.answered_in
    said = spoken if len(spoken) > 1 else ()
    notices = (tools.phrases.say("unsupported_language", code) for code in said)
    return (*warning(ctx, tools), *(f"{notice}\n\n" for notice in notices))


def warning(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the number that comes first where an emergency is, or was, spoken of: one line once
    it was said in full."""
    if not ctx.red_flag:
        return ()
    kind = emergency_text(ctx.red_flag) + (AGAIN if ctx.was_warned else "")
    return tuple(f"{tools.phrases.say(kind, code)}\n\n" for code in ctx.understanding.answered_in)


def detect_emergency(ctx: Context, tools: Tools) -> StageResult:
    """Answer an emergency at once, and turn an attack away, before anything else is done."""
    flags = tools.snapshot.derived(red_flags_of)
    suffix = tools.snapshot.derived(suffix_detector_of).check(ctx.question)
    # Nobody in need writes like a machine: there the rules alone count.
    alarm = Alarm() if suffix else tools.hear(ctx.question, tools.snapshot)
    follows = any(exchange.was_emergency for exchange in ctx.turn.history[-1:])
    flag = verdict(
        flags, alarm, ctx.question, follows=follows, is_spoken=lambda: _is_spoken(ctx, tools)
    ) or _earlier(ctx, tools)
    if flag and not (flag.is_earlier or flag.asks):
        texts = texts_for(flags, flag, alarm, ctx.question)
        learned = said(ctx, tools, texts, Behaviour.EMERGENCY).learn(red_flag=flag.kind)
        detail = {"red_flag": flag.kind, "phrase": flag.phrase}
        return StageResult(learned, detail | _why(alarm), stop=True)
    # Said and answered before, or beside a question that pages answer: the number comes first.
    ctx = ctx.learn(red_flag=flag.kind, was_warned=flag.is_earlier)
    detail = {"earlier_red_flag" if flag.is_earlier else "red_flag_beside": flag.kind}
    if decided := tools.interventions.about(ctx.question, tools.today):
        return StageResult(intervened(ctx, tools, decided), {"intervention": decided.id}, stop=True)
    attack = tools.snapshot.derived(injection_patterns_of).check(ctx.question)
    if attack or suffix:
        why = attack.description or suffix.stretch
        learned = said(ctx, tools, ("block_attack",), Behaviour.BLOCK_ATTACK)
        return StageResult(learned, {"attack": why}, stop=True)
    return StageResult(ctx, detail if flag else {})


def _is_spoken(ctx: Context, tools: Tools) -> bool:
    return len(tools.detect(ctx.turn, tools.snapshot).answered_in) == 1


def _earlier(ctx: Context, tools: Tools) -> RedFlag:
    """Return what earlier messages began, or what was answered as an emergency before."""
    flags = tools.snapshot.derived(red_flags_of)
    asked = [exchange.question for exchange in ctx.turn.history]
    if flag := flags.across(ctx.question, asked):
        return flag
    for exchange in reversed(ctx.turn.history):
        question = exchange.question
        told = verdict(flags, tools.hear(question, tools.snapshot), question)
        if told or exchange.was_emergency:
            # Told in several messages, or by rows that have changed since, it is one all the same.
            return RedFlag(told.kind or EMERGENCY, told.phrase, is_earlier=True)
    return RedFlag()


def _why(alarm: Alarm) -> dict[str, Any]:
    return {"learned": asdict(alarm)} if alarm else {}


def intervened(ctx: Context, tools: Tools, decided: Intervention) -> Context:
    """Return the turn answered as staff decided."""
    learned = said(ctx, tools, ("answer_withheld",), Behaviour.ANSWER)
    if decided.sort is not Sort.CURATED:
        return learned
    language = learned.understanding.language
    first = "".join(warning(learned, tools))
    answer = first + decided.text(language, tools.snapshot.profile.default_language)[0]
    if not decided.source:
        return learned.learn(answer=answer)
    page = tools.pages.by_url.get(decided.source)
    citation = Citation(1, page.title if page else decided.source, decided.source)
    return learned.learn(answer=f"{answer} [1]", citations=(citation,))


def said(ctx: Context, tools: Tools, kinds: Sequence[str], behaviour: Behaviour) -> Context:
    """Return the turn answered with fixed texts, in every language that the visitor may read."""
    spoken = tools.detect(ctx.turn, tools.snapshot)
    learned = ctx.learn(behaviour=behaviour, understanding=replace(spoken, query=ctx.question))
    text = "\n\n".join(
        tools.phrases.say(kind, code) for code in spoken.answered_in for kind in kinds
    )
    return learned.learn(answer="".join((*warning(learned, tools), text)))
