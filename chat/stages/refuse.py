from __future__ import annotations

from chat.answering.citations import Ledger
from chat.behaviours import Behaviour
from chat.lookup.lookup_question import asked_of, is_touched
from chat.safety.verdict import SUICIDE, emergency_text
from chat.stages.detect_emergency import said, warning
from chat.tools import Tools
from chat.turn import Citation, Context, StageResult
from retrieval.intents import Intent
from taxonomy.lexicon import lexicon_of
from taxonomy.vocabulary import Thing
from zol.text import words

#: What is said to a question of a blocked intent, and what that counts as.
REFUSALS = {
    Intent.OUT_OF_SCOPE_MEDICAL_ADVICE: ("refuse_medical", Behaviour.REFUSE_MEDICAL),
    Intent.OFF_TOPIC: ("refuse_offtopic", Behaviour.REFUSE_OFFTOPIC),
    Intent.OTHER_HOSPITAL: ("refuse_other_hospital", Behaviour.REFUSE_OTHER_HOSPITAL),
    Intent.VAGUE_INPUT: ("clarify", Behaviour.CLARIFY),
}


#: What is said beside an emergency that goes on, and how likely a message must be still about it.
MEANWHILE, GOES_ON = "emergency_meanwhile", 0.4

#: Refusals that give way to an answer which staff approved for just this question.
DOUBTFUL = frozenset({Intent.OFF_TOPIC, Intent.VAGUE_INPUT})


def refuse(ctx: Context, tools: Tools) -> StageResult:
    """Say kindly what we do not answer, and where the visitor can turn to instead."""
    meant = ctx.understanding
    if goes_on(ctx, tools):
        text = emergency_text(ctx.red_flag)
        texts = (text,) if text == SUICIDE else (text, MEANWHILE)
        answered = said(ctx.learn(red_flag=""), tools, texts, Behaviour.EMERGENCY)
        return StageResult(answered.learn(red_flag=ctx.red_flag), {"goes_on": True}, stop=True)
    if meant.intent not in REFUSALS:
        return StageResult(ctx)
    if meant.intent in DOUBTFUL and not meant.greeting and tools.curated(ctx).hit:
        return StageResult(ctx, {"answered_by_staff": True})
    kind, behaviour = REFUSALS[meant.intent]
    desk = desk_of(ctx, tools)
    text = "\n\n".join(
        tools.phrases.say(meant.greeting or kind, code, **desk) for code in meant.answered_in
    )
    text = "".join((*warning(ctx, tools), text))
    citations: tuple[Citation, ...] = ()
    if behaviour is Behaviour.REFUSE_MEDICAL:
        addition, citations = page_for(ctx, tools)
        text = "\n\n".join(part for part in (text, addition) if part)
    learned = ctx.learn(answer=text, citations=citations, behaviour=behaviour)
    return StageResult(learned, {"refused": kind}, stop=True)


def goes_on(ctx: Context, tools: Tools) -> bool:
    """Whether a message is still about the emergency that the one before told of. What to give or
    do meanwhile, whether it can wait, only who is called can say."""
    before = ctx.turn.history[-1:]
    is_told = ctx.was_warned and bool(before) and before[0].was_emergency
    return is_told and tools.hear(ctx.question, tools.snapshot).goes_on >= GOES_ON


#: Concepts that ask how much, or how often.
DOSES = frozenset({"dose", "how_much", "how_often"})


def desk_of(ctx: Context, tools: Tools) -> dict[str, str]:
    """Return whom a patient can call: the department of what is named, else the help desk."""
    meant, profile = ctx.understanding, tools.snapshot.profile
    asked = asked_of(meant, tools.snapshot)
    named = (match.thing for match in meant.matches if not is_touched(match))
    departments = (d for thing in named for d in asked.departments_of(thing))
    department = next((d for d in departments if d.get("phone")), None)
    if department is None:
        phone = profile.helpdesk_phone or profile.phone
        return {"desk": profile.short_name, "desk_phone": phone}
    return {
        "desk": tools.phrases.name(department, meant.language),
        "desk_phone": department.get("phone"),
    }


def page_for(ctx: Context, tools: Tools) -> tuple[str, tuple[Citation, ...]]:
    """Return on which page somebody can read about what the question names, in a sentence.

    Who asks how much to take is sent to no page, which may have a table of doses.
    """
    meant, lexicon = ctx.understanding, tools.snapshot.derived(lexicon_of)
    uses = lexicon.read(words(ctx.question), meant.detected or meant.language)
    if any(concept.name in DOSES for use in uses for concept in use.concepts):
        return "", ()
    for thing in dict.fromkeys(match.thing for match in ctx.understanding.matches):
        if said := _said_of(thing, ctx, tools):
            return said
    return "", ()


def _said_of(thing: Thing, ctx: Context, tools: Tools) -> tuple[str, tuple[Citation, ...]] | None:
    page = tools.pages.about(thing.name, thing.url)
    text = tools.phrases.say(
        "refuse_page", ctx.understanding.language, title=page.title if page else ""
    )
    if page is None or not text:
        return None
    ledger = Ledger(tools.pages)
    return f"{text} {ledger.page(page, page.opening)}".rstrip(), ledger.citations
