from __future__ import annotations

from collections.abc import Iterator

from chat.behaviours import Behaviour
from chat.checks.repairs import names
from chat.engines.embedded.plan import PEOPLE
from chat.engines.embedded.teller import Teller, doctor_name
from chat.lookup.asked import asked_of
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.intents import Intent
from taxonomy.lexicon import lexicon_of
from taxonomy.resolvers import resolver_index
from taxonomy.vocabulary import Thing
from zol.text import words

#: Departments that doctors are added for, and doctors of one: longer is no addition but a list.
MOST_DEPARTMENTS, MOST_DOCTORS = 2, 12
#: Concepts of the lexicon that ask for people.
ASKS_FOR_PEOPLE = frozenset({"who", "doctor", "specialist", "surgeon"})


def supplement(ctx: Context, tools: Tools) -> StageResult:
    """Add the doctors of a department that the question leads to, when doctors were asked for.

    Additive only, and marked: nothing that was written changes. The safety net for a question
    whose doctors were asked for in passing and that was answered from pages alone.
    """
    if ctx.behaviour is not Behaviour.ANSWER or not asks_for_doctors(ctx, tools):
        return StageResult(ctx)
    told = list(additions(ctx, tools))
    if not told:
        return StageResult(ctx)
    teller = Teller(tools.snapshot.vocabulary, tools.phrases, ctx.understanding.language)
    texts = [
        teller.say(
            "supplement",
            department=teller.name(department),
            doctors=teller.phrases.listed([doctor_name(d) for d in doctors], teller.language),
        )
        for department, doctors in told
    ]
    answer = "\n\n".join((ctx.answer.rstrip(), *(f"*{text}*" for text in texts if text)))
    return StageResult(
        ctx.learn(answer=answer),
        {"supplement": {d.name: [doctor.name for doctor in doctors] for d, doctors in told}},
    )


def asks_for_doctors(ctx: Context, tools: Tools) -> bool:
    """Whether people were asked for, by the question or in passing: "… en bij wie?"."""
    meant = ctx.understanding
    lexicon = tools.snapshot.derived(lexicon_of)
    uses = lexicon.read(words(ctx.question), meant.detected or meant.language)
    said = {concept.name for use in uses for concept in use.concepts}
    return meant.intent is Intent.DOCTOR_LOOKUP or not ASKS_FOR_PEOPLE.isdisjoint(said)


def additions(ctx: Context, tools: Tools) -> Iterator[tuple[Thing, tuple[Thing, ...]]]:
    """Yield departments that question and answer name with a word of their own, and whoever of them
    fits what is asked of a doctor: all of these, or nobody.

    Where doctors were found for the question, those are the answer.
    """
    if any(finding.says in PEOPLE for finding in ctx.findings):
        return
    asked = asked_of(ctx.understanding, tools.snapshot, ctx.question)
    vocabulary, index = tools.snapshot.vocabulary, tools.snapshot.derived(resolver_index)
    named = [
        department
        for department in asked.departments
        if names(ctx.answer, department) and not index.is_bare_ward(department)
    ]
    for department in named[:MOST_DEPARTMENTS]:
        doctors = vocabulary.doctors_in(department)
        # Where some are named, these were chosen: by campus, or by what they treat.
        if any(names(ctx.answer, doctor) for doctor in doctors):
            continue
        fitting = asked.filters.keep(doctors, vocabulary)
        if 0 < len(fitting) <= MOST_DOCTORS:
            yield department, fitting
