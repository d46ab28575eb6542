"""What is said to a question that is not answered here, and where somebody can turn to instead."""

from __future__ import annotations

import logging

from chat.answering.citations import Ledger
from chat.answering.composition import planned_for, quoted
from chat.answering.plan import Lead
from chat.answering.quotation.layout import notes, shown_of, sources_of
from chat.behaviours import Behaviour
from chat.checking.knowledge import knowledge_of
from chat.safety.advice import advice_cues_of
from chat.sources import support
from chat.sources.lookup import asked_of
from chat.sources.quotation.scores import Quote
from chat.sources.ranking import boosted, suited
from chat.sources.searching import searched
from chat.tools import Tools
from chat.turn import Citation, Context, StageResult
from retrieval.intents import Intent
from taxonomy.lexicon import lexicon_of
from taxonomy.lookup.question import is_touched
from zol.errors import ExpectedError
from zol.text import words

logger = logging.getLogger(__name__)

#: What is said to a question of a blocked intent, and what that counts as.
REFUSALS = {
    Intent.OUT_OF_SCOPE_MEDICAL_ADVICE: ("refuse_medical", Behaviour.REFUSE_MEDICAL),
    Intent.OFF_TOPIC: ("refuse_offtopic", Behaviour.REFUSE_OFFTOPIC),
    Intent.OTHER_HOSPITAL: ("refuse_other_hospital", Behaviour.REFUSE_OTHER_HOSPITAL),
    Intent.VAGUE_INPUT: ("clarify", Behaviour.CLARIFY),
}

#: Refusals that, where a model gives the word, wait for what is found.
WAITING = frozenset({Intent.OFF_TOPIC, Intent.OTHER_HOSPITAL, Intent.VAGUE_INPUT})
#: Refusals that give way to an answer which staff approved for just this question.
DOUBTFUL = frozenset({Intent.OFF_TOPIC, Intent.VAGUE_INPUT})


def refused(ctx: Context, tools: Tools) -> StageResult:
    """Return the turn with what is said to a question of its intent."""
    meant = ctx.understanding
    kind, behaviour = REFUSALS[meant.intent]
    desk = desk_of(ctx, tools)
    text = "\n\n".join(
        tools.phrases.say(meant.greeting or kind, code, **desk) for code in meant.answered_in
    )
    text = f"{ctx.warning}{text}"
    citations: tuple[Citation, ...] = ()
    if behaviour is Behaviour.REFUSE_MEDICAL:
        additions, citations = pages_say(ctx, tools)
        text = "\n\n".join((text, *additions))
    learned = ctx.learn(answer=text, citations=citations, behaviour=behaviour)
    return StageResult(learned, {"refused": kind}, stop=True)


#: Concepts that ask how much, or how often.
DOSES = frozenset({"dose", "how_much", "how_often"})


def desk_of(ctx: Context, tools: Tools) -> dict[str, str]:
    """Return whom a patient can call: the department of what is named, else the help desk."""
    meant, profile = ctx.understanding, tools.snapshot.profile
    named = tuple(match for match in meant.matches if not is_touched(match))
    departments = asked_of(meant, tools.snapshot, matches=named).departments
    department = next((d for d in departments if d.get("phone")), None)
    if department is None:
        phone = profile.helpdesk_phone or profile.phone
        return {"desk": profile.short_name, "desk_phone": phone}
    return {
        "desk": tools.phrases.name(department, meant.language),
        "desk_phone": department.get("phone"),
    }


def pages_say(ctx: Context, tools: Tools) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
    """Return what a page surely tells everybody about it, where no medicine is spoken of and no
    rule is sure that a decision is asked for; else the page of what the question names.

    Who asks how much to take is sent to no page, which may have a table of doses.
    """
    meant, lexicon = ctx.understanding, tools.snapshot.derived(lexicon_of)
    advice = tools.snapshot.derived(advice_cues_of).check(ctx.question)
    uses = lexicon.read(words(ctx.question), meant.detected or meant.language)
    if any(concept.name in DOSES for use in uses for concept in use.concepts):
        return (), ()
    ledger = Ledger(tools.pages)
    # A model tells rules from advice: what a page tells everybody may be read beside its refusal.
    is_sure = not meant.by_model and (advice.blocks or advice.is_of_medicine)
    if quotes := () if is_sure else surest(ctx, tools):
        title = quotes[0].passage.source.title
        text = tools.phrases.say("refuse_page", meant.language, title=title)
        said = (text, *quoted(quotes, ctx, tools, ledger))
        return (*said, *notes(ctx, tools, sources_of(quotes), shown_of(quotes))), ledger.citations
    for thing in dict.fromkeys(match.thing for match in ctx.understanding.matches):
        page = tools.pages.about(thing.name, thing.url)
        if page and (text := tools.phrases.say("refuse_page", meant.language, title=page.title)):
            return (f"{text} {ledger.page(page, page.opening)}".rstrip(),), ledger.citations
    return (), ()


def surest(ctx: Context, tools: Tools) -> tuple[Quote, ...]:
    """Return what pages would answer, if they do so surely enough and without a dose."""
    try:
        for step in (searched, boosted, suited, support.read):
            ctx = step(ctx, tools).context
        planned = planned_for(ctx, tools)
    except ExpectedError:
        logger.warning("A refusal names the page of what is named", exc_info=True)
        return ()
    first = planned.quotes[:1] if planned.lead is Lead.PAGES else ()
    known = tools.snapshot.derived(knowledge_of)
    read = (known.figures.read(shown_of((each,)), each.passage.source.language) for each in first)
    return () if any(one.unit in known.dose_units for each in read for one in each) else first
