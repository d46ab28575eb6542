"""Refusals, with the desk and the page to turn to instead."""

from __future__ import annotations

from chat.behaviours import Behaviour
from chat.checking.base import Citation
from chat.question.content_words import concepts_asked
from chat.sources.lookup import asked_of, departments_in
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.intents import Intent
from taxonomy.lookup.question import is_implied

#: Kind of text and behaviour of each blocked intent.
REFUSALS = {
    Intent.OUT_OF_SCOPE_MEDICAL_ADVICE: ("refuse_medical", Behaviour.REFUSE_MEDICAL),
    Intent.OFF_TOPIC: ("refuse_offtopic", Behaviour.REFUSE_OFFTOPIC),
    Intent.OTHER_HOSPITAL: ("refuse_other_hospital", Behaviour.REFUSE_OTHER_HOSPITAL),
    Intent.VAGUE_INPUT: ("clarify", Behaviour.CLARIFY),
}

#: Intents that a model may refuse only if the search finds nothing.
WAITING = frozenset({Intent.OFF_TOPIC, Intent.OTHER_HOSPITAL, Intent.VAGUE_INPUT})
#: Blocked intents that a curated answer overrides.
DOUBTFUL = frozenset({Intent.OFF_TOPIC, Intent.VAGUE_INPUT})


def refused(ctx: Context, tools: Tools) -> StageResult:
    """Return the turn with the refusal of its intent."""
    meant = ctx.understanding
    kind, behaviour = REFUSALS[meant.intent]
    desk = desk_of(ctx, tools)
    text = "\n\n".join(
        tools.phrases.say(meant.greeting or kind, code, **desk) for code in meant.answered_in
    )
    text = f"{ctx.warning}{text}"
    citations: tuple[Citation, ...] = ()
    if behaviour is Behaviour.REFUSE_MEDICAL:
        additions, citations = page_about(ctx, tools)
        text = "\n\n".join((text, *additions))
    learned = ctx.learn(text=text, citations=citations, behaviour=behaviour)
    return StageResult(learned, {"refused": kind}, stop=True)


#: Concepts that ask for an amount or frequency.
DOSES = frozenset({"dose", "how_much", "how_often"})


def desk_of(ctx: Context, tools: Tools, answer: str = "") -> dict[str, str]:
    """Return the name and number of the department that the answer names, else of the one that the
    question names, else of the help desk."""
    meant, profile = ctx.understanding, tools.snapshot.profile
    named = tuple(match for match in meant.matches if not is_implied(match))
    answered = departments_in(answer, tools.snapshot) or () if answer else ()
    departments = (*answered, *asked_of(meant, tools.snapshot, matches=named).departments)
    department = next((d for d in departments if d.get("phone")), None)
    if department is None:
        phone = profile.helpdesk_phone or profile.phone
        return {"desk": profile.short_name, "desk_phone": phone}
    return {
        "desk": tools.phrases.name(department, meant.language),
        "desk_phone": department.get("phone"),
    }


def page_about(ctx: Context, tools: Tools) -> tuple[tuple[str, ...], tuple[Citation, ...]]:
    """Return a sentence that links the page about a named entity, and its citation.

    A question about a dose gets none, since the page may hold a table of doses.
    """
    if not concepts_asked(ctx, tools.snapshot).isdisjoint(DOSES):
        return (), ()
    meant = ctx.understanding
    for thing in dict.fromkeys(match.thing for match in ctx.understanding.matches):
        page = tools.corpus.pages.about(thing.name, thing.url)
        if page and (text := tools.phrases.say("refuse_page", meant.language, title=page.title)):
            return (f"{text} [1]",), (Citation.of_page(page, 1),)
    return (), ()
