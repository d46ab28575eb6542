"""Check a question before it is understood: emergencies, interventions and attacks end the turn, an
identical question gets its cached answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.answer_cache.reuse import may_read, reuse
from chat.behaviours import Behaviour
from chat.checking.base import Citation
from chat.safety.attacks import injection_patterns_of, suffix_detector_of
from chat.safety.emergencies.alarm import Alarm, Strength
from chat.safety.emergencies.texts import alarm_detail, text_of, warning_of
from chat.safety.interventions import Intervention, Sort
from chat.tools import Step, Tools, in_order, leave_out
from chat.turn import Context, StageResult, Token


def input_processing(ctx: Context, tools: Tools) -> StageResult:
    """Answer an emergency, block an attack, or return a cached answer."""
    return in_order(
        ctx,
        tools,
        Step(_detect_emergency, fallback=None),
        Step(_read_cache_exact, switch="cache", fallback=leave_out),
    )


def _detect_emergency(ctx: Context, tools: Tools) -> StageResult:
    """Answer an emergency or an intervention, or block an attack; else add a warning if needed."""
    suffix = tools.snapshot.derived(suffix_detector_of).check(ctx.question)
    before = ctx.turn.history[-1].question if ctx.turn.history else ""
    alarm = tools.reading.alarm(ctx.question, before)
    if suffix and not alarm.stops:
        # In machine-made text only red-flag phrases count, not the network.
        alarm = Alarm()
    detail = alarm_detail(alarm)
    if alarm.stops:
        learned = _with_texts(ctx.learn(alarm=alarm), tools, (), Behaviour.EMERGENCY)
        texts = [text_of(alarm, tools, code) for code in learned.understanding.answered_in]
        return StageResult(learned.learn(text="\n\n".join(texts)), detail, stop=True)
    if alarm:
        languages = tools.reading.detect(ctx.turn, tools.snapshot).answered_in
        ctx = ctx.learn(alarm=alarm, warning=warning_of(alarm, languages, tools))
    if decided := tools.given.interventions.about(ctx.question, tools.today):
        learned = _intervened(ctx, tools, decided)
        return StageResult(learned, {"intervention": decided.id}, stop=True)
    attack = tools.snapshot.derived(injection_patterns_of).check(ctx.question)
    if attack or suffix:
        why = attack.description or suffix.stretch
        learned = _with_texts(ctx, tools, ("block_attack",), Behaviour.BLOCK_ATTACK)
        return StageResult(learned, {"attack": why}, stop=True)
    # If a model is configured, its classification decides whether a one-line warning is shown.
    if ctx.warning and (tools.models.aside is None or alarm.strength is Strength.TEXT):
        tools.emit(Token(ctx.warning))
    return StageResult(ctx, detail)


def _intervened(ctx: Context, tools: Tools, decided: Intervention) -> Context:
    """Return the turn answered by an intervention."""
    learned = _with_texts(ctx, tools, ("answer_withheld",), Behaviour.ANSWER)
    if decided.sort is not Sort.CURATED:
        return learned
    language = learned.understanding.language
    own = decided.text(language, tools.snapshot.profile.default_language)[0]
    answer = f"{ctx.warning}{own}"
    if not decided.source:
        return learned.learn(text=answer)
    page = tools.corpus.pages.by_url.get(decided.source)
    citation = Citation(1, page.title if page else decided.source, decided.source)
    return learned.learn(text=f"{answer} [1]", citations=(citation,))


def _with_texts(ctx: Context, tools: Tools, kinds: Sequence[str], behaviour: Behaviour) -> Context:
    """Return the turn answered with fixed texts, in every language of the answer."""
    detected = tools.reading.detect(ctx.turn, tools.snapshot)
    learned = ctx.learn(behaviour=behaviour, understanding=replace(detected, query=ctx.question))
    text = "\n\n".join(
        tools.phrases.say(kind, code) for code in detected.answered_in for kind in kinds
    )
    return learned.learn(text=f"{ctx.warning}{text}")


def _read_cache_exact(ctx: Context, tools: Tools) -> StageResult:
    """Return the cached answer to the identical question, at the start of a conversation."""
    cache = tools.given.cache
    if cache is None or ctx.turn.history or not may_read(ctx):
        return StageResult(ctx)
    return reuse(ctx, cache.exact(ctx), tools.emit)
