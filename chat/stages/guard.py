from __future__ import annotations

from dataclasses import replace

from chat.behaviours import Behaviour
from chat.interventions import Intervention, Sort
from chat.safety.injection import injection_patterns_of
from chat.safety.red_flags import red_flags_of
from chat.safety.suffix import suffix_detector_of
from chat.tools import Tools
from chat.turn import Citation, Context, StageResult

#: Emergencies with words and a telephone line of their own.
OWN_WORDS = {
    "suicide": "emergency_suicide",
    "self_harm": "emergency_suicide",
    "overdose_poison": "emergency_poison",
}


def emergency_text(kind: str) -> str:
    """Return the fixed text for an emergency."""
    return OWN_WORDS.get(kind, "emergency")


def opening(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return what comes before every answer: a warning, and that a language is not spoken here."""
    spoken = ctx.understanding.answered_in
    said = spoken if len(spoken) > 1 else ()
    notices = (tools.phrases.say("unsupported_language", code) for code in said)
    return (*warning(ctx, tools), *(f"{notice}\n\n" for notice in notices))


def warning(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the number that comes first where an emergency is, or was, spoken of."""
    if not ctx.red_flag:
        return ()
    kind = emergency_text(ctx.red_flag)
    return tuple(f"{tools.phrases.say(kind, code)}\n\n" for code in ctx.understanding.answered_in)


def guard(ctx: Context, tools: Tools) -> StageResult:
    """Answer an emergency at once, and turn an attack away, before anything else is done."""
    earlier = [exchange.question for exchange in ctx.turn.history]
    flag = tools.snapshot.derived(red_flags_of).check(ctx.question, earlier)
    if flag and not (flag.is_earlier or flag.asks):
        learned = said(ctx, tools, emergency_text(flag.kind), Behaviour.EMERGENCY)
        learned = learned.learn(red_flag=flag.kind)
        return StageResult(learned, {"red_flag": flag.kind, "phrase": flag.phrase}, stop=True)
    # Said and answered before, or beside a question that pages answer: the number comes first.
    ctx = ctx.learn(red_flag=flag.kind)
    detail = {"earlier_red_flag" if flag.is_earlier else "red_flag_beside": flag.kind}
    if decided := tools.interventions.about(ctx.question, tools.today):
        return StageResult(intervened(ctx, tools, decided), {"intervention": decided.id}, stop=True)
    attack = tools.snapshot.derived(injection_patterns_of).check(ctx.question)
    suffix = tools.snapshot.derived(suffix_detector_of).check(ctx.question)
    if attack or suffix:
        why = attack.description or ", ".join(suffix.signals)
        learned = said(ctx, tools, "block_attack", Behaviour.BLOCK_ATTACK)
        return StageResult(learned, {"attack": why}, stop=True)
    return StageResult(ctx, detail if flag else {})


def intervened(ctx: Context, tools: Tools, decided: Intervention) -> Context:
    """Return the turn answered as staff decided."""
    learned = said(ctx, tools, "answer_withheld", Behaviour.ANSWER)
    if decided.sort is not Sort.CURATED:
        return learned
    language = learned.understanding.language
    first = "".join(warning(learned, tools))
    answer = first + decided.text(language, tools.snapshot.profile.default_language, *decided.texts)
    if not decided.source:
        return learned.learn(answer=answer)
    page = tools.pages.by_url.get(decided.source)
    citation = Citation(1, page.title if page else decided.source, decided.source)
    return learned.learn(answer=f"{answer} [1]", citations=(citation,))


def said(ctx: Context, tools: Tools, kind: str, behaviour: Behaviour) -> Context:
    """Return the turn answered with a fixed text, in every language that the visitor may read."""
    spoken = tools.detect(ctx.turn, tools.snapshot)
    learned = ctx.learn(behaviour=behaviour, understanding=replace(spoken, query=ctx.question))
    text = "\n\n".join(tools.phrases.say(kind, code) for code in spoken.answered_in)
    return learned.learn(answer="".join((*warning(learned, tools), text)))
