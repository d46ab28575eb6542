from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chat.behaviours import Behaviour
from chat.interventions import Intervention, Sort
from chat.phrases import Phrases
from chat.safety.emergencies.alarm import Alarm, Strength
from chat.safety.emergencies.situations import Situation
from chat.safety.injection import injection_patterns_of
from chat.safety.suffix import suffix_detector_of
from chat.tools import Tools
from chat.turn import Citation, Context, StageResult, Token
from taxonomy.resolvers import resolver_index
from taxonomy.snapshot import Snapshot

#: Texts of an alarm: in full, and in one line.
FULL, LINE = "alarm_", "notice_"


def opening(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return what comes before every answer: a warning, and that a language is not spoken here."""
    spoken = ctx.understanding.answered_in
    said = spoken if len(spoken) > 1 else ()
    notices = (tools.phrases.say("unsupported_language", code) for code in said)
    return tuple(filter(None, (ctx.warning, *(f"{notice}\n\n" for notice in notices))))


def detect_emergency(ctx: Context, tools: Tools) -> StageResult:
    """Answer an emergency at once, and turn an attack away, before anything else is done."""
    suffix = tools.snapshot.derived(suffix_detector_of).check(ctx.question)
    before = ctx.turn.history[-1].question if ctx.turn.history else ""
    alarm = tools.alarm(ctx.question, before)
    if suffix and not alarm.stops:
        # Nobody in need writes like a machine: there the phrases alone count.
        alarm = Alarm()
    detail = told_of_alarm(alarm)
    if alarm.stops:
        learned = said(ctx.learn(alarm=alarm), tools, (), Behaviour.EMERGENCY)
        texts = [text_of(alarm, tools, code) for code in learned.understanding.answered_in]
        return StageResult(learned.learn(answer="\n\n".join(texts)), detail, stop=True)
    if alarm:
        spoken = tools.detect(ctx.turn, tools.snapshot).answered_in
        ctx = ctx.learn(alarm=alarm, warning=warning_of(alarm, spoken, tools))
    if decided := tools.interventions.about(ctx.question, tools.today):
        return StageResult(intervened(ctx, tools, decided), {"intervention": decided.id}, stop=True)
    attack = tools.snapshot.derived(injection_patterns_of).check(ctx.question)
    if attack or suffix:
        why = attack.description or suffix.stretch
        learned = said(ctx, tools, ("block_attack",), Behaviour.BLOCK_ATTACK)
        return StageResult(learned, {"attack": why}, stop=True)
    # Where a model is asked, it has a say in whether a line is shown.
    if ctx.warning and (tools.aside is None or alarm.strength is Strength.TEXT):
        tools.emit(Token(ctx.warning))
    return StageResult(ctx, detail)


def warning_of(alarm: Alarm, spoken: Sequence[str], tools: Tools) -> str:
    """Return what an answer begins with, in every language that the visitor may read."""
    return "".join(f"{text_of(alarm, tools, code)}\n\n" for code in spoken)


def told_of_alarm(alarm: Alarm) -> dict[str, object]:
    """Return what the trace keeps of an alarm."""
    if not alarm:
        return {}
    return {
        "alarm": str(alarm.danger),
        "strength": str(alarm.strength),
        "situations": [each.kind for each in alarm.situations],
        "phrase": alarm.phrase,
        "chance": alarm.chance,
    }


def text_of(alarm: Alarm, tools: Tools, language: str) -> str:
    """Return what an alarm says in a language: one line, or the texts of its situations."""

    def desk(situation: Situation) -> dict[str, str]:
        return desk_of(situation, tools.snapshot, tools.phrases, language)

    if alarm.strength is Strength.LINE:
        first = alarm.situations[0]
        return tools.phrases.say(LINE + first.text, language, **desk(first))
    texts = (full_text(each, tools.phrases, desk(each), language) for each in alarm.situations)
    return "\n\n".join(texts)


def full_text(
    situation: Situation, phrases: Phrases, desk: Mapping[str, str], language: str
) -> str:
    """Return the whole text of a situation in a language."""
    return phrases.say(FULL + situation.text, language, **desk)


def desk_of(
    situation: Situation, snapshot: Snapshot, phrases: Phrases, language: str
) -> dict[str, str]:
    """Return the desk of a situation: the hospital's row, its department, else the hospital."""
    profile = snapshot.profile
    if situation.phone:
        desk = situation.desk or profile.short_name
        return {"desk": desk, "desk_phone": situation.phone}
    departments = snapshot.derived(resolver_index).specialists
    found = (departments.get(name) for name in situation.specialties)
    department = next((each for each in found if each and each.get("phone")), None)
    if department is None:
        return {"desk": profile.short_name, "desk_phone": profile.phone}
    name = phrases.name(department, language)
    return {"desk": name, "desk_phone": str(department.get("phone"))}


def intervened(ctx: Context, tools: Tools, decided: Intervention) -> Context:
    """Return the turn answered as staff decided."""
    learned = said(ctx, tools, ("answer_withheld",), Behaviour.ANSWER)
    if decided.sort is not Sort.CURATED:
        return learned
    language = learned.understanding.language
    own = decided.text(language, tools.snapshot.profile.default_language)[0]
    answer = f"{ctx.warning}{own}"
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
    return learned.learn(answer=f"{ctx.warning}{text}")
